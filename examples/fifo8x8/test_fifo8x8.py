"""A scoreboard beside the FIFO: flags and head word are compared in every cycle."""

import random
from collections import deque

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge, Timer

DEPTH = 8


class Bench:
    """Drives the FIFO at falling edges and keeps what it should hold."""

    def __init__(self, dut):
        self.dut = dut
        self.words = deque()

    async def reset(self):
        """Start the clock with the reset asserted for two cycles."""
        self.dut.wr_en.value = 0
        self.dut.rd_en.value = 0
        self.dut.wr_data.value = 0
        self.dut.rst_n.value = 0
        Clock(self.dut.clk, 10, unit="ns").start()
        await FallingEdge(self.dut.clk)
        await FallingEdge(self.dut.clk)
        self.dut.rst_n.value = 1
        await Timer(1, unit="ns")
        self.compare()

    async def cycle(self, write=None, read=False):
        """One rising edge with these requests; then the outputs must be right."""
        self.dut.wr_en.value = int(write is not None)
        self.dut.wr_data.value = random.getrandbits(8) if write is None else write
        self.dut.rd_en.value = int(read)
        await Timer(1, unit="ns")
        self.compare()  # requests alone change nothing
        room = len(self.words) < DEPTH
        if read and self.words:
            self.words.popleft()
        if write is not None and room:
            self.words.append(write)
        await FallingEdge(self.dut.clk)
        self.compare()

    def compare(self):
        """Flags always, the head word while there is one."""
        stored = len(self.words)
        assert int(self.dut.empty.value) == int(stored == 0), f"empty with {stored} words"
        assert int(self.dut.full.value) == int(stored == DEPTH), f"full with {stored} words"
        if self.words:
            got, want = int(self.dut.rd_data.value), self.words[0]
            assert got == want, f"rd_data is {got:#04x}, the oldest word is {want:#04x}"


async def make_bench(dut):
    """A bench on an empty FIFO."""
    bench = Bench(dut)
    await bench.reset()
    return bench


@cocotb.test()
async def fills_and_drains(dut):
    """Twelve writes into eight places, then twelve reads; twice, so that the pointers wrap."""
    bench = await make_bench(dut)
    for base in (0x10, 0xA0):
        for index in range(12):
            await bench.cycle(write=base + index)
        for _ in range(12):
            await bench.cycle(read=True)


@cocotb.test()
async def both_sides_at_once(dut):
    """Write and read together at every fill level, full and empty included."""
    bench = await make_bench(dut)
    for level in range(DEPTH + 1):
        while len(bench.words) < level:
            await bench.cycle(write=random.getrandbits(8))
        while len(bench.words) > level:
            await bench.cycle(read=True)
        for _ in range(3):
            await bench.cycle(write=random.getrandbits(8), read=True)


@cocotb.test()
async def random_traffic(dut):
    """Phases of more writing and of more reading."""
    bench = await make_bench(dut)
    for phase in range(40):
        writes, reads = ((6, 2), (2, 6), (4, 4), (8, 8))[phase % 4]
        for _ in range(25):
            write = random.getrandbits(8) if random.getrandbits(3) < writes else None
            await bench.cycle(write=write, read=random.getrandbits(3) < reads)


@cocotb.test()
async def reset_empties_at_once(dut):
    """The reset does not wait for a clock edge, and what was stored is gone."""
    bench = await make_bench(dut)
    for stored in (5, DEPTH):
        for index in range(stored):
            await bench.cycle(write=index)
        dut.wr_en.value = 0
        dut.rd_en.value = 0
        dut.rst_n.value = 0
        bench.words.clear()
        await Timer(1, unit="ns")
        bench.compare()
        await FallingEdge(dut.clk)
        dut.rst_n.value = 1
        await bench.cycle(write=0x5A)
        await bench.cycle(read=True)
