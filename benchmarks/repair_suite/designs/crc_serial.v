module crc_gen (
    input CLK,
    input areset,
    input bit_valid,
    input data,
    output reg [7:0] crc_q
);
    wire xor_in = crc_q[7] ^ data;
    always @(posedge CLK or posedge areset) begin
        if (areset) begin
            crc_q <= 8'hff;
        end else begin
            if (bit_valid) begin
                if (xor_in)
                    crc_q <= {crc_q[6:0], 1'b0} ^ 8'h1d;
                else
                    crc_q <= {crc_q[6:0], 1'b0};
            end
        end
    end
endmodule
