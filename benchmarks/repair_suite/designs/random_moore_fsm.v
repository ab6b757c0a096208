module state_machine (
    input clk_i,
    input sys_rst,
    input x,
    output reg out
);
    localparam [1:0] START = 2'b00, ONE = 2'b01, TWO = 2'b10, THREE = 2'b11;
    reg [1:0] cs, ns;
    always @(posedge clk_i or posedge sys_rst) begin
        if (sys_rst) begin
            cs <= START;
        end else begin
            cs <= ns;
        end
    end
    always @(*) begin
        case (cs)
            START: ns = x ? THREE : ONE;
            ONE: ns = START;
            TWO: ns = x ? TWO : START;
            THREE: ns = x ? TWO : THREE;
            default: ns = START;
        endcase
    end
    always @(*) begin
        case (cs)
            START: out = 1'b1;
            ONE: out = 1'b0;
            TWO: out = 1'b1;
            THREE: out = 1'b1;
            default: out = 1'b1;
        endcase
    end
endmodule
