module DecDigits (
    input [7:0] x,
    output reg [11:0] digits
);
    integer i;
    always @(*) begin
        digits = 12'd0;
        for (i = 7; i >= 0; i = i - 1) begin
            if (digits[3:0] > 4'd4)
                digits[3:0] = digits[3:0] + 4'd3;
            if (digits[7:4] > 4'd4)
                digits[7:4] = digits[7:4] + 4'd3;
            if (digits[11:8] > 4'd4)
                digits[11:8] = digits[11:8] + 4'd3;
            digits = {digits[10:0], x[i]};
        end
    end
endmodule
