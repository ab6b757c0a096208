module bcd_add_top (
    input [7:0] a,
    input [7:0] b,
    input c_in,
    output [7:0] digit,
    output carry
);
    wire [2:0] cy;
    assign cy[0] = c_in;
    assign carry = cy[2];
    genvar k;
    generate
        for (k = 0; k < 2; k = k + 1) begin : dig
            digit_add u (
                .a(a[4*k +: 4]), .b(b[4*k +: 4]), .ci(cy[k]),
                .s(digit[4*k +: 4]), .co(cy[k+1])
            );
        end
    endgenerate
endmodule

module digit_add (
    input [3:0] a,
    input [3:0] b,
    input ci,
    output [3:0] s,
    output co
);
    wire [4:0] t = {1'b0, a} + {1'b0, b} + ci;
    assign co = (t > 5'd9);
    assign s = co ? t[3:0] + 4'd6 : t[3:0];
endmodule
