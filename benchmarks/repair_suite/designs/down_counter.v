module load_down_counter (
    input aclk,
    input rst_ni,
    input load_i,
    input [15:0] d,
    input ce,
    output [15:0] cnt,
    output zero
);
    reg [15:0] counter;

    always @(posedge aclk) begin
        if (!rst_ni) begin
            counter <= 16'd0;
        end else begin
            if (load_i)
                counter <= d;
            else if (ce && (counter != 16'd0))
                counter <= counter - 1'b1;
        end
    end

    assign cnt = counter;
    assign zero = !(|counter);
endmodule
