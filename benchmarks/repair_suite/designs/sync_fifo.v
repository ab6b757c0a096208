module SmallFifo (
    input i_clk,
    input rst_ni,
    input write,
    input [3:0] data_in,
    input read,
    output reg [3:0] data_out,
    output is_full,
    output empty
);
    reg [3:0] buf_mem [0:3];
    reg [2:0] w_idx, r_idx;
    always @(posedge i_clk) begin
        if (!rst_ni) begin
            w_idx <= 3'd0;
            r_idx <= 3'd0;
            data_out <= 4'd0;
        end else begin
            if (write && !is_full) begin
                buf_mem[w_idx[1:0]] <= data_in;
                w_idx <= w_idx + 1'b1;
            end
            if (read && !empty) begin
                data_out <= buf_mem[r_idx[1:0]];
                r_idx <= r_idx + 1'b1;
            end
        end
    end
    assign empty = (w_idx == r_idx);
    assign is_full = (w_idx == {~r_idx[2], r_idx[1:0]});
endmodule
