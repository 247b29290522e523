"""This package behind the protocol of docs/guide/conformance.md:

    python3 docs/public/conformance/conformance.py python3 python/conformance.py

Nothing is computed here that the package doesn't compute.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import partial
from math import lcm
from typing import Any

import winnow_dp as winnow

Given = Mapping[str, Any]
Draw = Callable[[], Mapping[str, Any]]


def winnow_in_python(request: Given, entropy: winnow.Entropy | None = None) -> dict[str, Any]:
    """The response to one request. Tests pass bits of their own."""
    task, given = request["task"], request["parameters"]
    if task in LOSSES:
        return {"loss": float(LOSSES[task](given))}
    draw = DRAWS[task](request["scores"], given, entropy)
    return {"answers": [draw() for _ in range(request["runs"])]}


def noisy_max(scores: Sequence[str], given: Given, entropy: winnow.Entropy | None) -> Draw:
    numbers, factor = whole_numbers(scores)
    noise = given["noise"]
    if noise in ("exponential", "gumbel"):
        scale = Fraction(given["scale"]) * factor
        measure = "zcdp" if noise == "gumbel" else "pure"
        return partial(winners_of, winnow.make_noisy_top_k(k=1, measure=measure, scale=scale), numbers, entropy)
    size = {"scale": Fraction(given["scale"]) * factor} if noise == "laplace" else {"variance": Fraction(given["variance"]) * factor**2}
    return lambda: {"winners": [winnow.report_noisy_max(numbers, noise=noise, entropy=entropy, **size).candidate]}


def top_k(scores: Sequence[str], given: Given, entropy: winnow.Entropy | None) -> Draw:
    measure = "zcdp" if given["noise"] == "gumbel" else "pure"
    measurement = winnow.make_noisy_top_k(k=given["k"], measure=measure, scale=given["scale"], method=given["method"])
    return partial(winners_of, measurement, [int(score) for score in scores], entropy)


def winners_of(measurement: winnow.NoisyTopK, scores: Sequence[int], entropy: winnow.Entropy | None) -> Mapping[str, Any]:
    return {"winners": [winner.candidate for winner in measurement.invoke(scores, entropy).winners]}


def top_k_with_gap(scores: Sequence[str], given: Given, entropy: winnow.Entropy | None) -> Draw:
    resolution = Fraction(given["resolution"])
    measurement = winnow.make_noisy_top_k(k=given["k"], measure="pure", scale=given["scale"], resolution=resolution)
    numbers = [int(score) for score in scores]

    def draw() -> Mapping[str, Any]:
        winners = measurement.invoke(numbers, entropy).winners
        return {"winners": [each.candidate for each in winners], "gaps": [int((each.gap or 0) / resolution) for each in winners]}

    return draw


def stable_top_k(scores: Sequence[str], given: Given, entropy: winnow.Entropy | None) -> Draw:
    measurement = winnow.make_stable_top_k(
        max_k=given["maxK"],
        monotone=True,
        delta=given["delta"],
        choose={"noise": "gumbel", "scale": given["chooseScale"]},
        test={"variance": given["testVariance"]},
    )
    counts = [int(score) for score in scores]

    def draw() -> Mapping[str, Any]:
        answer = measurement.invoke(counts, entropy)
        return {"k": answer.k, "indices": answer.candidates if answer.released else None}

    return draw


def base2_exponential(scores: Sequence[str], given: Given, entropy: winnow.Entropy | None) -> Draw:
    utilities = [float(Fraction(score)) for score in scores]
    measurement = winnow.make_base2_exponential(
        eta=winnow.eta(given["x"], given["y"], given["z"]),
        lower=given["utilityMin"],
        upper=given["utilityMax"],
        max_candidates=len(utilities),
        mode="optimised",
    )
    return lambda: {"winners": [measurement.invoke(utilities, entropy).candidate]}


def select_partitions(people: Sequence[str], given: Given, entropy: winnow.Entropy | None) -> Draw:
    counts = {str(name): int(many) for name, many in enumerate(people)}
    options = {"epsilon": given["epsilon"], "delta": given["delta"], "max_items_per_user": given["maxItemsPerUser"]}

    def draw() -> Mapping[str, Any]:
        kept = winnow.select_partitions(counts, method=given["method"], entropy=entropy, **options).winners
        return {"winners": [int(each.candidate) for each in kept]}

    return draw


def whole_numbers(scores: Sequence[str]) -> tuple[list[int], int]:
    """Fractions times their common denominator: the noise grows with them."""
    exact = [Fraction(score) for score in scores]
    factor = lcm(*(score.denominator for score in exact))
    return [int(score * factor) for score in exact], factor


DRAWS: Mapping[str, Callable[[Sequence[str], Given, winnow.Entropy | None], Draw]] = {
    "noisy-max": noisy_max,
    "top-k": top_k,
    "top-k-with-gap": top_k_with_gap,
    "stable-top-k": stable_top_k,
    "base2-exponential": base2_exponential,
    "select-partitions": select_partitions,
}


def noisy_top_k_loss(given: Given) -> Any:
    options = {name: given[name] for name in ("k", "measure", "scale", "monotone")}
    loss = winnow.make_noisy_top_k(**options).map(given["sensitivity"])
    return loss.epsilon if loss.measure == "pure" else loss.rho


def composition(given: Given) -> Any:
    loss_of = winnow.pure if given["measure"] == "pure" else winnow.zcdp
    total = winnow.compose(*(loss_of(size) for size in given["losses"]))
    return total.epsilon if given["measure"] == "pure" else total.rho


def zcdp_to_approx(given: Given) -> Any:
    return winnow.convert(winnow.zcdp(given["rho"]), to="approx", delta=given["delta"]).epsilon


def pure_to_approx(given: Given) -> Any:
    each = winnow.convert(winnow.pure(given["epsilon"]), to="renyi")
    return winnow.convert(winnow.compose(*[each] * given["times"]), to="approx", delta=given["delta"]).epsilon


def bounded_range_to_approx(given: Given) -> Any:
    return winnow.bounded_range_delta(epsilon=given["epsilon"], range=given["range"], rounds=given["rounds"])


LOSSES: Mapping[str, Callable[[Given], Any]] = {
    "noisy-top-k-loss": noisy_top_k_loss,
    "composition": composition,
    "zcdp-to-approx": zcdp_to_approx,
    "pure-to-approx": pure_to_approx,
    "bounded-range-to-approx": bounded_range_to_approx,
}


if __name__ == "__main__":
    for line in sys.stdin:
        print(json.dumps(winnow_in_python(json.loads(line))), flush=True)
