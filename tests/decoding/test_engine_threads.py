"""The guard against threads that wait for each other."""

from __future__ import annotations

from rtl_agent.decoding.engine.threads import ThreadGuard


class Machine:
    """Steps take `costs[threads]` times what is expected."""

    def __init__(self, costs):
        self.costs = costs
        self.threads = 2
        self.guard = ThreadGuard(2, self.apply)

    def apply(self, threads):
        self.threads = threads

    def run(self, steps):
        used = []
        for _ in range(steps):
            used.append(self.threads)
            self.guard.watch(self.costs[self.threads])
        return used


IDLE = {1: 1.5, 2: 1.0}
BUSY = {1: 2.5, 2: 20.0}


def test_an_idle_machine_keeps_all_threads_after_one_short_trial():
    used = Machine(IDLE).run(500)
    assert used.count(1) == 3
    assert used[-1] == 2


def test_a_machine_that_is_busy_from_the_start_gets_one_thread_at_once():
    # What is expected was measured on the busy machine, so nothing looks slow.
    machine = Machine({1: 0.2, 2: 1.0})
    assert machine.run(40).count(2) <= 2


def test_a_machine_that_becomes_busy_and_idle_again():
    machine = Machine(IDLE)
    machine.run(200)
    machine.costs = BUSY
    used = machine.run(300)
    assert used[-1] == 1
    assert used.count(2) < 60
    machine.costs = IDLE
    used = machine.run(1000)
    assert used[-1] == 2


def test_one_slow_step_changes_nothing():
    machine = Machine(IDLE)
    machine.run(200)
    machine.guard.watch(3.0)
    assert set(machine.run(200)) == {2}


def test_where_one_thread_does_not_help_trials_become_rare():
    machine = Machine({1: 6.0, 2: 6.0})
    used = machine.run(2000)
    assert used.count(1) < 25


def test_one_thread_is_left_alone():
    guard = ThreadGuard(1, lambda threads: 1 / 0)
    for _ in range(200):
        guard.watch(50.0)
