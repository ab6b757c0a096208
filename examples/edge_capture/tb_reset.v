`timescale 1ns/1ps
// The reset is asynchronous: it acts at once, also between two clock edges.
module tb_reset;

    reg        clk = 1'b0;
    reg        rst_n = 1'b1;
    reg  [7:0] din = 8'hFF;
    wire [7:0] pulse;

    edge_capture dut (.clk(clk), .rst_n(rst_n), .din(din), .pulse(pulse));

    integer samples = 0;
    integer mismatches = 0;
    integer round;

    task expect_pulse(input [7:0] value);
        begin
            samples = samples + 1;
            if (pulse !== value) begin
                mismatches = mismatches + 1;
                $display("%0t: pulse=%h, expected %h", $time, pulse, value);
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
        #1 rst_n = 1'b0;
        #1 expect_pulse(8'h00);  // no clock edge yet
        tick; expect_pulse(8'h00);
        rst_n = 1'b1;
        for (round = 0; round < 8; round = round + 1) begin
            tick; expect_pulse(din);  // nothing is remembered from before the reset
            rst_n = 1'b0;
            #1 expect_pulse(8'h00);
            rst_n = 1'b1;
            din = 8'hFF ^ (8'h01 << round);
            #1 expect_pulse(8'h00);
        end
        tick; expect_pulse(din);
        tick; expect_pulse(8'h00);
        $display("RESULT %0d %0d", samples, mismatches);
        $finish;
    end

endmodule
