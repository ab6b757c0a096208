module mov_avg (
    input clk,
    input reset,
    input enable,
    input [5:0] din,
    output [5:0] filtered
);
    reg [5:0] z0, z1, z2, z3;
    wire [7:0] sum;

    always @(posedge clk or posedge reset) begin
        if (reset) begin
            z0 <= 6'b0;
            z1 <= 6'b0;
            z2 <= 6'b0;
            z3 <= 6'b0;
        end else begin
            if (enable) begin
                z0 <= din;
                z1 <= z0;
                z2 <= z1;
                z3 <= z2;
            end
        end
    end

    assign sum = z0 + z1 + z2 + z3;
    assign filtered = sum[7:2];
endmodule
