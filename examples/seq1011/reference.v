// Overlapping detector: each state is the longest prefix of 1011 that was just seen.
module seq1011 (
    input  wire clk,
    input  wire rst,
    input  wire din,
    output reg  found
);

    localparam NONE    = 2'd0;
    localparam SEEN1   = 2'd1;
    localparam SEEN10  = 2'd2;
    localparam SEEN101 = 2'd3;

    reg [1:0] state;

    always @(posedge clk) begin
        if (rst) begin
            state <= NONE;
            found <= 1'b0;
        end else begin
            found <= (state == SEEN101) && din;
            case (state)
                NONE:    state <= din ? SEEN1 : NONE;
                SEEN1:   state <= din ? SEEN1 : SEEN10;
                SEEN10:  state <= din ? SEEN101 : NONE;
                default: state <= din ? SEEN1 : SEEN10;
            endcase
        end
    end

endmodule
