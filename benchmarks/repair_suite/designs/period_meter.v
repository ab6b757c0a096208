module period_counter (
    input i_clk,
    input reset,
    input x,
    output reg [4:0] period
);
    reg last;
    reg [4:0] timer;
    wire edge_det;
    assign edge_det = x & ~last;
    always @(posedge i_clk) begin
        if (reset) begin
            last <= 1'b0;
            timer <= {5{1'b0}};
            period <= {5{1'b0}};
        end else begin
            last <= x;
            if (edge_det) begin
                period <= timer;
                timer <= 5'd1;
            end else if (timer != {5{1'b1}}) begin
                timer <= timer + 1'b1;
            end
        end
    end
endmodule
