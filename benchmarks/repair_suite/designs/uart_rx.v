module serial_rx_core (
    input sys_clk,
    input nrst,
    input serial_in,
    output reg [7:0] rx_data,
    output reg strobe
);
    localparam [1:0] IDLE = 2'd0, START = 2'd1, DATA = 2'd2, STOP = 2'd3;
    reg [1:0] st;
    reg [1:0] cnt;
    reg [2:0] bit_cnt;
    reg [7:0] shreg;
    always @(posedge sys_clk) begin
        if (!nrst) begin
            st <= IDLE;
            cnt <= 2'd0;
            bit_cnt <= 3'd0;
            shreg <= 8'd0;
            rx_data <= 8'd0;
            strobe <= 1'b0;
        end else begin
            strobe <= 1'b0;
            cnt <= cnt + 1'b1;
            case (st)
                IDLE: begin
                    cnt <= 2'd0;
                    bit_cnt <= 3'd0;
                    if (!serial_in)
                        st <= START;
                end
                START:
                    if (cnt == 2'd1) begin
                        cnt <= 2'd0;
                        st <= serial_in ? IDLE : DATA;
                    end
                DATA:
                    if (cnt == 2'd3) begin
                        cnt <= 2'd0;
                        shreg <= {serial_in, shreg[7:1]};
                        bit_cnt <= bit_cnt + 1'b1;
                        if (bit_cnt == 3'd7)
                            st <= STOP;
                    end
                default:
                    if (cnt == 2'd3) begin
                        st <= IDLE;
                        strobe <= serial_in;
                        if (serial_in)
                            rx_data <= shreg;
                    end
            endcase
        end
    end
endmodule
