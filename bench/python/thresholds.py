"""Times noisy counts above a threshold in Python's libraries, for names that nobody listed. Started by the benchmark; prints one
JSON object a line.

    python thresholds.py COUNTS METHOD RUNS

COUNTS holds little-endian doubles, one count for each name; METHOD is laplace, gaussian or optimal. Times are the
processor's. Every library that is not installed is left out.
"""

import json
import sys
from importlib.metadata import version
from struct import unpack
from time import process_time

EPSILON, DELTA = 1.0, 1e-6


def opendp_laplace(counts):
    import opendp.prelude as dp

    dp.enable_features("contrib")
    domain = dp.map_domain(dp.atom_domain(T=str), dp.atom_domain(T=int))
    metric = dp.l01inf_distance(dp.absolute_distance(T=int))
    measurement = dp.m.make_laplace_threshold(domain, metric, scale=1 / EPSILON, threshold=15)
    return "OpenDP, make_laplace_threshold", version("opendp"), lambda: measurement(counts)


def opendp_gaussian(counts):
    import opendp.prelude as dp

    dp.enable_features("contrib")
    domain = dp.map_domain(dp.atom_domain(T=str), dp.atom_domain(T=int))
    metric = dp.l02inf_distance(dp.absolute_distance(T=int))
    measurement = dp.m.make_gaussian_threshold(domain, metric, scale=4.6, threshold=25)
    return "OpenDP, make_gaussian_threshold", version("opendp"), lambda: measurement(counts)


def google(kind, create):
    def prepare(counts):
        from pydp.algorithms import partition_selection

        strategy = getattr(partition_selection, create)(EPSILON, DELTA, 1)

        def run():
            noisy = {name: strategy.noised_value_if_should_keep(count) for name, count in counts.items()}
            return {name: count for name, count in noisy.items() if count is not None}

        return f"Google by PyDP, {kind} threshold", version("python-dp"), run

    return prepare


def google_names(counts):
    from pydp.algorithms import partition_selection

    strategy = partition_selection.create_truncated_geometric_partition_strategy(EPSILON, DELTA, 1)
    return (
        "Google by PyDP, optimal names",
        version("python-dp"),
        lambda: [name for name, count in counts.items() if strategy.should_keep(count)],
    )


RIVALS = {
    "laplace": [opendp_laplace, google("Laplace", "create_laplace_partition_strategy")],
    "gaussian": [opendp_gaussian, google("Gaussian", "create_gaussian_partition_strategy")],
    "optimal": [google_names],
}


def main(path, method, runs):
    with open(path, "rb") as file:
        data = file.read()
    counts = {f"name {i}": int(count) for i, count in enumerate(unpack(f"<{len(data) // 8}d", data))}
    for rival in RIVALS[method]:
        try:
            name, number, run = rival(counts)
        except ImportError:
            continue
        run()
        times = []
        for _ in range(runs):
            start = process_time()
            run()
            times.append(1000 * (process_time() - start))
        print(json.dumps({"name": f"{name} {number}", "milliseconds": times}), flush=True)


main(sys.argv[1], sys.argv[2], int(sys.argv[3]))
