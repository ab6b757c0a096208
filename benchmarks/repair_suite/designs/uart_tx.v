module async_tx #(parameter DIV = 16) (
    input clk_i,
    input srst,
    input wr,
    input [7:0] tx_data,
    output txd,
    output tx_ready
);
    localparam [1:0] IDLE = 2'd0, START = 2'd1, DATA = 2'd2, STOP = 2'd3;
    reg [1:0] st;
    reg [7:0] sh;
    reg [15:0] baud;
    reg [2:0] bit_idx;
    always @(posedge clk_i) begin
        if (srst) begin
            st <= IDLE;
            baud <= 16'd0;
            bit_idx <= 3'd0;
            sh <= 8'd0;
        end else begin
            if (st == IDLE) begin
                baud <= 16'd0;
                if (wr) begin
                    sh <= tx_data;
                    st <= START;
                end
            end else if (baud != DIV - 1) begin
                baud <= baud + 1'b1;
            end else begin
                baud <= 16'd0;
                case (st)
                    START: begin
                        st <= DATA;
                        bit_idx <= 3'd0;
                    end
                    DATA: begin
                        sh <= sh >> 1;
                        bit_idx <= bit_idx + 1'b1;
                        if (bit_idx == 3'd7)
                            st <= STOP;
                    end
                    default: st <= IDLE;
                endcase
            end
        end
    end
    assign txd = (st == START) ? 1'b0 : (st == DATA) ? sh[0] : 1'b1;
    assign tx_ready = (st == IDLE);
endmodule
