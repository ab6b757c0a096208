module comparator (
    input [3:0] a,
    input [3:0] b,
    output a_gt,
    output a_lt,
    output a_eq
);
    wire [4:0] g, lt_c;
    assign g[0] = 1'b0;
    assign lt_c[0] = 1'b0;
    genvar i;
    generate
        for (i = 0; i < 4; i = i + 1) begin : stage
            cmp1 u_cmp (
                .a(a[i]), .b(b[i]),
                .g_in(g[i]), .l_in(lt_c[i]),
                .g_out(g[i + 1]), .l_out(lt_c[i + 1])
            );
        end
    endgenerate
    assign a_gt = g[4];
    assign a_lt = lt_c[4];
    assign a_eq = !a_gt && !a_lt;
endmodule

module cmp1 (
    input a,
    input b,
    input g_in,
    input l_in,
    output g_out,
    output l_out
);
    assign g_out = (a & ~b) | (~(a ^ b) & g_in);
    assign l_out = (~a & b) | (~(a ^ b) & l_in);
endmodule
