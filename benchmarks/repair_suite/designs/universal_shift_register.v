module shift_universal (
    input sys_clk,
    input rst_ni,
    input [1:0] func,
    input lsi,
    input [3:0] din,
    output reg [3:0] word
);
    always @(posedge sys_clk or negedge rst_ni) begin
        if (!rst_ni) begin
            word <= 4'd0;
        end else begin
            case (func)
                2'b00: word <= word;
                2'b01: word <= {lsi, word[3:1]};
                2'b10: word <= {word[2:0], lsi};
                default: word <= din;
            endcase
        end
    end
endmodule
