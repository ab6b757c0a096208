// Counts in binary and shows the count in reflected Gray code.
module gray4 (
    input  wire       clk,
    input  wire       rst_n,
    input  wire       en,
    output wire [3:0] gray
);

    reg [3:0] count;

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n)
            count <= 4'd0;
        else if (en)
            count <= count + 4'd1;
    end

    assign gray = count ^ (count >> 1);

endmodule
