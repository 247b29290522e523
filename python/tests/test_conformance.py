"""The exact distributions and losses of docs/guide/conformance.md, through this package. In short: a tenth of the runs, from a
seed; all of them with PROVE=all.

In full, with the system's bits: python3 docs/public/conformance/conformance.py python3 python/conformance.py
"""

from __future__ import annotations

import importlib.util
import json
import os
from collections.abc import Mapping
from fractions import Fraction
from types import ModuleType
from typing import Any

import pytest
from conftest import ROOT

from winnow_dp.testing import seeded_entropy

FOLDER = ROOT / "docs/public/conformance"
FILE = json.loads((FOLDER / "conformance-1.json").read_text(encoding="utf8"))


def module_of(name: str, path: Any) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


CHECKER = module_of("conformance_checker", FOLDER / "conformance.py")
PROGRAM = module_of("conformance_program", ROOT / "python/conformance.py")


def shortened(part: int) -> dict[str, Any]:
    return {**FILE, "distributions": [{**case, "runs": case["runs"] // part} for case in FILE["distributions"]]}


def test_every_case_passes() -> None:
    entropy = seeded_entropy("conformance in Python")
    verdicts = list(CHECKER.check(shortened(1 if os.environ.get("PROVE") == "all" else 10), lambda request: PROGRAM.winnow_in_python(request, entropy)))
    assert len(verdicts) == len(FILE["distributions"]) + len(FILE["accounting"])
    assert [verdict for verdict in verdicts if verdict[1] != "passes"] == []


@pytest.mark.parametrize("task", ["top-k", "noisy-top-k-loss"])
def test_a_program_with_too_little_noise_fails(task: str) -> None:
    cases = {name: [case for case in FILE[name] if case["task"] == task] for name in ("distributions", "accounting")}
    entropy = seeded_entropy("too little noise")

    def wrong(request: Mapping[str, Any]) -> Any:
        parameters = request["parameters"]
        more = Fraction(parameters["scale"]) * (Fraction(3, 4) if task == "top-k" else 2)
        return PROGRAM.winnow_in_python({**request, "parameters": {**parameters, "scale": more}}, entropy)

    verdicts = {verdict for _, verdict, _ in CHECKER.check({**FILE, **cases}, wrong)}
    assert verdicts == {"fails"}
