module hw_ham_correct (
    input [11:0] code,
    output [7:0] d,
    output error
);
    wire [3:0] syn;
    assign syn[0] = code[0] ^ code[2] ^ code[4] ^ code[6] ^ code[8] ^ code[10];
    assign syn[1] = code[1] ^ code[2] ^ code[5] ^ code[6] ^ code[9] ^ code[10];
    assign syn[2] = code[3] ^ code[4] ^ code[5] ^ code[6] ^ code[11];
    assign syn[3] = code[7] ^ code[8] ^ code[9] ^ code[10] ^ code[11];
    wire [12:0] m = {12'd0, 1'b1} << syn;
    wire [11:0] fix = code ^ m[12:1];
    assign d = {fix[11], fix[10], fix[9], fix[8], fix[6], fix[5], fix[4], fix[2]};
    assign error = (syn != 4'd0);
endmodule
