"""A measurement of ours inside OpenDP: the same input space, the same loss, composed and chained there."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import pytest
from conftest import needs

import winnow_dp as winnow
from winnow_dp.opendp import make_noisy_top_k, upward

SCORES = [5, 900, 3, 700, 10]


@pytest.fixture(scope="module")
def dp() -> Any:
    found = needs("opendp.prelude")
    found.enable_features("contrib", "honest-but-curious")
    return found


def test_its_answers_are_positions_best_first(dp: Any) -> None:
    measurement = make_noisy_top_k(winnow.make_noisy_top_k(k=2, measure="zcdp", scale=2, monotone=True))
    assert measurement(SCORES) == [1, 3]
    smallest = make_noisy_top_k(winnow.make_noisy_top_k(k=1, measure="pure", scale="1/8", negate=True))
    assert smallest([50, 900, -300]) == [2]


@pytest.mark.parametrize("measure", ["pure", "zcdp"])
@pytest.mark.parametrize("monotone", [True, False])
@pytest.mark.parametrize("k", [1, 3])
def test_its_space_and_loss_are_those_of_opendps_own(dp: Any, measure: str, monotone: bool, k: int) -> None:
    method = "peel" if measure == "pure" else "one-shot"  # what OpenDP does
    ours = make_noisy_top_k(winnow.make_noisy_top_k(k=k, measure=measure, scale=4, monotone=monotone, method=method))
    theirs = dp.m.make_noisy_top_k(ours.input_domain, ours.input_metric, ours.output_measure, k, 4.0)
    assert ours.input_domain == theirs.input_domain
    assert ours.input_metric == theirs.input_metric
    for d_in in (1, 2, 7):
        assert ours.map(d_in) == pytest.approx(theirs.map(d_in), rel=1e-12)
        assert ours.check(d_in, ours.map(d_in))
        assert not ours.check(d_in, ours.map(d_in) * 0.99)


def test_it_is_composed_with_others_there(dp: Any) -> None:
    ours = make_noisy_top_k(winnow.make_noisy_top_k(k=2, measure="zcdp", scale=4, monotone=True))
    theirs = dp.m.make_noisy_top_k(ours.input_domain, ours.input_metric, ours.output_measure, 2, 4.0)
    both = dp.c.make_composition([ours, theirs])
    assert both.map(1) == pytest.approx(2 * 2 * (1 / 4) ** 2 / 8)
    assert [len(answer) for answer in both(SCORES)] == [2, 2]
    approximate = dp.c.make_zCDP_to_approxDP(ours)
    assert 0 < approximate.map(1).epsilon(1e-6) < 2


def test_it_takes_counts_that_opendp_made(dp: Any) -> None:
    """Rows to counts by OpenDP, counts to winners by us."""
    rows = dp.vector_domain(dp.atom_domain(T="String")), dp.symmetric_distance()
    count = dp.t.make_count_by_categories(*rows, ["Alster", "Bille", "Elbe"], MO="L1Distance<i32>", null_category=False)
    ours = make_noisy_top_k(winnow.make_noisy_top_k(k=1, measure="pure", scale=1, method="peel"), scores="i32")
    counted = count(["Bille"] * 60 + ["Elbe"] * 3)
    assert ours(counted) == [1]


def test_a_domain_of_an_exact_size_is_one_there(dp: Any) -> None:
    ours = make_noisy_top_k(winnow.make_noisy_top_k(k=1, measure="pure", scale=1, domain={"size": 3, "is_whole": True}))
    assert ours([1, 2, 300]) == [2]
    with pytest.raises(dp.OpenDPException):
        ours([1, 2])


def test_what_has_no_form_there_is_refused(dp: Any) -> None:
    gaps = winnow.make_noisy_top_k(k=1, measure="pure", scale=1, resolution=1)
    padded = winnow.make_noisy_top_k(k=1, measure="pure", scale=1, domain={"size": 3})
    plain = winnow.make_noisy_top_k(k=1, measure="pure", scale=1)
    with pytest.raises(winnow.WinnowError, match="no resolution"):
        make_noisy_top_k(gaps)
    with pytest.raises(winnow.WinnowError, match="whole domain"):
        make_noisy_top_k(padded)
    with pytest.raises(winnow.WinnowError, match="whole numbers"):
        make_noisy_top_k(plain, scores="f64")  # type: ignore[arg-type]
    with pytest.raises(winnow.WinnowError, match="make_noisy_top_k"):
        make_noisy_top_k("top")  # type: ignore[arg-type]


@pytest.mark.parametrize("exact", [Fraction(1, 3), Fraction(1, 10), Fraction(2, 3), Fraction(1, 2), Fraction(10) ** 400, math.inf])
def test_a_loss_is_rounded_up(exact: Fraction | float) -> None:
    found = upward(exact)
    assert found >= exact
    assert found == math.inf or Fraction(math.nextafter(found, 0)) < exact
