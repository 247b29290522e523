"""The functions in Python: what goes in, what comes out, and what is refused."""

from __future__ import annotations

import array
import math
from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest
from conftest import needs

import winnow_dp as winnow
from winnow_dp import sample
from winnow_dp._display import neutral
from winnow_dp.testing import seeded_entropy

COUNTS = {"Alster": 900, "Bille": 700, "Elbe": 512, "Oste": 3}


def seeded(scores: Any, **options: Any) -> winnow.TopK:
    return winnow.top_k(scores, k=3, epsilon="1/10", entropy=seeded_entropy("seed"), **options)


SCORES = [5.0, 3.0, 9.0, 1.0, 0.0]


def arrays() -> dict[str, Any]:
    """The same scores in every form that is installed."""
    forms: dict[str, Any] = {"tuple": tuple(SCORES), "ints": [int(each) for each in SCORES], "array": array.array("d", SCORES)}
    forms["decimals"] = [Decimal(int(each)) for each in SCORES]
    forms["fractions"] = [Fraction(int(each)) for each in SCORES]
    forms["memoryview"] = memoryview(array.array("f", SCORES))
    return forms


def assert_same(form: Any) -> None:
    assert [winner.candidate for winner in seeded(form).winners] == [winner.candidate for winner in seeded(SCORES).winners]


@pytest.mark.parametrize("form", arrays())
def test_the_same_numbers_in_another_form_give_the_same_answer(form: str) -> None:
    assert_same(arrays()[form])


@pytest.mark.parametrize("kind", ["f8", "f4", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f2", ">f8", "O"])
def test_numpy_arrays_of_every_kind(kind: str) -> None:
    numpy = needs("numpy")
    assert_same(numpy.array(SCORES).astype(kind))
    assert_same(numpy.repeat(numpy.array(SCORES).astype(kind), 2)[::2])  # not contiguous


def test_series_and_arrow_arrays() -> None:
    assert_same(needs("pandas").Series(SCORES))
    assert_same(needs("polars").Series(SCORES))
    assert_same(needs("pyarrow").array(SCORES))
    assert_same(needs("pyarrow").chunked_array([SCORES[:2], SCORES[2:]]))


def test_a_series_with_names_answers_by_name() -> None:
    pandas = needs("pandas")
    counted = pandas.Series(["a", "b", "a", "a"]).value_counts()
    answer = winnow.top_k(counted, k=1, epsilon=50)
    assert answer.winners[0].candidate == "a"


def test_names_are_whatever_they_are() -> None:
    scores = {("a", 1): 1000, None: 0, 3.5: 0}
    assert winnow.top_k(scores, k=1, epsilon=10).winners[0].candidate == ("a", 1)
    assert winnow.permute_and_flip(scores, epsilon=10).candidate == ("a", 1)


def test_names_of_a_set_are_texts_because_they_break_ties() -> None:
    assert winnow.top_k_set(COUNTS, k=2, epsilon=10).candidates == ["Alster", "Bille"]
    with pytest.raises(winnow.WinnowError, match="strings as names"):
        winnow.top_k_set({1: 5, 2: 6}, k=1, epsilon=1)


def test_a_name_that_comes_twice_is_refused() -> None:
    pandas = needs("pandas")
    with pytest.raises(winnow.WinnowError, match="no name occurs twice"):
        winnow.top_k(pandas.Series([1, 2], index=["a", "a"]), k=1, epsilon=1)
    with pytest.raises(winnow.WinnowError):
        winnow.limited_top_k(pandas.Series([1, 2], index=["a", "a"]), k=1, epsilon=1, delta="1e-6")


@pytest.mark.parametrize("wrong", [[1, math.nan], [math.inf, 1], [None, 1], ["1", 2], [Decimal("NaN"), 1], [1, Fraction(1, 3)]], ids=str)
def test_scores_that_are_no_numbers_are_refused_without_saying_which(wrong: Any) -> None:
    with pytest.raises(winnow.WinnowError) as caught:
        winnow.top_k(wrong, k=1, epsilon=1)
    assert caught.value.code == "invalid-score"
    assert "nan" not in str(caught.value).lower() and "1/3" not in str(caught.value)


def test_large_whole_numbers_are_exact() -> None:
    big = 2**60
    answer = winnow.top_k([big, big + 500, big], k=1, epsilon=10)
    assert answer.winners[0].candidate == 1
    needs("numpy")
    assert winnow.top_k(needs("numpy").array([big, big + 500, big]), k=1, epsilon=10).winners[0].candidate == 1


@pytest.mark.parametrize("third", ["1/3", Fraction(1, 3)], ids=str)
def test_parameters_are_exact(third: Any) -> None:
    assert winnow.pure(third).epsilon == Fraction(1, 3)


@pytest.mark.parametrize("tenth", [0.1, "0.1", Decimal("0.1"), Fraction(1, 10), "1e-1", Decimal("1E-1")], ids=repr)
def test_a_float_means_its_shortest_decimal(tenth: Any) -> None:
    assert winnow.zcdp(tenth).rho == Fraction(1, 10)


def test_numpy_scalars_are_parameters() -> None:
    numpy = needs("numpy")
    assert winnow.pure(numpy.float64(0.1)).epsilon == Fraction(1, 10)
    assert winnow.pure(numpy.int64(2)).epsilon == 2
    assert len(winnow.top_k(SCORES, k=numpy.int32(2), epsilon=1, monotone=numpy.bool_(True)).winners) == 2


@pytest.mark.parametrize("wrong", [math.nan, math.inf, "a third", Decimal("Infinity"), 0, -1], ids=repr)
def test_parameters_that_are_not_positive_numbers_are_refused(wrong: Any) -> None:
    with pytest.raises(winnow.WinnowError) as caught:
        winnow.top_k(SCORES, k=1, epsilon=wrong)
    assert (caught.value.code, caught.value.field) == ("invalid-parameter", "epsilon")


def test_errors_name_arguments_as_they_are_in_python() -> None:
    with pytest.raises(winnow.WinnowError) as caught:
        winnow.select_partitions(COUNTS, epsilon=1, delta="1e-6", max_items_per_user=0)
    assert caught.value.field == "max_items_per_user"
    assert str(caught.value) == "max_items_per_user must be an integer >= 1; got 0"


def test_two_budgets_are_one_too_many() -> None:
    with pytest.raises(winnow.WinnowError):
        winnow.top_k(SCORES, k=1, epsilon=1, rho=1)


def test_losses_compose_convert_and_can_be_read() -> None:
    half = winnow.compose(winnow.pure("1/4"), winnow.pure("1/4"))
    assert half == winnow.Loss("pure", epsilon=Fraction(1, 2))
    assert half.to_json() == {"measure": "pure", "epsilon": "1/2"}
    assert winnow.repeat(winnow.zcdp("1/8"), 4).rho == Fraction(1, 2)
    converted = winnow.convert(winnow.zcdp("1/2"), to="approx", delta="1e-6")
    assert converted.measure == "approx" and converted.delta == Fraction(1, 10**6)
    assert str(half) == "epsilon = 0.5"
    curve = winnow.renyi(winnow.zcdp_curve("1/2")).curve
    assert curve.epsilon == math.inf
    assert curve.at(3) == Fraction(3, 2)
    assert curve.plus(curve).at(3) == 3


def test_a_budget_admits_until_it_is_spent() -> None:
    budget = winnow.Budget(winnow.zcdp(1))
    assert budget.admits_times(winnow.zcdp("1/4")) == 4
    budget.charge(winnow.zcdp("3/4"), "first")
    assert budget.remaining.rho == Fraction(1, 4)
    assert [entry.label for entry in budget.history] == ["first"]
    with pytest.raises(winnow.WinnowError) as caught:
        budget.charge(winnow.zcdp(1))
    assert caught.value.code == "budget-exceeded"


def test_a_measurement_has_a_map() -> None:
    measurement = winnow.make_noisy_top_k(k=2, measure="zcdp", scale=2, monotone=True)
    assert measurement.map(1) == winnow.zcdp("1/16")
    assert measurement.check(1, winnow.zcdp("1/16")) and not measurement.check(1, winnow.zcdp("1/17"))
    assert len(measurement.invoke(COUNTS).winners) == 2
    assert measurement.scale == 2 and measurement.resolution is None


def test_streams_merge() -> None:
    streams = [winnow.TopKStream(k=1, epsilon=20) for _ in range(2)]
    for place, stream in enumerate(streams):
        stream.push_scores([0, 0, 500 * place], 3 * place)
    assert streams[0].merge(streams[1]).finish().winners[0].candidate == 5


def test_samplers_and_bits() -> None:
    entropy = seeded_entropy("bits")
    assert 0 <= sample.uniform_below(6, entropy) < 6
    assert isinstance(sample.discrete_gaussian("9/4", entropy), int)
    assert isinstance(sample.DiscreteLaplace(3).sample(entropy), int)
    assert sample.bernoulli(1) is True
    assert sample.uniform_below(2**80, entropy) < 2**80
    assert entropy.bits_used > 0


def test_quantiles_know_their_error() -> None:
    median = winnow.quantile(range(1000), quantile="1/2", lower=0, upper=1000, epsilon=1)
    assert 0 <= median.value <= 1000
    assert median.rank_error("0.95") > 0
    assert winnow.quantile({4: 90, 5: 10}, quantile="1/2", lower=0, upper=10, epsilon=20).value == 4


def test_a_result_shows_as_a_table_in_which_every_text_is_escaped() -> None:
    page = winnow.top_k({"<script>": 100, "b\u202e": 99}, k=2, epsilon=1)._repr_html_()
    assert "&lt;script&gt;" in page and "<script>" not in page and "\u202e" not in page
    assert page.startswith("<table>") and "epsilon = 1" in page


def test_texts_are_neutral() -> None:
    assert neutral("a\x1b[31m\u2066\udc80") == "a\\u{1b}[31m\\u{2066}\\u{dc80}"


def test_names_with_odd_characters_come_back_as_they_are() -> None:
    name = 'caf\u00e9 "\U0001f600" \udc80 \x00'
    assert winnow.top_k({name: 500, "b": 1}, k=1, epsilon=10).winners[0].candidate == name
    assert winnow.limited_top_k({name: 500, "b": 1}, k=1, epsilon=10, delta="1e-6").winners[0].candidate == name
