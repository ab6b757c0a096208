module simple_alu (
    output reg [31:0] result,
    output zero_flag,
    output odd,
    input [31:0] src1,
    input [31:0] src2,
    input [2:0] ctrl
);
    always @* begin
        case (ctrl)
            3'b000: result = src1 ^ src2;
            3'b001: result = src1 + src2;
            3'b010: result = src1 | src2;
            3'b011: result = src1 - src2;
            3'b100: result = src2;
            3'b101: result = src1 & src2;
            default: result = 32'd0;
        endcase
    end
    assign zero_flag = (result == 32'd0);
    assign odd = ^result;
endmodule
