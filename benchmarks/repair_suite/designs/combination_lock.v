module combo_lock (
    input clk,
    input sys_rst,
    input [1:0] code,
    input enter,
    input clear,
    output unlock
);
    reg [1:0] state;
    reg [1:0] expected;
    always @(*) begin
        case (state)
            2'd0: expected = 2'd1;
            2'd1: expected = 2'd1;
            default: expected = 2'd0;
        endcase
    end
    always @(posedge clk) begin
        if (sys_rst) begin
            state <= 2'd0;
        end else begin
            if (state == 2'd3) begin
                if (clear)
                    state <= 2'd0;
            end else if (enter) begin
                if (code == expected)
                    state <= state + 1'b1;
                else
                    state <= 2'd0;
            end
        end
    end
    assign unlock = (state == 2'd3);
endmodule
