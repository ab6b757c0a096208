module pwm (
    input CLK,
    input rst_i,
    input [7:0] duty,
    output [7:0] value,
    output pwm_o
);
    mod_counter u_cnt (.clk(CLK), .rst(rst_i), .q(value));
    level_cmp u_cmp (.a(value), .b(duty), .y(pwm_o));
endmodule

module mod_counter (
    input clk,
    input rst,
    output reg [7:0] q
);
    always @(posedge clk or posedge rst) begin
        if (rst) begin
            q <= 8'd0;
        end else begin
            q <= q + 1'b1;
        end
    end
endmodule

module level_cmp (
    input [7:0] a,
    input [7:0] b,
    output y
);
    assign y = (a < b);
endmodule
