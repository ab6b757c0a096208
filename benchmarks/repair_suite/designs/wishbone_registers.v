module wishbone_slave (
    input sys_clk,
    input areset,
    input wb_cyc_i,
    input wb_stb_i,
    input wb_we_i,
    input [1:0] wb_sel_i,
    input [2:0] wb_adr_i,
    input [15:0] wb_dat_i,
    output reg [15:0] wb_dat_o,
    output reg wb_ack_o
);
    reg [15:0] file_q [0:7];
    integer k;
    wire request = wb_cyc_i && wb_stb_i && !wb_ack_o;
    always @(posedge sys_clk) begin
        if (areset) begin
            wb_ack_o <= 1'b0;
            wb_dat_o <= 16'd0;
            for (k = 0; k < 8; k = k + 1)
                file_q[k] <= 16'd0;
        end else begin
            wb_ack_o <= request;
            if (request) begin
                if (wb_we_i) begin
                    if (wb_sel_i[0])
                        file_q[wb_adr_i][7:0] <= wb_dat_i[7:0];
                    if (wb_sel_i[1])
                        file_q[wb_adr_i][15:8] <= wb_dat_i[15:8];
                end else begin
                    wb_dat_o <= file_q[wb_adr_i];
                end
            end
        end
    end
endmodule
