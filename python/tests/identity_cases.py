"""Calls with seeded bits, one for each function that draws: run here and in Node, they must give the same answers."""

from __future__ import annotations

from typing import Any

COUNTS = {"Alster": 900, "Bille": 700, "Elbe": 512, "Wandse": 80, "Este": 75, "Oste": 3, "Ilme": 1}
SCORES = [5, 3.25, 9, -1, 0, 7.125, 9]

#: The name in TypeScript, what comes before the options (a mapping is scores by name), the options in TypeScript.
CASES: list[tuple[str, list[Any], dict[str, Any]]] = [
    ("topK", [SCORES], {"k": 3, "epsilon": "1/2"}),
    ("topK", [SCORES], {"k": 3, "rho": "0.1"}),
    ("topKApprox", [COUNTS], {"k": 3, "epsilon": 1, "delta": "1e-6"}),
    ("topK", [COUNTS], {"k": 2, "scale": "3/2", "method": "peel"}),
    ("topKWithGap", [COUNTS], {"k": 3, "epsilon": "1/2", "resolution": "0.1", "monotone": True}),
    ("topKWithGap", [SCORES], {"k": 2, "epsilon": 1, "resolution": 1, "negate": True}),
    ("topKSet", [COUNTS], {"k": 3, "epsilon": 1}),
    ("topKSet", [[5, 3, 9, 0]], {"k": 2, "rho": "1/2"}),
    ("permuteAndFlip", [SCORES], {"epsilon": 1, "sensitivity": 2}),
    ("permuteAndFlip", [COUNTS], {"epsilon": "0.01"}),
    ("reportNoisyMax", [SCORES], {"noise": "laplace", "epsilon": 1}),
    ("reportNoisyMax", [SCORES], {"noise": "gaussian", "rho": "0.1"}),
    ("stableTopK", [COUNTS], {"rho": "0.5", "delta": "1e-6", "maxK": 4, "monotone": True}),
    ("stableTopK", [[9, 8, 3, 1]], {"epsilon": 1, "delta": "0.01", "maxK": 3}),
    ("stableTopKFixed", [COUNTS], {"k": 2, "domain": "public", "rho": 1, "delta": "1e-6"}),
    ("largestGap", [COUNTS], {"maxK": 4, "epsilon": 1}),
    ("proposeTestRelease", [COUNTS], {"k": 3, "rho": 1, "delta": "1e-6"}),
    ("limitedTopK", [COUNTS], {"k": 3, "epsilon": 1, "delta": "1e-6", "resolution": 1}),
    ("limitedTopK", [COUNTS], {"k": 3, "rho": "0.5", "delta": "1e-6"}),
    ("topKWithCounts", [COUNTS], {"k": 3, "epsilon": 1, "delta": "1e-6"}),
    ("topKWithCounts", [COUNTS], {"k": 3, "rho": 1, "domain": "public"}),
    ("measureCounts", [COUNTS, ["Elbe", "Oste"]], {"rho": "0.1"}),
    ("measureCounts", [COUNTS, ["Elbe", "Oste"]], {"epsilon": 1}),
    ("histogramTopK", [COUNTS], {"k": 3, "epsilon": 1, "delta": "1e-6", "maxItemsPerUser": 2}),
    ("selectPartitions", [COUNTS], {"epsilon": 1, "delta": "1e-6", "maxItemsPerUser": 2}),
    ("selectPartitions", [COUNTS], {"rho": 1, "delta": "1e-6", "maxItemsPerUser": 2, "counts": True}),
    ("clampedLaplace", ["3.5"], {"epsilon": 1, "lower": 0, "upper": 10, "step": "1/4"}),
    ("quantile", [[1, 2, 3, 4, 5, 6, 7, 8]], {"quantile": "1/2", "epsilon": 1, "lower": 0, "upper": 20}),
    ("quantiles", [[1, 2, 3, 4, 5, 6, 7, 8]], {"quantiles": ["1/4", "3/4"], "rho": 1, "lower": 0, "upper": 20}),
    ("upperBound", [[1, 2, 3, 4, 5, 600]], {"epsilon": 1, "target": "0.9"}),
    ("integerPartition", [[5, 5, 3, 1, 1, 1]], {"epsilon": 1}),
    (
        "topKInGroups",
        [[["u1", "north", "a"], ["u2", "north", "b"], ["u2", "south", "a"]]],
        {"groups": ["north", "south"], "items": ["a", "b", "c"], "maxGroupsPerUser": 1, "k": 1, "epsilon": 1},
    ),
    ("boundContributions", [[["u1", "a"], ["u1", "b"], ["u2", "a"]]], {"maxItemsPerUser": 1}),
    ("boundValues", [[["u1", 4], ["u1", 5], ["u2", 3]]], {"maxValuesPerUser": 1}),
    (
        "boundGroups",
        [[["u1", "g", "a"], ["u1", "h", "b"], ["u2", "g", "a"]]],
        {"maxGroupsPerUser": 1},
    ),
    (
        "labelByTeachers",
        [[[0] * 6 + [1] * 3 + [2], [2] * 5 + [1] * 5]],
        {"task": "multi-class", "teachers": 10, "labels": 3, "choose": {"noise": "gumbel", "rho": "1/2"}},
    ),
]
#: Their draws go through functions of the program, which a case in JSON can't hold: test_identity.py has a test for each.
WITH_CALLBACKS = {"base2_exponential", "select_private_candidate"}
#: Decide at a fair threshold, with a parameter that only the library makes: likewise.
WITH_PARAMETERS = {"noisy_threshold"}
