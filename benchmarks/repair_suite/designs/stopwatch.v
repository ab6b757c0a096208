module min_sec_counter (
    input aclk,
    input rst,
    input restart,
    input sec_tick,
    output reg [5:0] minutes,
    output reg [5:0] s_o
);
    always @(posedge aclk) begin
        if (rst) begin
            minutes <= 6'd0;
            s_o <= 6'd0;
        end else begin
            if (restart) begin
                minutes <= 6'd0;
                s_o <= 6'd0;
            end else if (sec_tick) begin
                if (s_o == 6'd59) begin
                    s_o <= 6'd0;
                    if (minutes == 6'd59)
                        minutes <= 6'd0;
                    else
                        minutes <= minutes + 1'b1;
                end else begin
                    s_o <= s_o + 1'b1;
                end
            end
        end
    end
endmodule
