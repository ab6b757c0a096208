// High for `duty` clocks out of 256.
module pwm8 (
    input  wire       clk,
    input  wire       areset,
    input  wire [7:0] duty,
    output wire       pwm_out
);

    reg [7:0] counter;

    assign pwm_out = (counter < duty);

    always @(posedge clk or posedge areset) begin
        if (areset) begin
            counter <= 8'd0;
        end else begin
            counter <= counter + 8'd1;
        end
    end

endmodule
