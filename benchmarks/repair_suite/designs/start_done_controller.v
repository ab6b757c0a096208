module x_op_timer (
    input clk,
    input rst,
    input req,
    output active,
    output done
);
    localparam [1:0] IDLE = 2'd0, RUN = 2'd1, FIN = 2'd2;
    reg [1:0] st;
    reg [4:0] timer;
    always @(posedge clk) begin
        if (rst) begin
            st <= IDLE;
            timer <= 5'd0;
        end else begin
            case (st)
                IDLE: if (req) begin
                    st <= RUN;
                    timer <= 5'd19;
                end
                RUN: begin
                    if (timer == 5'd0)
                        st <= FIN;
                    timer <= timer - 1'b1;
                end
                default: st <= IDLE;
            endcase
        end
    end
    assign active = (st == RUN);
    assign done = (st == FIN);
endmodule
