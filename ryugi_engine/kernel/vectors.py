"""Vectors: several integers as one value in kernels, in SIMD registers.

``Int16Vector`` is a row of 16-bit integers, ``WordVector`` are :data:`WORDS` consecutive words.
"""

from __future__ import annotations

from typing import Any

from ryugi_engine.kernel.declarations import operation

#: Number of words in a ``WordVector``.
WORDS = 8


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


# ---- WordVector ----------------------------------------------------------------------------------


@operation
def load_words(field: Any, at: Any) -> Any:
    """Return the words of a field of type ``i64[n]`` from an index on."""


@operation
def store_words(field: Any, at: Any, value: Any) -> Any:
    """Write a vector to a field of type ``i64[n]`` from an index on."""


@operation
def no_words() -> Any:
    """Return a vector of zeros."""


@operation
def and_words(a: Any, b: Any) -> Any:
    """Return ``a & b``, word by word."""


@operation
def or_words(a: Any, b: Any) -> Any:
    """Return ``a | b``, word by word."""


@operation
def and_not_words(a: Any, b: Any) -> Any:
    """Return ``a & ~b``, word by word."""


@operation
def shift_words(value: Any, left: Any, right: Any) -> Any:
    """Return every word shifted left, then right, zeros shifted in, by counts in 0..63."""


@operation
def union_of_words(value: Any) -> Any:
    """Return all words joined by ``|``."""


@operation
def any_word(value: Any) -> Any:
    """Return whether any word is not 0."""
