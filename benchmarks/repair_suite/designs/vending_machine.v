module lib_coin_fsm (
    input clk_i,
    input rst_i,
    input coin_1,
    input c5,
    output reg open,
    output reg [3:0] change_due
);
    reg [3:0] total;
    wire [3:0] next_total = c5 ? total + 4'd5 :
        coin_1 ? total + 4'd1 : total;
    always @(posedge clk_i or posedge rst_i) begin
        if (rst_i) begin
            total <= 4'd0;
            open <= 1'b0;
            change_due <= 4'd0;
        end else begin
            if (next_total >= 4'd7) begin
                total <= 4'd0;
                open <= 1'b1;
                change_due <= next_total - 4'd7;
            end else begin
                total <= next_total;
                open <= 1'b0;
                change_due <= 4'd0;
            end
        end
    end
endmodule
