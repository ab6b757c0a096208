// 8N1 transmitter, 16 clocks a bit.
module uart_tx (
    input  wire       clk,
    input  wire       rst,
    input  wire       start,
    input  wire [7:0] data,
    output reg        tx,
    output reg        busy
);

    reg [3:0] clocks;  // within a bit
    reg [3:0] bits;    // bits still to come after the one on the line
    reg [8:0] rest;    // their values, next one in bit 0

    always @(posedge clk) begin
        if (rst) begin
            tx   <= 1'b1;
            busy <= 1'b0;
        end else if (!busy) begin
            clocks <= 4'd0;
            if (start) begin
                tx   <= 1'b0;
                busy <= 1'b1;
                bits <= 4'd9;
                rest <= {1'b1, data};
            end
        end else begin
            clocks <= clocks + 4'd1;
            if (clocks == 4'd15) begin
                if (bits == 4'd0) begin
                    busy <= 1'b0;
                end else begin
                    tx   <= rest[0];
                    rest <= rest >> 1;
                    bits <= bits - 4'd1;
                end
            end
        end
    end

endmodule
