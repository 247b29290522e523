"""Quantiles of Python's libraries on a column from a file. Started by the experiment; prints one JSON object a line.

    python quantiles.py VALUES LOWER UPPER P,P,... EPSILON RUNS

VALUES holds little-endian doubles. EPSILON is for all quantiles together. Every library that is not installed is left out.
"""

import json
import sys
import warnings
from importlib.metadata import version
from struct import unpack
from time import perf_counter

# OpenDP takes a list of candidates; a longer one than this takes too long.
MOST_CANDIDATES = 10_001


def diffprivlib_quantiles(values, lower, upper, ps, epsilon):
    import numpy
    from diffprivlib.tools import quantile

    array = numpy.array(values)

    def run():
        answer = quantile(array, ps, epsilon=epsilon, bounds=(lower, upper))
        return [float(one) for one in numpy.atleast_1d(answer)]

    return f"diffprivlib {version('diffprivlib')} (floats, number of people public)", run


def opendp_quantiles(values, lower, upper, ps, epsilon):
    import opendp.prelude as dp

    dp.enable_features("contrib")
    step = max(1, -(-(upper - lower) // (MOST_CANDIDATES - 1)))
    candidates = [float(one) for one in range(int(lower), int(upper) + 1, int(step))]
    domain = dp.vector_domain(dp.atom_domain(T=float, nan=False))

    def make(p, scale):
        return dp.m.make_private_quantile(
            domain, dp.symmetric_distance(), dp.max_divergence(), candidates, p, scale
        )

    each = epsilon / len(ps)
    measurements = [make(p, make(p, 1.0).map(1) / each) for p in ps]
    data = [float(one) for one in values]

    def run():
        return [measurement(data) for measurement in measurements]

    return f"OpenDP {version('opendp')} ({len(candidates)} candidates)", run


def main():
    file, lower, upper, ps, epsilon, runs = sys.argv[1:]
    with open(file, "rb") as source:
        data = source.read()
    values = unpack(f"<{len(data) // 8}d", data)
    question = (float(lower), float(upper), [float(p) for p in ps.split(",")], float(epsilon))
    warnings.simplefilter("ignore")
    for library in (diffprivlib_quantiles, opendp_quantiles):
        try:
            name, run = library(values, *question)
        except ImportError:
            continue
        answers, times = [], []
        try:
            for _ in range(int(runs)):
                start = perf_counter()
                answers.append(run())
                times.append(1000 * (perf_counter() - start))
        except Exception as error:  # an answer of the experiment too
            print(json.dumps({"name": name, "failed": type(error).__name__}))
            continue
        print(json.dumps({"name": name, "answers": answers, "milliseconds": sorted(times)[len(times) // 2]}))


main()
