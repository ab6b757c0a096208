module Counter99 (
    input clk,
    input aresetn,
    input step,
    output reg [3:0] digit1,
    output reg [3:0] digit0
);
    always @(posedge clk) begin
        if (!aresetn) begin
            digit1 <= 4'd0;
            digit0 <= 4'd0;
        end else begin
            if (step) begin
                if (digit1 == 4'd3 && digit0 == 4'd1) begin
                    digit1 <= 4'd0;
                    digit0 <= 4'd0;
                end else if (digit0 == 4'd9) begin
                    digit0 <= 4'd0;
                    digit1 <= digit1 + 1'b1;
                end else begin
                    digit0 <= digit0 + 1'b1;
                end
            end
        end
    end
endmodule
