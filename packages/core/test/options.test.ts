import { describe, expect, it } from "vitest";
import { epsilonAtMost } from "../src/accounting/calibrate.js";
import * as core from "../src/index.js";
import * as sample from "../src/sample/index.js";
import { seededEntropy } from "../src/testing/index.js";

const SCORES = [5, 3, 1];
const STABLE = { maxK: 2, choose: { noise: "gumbel", rho: 1 }, test: { rho: 1 }, delta: "1e-6" };

const thrownBy = (run: () => unknown): unknown => {
  try {
    run();
  } catch (error) {
    return error;
  }
  return undefined;
};

describe("an option of the wrong type", () => {
  const refusals: readonly (readonly [text: string, run: () => unknown])[] = [
    [
      'monotone must be true or false; got "false"',
      () => core.topK(SCORES, { k: 1, epsilon: 1, monotone: "false" } as never),
    ],
    [
      "monotone must be true or false; got 1",
      () => core.topKWithGap(SCORES, { k: 1, epsilon: 1, monotone: 1 } as never),
    ],
    [
      'monotone must be true or false; got "false"',
      () => core.stableTopK(SCORES, { maxK: 2, rho: 1, delta: "1e-6", monotone: "false" } as never),
    ],
    ['monotone must be true or false; got "false"', () => core.etaAtMost(1, { monotone: "false" } as never)],
    ['class must be "pure" or "bounded-range"; got 0', () => epsilonAtMost(1, { class: 0 } as never)],
    [
      'negate must be true or false; got "no"',
      () => core.permuteAndFlip(SCORES, { epsilon: 1, negate: "no" } as never),
    ],
    [
      "entropy must be an Entropy; got a value of type object",
      () => core.topK(SCORES, { k: 1, epsilon: 1, entropy: { word: () => 4 } } as never),
    ],
    [
      "entropy must be an Entropy; got a value of type function",
      () => core.topK(SCORES, { k: 1, epsilon: 1, entropy: Math.random } as never),
    ],
    [
      'method must be "one-shot" or "peel"; got "peeled"',
      () => core.topK(SCORES, { k: 1, epsilon: 1, method: "peeled" } as never),
    ],
    ["options must be an object; got null", () => core.topK(SCORES, null as never)],
    ["options must be an object; got an array", () => core.topK(SCORES, [1] as never)],
    ["options must be an object; got undefined", () => (core.topK as (scores: unknown) => unknown)(SCORES)],
    ["k must be an integer >= 1; got undefined", () => core.topK(SCORES, { epsilon: 1 } as never)],
    [
      "choose must be an object; got a value of type number",
      () => core.makeStableTopK({ ...STABLE, choose: 3 } as never),
    ],
    ["entropy must be an Entropy; got a value of type number", () => sample.uniformBelow(6, 7 as never)],
    ["entropy must be an Entropy; got null", () => new sample.DiscreteGaussian(4).sample(null as never)],
    ["source must be an object; got undefined", () => new core.Entropy(undefined as never)],
    ["fill must be a function; got undefined", () => new core.Entropy({} as never)],
  ];

  it.each(refusals)("%s", (text, run) => {
    expect(thrownBy(run)).toEqual(expect.objectContaining({ name: "WinnowError", message: text }));
  });
});

describe("a misspelt option", () => {
  it.each([
    ["montone", "monotone"],
    ["Monotone", "monotone"],
    ["epislon", "epsilon"],
    ["sensitivty", "sensitivity"],
    ["domian", "domain"],
    ["K", "k"],
  ])("%s is refused with the nearest name, %s", (written, meant) => {
    const error = thrownBy(() => core.topK(SCORES, { k: 1, epsilon: 1, [written]: true } as never));
    expect(error).toMatchObject({
      code: "invalid-parameter",
      field: written,
      expected: meant,
      message: `${written} is not an option; did you mean ${meant}?`,
    });
  });

  it("that resembles none is refused with the names of all", () => {
    expect(() => core.permuteAndFlip(SCORES, { epsilon: 1, unheardOf: 1 } as never)).toThrow(
      "options has an unknown name; known are epsilon, rho, scale, sensitivity, monotone, negate, entropy, domain",
    );
  });

  it("is refused also where it is inherited, as of a class", () => {
    expect(() => core.topK(SCORES, Object.create({ k: 1, epsilon: 1, montone: true }))).toThrow(
      "montone is not an option; did you mean monotone?",
    );
  });

  it("is refused inside a budget of a step", () => {
    expect(() => core.makeStableTopK({ ...STABLE, test: { roh: 1 } } as never)).toThrow(
      "roh is not an option; did you mean rho?",
    );
  });
});

it("an option is read once: what was checked is what is used", () => {
  let reads = 0;
  const options = {
    k: 1,
    epsilon: 1,
    get monotone() {
      return reads++ > 0;
    },
    entropy: seededEntropy(1),
  };
  expect(core.topK(SCORES, options).privacy).toEqual(core.pure(1));
  expect(reads).toBe(1);
});

const KINDS = "(an array|pairs of a name and a number throughout|a Map or pairs if a candidate is named)";
const REFUSED_SCORES = new RegExp(`^scores must be ${KINDS}`);
const REFUSED_COUNTS = new RegExp(`^histogram must be ${KINDS}`);

describe("scores that are not an array", () => {
  it.each([
    ["a Set", new Set([1])],
    ["null", null],
    ["undefined", undefined],
    ["a text", "123"],
    ["a function", (a: number, b: number) => a + b],
    ["an object with a length that is none", { length: -1 }],
  ])("are refused by name: %s", (_, scores) => {
    const given = scores as never;
    const refusals = [
      () => core.topK(given, { k: 1, epsilon: 1 }),
      () => core.topK(given, { k: 1, epsilon: 1, method: "peel" }),
      () => core.topKWithGap(given, { k: 1, epsilon: 1 }),
      () => core.permuteAndFlip(given, { epsilon: 1 }),
      () => core.reportNoisyMax(given, { noise: "laplace", epsilon: 1 }),
      () => new core.TopKStream({ k: 1, epsilon: 1 }).pushScores(given),
    ];
    for (const refused of refusals) expect(refused).toThrow(REFUSED_SCORES);
    for (const refused of [
      () => core.largestGap(given, { maxK: 1, epsilon: 1 }),
      () => core.stableTopK(given, { maxK: 1, rho: 1, delta: "1e-6" }),
      () => core.stableTopKFixed(given, { k: 1, domain: "public", rho: 1, delta: "1e-6" }),
    ])
      expect(refused).toThrow(REFUSED_COUNTS);
  });
});
