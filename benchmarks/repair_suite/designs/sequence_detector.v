module fsm (
    input sys_clk,
    input i_rst,
    input din,
    output y
);
    localparam [1:0] M0 = 2'd0, M1 = 2'd1, M2 = 2'd2, M3 = 2'd3;
    reg [1:0] state, next_state;
    always @(*) begin
        case (state)
            M0: next_state = din ? M1 : M0;
            M1: next_state = din ? M1 : M2;
            M2: next_state = din ? M1 : M3;
            M3: next_state = din ? M1 : M0;
            default: next_state = M0;
        endcase
    end
    always @(posedge sys_clk or posedge i_rst) begin
        if (i_rst) begin
            state <= M0;
        end else begin
            state <= next_state;
        end
    end
    assign y = (state == M3);
endmodule
