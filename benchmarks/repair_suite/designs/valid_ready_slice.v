module reg_slice (
    input clk,
    input srst,
    input in_valid,
    input [15:0] in_data,
    input out_ready,
    output in_ready,
    output reg out_valid,
    output reg [15:0] out_data
);
    always @(posedge clk or posedge srst) begin
        if (srst) begin
            out_valid <= 1'b0;
            out_data <= 16'd0;
        end else begin
            if (in_valid && in_ready) begin
                out_valid <= 1'b1;
                out_data <= in_data;
            end else if (out_ready) begin
                out_valid <= 1'b0;
            end
        end
    end
    assign in_ready = !out_valid;
endmodule
