module x_hex_display (
    input [3:0] digit,
    output [6:0] seg
);
    function [6:0] decode;
        input [3:0] v;
        case (v)
            4'd0: decode = 7'h40;
            4'd1: decode = 7'h79;
            4'd2: decode = 7'h24;
            4'd3: decode = 7'h30;
            4'd4: decode = 7'h19;
            4'd5: decode = 7'h12;
            4'd6: decode = 7'h02;
            4'd7: decode = 7'h78;
            4'd8: decode = 7'h00;
            4'd9: decode = 7'h10;
            default: decode = 7'h7f;
        endcase
    endfunction

    assign seg = decode(digit);
endmodule
