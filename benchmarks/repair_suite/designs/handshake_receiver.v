module req_ack_rx (
    input aclk,
    input sys_rst,
    input req,
    input [15:0] din,
    output reg ack,
    output reg [15:0] data_q,
    output reg strobe
);
    reg [1:0] delay_cnt;
    always @(posedge aclk or posedge sys_rst) begin
        if (sys_rst) begin
            ack <= 1'b0;
            data_q <= 16'd0;
            strobe <= 1'b0;
            delay_cnt <= 2'd0;
        end else begin
            strobe <= 1'b0;
            if (!req) begin
                ack <= 1'b0;
                delay_cnt <= 2'd0;
            end else if (!ack) begin
                if (delay_cnt == 2'd1) begin
                    ack <= 1'b1;
                    data_q <= din;
                    strobe <= 1'b1;
                end else begin
                    delay_cnt <= delay_cnt + 1'b1;
                end
            end
        end
    end
endmodule
