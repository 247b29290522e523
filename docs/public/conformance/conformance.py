#!/usr/bin/env python3
"""Tests any implementation of private selection against exact distributions. Needs only Python's standard library.

    python3 conformance.py [--cases FILE] COMMAND …

COMMAND reads one request on each line of its standard input, as JSON, and writes one response on each line of its standard
output. The format is documented in Winnow's guide, page "Conformance". In Python, call `check(file, implementation)` with a
function from a request to a response instead.

Ends with 0 if no case fails, and with 1 otherwise.
"""

import json
import os
import subprocess
import sys

CASES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "conformance-1.json")
JUDGING = ("bins", "critical", "power", "largestGap", "least", "most")


def outcome_of(answer, largest_gap):
    """The name of an outcome in the file: "2,0", "2,0 by 3,>=4", "2: 0 2" or "2: nothing"."""
    if answer.get("k") is not None:
        indices = answer.get("indices")
        return f"{answer['k']}: " + ("nothing" if indices is None else " ".join(map(str, sorted(indices))))
    winners = ",".join(map(str, answer["winners"]))
    if answer.get("gaps") is None:
        return winners
    capped = [str(gap) if largest_gap is None or gap < largest_gap else f">={largest_gap}" for gap in answer["gaps"]]
    return f"{winners} by {','.join(capped)}"


def judge_answers(case, response):
    if "answers" not in response:
        return False, "gave no answers"
    answers, runs = response["answers"], case["runs"]
    if len(answers) != runs:
        return False, f"gave {len(answers)} answers instead of {runs}"
    place = {outcome: i for i, cell in enumerate(case["bins"]) for outcome in cell["outcomes"]}
    counts = [0] * len(case["bins"])
    for answer in answers:
        outcome = outcome_of(answer, case.get("largestGap"))
        if outcome not in place:
            return False, f"gave {json.dumps(outcome)}, which can't happen"
        counts[place[outcome]] += 1
    statistic = 0.0
    for count, cell in zip(counts, case["bins"]):
        expected = float(cell["probability"]) * runs
        off = count - expected
        statistic += off * off / expected
    return statistic <= case["critical"], f"χ² = {statistic:.1f}, critical {case['critical']:.1f}, {runs} runs"


def judge_loss(case, response):
    if "loss" not in response:
        return False, "gave no loss"
    loss = float(response["loss"])
    right = float(case["least"]) <= loss <= float(case["most"])
    return right, f"{loss}, right from {case['least']} to {case['most']}"


def check(file, implementation):
    """Asks an implementation for every case of a file, and gives (id, verdict, detail) for each."""
    if file["schema"] != "winnow-conformance/1":
        raise ValueError(f"schema must be winnow-conformance/1; got {file['schema']!r}")
    for cases, judge in ((file["distributions"], judge_answers), (file["accounting"], judge_loss)):
        for case in cases:
            response = implementation({name: value for name, value in case.items() if name not in JUDGING})
            if "unsupported" in response:
                yield case["id"], "unsupported", response["unsupported"]
                continue
            passes, detail = judge(case, response)
            yield case["id"], "passes" if passes else "fails", detail


class Program:
    """An implementation that is a program."""

    def __init__(self, command):
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8")

    def __call__(self, request):
        self.process.stdin.write(json.dumps(request) + "\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        if line == "":
            raise RuntimeError(f"The program ended before it answered {request['id']}.")
        return json.loads(line)

    def close(self):
        self.process.stdin.close()
        self.process.wait()


def main(words):
    path = CASES
    if words[:1] == ["--cases"]:
        path, words = words[1], words[2:]
    if not words:
        print(__doc__, file=sys.stderr)
        return 2
    with open(path, encoding="utf-8") as opened:
        file = json.load(opened)
    program = Program(words)
    failed = 0
    try:
        for name, verdict, detail in check(file, program):
            failed += verdict == "fails"
            print(f"{name}: {verdict} ({detail})")
    finally:
        program.close()
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
