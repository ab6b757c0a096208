module negedge_detect (
    input clk,
    input sys_rst,
    input [3:0] x,
    output [3:0] edge_o
);
    reg [3:0] dly1, dly2;

    always @(posedge clk or posedge sys_rst) begin
        if (sys_rst) begin
            dly1 <= 4'd0;
            dly2 <= 4'd0;
        end else begin
            dly1 <= x;
            dly2 <= dly1;
        end
    end

    assign edge_o = ~dly1 & dly2;
endmodule
