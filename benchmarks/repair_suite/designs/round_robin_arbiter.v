module FairArbiter (
    input CLK,
    input areset,
    input [1:0] req,
    output reg [1:0] grants
);
    reg last;
    reg [1:0] pick;
    always @(*) begin
        case (last)
            1'd0: pick = req[1] ? 2'b10 : req[0] ? 2'b01 : 2'd0;
            default: pick = req[0] ? 2'b01 : req[1] ? 2'b10 : 2'd0;
        endcase
    end
    always @(posedge CLK) begin
        if (areset) begin
            last <= 1'd1;
            grants <= 2'd0;
        end else begin
            grants <= pick;
            if (pick[0]) last <= 1'd0;
            if (pick[1]) last <= 1'd1;
        end
    end
endmodule
