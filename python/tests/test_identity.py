"""With the same bits Python and Node give the same answers, whatever draws."""

from __future__ import annotations

import dataclasses
import inspect
import json
import shutil
import subprocess
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import pytest
from conftest import REQUIRED, ROOT
from identity_cases import CASES, WITH_CALLBACKS, WITH_PARAMETERS

import winnow_dp as winnow
from winnow_dp._errors import camel_case, snake_case
from winnow_dp.sample import geometric
from winnow_dp.testing import seeded_entropy

SEED = "identity"


def plain(value: Any) -> Any:
    """As Node writes it: exact numbers as texts, names of fields in camel case."""
    if isinstance(value, Fraction):
        return _text(value)
    if isinstance(value, winnow.Loss):
        return {name: _text(part) if isinstance(part, Fraction) else part for name, part in value._parts() if name != "curve"}
    if dataclasses.is_dataclass(value):
        fields = [field.name for field in dataclasses.fields(value) if not field.name.startswith("_") and field.name != "measurement"]
        return {camel_case(name): plain(part) for name in fields if (part := getattr(value, name)) is not None}
    if isinstance(value, Mapping):
        return {str(name): plain(part) for name, part in value.items()}
    if isinstance(value, list):
        return [plain(each) for each in value]
    return value


def _text(number: Fraction) -> str:
    return str(number)


def same(ours: Any, theirs: Any) -> None:
    """JSON of both, with exact numbers in one way of writing them."""
    assert normal(plain(ours)) == normal(theirs)


def normal(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: normal(part) for name, part in sorted(value.items())}
    if isinstance(value, list):
        return [normal(each) for each in value]
    if isinstance(value, str):
        try:
            return ("exactly", Fraction(value))
        except ValueError:
            return value
    return value


@pytest.fixture(scope="module")
def in_node() -> list[Any]:
    node = shutil.which("node")
    built = ROOT / "packages/core/dist/index.js"
    if node is None or not built.exists():
        if REQUIRED:
            raise AssertionError("there is no Node or no build to compare with")
        pytest.skip("there is no Node or no build to compare with")
    cases = [
        [name, [{"pairs": list(part.items())} if isinstance(part, dict) else part for part in given], options]
        for name, given, options in CASES
    ]
    sent = json.dumps({"cases": cases, "seed": SEED})
    done = subprocess.run(
        [node, "python/tests/identity.mjs"], cwd=ROOT, input=sent, capture_output=True, text=True, check=True
    )
    return [json.loads(line) for line in done.stdout.splitlines()]


@pytest.mark.parametrize("place", range(len(CASES)), ids=[f"{place}-{case[0]}" for place, case in enumerate(CASES)])
def test_a_seeded_answer_is_that_of_node(place: int, in_node: list[Any]) -> None:
    name, given, options = CASES[place]
    own = {snake_case(key): part for key, part in options.items()}
    if "choose" in own:
        own["choose"] = {snake_case(key): part for key, part in own["choose"].items()}
    answer = getattr(winnow, snake_case(name))(*given, **own, entropy=seeded_entropy(f"{SEED} {name}"))
    same(answer, in_node[place])


def test_callbacks_streams_and_measurements_share_one_source_of_bits(in_node: list[Any]) -> None:
    entropy = seeded_entropy(SEED)
    by_length = winnow.base2_exponential(
        ["a", "bbb", "cc"], len, eta=winnow.eta(15, 4, 1), lower=0, upper=10, max_candidates=5, entropy=entropy
    )
    threshold = winnow.noisy_threshold(7, threshold=6, eta=winnow.eta(3, 2), entropy=entropy)

    def run(bits: winnow.Entropy) -> dict[str, Any]:
        score = geometric("1/3", bits)
        return {"output": f"score {score}", "score": score}

    candidate = winnow.select_private_candidate(
        run, loss=winnow.pure("1/10"), runs={"law": "poisson", "mean": 20}, entropy=entropy
    )
    stream = winnow.TopKStream(k=2, epsilon=1, entropy=entropy)
    stream.push("a", 5).push("b", 7).push("c", 6)
    above = winnow.AboveThreshold(epsilon=1, threshold=5, entropy=entropy)
    answers = [above.push(value) if above.remaining > 0 else None for value in (1, 9, 4)]
    noisy = winnow.make_noisy_top_k(k=2, measure="zcdp", scale=2, monotone=True).invoke([1, 2, 3, 4], entropy)
    same([by_length, threshold, candidate, stream.finish(), answers, noisy, entropy.bits(30)], in_node[-1])


def test_another_seed_gives_other_answers(in_node: list[Any]) -> None:
    answers = [winnow.top_k(list(range(50)), k=5, epsilon="0.1", entropy=seeded_entropy(seed)) for seed in ("a", "b")]
    assert answers[0] != answers[1]


def test_every_function_that_draws_has_a_case() -> None:
    drawing = {
        name
        for name in winnow.__all__
        if inspect.isfunction(function := getattr(winnow, name)) and "entropy" in inspect.signature(function).parameters
    }
    assert len(drawing) > 20
    assert drawing == {snake_case(name) for name, _, _ in CASES} | WITH_CALLBACKS | WITH_PARAMETERS
