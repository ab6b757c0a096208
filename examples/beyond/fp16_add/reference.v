// IEEE 754 binary16 addition, round to nearest, ties to even.
module fp16_add (
    input  wire [15:0] a,
    input  wire [15:0] b,
    output reg  [15:0] sum
);

    // Order the operands by magnitude: the sign of the larger one is the sign of the result.
    wire        swap    = b[14:0] > a[14:0];
    wire [15:0] greater = swap ? b : a;
    wire [15:0] lesser  = swap ? a : b;

    // Subnormal numbers have exponent 1 and no hidden one. Three bits are added on the right:
    // guard, round and sticky.
    wire [4:0]  greater_exp  = (greater[14:10] == 5'd0) ? 5'd1 : greater[14:10];
    wire [4:0]  lesser_exp   = (lesser[14:10] == 5'd0) ? 5'd1 : lesser[14:10];
    wire [13:0] greater_man  = {greater[14:10] != 5'd0, greater[9:0], 3'b000};
    wire [13:0] lesser_man   = {lesser[14:10] != 5'd0, lesser[9:0], 3'b000};
    wire [4:0]  distance     = greater_exp - lesser_exp;
    wire [13:0] shifted      = lesser_man >> distance;
    wire        lost         = (shifted << distance) != lesser_man;
    wire [13:0] aligned      = {shifted[13:1], shifted[0] | lost};
    wire        subtract     = a[15] ^ b[15];

    wire a_nan = (a[14:10] == 5'd31) && (a[9:0] != 10'd0);
    wire b_nan = (b[14:10] == 5'd31) && (b[9:0] != 10'd0);
    wire a_inf = (a[14:10] == 5'd31) && (a[9:0] == 10'd0);
    wire b_inf = (b[14:10] == 5'd31) && (b[9:0] == 10'd0);

    reg [14:0] total;
    reg [4:0]  exponent;
    reg        round_up;
    reg [14:0] result;
    integer    i;

    always @* begin
        total    = subtract ? {1'b0, greater_man} - {1'b0, aligned}
                            : {1'b0, greater_man} + {1'b0, aligned};
        exponent = greater_exp;

        // Bring the leading one to bit 13, as far as the smallest exponent allows.
        if (total[14]) begin
            total    = {1'b0, total[14:2], total[1] | total[0]};
            exponent = exponent + 5'd1;
        end else begin
            for (i = 0; i < 13; i = i + 1)
                if (!total[13] && exponent > 5'd1) begin
                    total    = total << 1;
                    exponent = exponent - 5'd1;
                end
        end

        // A carry out of the fraction runs into the exponent, which is what rounding wants.
        round_up = total[2] && (total[3] || total[1] || total[0]);
        result  = {total[13] ? exponent : 5'd0, total[12:3]} + {14'd0, round_up};

        if (a_nan || b_nan || (a_inf && b_inf && subtract))
            sum = 16'h7E00;
        else if (a_inf || b_inf || result[14:10] == 5'd31)
            sum = {greater[15], 15'h7C00};
        else if (result == 15'd0)
            sum = {a[15] & b[15], 15'd0};
        else
            sum = {greater[15], result};
    end

endmodule
