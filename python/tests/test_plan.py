"""A plan: what each price buys, on public or generated counts."""

from __future__ import annotations

from fractions import Fraction

import pytest

import winnow_dp as winnow

SCORES = [5000 // rank for rank in range(1, 201)]


def test_more_epsilon_names_more() -> None:
    plan = winnow.plan(SCORES, k=10, epsilons=["0.1", 10], runs=50, seed="plan")
    recalls = {(line.mechanism, line.price): line.recall.mean for line in plan.lines}
    mechanisms = {mechanism for mechanism, _ in recalls}
    assert len(mechanisms) >= 2
    assert all(recalls[name, Fraction(1, 10)] <= recalls[name, Fraction(10)] for name in mechanisms)
    assert max(recalls.values()) > 0.9
    assert {line.candidates for line in plan.lines} == {"public"}


def test_with_a_delta_it_is_also_about_an_unknown_domain() -> None:
    plan = winnow.plan(SCORES, k=3, epsilons=[1], delta="1e-6", runs=20, seed="plan")
    unknown = [line for line in plan.lines if line.candidates == "unknown"]
    assert unknown and len(unknown) < len(plan.lines)
    assert all(0 <= line.nothing <= 1 and line.winners.mean <= 3 for line in unknown)


def test_it_is_in_rho_too() -> None:
    plan = winnow.plan(dict(enumerate(SCORES)), k=3, rhos=["0.01", "0.1"], runs=20, seed="plan")
    assert plan.measure == "rho"
    assert {line.price for line in plan.lines} == {Fraction(1, 100), Fraction(1, 10)}


def test_every_kind_with_names_can_be_planned_on_generated_visits() -> None:
    adaptive = winnow.plan(k=20, kind="adaptive", epsilons=[1], delta="1e-6", items=50, users=2000, runs=10, seed="plan")
    names = winnow.plan(kind="names", epsilons=[1], delta="1e-6", max_items_per_user=3, items=50, users=2000, runs=10, seed="plan")
    assert adaptive.lines and names.lines


def test_a_seed_makes_it_repeatable() -> None:
    one, same, other = (winnow.plan(SCORES, k=3, epsilons=[1], runs=20, seed=seed) for seed in ("a", "a", "b"))
    assert one == same
    assert one.lines != other.lines


def test_its_progress_is_told() -> None:
    shares: list[float] = []
    winnow.plan(SCORES, k=3, epsilons=[1, 2], runs=5, progress=shares.append)
    assert shares == sorted(shares) and shares[-1] == 1.0 and len(shares) > 2


def test_it_shows_as_a_chart_and_a_table() -> None:
    plan = winnow.plan(SCORES, k=3, epsilons=[1], runs=5, seed="plan")
    html = plan._repr_html_()
    assert plan.svg.startswith("<svg")
    assert "data:image/svg+xml" in html and "<script" not in html
    assert plan.lines[0].mechanism in html


@pytest.mark.parametrize(
    "wrong",
    [
        {"epsilons": []},
        {"epsilons": [1], "rhos": [1]},
        {"epsilons": [0]},
        {"epsilons": [1], "kind": "best"},
        {"epsilons": [1], "max_items_per_user": 3},
        {"epsilons": [1], "runs": 0},
    ],
)
def test_what_cannot_be_planned_is_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(winnow.WinnowError):
        winnow.plan(SCORES, k=3, **wrong)  # type: ignore[arg-type]
