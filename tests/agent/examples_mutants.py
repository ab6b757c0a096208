"""Plausible faults, for each example, as replacements in its reference design.

All replacements of a fault are made at once. The first three faults of an example run by default,
the others with the slow tests.
"""

from __future__ import annotations

Fault = tuple[tuple[str, str], ...]

_LINES = range(1, 8)
_LOWEST_FIRST = tuple((f"(req[{line}])", f"(req[{7 - line}])") for line in _LINES)
_CODES_REVERSED = tuple((f"= 3'd{code};", f"= 3'd{7 - code};") for code in range(8))

MUTANTS: dict[str, dict[str, Fault]] = {
    "mux4": {
        "channels b and c exchanged": (
            ("low  = sel[0]", "low  = sel[1]"),
            ("high = sel[0]", "high = sel[1]"),
            ("y = sel[1]", "y = sel[0]"),
        ),
        "order reversed": (
            ("sel[0] ? b : a", "sel[0] ? c : d"),
            ("sel[0] ? d : c", "sel[0] ? a : b"),
        ),
        "one bit lost": (("high : low;", "high : {1'b0, low[6:0]};"),),
        "channel d missing": (("sel[0] ? d : c", "c"),),
        "select has one bit": (("y = sel[1] ? high : low", "y = low"),),
        "channels mixed": (("y = sel[1] ? high : low", "y = sel[1] ? high : (low | a & d)"),),
    },
    "prio_enc8": {
        "lowest line wins": (*_LOWEST_FIRST, *_CODES_REVERSED),
        "valid misses line 0": (("valid = |req;", "valid = |req[7:1];"),),
        "valid always high": (("valid = |req;", "valid = 1'b1;"),),
        "valid only for a single line": (
            ("valid = |req;", "valid = |req && (req & (req - 8'd1)) == 8'd0;"),
        ),
        "one line missing": (("(req[4]) index = 3'd4;", "(req[4] && req[0]) index = 3'd4;"),),
        "two lines exchanged": (
            ("(req[6]) index = 3'd6;", "(req[5]) index = 3'd5;"),
            (
                "else if (req[5]) index = 3'd5;\n        else if (req[4])",
                "else if (req[6]) index = 3'd6;\n        else if (req[4])",
            ),
        ),
        "codes reversed": _CODES_REVERSED,
    },
    "updown_counter": {
        "directions exchanged": (
            ("up ? count + 8'd1 : count - 8'd1", "up ? count - 8'd1 : count + 8'd1"),
        ),
        "stops at 255": (("count + 8'd1 :", "(&count ? count : count + 8'd1) :"),),
        "asynchronous reset": (("posedge clk)", "posedge clk or posedge rst)"),),
        "stops at 0": (("count - 8'd1;", "(count == 8'd0 ? count : count - 8'd1);"),),
        "no enable": (("else if (en)", "else"),),
        "enable before reset": (("if (rst)", "if (rst && en)"),),
        "seven bits": (
            ("up ? count + 8'd1 : count - 8'd1", "(up ? count + 8'd1 : count - 8'd1) & 8'h7F"),
        ),
        "reset to one": (("count <= 8'd0", "count <= 8'd1"),),
        "wraps at 254": (("count + 8'd1 :", "(count == 8'd254 ? 8'd0 : count + 8'd1) :"),),
    },
    "edge_capture": {
        "both edges": (("din & ~before", "din ^ before"),),
        "one pulse for all lines": (
            ("pulse  <= din & ~before", "pulse  <= {8{|(din & ~before)}}"),
        ),
        "reset keeps the old state of the lines": (("before <= 8'h00", "before <= 8'hFF"),),
        "falling edges": (("din & ~before", "~din & before"),),
        "level, not edge": (("pulse  <= din & ~before", "pulse  <= din"),),
        "pulses stay": (("pulse  <= din", "pulse  <= pulse | din"),),
        "one clock late": (
            ("pulse  <= din & ~before", "pulse  <= before & ~late; late <= before"),
            ("reg [7:0] before;", "reg [7:0] before, late = 0;"),
        ),
        "not registered": (
            ("output reg  [7:0] pulse", "output wire [7:0] pulse"),
            ("            pulse  <= 8'h00;\n", ""),
            ("            pulse  <= din & ~before;\n", ""),
            ("reg [7:0] before;", "reg [7:0] before;\n    assign pulse = din & ~before;"),
        ),
    },
    "seq1011": {
        "no overlap": (("default: state <= din ? SEEN1 :", "default: state <= din ? NONE :"),),
        "a second 1 starts over": (
            ("SEEN1:   state <= din ? SEEN1", "SEEN1:   state <= din ? NONE"),
        ),
        "one clock late": (
            (
                "found <= (state == SEEN101) && din;",
                "found <= seen; seen <= (state == SEEN101) && din;",
            ),
            ("reg [1:0] state;", "reg [1:0] state; reg seen = 0;"),
        ),
        "finds 1010": (("(state == SEEN101) && din", "(state == SEEN101) && !din"),),
        "after 1010 forgets the 10": (
            (
                "din ? SEEN1 : SEEN10;\n            endcase",
                "din ? SEEN1 : NONE;\n            endcase",
            ),
        ),
        "reset keeps the history": (("state <= NONE;\n            found", "found"),),
        "stays high": (("found <= (state", "found <= found || (state"),),
        "100 counts as 10": (("din ? SEEN101 : NONE", "din ? SEEN101 : SEEN10"),),
    },
    "pwm8": {
        "one clock too long": (("(counter < duty)", "(counter <= duty)"),),
        "period of 255": (
            ("counter <= counter + 8'd1", "counter <= counter == 8'd254 ? 8'd0 : counter + 8'd1"),
        ),
        "registered output": (
            ("output wire       pwm_out", "output reg        pwm_out"),
            (
                "assign pwm_out = (counter < duty);",
                "always @(posedge clk) pwm_out <= counter < duty;",
            ),
        ),
        "inverted": (("(counter < duty)", "(counter >= duty)"),),
        "duty taken over once a period": (
            ("(counter < duty)", "(counter < held)"),
            (
                "reg [7:0] counter;",
                "reg [7:0] counter, held = 0;\n"
                "    always @(posedge clk) if (&counter) held <= duty;",
            ),
        ),
        "seven bits": (("counter <= counter + 8'd1", "counter <= (counter + 8'd1) & 8'h7F"),),
        "counts down": (("counter + 8'd1", "counter - 8'd1"),),
        "starts at one": (("counter <= 8'd0", "counter <= 8'd1"),),
        "signed comparison": (("(counter < duty)", "($signed(counter) < $signed(duty))"),),
    },
    "fifo8x8": {
        "full after seven": (
            (
                "full    = (wr_ptr == {~rd_ptr[3], rd_ptr[2:0]})",
                "full    = (wr_ptr - rd_ptr >= 4'd7)",
            ),
        ),
        "writes into a full FIFO": (
            (
                "if (push) begin\n                store[wr_ptr[2:0]] <= wr_data;",
                "if (wr_en) store[wr_ptr[2:0]] <= wr_data;\n            if (push) begin",
            ),
        ),
        "reads from an empty FIFO": (("rd_en && !empty", "rd_en"),),
        "full write accepted beside a read": (
            ("push = wr_en && !full", "push = wr_en && (!full || rd_en)"),
        ),
        "synchronous reset": (("always @(posedge clk or negedge rst_n)", "always @(posedge clk)"),),
        "a write stops the read": (("if (pop)", "else if (pop)"),),
        "read data one clock late": (
            ("output wire [7:0] rd_data", "output reg  [7:0] rd_data"),
            (
                "assign rd_data = store[rd_ptr[2:0]];",
                "always @(posedge clk) rd_data <= store[rd_ptr[2:0]];",
            ),
        ),
        "last in, first out": (("store[rd_ptr[2:0]];", "store[wr_ptr[2:0] - 3'd1];"),),
        "full compares too few bits": (
            ("wr_ptr == {~rd_ptr[3], rd_ptr[2:0]}", "!empty && wr_ptr[2:0] == rd_ptr[1:0]"),
        ),
    },
    "uart_tx": {
        "most significant bit first": (
            (
                "rest <= {1'b1, data};",
                "rest <= {1'b1, data[0], data[1], data[2], data[3], "
                "data[4], data[5], data[6], data[7]};",
            ),
        ),
        "fifteen clocks a bit": (
            ("clocks <= clocks + 4'd1", "clocks <= (clocks == 4'd14) ? 4'd0 : clocks + 4'd1"),
            ("clocks == 4'd15", "clocks == 4'd14"),
        ),
        "no stop bit": (("bits <= 4'd9", "bits <= 4'd8"),),
        "two stop bits": (("bits <= 4'd9", "bits <= 4'd10"),),
        "start bit is high": (("tx   <= 1'b0;", "tx   <= 1'b1;"),),
        "line is low when idle": (
            (
                "busy <= 1'b0;\n                end",
                "busy <= 1'b0; tx <= 1'b0;\n                end",
            ),
        ),
        "inverted data": (("{1'b1, data}", "{1'b1, ~data}"),),
        "data not held": (("tx   <= rest[0];", "tx   <= (bits == 4'd1) ? 1'b1 : data[9 - bits];"),),
        "start restarts a byte": (
            ("end else if (!busy) begin", "end else if (!busy || (start && bits == 4'd5)) begin"),
        ),
        "reset does not end a byte": (("if (rst) begin", "if (rst && !busy) begin"),),
        "busy falls one clock early": (
            (
                "clocks <= clocks + 4'd1;\n",
                "clocks <= clocks + 4'd1;\n"
                "            if (bits == 4'd0 && clocks == 4'd14) busy <= 1'b0;\n",
            ),
        ),
        "parity in place of the last bit": (("{1'b1, data}", "{1'b1, ^data, data[6:0]}"),),
    },
    "gray4": {
        "counts in binary": (("count ^ (count >> 1)", "count"),),
        "no enable": (("else if (en)", "else"),),
        "wraps at 1001": (
            ("count <= count + 4'd1", "count <= (count == 4'd14) ? 4'd0 : count + 4'd1"),
        ),
        "shifted the wrong way": (("count >> 1", "count << 1"),),
        "counts down": (("count + 4'd1", "count - 4'd1"),),
    },
    "beyond/fp16_add": {
        "ties away from zero": (("total[2] && (total[3] || total[1] || total[0])", "total[2]"),),
        "no sticky bit": (("shifted[0] | lost", "shifted[0]"),),
        "subnormals flushed": (
            (
                "{total[13] ? exponent : 5'd0, total[12:3]}",
                "{total[13] ? exponent : 5'd0, total[13] ? total[12:3] : 10'd0}",
            ),
        ),
        "rounded towards zero": (
            ("round_up = total[2] && (total[3] || total[1] || total[0])", "round_up = 1'b0"),
        ),
        "sticky bit lost on a carry": (("total[14:2], total[1] | total[0]", "total[14:1]"),),
        "overflow gives the largest number": (
            (
                "sum = {greater[15], 15'h7C00}",
                "sum = {greater[15], (a_inf || b_inf) ? 15'h7C00 : 15'h7BFF}",
            ),
        ),
        "zero takes the sign of an operand": (("{a[15] & b[15], 15'd0}", "{greater[15], 15'd0}"),),
        "negative zero lost": (("{a[15] & b[15], 15'd0}", "16'd0"),),
        "infinities cancel": (("(a_inf && b_inf && subtract)", "1'b0"),),
        "a NaN passes as infinity": (("a_nan || b_nan ||", "a_nan ||"),),
        "subnormal exponent taken as 0": (
            ("(lesser[14:10] == 5'd0) ? 5'd1 : lesser[14:10]", "lesser[14:10]"),
        ),
    },
}
