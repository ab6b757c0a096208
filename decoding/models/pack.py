"""Weights laid out for few tokens at a time, on CPUs where that pays.

Checking a draft multiplies a handful of tokens with every weight. The general matrix product
lays the weights out anew for each call, which for two to sixteen tokens costs as much as the
product itself; oneDNN can keep them laid out. The numbers are the same up to rounding.
"""

from __future__ import annotations

import time
from typing import Any

import torch
from torch import nn

__all__ = ["PackedLinear", "pack", "pays"]

_FEW = (4, 8)  # tokens of the probe
_WORTH = 0.9  # share of the usual time below which packing pays
_LEAST = 1 << 14  # weights below which a layer is left alone


class PackedLinear(nn.Module):
    """Stands in for an `nn.Linear` in float32 on a CPU.

    Args:
        linear: the layer; its weight is given up unless something else holds it.
    """

    def __init__(self, linear: nn.Linear) -> None:
        super().__init__()
        self.in_features, self.out_features = linear.in_features, linear.out_features
        self.bias = linear.bias
        self.packed = torch.ops.mkldnn._reorder_linear_weight(linear.weight.detach(), None)  # noqa: SLF001

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """`[..., in_features]` to `[..., out_features]`."""
        out: torch.Tensor = torch.ops.mkldnn._linear_pointwise(  # noqa: SLF001
            x, self.packed, self.bias, "none", [], ""
        )
        return out


class _PackedHead(PackedLinear):
    """An output projection, whose weight the embedding often shares: it stays to be read."""

    def __init__(self, linear: nn.Linear) -> None:
        super().__init__(linear)
        self.weight = linear.weight


def pays(width: int, depth: int) -> bool:
    """Whether packed weights are faster here, measured on a layer of this shape."""
    weight = torch.randn(depth, width)
    try:
        packed = torch.ops.mkldnn._reorder_linear_weight(weight, None)  # noqa: SLF001
        usual = taken = 0.0
        with torch.inference_mode():
            for tokens in _FEW:
                x = torch.randn(tokens, width)
                usual += _best(lambda x=x: nn.functional.linear(x, weight))
                taken += _best(
                    lambda x=x: torch.ops.mkldnn._linear_pointwise(  # noqa: SLF001
                        x, packed, None, "none", [], ""
                    )
                )
    except (RuntimeError, AttributeError):
        return False  # this build of torch has no oneDNN
    return taken < _WORTH * usual


def pack(model: Any) -> bool:
    """Replace the linear layers of a float32 model on a CPU, where that pays; says whether.

    Packing twice does nothing the second time.
    """
    if model.device.type != "cpu" or model.dtype != torch.float32:
        return False
    layers = [
        (parent, name, child)
        for parent in model.modules()
        for name, child in parent.named_children()
        if type(child) is nn.Linear and child.weight.numel() >= _LEAST
    ]
    if not layers:
        return any(isinstance(module, PackedLinear) for module in model.modules())
    largest = max((child for *_, child in layers[:-1]), key=_size, default=layers[0][2])
    if not pays(largest.in_features, largest.out_features):
        return False
    head = model.get_output_embeddings()
    for parent, name, child in layers:
        setattr(parent, name, _PackedHead(child) if child is head else PackedLinear(child))
    return True


def _size(layer: nn.Linear) -> int:
    return layer.weight.numel()


def _best(call: Any) -> float:
    call()
    seconds = []
    for _ in range(5):
        started = time.perf_counter()
        call()
        seconds.append(time.perf_counter() - started)
    return min(seconds)
