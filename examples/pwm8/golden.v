// The behaviour that pwm8 is compared with.
module pwm8 (
    input            clk,
    input            areset,
    input      [7:0] duty,
    output           pwm_out
);

    reg [7:0] phase;

    always @(posedge clk or posedge areset)
        if (areset) phase <= 8'h00;
        else        phase <= phase + 8'h01;

    assign pwm_out = duty > phase;

endmodule
