module led_blink (
    input aclk,
    input rst,
    input run,
    input tick,
    output light
);
    reg [3:0] counter;

    always @(posedge aclk or posedge rst) begin
        if (rst) begin
            counter <= 4'd0;
        end else begin
            if (!run) begin
                counter <= 4'd0;
            end else if (tick) begin
                if (counter == 4'd9)
                    counter <= 4'd0;
                else
                    counter <= counter + 1'b1;
            end
        end
    end

    assign light = run && (counter < 4'd6);
endmodule
