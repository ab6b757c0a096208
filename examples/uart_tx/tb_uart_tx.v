`timescale 1ns/1ps
// Compares tx and busy in every cycle with a frame that is counted out here.
module tb_uart_tx;

    reg        clk = 1'b0;
    reg        rst = 1'b1;
    reg        start = 1'b0;
    reg  [7:0] data = 8'h00;
    wire       tx;
    wire       busy;

    uart_tx dut (.clk(clk), .rst(rst), .start(start), .data(data), .tx(tx), .busy(busy));

    always #5 clk = ~clk;

    integer    samples = 0;
    integer    mismatches = 0;
    integer    position = 160;  // cycle within the frame; 160: idle
    reg  [9:0] frame = 10'h3FF;
    reg        want_tx;
    reg        want_busy;

    // Inputs change at falling edges, so what is applied here is what the next rising edge sees.
    task cycle(input apply_rst, input apply_start, input [7:0] apply_data);
        begin
            rst   = apply_rst;
            start = apply_start;
            data  = apply_data;
            if (apply_rst)
                position = 160;
            else if (position < 160)
                position = position + 1;
            else if (apply_start) begin
                position = 0;
                frame    = {1'b1, apply_data, 1'b0};
            end
            @(negedge clk);
            want_busy = (position < 160);
            want_tx   = want_busy ? frame[position / 16] : 1'b1;
            samples   = samples + 1;
            if (tx !== want_tx || busy !== want_busy) begin
                mismatches = mismatches + 1;
                if (mismatches <= 5)
                    $display("cycle %0d (%0d of the frame): tx=%b busy=%b, expected tx=%b busy=%b",
                             samples, position, tx, busy, want_tx, want_busy);
            end
        end
    endtask

    integer i;
    integer seed = 7;

    initial begin
        @(negedge clk);
        repeat (3) cycle(1, 0, 8'h00);
        repeat (20) cycle(0, 0, 8'hA5);

        // One byte alone; data and start change while it is sent.
        cycle(0, 1, 8'h53);
        for (i = 0; i < 159; i = i + 1) cycle(0, i[0], i[7:0]);
        repeat (40) cycle(0, 0, 8'h00);

        // start held high: one byte after the other with a single idle cycle between them.
        for (i = 0; i < 5 * 161; i = i + 1) cycle(0, 1, $random(seed));
        while (position < 160) cycle(0, 0, 8'hFF);

        // Every bit alone, and its complement.
        for (i = 0; i < 16; i = i + 1) begin
            cycle(0, 1, (8'h01 << (i % 8)) ^ {8{i >= 8}});
            while (position < 160) cycle(0, 0, $random(seed));
            repeat (i) cycle(0, 0, $random(seed));
        end

        // A reset that comes and goes between two edges is none: it is synchronous.
        cycle(0, 1, 8'h5A);
        for (i = 0; i < 165; i = i + 1) begin
            #1 rst = 1'b1;
            #2 rst = 1'b0;
            cycle(0, 0, 8'h00);
        end

        // Reset in the middle of a byte, then another byte from the start.
        cycle(0, 1, 8'h00);
        repeat (75) cycle(0, 0, 8'h00);
        cycle(1, 1, 8'hFF);
        repeat (5) cycle(0, 0, 8'h00);
        cycle(0, 1, 8'hC6);
        repeat (200) cycle(0, 0, 8'h00);

        $display("RESULT %0d %0d", samples, mismatches);
        $finish;
    end

endmodule
