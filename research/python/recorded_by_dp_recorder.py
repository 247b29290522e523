"""
Winnow's selection under somebody else's auditor: dp-recorder (ObliviousAI/dp-recorder, commit 85d189e) records the run of a
small pipeline and replays it on a neighbouring data set. It checks that the input of each private step moves by no more than the
declared sensitivity, and that everything that leaves the pipeline is the same when the private answers are.

    PYTHONPATH=dp-recorder/src:python/src python3 research/python/recorded_by_dp_recorder.py

Needs dp-recorder's requirements and the Python package. Ends with 1 if the right pipeline is refused or a wrong one passes.
"""

import sys

import numpy
import winnow_dp as winnow
from dp_recorder.auditing.audit_primitives import Auditor, audit_spec, ensure_equality

AREAS = ["books", "mail", "maps", "news", "search"]
RNG = numpy.random.default_rng(7)


def largest(a, b):
    """The sensitivity of a selection: how far any one count moves."""
    return float(numpy.max(numpy.abs(numpy.asarray(a, dtype=float) - numpy.asarray(b, dtype=float))))


@audit_spec(kind="top_k", input_arg="counts", sensitivity_arg="sensitivity", metric_fn=largest)
def top_k(counts, sensitivity, k):
    answer = winnow.top_k(list(counts), k=k, epsilon=1, sensitivity=sensitivity, monotone=True)
    return [winner.candidate for winner in answer.winners]


def people(rows):
    """People for each area: a person counts once, however many rows they have."""
    return numpy.array([len({user for user, area in rows if area == each}) for each in AREAS])


def right(rows):
    return [AREAS[index] for index in top_k(counts=people(rows), sensitivity=1, k=2)]


def counts_rows(rows):
    """Wrong: a person with many rows moves a count by as many."""
    counts = numpy.array([sum(area == each for _, area in rows) for each in AREAS])
    return [AREAS[index] for index in top_k(counts=counts, sensitivity=1, k=2)]


def shows_true_counts(rows):
    """Wrong: what is shown beside the winners was not paid for."""
    counts = people(rows)
    return [(AREAS[index], int(counts[index])) for index in top_k(counts=counts, sensitivity=1, k=2)]


def chooses_k(rows):
    """Wrong: k depends on the rows."""
    counts = people(rows)
    k = int(numpy.sum(counts >= numpy.max(counts)))
    return [AREAS[index] for index in top_k(counts=counts, sensitivity=1, k=ensure_equality(k=k))]


def passes(pipeline, rows, neighbour):
    """Whether the auditor has nothing to say of a pipeline on two neighbouring data sets."""
    auditor = Auditor()

    def run(data):
        with auditor:
            ensure_equality(output=pipeline(data))

    try:
        run(rows)
        auditor.set_replay()
        run(neighbour)
        auditor.validate_records()
        return True
    except Exception:
        return False


def data_sets(count):
    """Pairs of data sets that differ in one person, who has several rows."""
    for trial in range(count):
        rows = [(user, AREAS[RNG.integers(len(AREAS))]) for user in range(40) for _ in range(RNG.integers(1, 5))]
        person = int(RNG.integers(40))
        rows += [(person, AREAS[trial % len(AREAS)])] * 3
        yield rows, [row for row in rows if row[0] != person]


def main():
    pairs = list(data_sets(200))
    results = {
        pipeline.__name__: sum(passes(pipeline, *pair) for pair in pairs)
        for pipeline in [right, counts_rows, shows_true_counts, chooses_k]
    }
    for name, passed in results.items():
        print(f"{name}: {passed} of {len(pairs)} pairs pass")
    caught = all(passed < len(pairs) for name, passed in results.items() if name != "right")
    sys.exit(0 if results["right"] == len(pairs) and caught else 1)


main()
