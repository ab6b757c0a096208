module hw_piso (
    input clock,
    input RST_N,
    input start,
    input [7:0] din,
    output in_ready,
    output sout,
    output shifting
);
    reg [7:0] buffer;
    reg [3:0] cnt;
    always @(posedge clock or negedge RST_N) begin
        if (!RST_N) begin
            buffer <= 8'd0;
            cnt <= 4'd0;
        end else begin
            if (start && in_ready) begin
                buffer <= din;
                cnt <= 4'd8;
            end else if (cnt != 4'd0) begin
                buffer <= {buffer[6:0], 1'b0};
                cnt <= cnt - 1'b1;
            end
        end
    end
    assign in_ready = (cnt == 4'd0);
    assign shifting = (cnt != 4'd0);
    assign sout = buffer[7];
endmodule
