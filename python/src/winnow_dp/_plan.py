"""What would a price buy? Every mechanism that can answer a question, run many times on public or generated counts."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

from ._display import cell, picture, table
from ._engine import call
from ._progress import progress_bar
from ._values import RationalLike, Scores, as_options, as_scores

#: From a tenth, which protects well, to ten, beyond which the command line asks.
EPSILONS: Sequence[RationalLike] = ("0.1", "0.3", "1", "3", "10")


@dataclasses.dataclass(frozen=True)
class Estimate:
    """A mean over simulations, with its standard error."""

    mean: float
    standard_error: float

    @classmethod
    def _of(cls, sent: Any) -> Estimate | None:
        return None if sent is None else cls(sent["mean"], sent["standardError"])


@dataclasses.dataclass(frozen=True)
class PlanLine:
    """One mechanism at one price."""

    mechanism: str
    #: Whether the candidates are a public list, or unknown.
    candidates: str
    #: The ε, or the ρ.
    price: Fraction
    #: The share of the true winners that is named.
    recall: Estimate
    #: How many are named.
    winners: Estimate
    #: How often no one is.
    nothing: float
    #: How far off released leads and counts are, where there are any.
    gap_error: Estimate | None = None
    count_error: Estimate | None = None
    #: The share of the price that counts towards a budget, where only used rounds do.
    counted: Estimate | None = None


@dataclasses.dataclass(frozen=True)
class Plan:
    """What each price buys. Nothing private was read for it."""

    lines: list[PlanLine]
    #: "epsilon" or "rho".
    measure: str
    #: The chart, as SVG.
    svg: str = dataclasses.field(repr=False)

    def _repr_html_(self) -> str:
        symbol = "\u03b5" if self.measure == "epsilon" else "\u03c1"
        names = ["mechanism", "candidates", symbol, "recall", "\u00b1", "names"]
        rows = [
            [
                *(line.mechanism, line.candidates, line.price, f"{line.recall.mean:.1%}"),
                *(f"{2 * line.recall.standard_error:.1%}", f"{line.winners.mean:.1f}"),
            ]
            for line in self.lines
        ]
        return f"{picture(self.svg, f'What each {cell(symbol)} buys')}{table(names, rows)}"


def plan(
    scores: Scores | None = None,
    *,
    k: int | None = None,
    kind: str = "top",
    epsilons: Sequence[RationalLike] | None = None,
    rhos: Sequence[RationalLike] | None = None,
    delta: RationalLike | None = None,
    counts: bool | None = None,
    max_items_per_user: int | None = None,
    neighbours: str | None = None,
    mechanism: str | None = None,
    resolution: RationalLike | None = None,
    items: int = 1000,
    users: int = 10_000,
    runs: int = 200,
    seed: str | None = None,
    progress: Callable[[float], None] | None = None,
) -> Plan:
    """What share of the true winners every mechanism names at each price, on public ``scores`` or on generated visits.

    ``delta`` also plans for an unknown domain. Without ``scores``, ``users`` people visit ``items`` items. A notebook shows a bar while
    it works; ``progress`` gets the share that is done instead. Never pass private counts: the plan would be a release of them.
    """
    if epsilons is None and rhos is None:
        epsilons = EPSILONS
    asked = {"kind": kind, "k": k, "delta": delta, "counts": counts, "maxItemsPerUser": max_items_per_user}
    asked |= {"neighbours": neighbours, "mechanism": mechanism, "resolution": resolution}
    with progress_bar(progress) as show:
        run = {"scores": None if scores is None else as_scores(scores)[0], "items": items, "users": users, "runs": runs, "seed": seed}
        run |= {"epsilons": _texts(epsilons), "rhos": _texts(rhos), "onProgress": show}
        sent = call("makePlan", [as_options(asked), as_options(run)])
    lines = [
        PlanLine(
            *(line["mechanism"], line["candidates"], Fraction(line["price"])),
            *(Estimate(**_snake(line["recall"])), Estimate(**_snake(line["winners"])), line["nothing"]),
            *(Estimate._of(line.get(name)) for name in ("gapError", "countError", "counted")),
        )
        for line in sent["lines"]
    ]
    return Plan(lines, "epsilon" if rhos is None else "rho", sent["chart"])


def _snake(sent: Any) -> dict[str, float]:
    return {"mean": sent["mean"], "standard_error": sent["standardError"]}


def _texts(prices: Sequence[RationalLike] | None) -> list[str] | None:
    return None if prices is None else [repr(price) if isinstance(price, float) else str(price) for price in prices]
