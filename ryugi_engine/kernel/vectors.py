"""``Int16Vector``: a row of 16-bit integers as one value in kernels, in SIMD registers."""

from __future__ import annotations

from typing import Any

from ryugi_engine.kernel.declarations import operation


@operation
def load(field: Any) -> Any:
    """Return a field of type ``i16[n]`` as a vector."""


@operation
def store(field: Any, value: Any) -> Any:
    """Write a vector to a field."""


@operation
def add(value: Any, field: Any) -> Any:
    """Return the elementwise sum of a vector and a field, modulo 2**16."""


@operation
def subtract(value: Any, field: Any) -> Any:
    """Return the elementwise difference of a vector and a field, modulo 2**16."""


@operation
def screlu_dot(value: Any, weights: Any, top: Any) -> Any:
    """Return the sum of weight * c * c over all elements, c being the element clipped to 0..top.

    ``top`` is a literal. weight * c must fit 16 bits and the sum 32.
    """
