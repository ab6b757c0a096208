module arith_pipe (
    input clk_i,
    input rst,
    input [7:0] in_a,
    input [7:0] in_b,
    input [7:0] in_c,
    output [7:0] result
);
    wire [7:0] mid, s1_c;
    first_stage u1 (.clk(clk_i), .rst(rst), .a(in_a), .b(in_b), .c_in(in_c), .p(mid), .c_out(s1_c));
    second_stage u2 (.clk(clk_i), .rst(rst), .p(mid), .c(s1_c), .r(result));
endmodule

module first_stage (
    input clk,
    input rst,
    input [7:0] a,
    input [7:0] b,
    input [7:0] c_in,
    output reg [7:0] p,
    output reg [7:0] c_out
);
    always @(posedge clk) begin
        if (rst) begin
            p <= 8'd0;
            c_out <= 8'd0;
        end else begin
            p <= a | b;
            c_out <= c_in;
        end
    end
endmodule

module second_stage (
    input clk,
    input rst,
    input [7:0] p,
    input [7:0] c,
    output reg [7:0] r
);
    always @(posedge clk) begin
        if (rst) begin
            r <= 8'd0;
        end else begin
            r <= p - c;
        end
    end
endmodule
