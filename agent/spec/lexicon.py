"""The words by which the reader tells names, roles, directions and plain English apart."""

from __future__ import annotations

import re

__all__ = [
    "ARTICLES",
    "DEVICES",
    "DIRECTIONS",
    "IN_VERBS",
    "NAME",
    "NOUNS",
    "OUT_VERBS",
    "SHORT_DIRECTIONS",
    "TYPE_WORDS",
    "name_grade",
]

from rtl_agent.tools.interface import Direction

DIRECTIONS = {
    "input": Direction.INPUT,
    "inputs": Direction.INPUT,
    "output": Direction.OUTPUT,
    "outputs": Direction.OUTPUT,
    "inout": Direction.INOUT,
    "inouts": Direction.INOUT,
    "bidirectional": Direction.INOUT,
}
SHORT_DIRECTIONS = {
    "in": Direction.INPUT,
    "i": Direction.INPUT,
    "out": Direction.OUTPUT,
    "o": Direction.OUTPUT,
    "io": Direction.INOUT,
    "i/o": Direction.INOUT,
    "in/out": Direction.INOUT,
    "buffer": Direction.OUTPUT,
}
TYPE_WORDS = frozenset(
    "wire reg logic tri var signed unsigned std_logic std_ulogic std_logic_vector "
    "std_ulogic_vector bit_vector bit net registered combinational combinatorial".split()
)
ARTICLES = frozenset("a an the one its this another each every some any".split())

# Nouns that say what a signal is; the name follows, or there is none.
NOUNS = frozenset(
    """
    clock clocks reset resets enable enables strobe strobes signal signals bus buses port ports
    pin pins line lines wire wires vector vectors word words operand operands number numbers
    value values data datum integer integers sum result results product quotient remainder
    difference flag flags pulse pulses select selector selects address addresses carry borrow
    request requests grant grants counter count register registers state bit bits byte bytes
    nibble nibbles mask code codes argument arguments addend factor multiplier multiplicand
    dividend divisor input inputs output outputs control controls direction mode status load
    clear set hold trigger symbol sample samples stream channel lane lanes nets net interface
    level levels parameter parameters width depth write read indicator toggle amount shift item
    items name names handshake
    """.split()
)

IN_VERBS = frozenset(
    """
    takes taking accepts accepting receives receiving gets consumes given adds multiplies
    compares subtracts divides fed
    """.split()
)
OUT_VERBS = frozenset(
    """
    produces producing emits emitting returns returning generates generating gives delivers
    delivering provides yields presents drives driving reports puts sends
    """.split()
)

# English that is never taken for a name unless it stands in backticks.
_STOP = frozenset(
    """
    a about above across active after again all almost along already also although always among
    an and another any anything are around as asynchronous asynchronously at away back be
    because been before behind being below besides between both but by bytes called can cannot
    changes combinational complete consists contains could cycle cycles described design do does
    down during each edge edges either else even ever every everything exactly falls few first
    following follows for from full goes going had has have having held here high holds how
    however i if implement implements in independent inside instantiate instantiates instead
    into is it its itself just keep keeps last later latter least left-hand less like listed
    logic low made makes making many may means might module modules more most must named nearly
    neither never next no none nor not nothing now of off on once only onto or other others
    otherwise our out over own parallel per please plus positive negative possible present
    provided rather registered reset-less respectively rising falling rises same second see
    set-up several shall she should shown since so some something stays still such synchronous
    synchronously than that the their them then there therefore these they third this those
    though through thus to together too top toward towards truth twice under unless until
    unsigned signed up upon used uses using usual valid-ready very via was we were what when
    whenever where whereas whether which while who whole whose why will with within without
    would write yes yet you your wide narrow works take takes taken moore mealy depends depend
    matters sticks combinationally continuously simultaneously separately zero one two three
    four five six seven eight nine ten hex binary decimal verilog systemverilog vhdl msb lsb rtl
    usual standard simple new old current previous default equal equals every single double pair
    pairs group described mentioned above-mentioned respective individual different various
    additional extra further necessary needed required given based sampled driven
    """.split()
)
# Names of kinds of circuits: good module names, never ports.
DEVICES = frozenset(
    "fsm cpu fifo lifo alu uart spi apb axi ram rom gray bcd mux pwm crc lfsr".split()
)

_COMMON = frozenset(
    """
    clk clock rst reset arst srst en ena din dout sel cin cout addr wr rd wen ren wdata rdata
    req ack gnt irq cnt ovf sum carry busy done start stop valid ready load clr ce cs we oe inc
    dec dir mode op opcode tick trig data_in data_out tx rx sclk mosi miso sda scl zero_flag
    full empty
    """.split()
)
_ACRONYMS = frozenset(
    "RTL FIFO LIFO ALU LSB MSB CPU UART SPI APB AXI AHB RAM ROM BCD FSM HDL FPGA ASIC PWM CRC "
    "LFSR SIPO PISO DFF DUT IP IO AND OR XOR NAND NOR NOT XNOR OK NOTE TODO I2C MUX LUT DSP SR JK "
    "HIGH LOW ASCII IEEE LSBs MSBs VHDL A".split()
)
_NOT_PARTICIPLE = frozenset("led red seed speed feed need ed shed bed".split())

NAME = re.compile(r"\\\S+|[A-Za-z_][A-Za-z0-9_$]*")


def name_grade(word: str) -> int:
    """How much `word`, outside backticks, looks like a signal name.

    3: written like one (`irq_en`, `PREADY`, `b2`) or a usual one (`clk`); 2: one or two letters;
    1: a word that may be one; 0: plain English or no identifier.
    """
    if not NAME.fullmatch(word):
        return 0
    lower = word.lower()
    if "_" in word or lower in _COMMON or re.search(r"\d", word):
        return 3
    if word in _ACRONYMS:
        return 0
    if re.search(r"[a-z][A-Z]|[A-Z]{2}", word):
        return 3
    if lower in _STOP or lower in DEVICES or _english_form(lower):
        return 0
    return 2 if len(word) <= 2 else 1


def _english_form(lower: str) -> bool:
    if lower in _NOT_PARTICIPLE:
        return False
    return lower.endswith("ed") or (len(lower) > 4 and lower.endswith(("ly", "ing")))
