"""Several processes on one run: each takes its share of the batches, gradients are averaged.

On a CPU two processes of one thread train faster than one of two (1.2 times on an idle machine,
more on a busy one, where a thread that is waited for stalls its partner). Start them with
`torchrun --nproc-per-node 2`; without it a run has one process and this does nothing.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    import torch

__all__ = ["Peers", "fair_threads"]


def fair_threads() -> int:
    """Threads of one process: the cores it may use, shared with the others of this machine.

    Two processes of two threads each on two cores train at less than half the speed: threads that
    wait for a partner which is not running burn the time it needs.
    """
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return max(1, (cores or 1) // int(os.environ.get("LOCAL_WORLD_SIZE", "1")))


@dataclass(frozen=True, slots=True)
class Peers:
    """The processes of a run and this one's place among them."""

    rank: int = 0
    world: int = 1

    @classmethod
    def join(cls, device: str = "cpu") -> Peers:
        """Join the group that `torchrun` or `accelerate` described in the environment, if any."""
        world = int(os.environ.get("WORLD_SIZE", "1"))
        if world == 1:
            return cls()
        import torch
        import torch.distributed as dist

        cuda = device.startswith("cuda")
        if cuda:
            torch.cuda.set_device(int(os.environ.get("LOCAL_RANK", "0")))
        if not dist.is_initialized():
            dist.init_process_group("nccl" if cuda else "gloo")
        return cls(dist.get_rank(), world)

    def average(self, weights: Sequence[torch.nn.Parameter], tokens: int) -> None:
        """Replace every gradient by the mean over all processes, weighted by answer tokens."""
        if self.world == 1:
            return
        import torch
        import torch.distributed as dist

        grads = [w.grad for w in weights if w.grad is not None]
        flat = torch.cat([*(g.reshape(-1) for g in grads), torch.ones(1, device=grads[0].device)])
        flat *= tokens
        dist.all_reduce(flat)
        flat /= flat[-1].clone()
        at = 0
        for grad in grads:
            grad.copy_(flat[at : at + grad.numel()].view_as(grad))
            at += grad.numel()

    def first(self, value: float) -> float:
        """The value that the first process has, on every process."""
        if self.world == 1:
            return value
        import torch
        import torch.distributed as dist

        place = "cuda" if dist.get_backend() == "nccl" else "cpu"
        shared = torch.tensor([value], dtype=torch.float64, device=place)
        dist.broadcast(shared, 0)
        return float(shared[0])
