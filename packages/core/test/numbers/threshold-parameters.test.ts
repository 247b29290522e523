import { describe, expect, it } from "vitest";
import { rational } from "../../src/exact/rational.js";
import { eta } from "../../src/index.js";
import {
  aParameter,
  noiseOf,
  ONE_LEVEL,
  PARAMETERS,
  QUESTION,
} from "../../src/numbers/threshold-parameters.js";

describe("The levels of a stream", () => {
  const read = (...levels: readonly (readonly [margin: number, share: string])[]) =>
    QUESTION.levels(
      "levels",
      levels.map(([margin, share]) => ({ margin, share })),
    );

  it("fall to 0 in their margins while their shares rise to 1", () => {
    expect(read([0, "1"])).toEqual(ONE_LEVEL);
    expect(ONE_LEVEL).toEqual([{ margin: rational(0), share: rational(1) }]);
    const three = read([3, "1/4"], [1, "1/2"], [0, "1"]);
    expect(three).toEqual([
      { margin: rational(3), share: rational("1/4") },
      { margin: rational(1), share: rational("1/2") },
      { margin: rational(0), share: rational(1) },
    ]);
  });

  it.each([
    ["none", []],
    ["a last margin above 0", [[1, "1"]]],
    ["a last share below 1", [[0, "1/2"]]],
    [
      "one margin twice",
      [
        [0, "1/2"],
        [0, "1"],
      ],
    ],
    [
      "one share twice",
      [
        [3, "1"],
        [0, "1"],
      ],
    ],
    [
      "a margin that rises",
      [
        [3, "1/4"],
        [4, "1/2"],
        [0, "1"],
      ],
    ],
    [
      "a share that falls",
      [
        [3, "1/2"],
        [2, "1/4"],
        [0, "1"],
      ],
    ],
    [
      "a margin that stays",
      [
        [3, "1/4"],
        [3, "1/2"],
        [0, "1"],
      ],
    ],
    [
      "a share that stays",
      [
        [3, "1/2"],
        [2, "1/2"],
        [0, "1"],
      ],
    ],
  ] as [string, [number, string][]][])("are refused with %s", (_, levels) => {
    expect(() => read(...levels)).toThrow(
      'levels must be margins that fall to 0 with shares that rise to 1; got "others"',
    );
  });

  it("are refused one by one under the name of a level", () => {
    expect(() => QUESTION.levels("levels", [7 as never])).toThrow(/^level must be/);
    expect(() => QUESTION.levels("levels", [{ margin: -1, share: 1 }])).toThrow(/^margin must be/);
  });
});

describe("The noise of a stream", () => {
  const [a, b] = [eta(3, 2), eta(1, 1)];

  it("is of one of three kinds", () => {
    expect(noiseOf({ thresholdScale: 2, queryScale: 3 })).toEqual({
      kind: "exponential",
      threshold: rational(2),
      query: rational(3),
    });
    expect(noiseOf({ thresholdVariance: 2, queryScale: 3 })).toEqual({
      kind: "gumbel",
      variance: rational(2),
      query: rational(3),
    });
    const geometric = { kind: "geometric", threshold: a, query: b };
    expect(noiseOf({ thresholdEta: a, queryEta: b })).toEqual({ ...geometric, step: rational(1) });
    expect(noiseOf({ thresholdEta: a, queryEta: b, step: "1/2" })).toEqual({
      ...geometric,
      step: rational("1/2"),
    });
  });

  it.each([
    {},
    { queryScale: 1 },
    { queryEta: b },
    { thresholdScale: 1 },
    { thresholdVariance: 1 },
    { thresholdEta: a },
    { thresholdEta: a, queryScale: 1 },
    { thresholdEta: a, queryEta: b, queryScale: 1 },
    { thresholdScale: 1, queryEta: b },
    { thresholdScale: 1, queryScale: 1, queryEta: b },
    { thresholdScale: 1, thresholdVariance: 1, queryScale: 1 },
    { thresholdScale: 1, thresholdEta: a, queryEta: b },
  ])("is refused if it is of none or of several: %o", (noise) => {
    expect(() => noiseOf(noise)).toThrow(
      'noise must be thresholdScale and queryScale, thresholdVariance and queryScale, or thresholdEta and queryEta; got "others"',
    );
  });

  it("has a grid only where it is geometric", () => {
    for (const noise of [{ thresholdScale: 1 }, { thresholdVariance: 1 }])
      expect(() => noiseOf({ ...noise, queryScale: 1, step: 2 })).toThrow(
        "step must be absent without thresholdEta; got 2",
      );
  });

  it("in base 2 is made anew from what was given, and refused if eta did not make it", () => {
    expect(aParameter("eta", a)).toEqual(a);
    expect(aParameter("eta", a)).not.toBe(a);
    expect(() => aParameter("eta", 3 as never)).toThrow(/^eta must be/);
  });
});

describe("The parameters of a stream", () => {
  it("are read by their names", () => {
    expect(Object.keys(PARAMETERS)).toEqual([
      ...["maxAbove", "threshold", "monotone", "ordered", "resolution", "levels"],
      ...["thresholdScale", "thresholdVariance", "queryScale", "thresholdEta", "queryEta", "step", "measure"],
    ]);
    expect(["pure", "zcdp", "base2"].map((name) => PARAMETERS.measure("measure", name as never))).toEqual([
      "pure",
      "zcdp",
      "base2",
    ]);
    expect(() => PARAMETERS.measure("measure", "" as never)).toThrow(
      'measure must be "pure", "zcdp" or "base2"; got ""',
    );
  });
});
