// Number of the highest active request line.
module prio_enc8 (
    input  wire [7:0] req,
    output reg  [2:0] index,
    output reg        valid
);

    always @* begin
        valid = |req;
        if (req[7])      index = 3'd7;
        else if (req[6]) index = 3'd6;
        else if (req[5]) index = 3'd5;
        else if (req[4]) index = 3'd4;
        else if (req[3]) index = 3'd3;
        else if (req[2]) index = 3'd2;
        else if (req[1]) index = 3'd1;
        else             index = 3'd0;
    end

endmodule
