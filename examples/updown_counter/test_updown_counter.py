"""Drives the counter through both wraps, a pause and resets, and compares every cycle."""

import random

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import FallingEdge, Timer


async def start(dut):
    """Start the clock and reset the counter; returns in the middle of a low phase."""
    dut.rst.value = 1
    dut.en.value = 0
    dut.up.value = 0
    Clock(dut.clk, 10, unit="ns").start()
    await FallingEdge(dut.clk)
    await FallingEdge(dut.clk)
    dut.rst.value = 0


async def cycle(dut, en, up, rst=0):
    """Apply the inputs for one rising edge and return the count after it."""
    dut.rst.value = rst
    dut.en.value = en
    dut.up.value = up
    await FallingEdge(dut.clk)
    return int(dut.count.value)


@cocotb.test()
async def starts_at_zero(dut):
    """Reset gives 0."""
    await start(dut)
    assert int(dut.count.value) == 0


@cocotb.test()
async def wraps_going_up(dut):
    """A full round and a bit more: 255 is followed by 0."""
    await start(dut)
    for step in range(1, 300):
        assert await cycle(dut, en=1, up=1) == step % 256, f"after {step} steps up"


@cocotb.test()
async def wraps_going_down(dut):
    """0 is followed by 255."""
    await start(dut)
    for step in range(1, 300):
        assert await cycle(dut, en=1, up=0) == -step % 256, f"after {step} steps down"


@cocotb.test()
async def random_walk(dut):
    """All three controls at random, against a model."""
    await start(dut)
    expected = 0
    for index in range(1000):
        en, up = random.getrandbits(1), random.getrandbits(1)
        rst = int(random.getrandbits(6) == 0)
        if rst:
            expected = 0
        elif en:
            expected = (expected + (1 if up else -1)) % 256
        assert await cycle(dut, en, up, rst) == expected, f"cycle {index}: {rst=} {en=} {up=}"


@cocotb.test()
async def reset_waits_for_the_clock(dut):
    """A reset pulse between two clock edges changes nothing: the reset is synchronous."""
    await start(dut)
    for _ in range(5):
        await cycle(dut, en=1, up=1)
    dut.en.value = 0
    dut.rst.value = 1
    await Timer(2, unit="ns")
    dut.rst.value = 0
    await Timer(1, unit="ns")
    assert int(dut.count.value) == 5
    assert await cycle(dut, en=0, up=0) == 5
