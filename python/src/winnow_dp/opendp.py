"""Our measurements among those of OpenDP: composed there, drawn here.

    import winnow_dp as winnow
    from winnow_dp.opendp import make_noisy_top_k

    measurement = make_noisy_top_k(winnow.make_noisy_top_k(k=5, measure="zcdp", scale=20, monotone=True))

OpenDP checks no promise of a function that it didn't make, so its features "contrib" and "honest-but-curious" must be enabled.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Literal

from ._errors import WinnowError
from ._generated import NoisyTopK

if TYPE_CHECKING:
    from opendp.mod import Measurement

#: Whole numbers: OpenDP's vectors of floats may hold infinite scores, which we refuse.
ScoreType = Literal["i64", "i32", "u64", "u32"]


def make_noisy_top_k(measurement: NoisyTopK, *, scores: ScoreType = "i64") -> Measurement:
    """A noisy top k of ours as a measurement of OpenDP: vectors of scores in, positions of the winners out, best first.

    Input space, measure and loss are those of OpenDP's own ``make_noisy_top_k``; scores differ by d_in at most, and move the same
    way if ``measurement.metric.monotone``. A measurement with gaps is refused: its answer has no type there.
    """
    if not isinstance(measurement, NoisyTopK):
        raise WinnowError("usage", "measurement must come from winnow_dp.make_noisy_top_k.", field="measurement")
    if measurement.resolution is not None:
        raise WinnowError("usage", "measurement must have no resolution, because OpenDP has no gaps.", field="measurement")
    if scores not in ("i64", "i32", "u64", "u32"):
        raise WinnowError("usage", "scores must be a type of whole numbers: i64, i32, u64 or u32.", field="scores")
    import opendp.prelude as dp

    domain = measurement.domain
    size = domain.size if domain.is_whole else None
    if domain.size is not None and size is None:
        raise WinnowError(
            "usage",
            "measurement must list its whole domain ({ size, is_whole: True }), because OpenDP knows no candidates beyond the vector.",
            field="measurement",
        )
    monotone = measurement.metric.monotone
    output = dp.max_divergence() if measurement.measure == "pure" else dp.zero_concentrated_divergence()
    return dp.m.make_user_measurement(
        dp.vector_domain(dp.atom_domain(T=scores), size=size),
        dp.linf_distance(T=scores, monotonic=monotone),
        output,
        _winners(measurement),
        _loss(measurement),
        TO="Vec<usize>",
    )


def _winners(measurement: NoisyTopK) -> Callable[[Sequence[int]], list[int]]:
    def winners(vector: Sequence[int]) -> list[int]:
        return [int(winner.candidate or 0) for winner in measurement.invoke(vector).winners]

    return winners


def _loss(measurement: NoisyTopK) -> Callable[[Any], float]:
    def loss(d_in: Any) -> float:
        of = measurement.map(d_in)
        size = of.epsilon if of.measure == "pure" else of.rho
        assert size is not None  # each measure has its own
        return upward(size)

    return loss


def upward(exact: Fraction | float) -> float:
    """The least double that is at least this: a loss is never reported too small."""
    try:
        near = float(exact)
    except OverflowError:
        return math.inf
    return near if near >= exact else math.nextafter(near, math.inf)
