`timescale 1ns/1ps
// The reset is asynchronous: it acts at once, also between two clock edges.
module tb_reset;

    reg        clk = 1'b0;
    reg        areset = 1'b0;
    reg  [7:0] duty = 8'd1;  // high only while the counter is 0
    wire       pwm_out;

    pwm8 dut (.clk(clk), .areset(areset), .duty(duty), .pwm_out(pwm_out));

    integer samples = 0;
    integer mismatches = 0;
    integer round;

    task expect_out(input value);
        begin
            samples = samples + 1;
            if (pwm_out !== value) begin
                mismatches = mismatches + 1;
                $display("%0t: pwm_out=%b, expected %b", $time, pwm_out, value);
            end
        end
    endtask

    task tick;
        begin
            #5 clk = 1'b1;
            #5 clk = 1'b0;
        end
    endtask

    initial begin
        #1 areset = 1'b1;
        #1 expect_out(1'b1);  // no clock edge yet
        tick; expect_out(1'b1);
        areset = 1'b0;
        for (round = 1; round < 6; round = round + 1) begin
            repeat (round) tick;
            expect_out(1'b0);
            areset = 1'b1;
            #1 expect_out(1'b1);
            areset = 1'b0;
            #1 expect_out(1'b1);
            tick; expect_out(1'b0);
        end
        $display("RESULT %0d %0d", samples, mismatches);
        $finish;
    end

endmodule
