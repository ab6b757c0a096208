module tl_fsm (
    input clk,
    input areset,
    output amber,
    output red,
    output green
);
    localparam [1:0] S_GO = 2'd0, S_WARN = 2'd1, S_STOP = 2'd2;
    reg [1:0] st;
    reg [2:0] timer;
    wire [2:0] limit = (st == S_GO) ? 3'd2 :
        (st == S_WARN) ? 3'd2 : 3'd4;
    always @(posedge clk) begin
        if (areset) begin
            st <= S_GO;
            timer <= 3'd0;
        end else begin
            if (timer == limit) begin
                timer <= 3'd0;
                st <= (st == S_STOP) ? S_GO : st + 1'b1;
            end else begin
                timer <= timer + 1'b1;
            end
        end
    end
    assign green = (st == S_GO);
    assign amber = (st == S_WARN);
    assign red = (st == S_STOP);
endmodule
