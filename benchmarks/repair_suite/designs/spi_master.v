module spi (
    input aclk,
    input reset,
    input go,
    input [7:0] wdata,
    input miso,
    output reg spi_sck,
    output sdo,
    output spi_cs_n,
    output reg busy,
    output reg done,
    output [7:0] rx_data
);
    reg [7:0] sh;
    reg [2:0] n_bits;
    reg sampled;
    always @(posedge aclk or posedge reset) begin
        if (reset) begin
            busy <= 1'b0;
            done <= 1'b0;
            spi_sck <= 1'b0;
            sh <= 8'd0;
            n_bits <= 3'd0;
            sampled <= 1'b0;
        end else begin
            done <= 1'b0;
            if (!busy && go) begin
                busy <= 1'b1;
                sh <= wdata;
                n_bits <= 3'd0;
            end else if (busy) begin
                spi_sck <= !spi_sck;
                if (!spi_sck) begin
                    sampled <= miso;
                end else begin
                    sh <= {sh[6:0], sampled};
                    n_bits <= n_bits + 1'b1;
                    if (n_bits == 3'd7) begin
                        busy <= 1'b0;
                        done <= 1'b1;
                    end
                end
            end
        end
    end
    assign sdo = sh[7];
    assign spi_cs_n = !busy;
    assign rx_data = sh;
endmodule
