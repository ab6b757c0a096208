module lift_ctrl (
    input sys_clk,
    input RST,
    input req,
    input [3:0] req_floor,
    output reg [3:0] floor,
    output up,
    output moving_down,
    output at_floor
);
    reg [3:0] dest_r;
    always @(posedge sys_clk) begin
        if (RST) begin
            floor <= 4'd0;
            dest_r <= 4'd0;
        end else begin
            if (req && at_floor)
                dest_r <= req_floor;
            if (up)
                floor <= floor + 1'b1;
            else if (moving_down)
                floor <= floor - 1'b1;
        end
    end
    assign up = floor < dest_r;
    assign moving_down = floor > dest_r;
    assign at_floor = !up && !moving_down;
endmodule
