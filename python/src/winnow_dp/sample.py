"""Exact samplers: ``winnow-dp/sample`` of the library."""

from ._generated import (
    DiscreteGaussian,
    DiscreteLaplace,
    Geometric,
    bernoulli,
    bernoulli_exp,
    discrete_gaussian,
    discrete_laplace,
    geometric,
    normalized_sample,
    truncated_geometric,
    uniform_below,
)

__all__ = [
    "DiscreteGaussian",
    "DiscreteLaplace",
    "Geometric",
    "bernoulli",
    "bernoulli_exp",
    "discrete_gaussian",
    "discrete_laplace",
    "geometric",
    "normalized_sample",
    "truncated_geometric",
    "uniform_below",
]
