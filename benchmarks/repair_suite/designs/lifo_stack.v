module lifo_buf (
    input clk,
    input RST,
    input push_en,
    input pop_en,
    input [15:0] data_in,
    output reg [15:0] dout,
    output full,
    output empty
);
    reg [15:0] store [0:3];
    reg [2:0] ptr;
    wire [1:0] sp_m1 = ptr[1:0] - 1'b1;
    always @(posedge clk) begin
        if (RST) begin
            ptr <= 3'd0;
            dout <= 16'd0;
        end else begin
            if (push_en && !pop_en && !full) begin
                store[ptr[1:0]] <= data_in;
                ptr <= ptr + 1'b1;
            end
            if (pop_en && !push_en && !empty) begin
                dout <= store[sp_m1];
                ptr <= ptr - 1'b1;
            end
        end
    end
    assign full = (ptr == 3'd4);
    assign empty = (ptr == 3'd0);
endmodule
