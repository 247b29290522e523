"""
The tests of selection that OpenDP and diffprivlib wrote for themselves, run on Winnow's draws: in a checkout of each, the tests
that only ask what is drawn, with what is drawn replaced. What tests their constructors, their seeds, infinite ε, no sensitivity or
weights of their own says nothing about ours and is left out.

    python3 research/python/peers_own_tests.py OPENDP DIFFPRIVLIB

Tried with OpenDP bc6e18b and diffprivlib 5d9c9d8. Needs the Python package, opendp, diffprivlib and pytest. diffprivlib's tests
count a thousand draws or two, so each runs ten times: on its own draws, on ours, and on noise of half the size, which must be
found. Ends with 1 if ours fail more often than its own.
"""

import collections
import contextlib
import io
import os
import sys
from fractions import Fraction
from pathlib import Path

import opendp.prelude as dp
import pytest
import winnow_dp as winnow
from diffprivlib import mechanisms

OPENDP = ["test_noisy_max", "test_noisy_top_k"]
DIFFPRIVLIB = ["test_correct_output_domain", "test_distrib_prob", "test_monotonic_distrib"]


def drawn_by_winnow(theirs, measure, share):
    """Their class with our draw: its weights are e^(ε·utility/(2·sensitivity)), or without the 2 if it is monotonic."""

    class Drawn(theirs):
        def randomise(self):
            self._check_all(None)
            scale = Fraction(self.sensitivity) * (1 if self.monotonic else 2) / Fraction(self.epsilon)
            measurement = winnow.make_noisy_top_k(k=1, measure=measure, scale=scale * share)
            index = measurement.invoke(self.utility).winners[0].candidate
            return index if self.candidates is None else self.candidates[index]

    return Drawn


def without_seed(theirs):
    """Their class with bits of the system: their tests give it a seed with which they pass."""

    class Unseeded(theirs):
        def __init__(self, *, random_state=None, **options):
            super().__init__(**options)

    return Unseeded


def opendp_by_winnow(kept_k=None):
    def then(measure, *numbers):
        k, scale = (kept_k, *numbers) if kept_k else numbers
        ours = winnow.make_noisy_top_k(k=k, measure="pure" if measure == dp.max_divergence() else "zcdp", scale=scale)

        def invoke(scores):
            winners = [winner.candidate for winner in ours.invoke(scores).winners]
            return winners[0] if kept_k else winners

        return dp.m.then_user_measurement(measure, invoke, lambda moved: float(ours.map(moved)))

    return then


class Outcomes:
    """What pytest found: names of tests that passed and failed."""

    def __init__(self):
        self.passed, self.failed = [], []

    def pytest_runtest_logreport(self, report):
        if report.when == "call":
            (self.passed if report.passed else self.failed).append(report.nodeid.split("::", 1)[1])


def outcomes(folder, path, names):
    found = Outcomes()
    before = set(sys.modules)
    options = ["--quiet", "--no-header", "--noconftest", "--import-mode=importlib", "-p", "no:cacheprovider", "-c", os.devnull]
    with contextlib.redirect_stdout(io.StringIO()):
        pytest.main([*options, "--rootdir", folder, "-k", " or ".join(names), str(Path(folder) / path)], plugins=[found])
    for name in set(sys.modules) - before:  # a test file holds on to the class that it imported
        del sys.modules[name]
    return found


def main(opendp, diffprivlib, times=10):
    dp.enable_features("contrib", "honest-but-curious")
    kinds = {"PermuteAndFlip": "pure", "Exponential": "zcdp"}
    theirs = {name: getattr(mechanisms, name) for name in kinds}

    def failures(draws_of):
        """How often each of diffprivlib's tests failed; they count draws, so some fail now and then whoever draws."""
        often = collections.Counter()
        for name in [each for each in kinds for _ in range(times)]:
            setattr(mechanisms, name, draws_of(name))
            found = outcomes(diffprivlib, f"tests/mechanisms/test_{name}.py", DIFFPRIVLIB)
            often.update({test: 0 for test in found.passed})
            often.update(found.failed)
        return often

    dp.m.then_noisy_top_k, dp.m.then_noisy_max = opendp_by_winnow(), opendp_by_winnow(kept_k=1)
    of_opendp = outcomes(opendp, "python/test/test_meas.py", OPENDP)
    print(f"OpenDP's tests: {len(of_opendp.passed)} pass, {len(of_opendp.failed)} fail")

    columns = {
        "diffprivlib itself": failures(lambda name: without_seed(theirs[name])),
        "Winnow": failures(lambda name: drawn_by_winnow(theirs[name], kinds[name], 1)),
        "Winnow, half of the noise": failures(lambda name: drawn_by_winnow(theirs[name], kinds[name], Fraction(1, 2))),
    }
    print(f"diffprivlib's tests, failures of {times}: {', '.join(columns)}")
    for test in sorted(columns["Winnow"]):
        print(f"  {test}: {', '.join(str(found[test]) for found in columns.values())}")
    itself, ours, half = (sum(found.values()) for found in columns.values())
    return 0 if of_opendp.passed and not of_opendp.failed and ours <= itself + 5 and half > 2 * ours else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:3]))
