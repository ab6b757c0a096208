module Euclid (
    input clk_i,
    input reset_n,
    input begin_op,
    input [3:0] a,
    input [3:0] b,
    output reg [3:0] answer,
    output reg busy,
    output reg valid
);
    reg [3:0] ra, rb;
    always @(posedge clk_i or negedge reset_n) begin
        if (!reset_n) begin
            ra <= 4'd0;
            rb <= 4'd0;
            answer <= 4'd0;
            busy <= 1'b0;
            valid <= 1'b0;
        end else begin
            valid <= 1'b0;
            if (busy) begin
                if (ra == rb || ra == 4'd0 || rb == 4'd0) begin
                    answer <= ra | rb;
                    busy <= 1'b0;
                    valid <= 1'b1;
                end else if (ra > rb) begin
                    ra <= ra - rb;
                end else begin
                    rb <= rb - ra;
                end
            end else if (begin_op) begin
                ra <= a;
                rb <= b;
                busy <= 1'b1;
            end
        end
    end
endmodule
