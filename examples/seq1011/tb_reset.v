`timescale 1ns/1ps
// The reset is synchronous: what it does between two clock edges does not count.
module tb_reset;

    reg  clk = 1'b0;
    reg  rst = 1'b1;
    reg  din = 1'b0;
    wire found;

    seq1011 dut (.clk(clk), .rst(rst), .din(din), .found(found));

    integer samples = 0;
    integer mishits = 0;
    integer place;
    reg [6:0] stream = 7'b1011011;
    reg [6:0] hits = 7'b0001001;

    task expect_found(input value);
        begin
            samples = samples + 1;
            if (found !== value) begin
                mishits = mishits + 1;
                $display("%0t: found=%b, expected %b", $time, found, value);
            end
        end
    endtask

    // A pulse of the reset while the clock is low, then the edge that takes in one bit.
    task take(input bit_in, input value);
        begin
            rst = 1'b1;
            #2 rst = 1'b0;
            din = bit_in;
            #3 clk = 1'b1;
            #5 clk = 1'b0;
            #1 expect_found(value);
        end
    endtask

    initial begin
        #5 clk = 1'b1;
        #5 clk = 1'b0;
        #1 expect_found(1'b0);
        for (place = 6; place >= 0; place = place - 1) take(stream[place], hits[place]);
        rst = 1'b1;
        #2 expect_found(1'b1);  // still: no edge has seen it
        $display("RESULT %0d %0d", samples, mishits);
        $finish;
    end

endmodule
