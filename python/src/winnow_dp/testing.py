"""Bits that repeat, for tests: nothing that is drawn with them is private."""

from ._generated import seeded_entropy

__all__ = ["seeded_entropy"]
