module Debounce (
    input clk,
    input i_rst,
    input noisy,
    output filtered
);
    reg state;
    reg [1:0] stable_cnt;
    always @(posedge clk or posedge i_rst) begin
        if (i_rst) begin
            state <= 1'b0;
            stable_cnt <= {2{1'b0}};
        end else begin
            if (noisy != state) begin
                if (stable_cnt == 2'd3) begin
                    stable_cnt <= {2{1'b0}};
                    state <= ~state;
                end else begin
                    stable_cnt <= stable_cnt + 1'b1;
                end
            end else begin
                stable_cnt <= {2{1'b0}};
            end
        end
    end
    assign filtered = state;
endmodule
