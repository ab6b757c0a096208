"""Weights laid out for few tokens at a time, on CPUs where that pays.

Checking a draft multiplies a handful of tokens with every weight. The general matrix product
lays the weights out anew for each call, which for two to sixteen tokens costs as much as the
product itself; oneDNN can keep them laid out. Projections that read the same input (query, key
and value; gate and up) become one product, and each norm one operation instead of five. The
numbers are the same up to rounding.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import torch
from rtl_agent.decoding.drafters.heads_model import remember_base
from rtl_agent.decoding.models.memory import returned_early
from torch import nn

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["PackedLinear", "SharedInput", "pack", "pays"]

_FEW = (4, 8)  # tokens of the probe
_WORTH = 0.9  # share of the usual time below which packing pays
_LEAST = 1 << 14  # weights below which a layer is left alone
_TOGETHER = (("q_proj", "k_proj", "v_proj"), ("gate_proj", "up_proj"))
_SAME = 1e-5  # two norms agree when they differ by no more on a probe


def _packed(weight: torch.Tensor) -> torch.Tensor:
    laid_out: torch.Tensor = torch.ops.mkldnn._reorder_linear_weight(weight.detach(), None)  # noqa: SLF001
    return laid_out


def _product(x: torch.Tensor, packed: torch.Tensor, bias: torch.Tensor | None) -> torch.Tensor:
    out: torch.Tensor = torch.ops.mkldnn._linear_pointwise(x, packed, bias, "none", [], "")  # noqa: SLF001
    return out


class PackedLinear(nn.Module):
    """Stands in for an `nn.Linear` in float32 on a CPU.

    Args:
        linear: the layer; its weight is given up unless something else holds it.
    """

    def __init__(self, linear: nn.Linear) -> None:
        super().__init__()
        self.in_features, self.out_features = linear.in_features, linear.out_features
        self.bias = linear.bias
        self.packed = _packed(linear.weight)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """`[..., in_features]` to `[..., out_features]`."""
        return _product(x, self.packed, self.bias)


class _Embedding(nn.Module):
    """Stands in for a float32 `nn.Embedding` whose numbers are bfloat16 ones, at half the size."""

    rows: torch.Tensor

    def __init__(self, weight: torch.Tensor) -> None:
        super().__init__()
        self.register_buffer("rows", weight.detach().to(torch.bfloat16), persistent=False)

    @property
    def weight(self) -> torch.Tensor:
        """`[vocabulary, width]` in float32, made when it is asked for."""
        return self.rows.float()

    def forward(self, ids: torch.Tensor) -> torch.Tensor:
        """`[...]` to `[..., width]`, the very numbers of the wide rows."""
        return nn.functional.embedding(ids, self.rows).float()


class _PackedHead(PackedLinear):
    """An output projection; its weight, often the embedding's, stays to be read.

    Args:
        linear: the layer.
        embedding: holds the same weight at half the size, where that can be.
    """

    def __init__(self, linear: nn.Linear, embedding: _Embedding | None) -> None:
        super().__init__(linear)
        self._wide = linear.weight if embedding is None else None
        self._embedding = embedding

    @property
    def weight(self) -> torch.Tensor:
        """`[vocabulary, width]` in float32."""
        if self._embedding is not None:
            return self._embedding.weight
        if self._wide is None:
            raise AssertionError("one of the two is there")
        return self._wide


class SharedInput:
    """One product for several layers that are given the same tensor one after the other.

    The first layer asked computes for all. A layer that is given another tensor than its
    siblings makes the product of that one: the result never depends on the order of calls.

    Args:
        layers: linear layers with equal inputs and all with or all without a bias.
    """

    def __init__(self, layers: Sequence[nn.Linear]) -> None:
        self.sizes = [layer.out_features for layer in layers]
        self._packed = _packed(torch.cat([layer.weight.detach() for layer in layers]))
        biases = [layer.bias.detach() for layer in layers if layer.bias is not None]
        self._bias = torch.cat(biases) if biases else None
        self._input: torch.Tensor | None = None
        self._outputs: Sequence[torch.Tensor] = ()

    def take(self, x: torch.Tensor, place: int) -> torch.Tensor:
        """What layer `place` gives for `x`."""
        if self._input is not x:
            product = _product(x, self._packed, self._bias)
            self._outputs = torch.split_with_sizes(product, self.sizes, dim=-1)
            self._input = x
        taken = self._outputs[place]
        if place + 1 == len(self.sizes):
            self._input, self._outputs = None, ()  # nothing outlives the forward
        return taken


class _Part(nn.Module):
    """Stands in for one of the layers of a `SharedInput`."""

    def __init__(self, linear: nn.Linear, shared: SharedInput, place: int) -> None:
        super().__init__()
        self.in_features, self.out_features = linear.in_features, linear.out_features
        self.shared, self.place = shared, place

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """`[..., in_features]` to `[..., out_features]`."""
        return self.shared.take(x, self.place)


class _Norm(nn.Module):
    """RMS norm in one operation."""

    def __init__(self, weight: nn.Parameter, epsilon: float) -> None:
        super().__init__()
        self.weight, self.epsilon = weight, epsilon

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """`[..., width]`, like the norm it stands in for."""
        return nn.functional.rms_norm(x, self.weight.shape, self.weight, self.epsilon)


def pays(width: int, depth: int) -> bool:
    """Whether packed weights are faster here, measured on a layer of this shape."""
    weight = torch.randn(depth, width)
    try:
        packed = _packed(weight)
        usual = taken = 0.0
        with torch.inference_mode():
            for tokens in _FEW:
                x = torch.randn(tokens, width)
                usual += _best(lambda x=x: nn.functional.linear(x, weight))
                taken += _best(lambda x=x: _product(x, packed, None))
    except (RuntimeError, AttributeError):
        return False  # this build of torch has no oneDNN
    return taken < _WORTH * usual


def pack(model: Any) -> bool:
    """Replace the linear layers of a float32 model on a CPU, where that pays; says whether.

    Packing twice does nothing the second time.
    """
    if model.device.type != "cpu" or model.dtype != torch.float32:
        return False
    places = [
        (parent, name)
        for parent in model.modules()
        for name, child in parent.named_children()
        if type(child) is nn.Linear and child.weight.numel() >= _LEAST
    ]
    if not places:
        return any(isinstance(module, PackedLinear) for module in model.modules())
    head = model.get_output_embeddings()
    shapes = [_shape(*place) for place in places if getattr(*place) is not head]
    if shapes and not pays(*max(shapes, key=lambda shape: shape[0] * shape[1])):
        return False
    remember_base(model)
    with returned_early():
        _replace(model, places, head)
    return True


def _replace(model: Any, places: Sequence[tuple[nn.Module, str]], head: nn.Module | None) -> None:
    # Nothing here may hold a layer that was replaced: all weights would be there twice.
    for parent in [module for module in model.modules() if type(module) is not nn.Linear]:
        for names in _TOGETHER:
            _share(parent, names)
        _one_operation_norms(parent)
    for parent, name in places:
        child = getattr(parent, name)
        if type(child) is nn.Linear:
            rows = _narrow_embedding(model, child.weight) if child is head else None
            setattr(
                parent, name, _PackedHead(child, rows) if child is head else PackedLinear(child)
            )


def _narrow_embedding(model: Any, weight: torch.Tensor) -> _Embedding | None:
    """Halve the embedding when the output projection shares it and no number of it changes."""
    embedding = model.get_input_embeddings()
    if type(embedding) is not nn.Embedding or embedding.weight is not weight or embedding.max_norm:
        return None
    # In parts: a whole copy would stand in the peak of memory.
    if any(
        not torch.equal(part.bfloat16().float(), part)
        for part in torch.split(weight.detach(), 4096)
    ):
        return None
    narrow = _Embedding(weight)
    model.set_input_embeddings(narrow)
    return narrow


def _shape(parent: nn.Module, name: str) -> tuple[int, int]:
    layer = getattr(parent, name)
    return layer.in_features, layer.out_features


def _share(parent: nn.Module, names: Sequence[str]) -> None:
    """Let the layers of `parent` with these names compute together, if they are alike."""
    layers = [getattr(parent, name, None) for name in names]
    linear = [layer for layer in layers if type(layer) is nn.Linear]
    if len(linear) < len(names) or min(map(_size, linear)) < _LEAST:
        return
    if len({(layer.in_features, layer.bias is None) for layer in linear}) > 1:
        return
    shared = SharedInput(linear)
    for place, (name, layer) in enumerate(zip(names, linear, strict=True)):
        setattr(parent, name, _Part(layer, shared, place))


def _one_operation_norms(parent: nn.Module) -> None:
    """Replace RMS norms that are what they look like: some families add one to the weight."""
    for name, child in parent.named_children():
        weight, epsilon = getattr(child, "weight", None), getattr(child, "variance_epsilon", None)
        if not isinstance(weight, nn.Parameter) or not isinstance(epsilon, float):
            continue
        norm = _Norm(weight, epsilon)
        probe = torch.linspace(-3.0, 5.0, weight.numel())[None]
        with torch.inference_mode():
            if torch.allclose(norm(probe), child(probe), rtol=_SAME, atol=_SAME):
                setattr(parent, name, norm)


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
