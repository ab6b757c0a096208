// Counts up or down by one, with enable; wraps at both ends.
module updown_counter (
    input  wire       clk,
    input  wire       rst,
    input  wire       en,
    input  wire       up,
    output reg  [7:0] count
);

    always @(posedge clk) begin
        if (rst)
            count <= 8'd0;
        else if (en)
            count <= up ? count + 8'd1 : count - 8'd1;
    end

endmodule
