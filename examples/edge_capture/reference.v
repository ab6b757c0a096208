// One pulse of one clock for each rising edge, line by line.
module edge_capture (
    input  wire       clk,
    input  wire       rst_n,
    input  wire [7:0] din,
    output reg  [7:0] pulse
);

    reg [7:0] before;

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            before <= 8'h00;
            pulse  <= 8'h00;
        end else begin
            before <= din;
            pulse  <= din & ~before;
        end
    end

endmodule
