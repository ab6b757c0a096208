module apb_if (
    input pclk,
    input presetn,
    input psel,
    input penable,
    input pwrite,
    input [3:0] paddr,
    input [7:0] pwdata,
    input [7:0] status,
    output [7:0] prdata,
    output pready,
    output reg [7:0] cfg,
    output reg [7:0] limit
);
    wire do_write = psel && penable && pwrite;
    wire [7:0] rd_mux = (paddr[3:2] == 2'd0) ? cfg :
        (paddr[3:2] == 2'd1) ? limit :
        (paddr[3:2] == 2'd2) ? status : 8'd0;
    always @(posedge pclk) begin
        if (!presetn) begin
            cfg <= 8'd0;
            limit <= 8'd0;
        end else begin
            if (do_write)
                case (paddr[3:2])
                    2'd0: cfg <= pwdata;
                    2'd1: limit <= pwdata;
                    default: ;
                endcase
        end
    end
    assign prdata = (psel && !pwrite) ? rd_mux : 8'd0;
    assign pready = 1'b1;
endmodule
