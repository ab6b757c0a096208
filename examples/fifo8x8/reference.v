// Eight words of eight bits; pointers have one bit more than the address to tell full from empty.
module fifo8x8 (
    input  wire       clk,
    input  wire       rst_n,
    input  wire       wr_en,
    input  wire [7:0] wr_data,
    input  wire       rd_en,
    output wire [7:0] rd_data,
    output wire       full,
    output wire       empty
);

    reg [7:0] store [0:7];
    reg [3:0] wr_ptr;
    reg [3:0] rd_ptr;

    assign empty   = (wr_ptr == rd_ptr);
    assign full    = (wr_ptr == {~rd_ptr[3], rd_ptr[2:0]});
    assign rd_data = store[rd_ptr[2:0]];

    wire push = wr_en && !full;
    wire pop  = rd_en && !empty;

    always @(posedge clk or negedge rst_n) begin
        if (!rst_n) begin
            wr_ptr <= 4'd0;
            rd_ptr <= 4'd0;
        end else begin
            if (push) begin
                store[wr_ptr[2:0]] <= wr_data;
                wr_ptr <= wr_ptr + 4'd1;
            end
            if (pop)
                rd_ptr <= rd_ptr + 4'd1;
        end
    end

endmodule
