module reg_file (
    input sys_clk,
    input resetn,
    input we,
    input [1:0] wr_addr,
    input [7:0] wr_data,
    input [1:0] addr1,
    output [7:0] q1
);
    reg [7:0] mem [0:3];
    integer i;
    always @(posedge sys_clk) begin
        if (!resetn) begin
            for (i = 0; i < 4; i = i + 1)
                mem[i] <= 8'd0;
        end else begin
            if (we && wr_addr != 2'd0)
                mem[wr_addr] <= wr_data;
        end
    end
    assign q1 = (addr1 == 2'd0) ? 8'd0 : (we && wr_addr == addr1) ? wr_data : mem[addr1];
endmodule
