module window_watchdog (
    input aclk,
    input rst,
    input beat,
    output reg fast,
    output reg late
);
    reg [3:0] timer;

    always @(posedge aclk) begin
        if (rst) begin
            timer <= 4'd0;
            fast <= 1'b0;
            late <= 1'b0;
        end else begin
            if (beat) begin
                timer <= 4'd0;
                fast <= (timer < 4'd2);
                late <= 1'b0;
            end else if (timer == 4'd11) begin
                timer <= 4'd0;
                fast <= 1'b0;
                late <= 1'b1;
            end else begin
                timer <= timer + 1'b1;
                fast <= 1'b0;
                late <= 1'b0;
            end
        end
    end
endmodule
