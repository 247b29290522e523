"""Times the selections of Python's libraries on scores from a file. Started by the benchmark; prints one JSON object a line.

    python rivals.py SCORES K RUNS

SCORES holds little-endian doubles. Every library that is not installed is left out.
"""

import json
import sys
from importlib.metadata import version
from struct import unpack
from time import perf_counter

EPSILON = 1.0


def median_milliseconds(runs, work):
    work()
    times = []
    for _ in range(runs):
        start = perf_counter()
        work()
        times.append(1000 * (perf_counter() - start))
    return sorted(times)[len(times) // 2]


def numpy_top_k_with_gap(scores, k):
    """Top k with gaps in floating point, as everyone would write it: not private."""
    import numpy

    array = numpy.array(scores)
    generator = numpy.random.default_rng()

    def run():
        noisy = array + generator.exponential(k / EPSILON, len(array))
        leaders = numpy.argpartition(-noisy, k)[: k + 1]
        leaders = leaders[numpy.argsort(-noisy[leaders])]
        return leaders[:k], -numpy.diff(noisy[leaders])

    return "NumPy, top k with gaps in floats (unsafe)", version("numpy"), run


def opendp_top_k(scores, k):
    import opendp.prelude as dp

    dp.enable_features("contrib")
    domain = dp.vector_domain(dp.atom_domain(T=float, nan=False))
    metric = dp.linf_distance(T=float, monotonic=True)
    measurement = dp.m.make_noisy_top_k(domain, metric, dp.max_divergence(), k, k / EPSILON, negate=False)
    return "OpenDP, make_noisy_top_k (no gaps)", version("opendp"), lambda: measurement(scores)


def diffprivlib_best(scores, k):
    if k != 1:
        return None
    from diffprivlib.mechanisms import PermuteAndFlip

    def run():
        return PermuteAndFlip(epsilon=EPSILON, sensitivity=1, utility=scores, monotonic=True).randomise()

    return "diffprivlib, PermuteAndFlip", version("diffprivlib"), run


def main(path, k, runs):
    with open(path, "rb") as file:
        data = file.read()
    scores = list(unpack(f"<{len(data) // 8}d", data))
    for rival in (numpy_top_k_with_gap, opendp_top_k, diffprivlib_best):
        try:
            prepared = rival(scores, k)
        except ImportError:
            continue
        if prepared is not None:
            name, number, run = prepared
            print(json.dumps({"name": name, "version": number, "milliseconds": median_milliseconds(runs, run)}), flush=True)


main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
