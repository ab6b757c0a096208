module iter_div (
    input aclk,
    input sys_rst,
    input start,
    input [4:0] x,
    input [4:0] y,
    output reg [4:0] quot_o,
    output reg [4:0] rem_o,
    output reg busy,
    output reg finished
);
    reg [4:0] dvs;
    reg [2:0] cnt;
    wire [5:0] part = {rem_o, quot_o[4]};
    wire ge = part >= {1'b0, dvs};
    wire [5:0] diff = ge ? part - {1'b0, dvs} : part;
    always @(posedge aclk) begin
        if (sys_rst) begin
            quot_o <= 5'd0;
            rem_o <= 5'd0;
            dvs <= 5'd0;
            cnt <= 3'd0;
            busy <= 1'b0;
            finished <= 1'b0;
        end else begin
            finished <= 1'b0;
            if (busy) begin
                rem_o <= diff[4:0];
                quot_o <= {quot_o[3:0], ge};
                cnt <= cnt + 1'b1;
                if (cnt == 3'd4) begin
                    busy <= 1'b0;
                    finished <= 1'b1;
                end
            end else if (start) begin
                quot_o <= x;
                rem_o <= 5'd0;
                dvs <= y;
                cnt <= 3'd0;
                busy <= 1'b1;
            end
        end
    end
endmodule
