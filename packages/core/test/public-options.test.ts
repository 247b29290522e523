import { describe, expect, it } from "vitest";
import * as audit from "../../audit/src/index.js";
import * as core from "../src/index.js";
import * as testing from "../src/testing/index.js";

type Options = Record<string, unknown>;
type Call = (options: unknown) => unknown;

const { approx, eta, pure, zcdp } = core;
const anyOptions = (call: (options: never) => unknown): Call => call as Call;

const SCORES = [5, 3, 1];
const CHOOSE = { noise: "gumbel", rho: 1 };
const STABLE = { maxK: 2, choose: CHOOSE, test: { rho: 1 }, delta: "1e-6" };
const TEACHERS = { task: "multi-class", teachers: 3, labels: 2, choose: CHOOSE };
const MULTI_LABEL = { ...TEACHERS, task: "multi-label", test: { rho: 1 }, delta: "1e-6" };
const TEST_LAW = { gapSensitivity: 1, threshold: 3, tail: audit.discreteLaplaceTail(1) };
const CHOICE_LAW = { maxK: 2, scale: 1 };

/** Every public function and class with options: its name, a call, and options that it takes. */
const PUBLIC: readonly (readonly [name: string, call: Call, options: Options])[] = [
  ["topK", anyOptions((o) => core.topK(SCORES, o)), { k: 1, epsilon: 1 }],
  ["topKApprox", anyOptions((o) => core.topKApprox(SCORES, o)), { k: 1, epsilon: 1, delta: "1e-6" }],
  ["topKWithGap", anyOptions((o) => core.topKWithGap(SCORES, o)), { k: 1, epsilon: 1 }],
  ["permuteAndFlip", anyOptions((o) => core.permuteAndFlip(SCORES, o)), { epsilon: 1 }],
  ["reportNoisyMax", anyOptions((o) => core.reportNoisyMax(SCORES, o)), { noise: "exponential", epsilon: 1 }],
  ["noisyMaxLoss", anyOptions((o) => core.noisyMaxLoss(o)), { noise: "gumbel", scale: 1 }],
  ["makeNoisyTopK", anyOptions((o) => core.makeNoisyTopK(o)), { k: 1, measure: "pure", scale: 1 }],
  ["TopKStream", anyOptions((o) => new core.TopKStream(o)), { k: 1, epsilon: 1 }],
  [
    "TopKStream.finish",
    anyOptions((o) => new core.TopKStream({ k: 1, epsilon: 1 }).push(0, 1).finish(o)),
    {},
  ],
  ["countNoise", anyOptions((o) => core.countNoise(o)), { k: 2, rho: 1 }],
  ["combineGaps", anyOptions((o) => core.combineGaps([3, 2], [1], o)), { varianceRatio: 1 }],
  [
    "base2Exponential",
    anyOptions((o) => core.base2Exponential([1, 2], (x) => x, o)),
    { eta: eta(1, 1), lower: 0, upper: 3, maxCandidates: 2 },
  ],
  [
    "makeBase2Exponential",
    anyOptions((o) => core.makeBase2Exponential(o)),
    { eta: eta(1, 1), lower: 0, upper: 3, maxCandidates: 2 },
  ],
  [
    "clampedLaplace",
    anyOptions((o) => core.clampedLaplace(1, o)),
    { eta: eta(1, 1), lower: 0, upper: 3, step: 1 },
  ],
  [
    "precisionRules",
    anyOptions((o) => core.precisionRules(o)),
    { eta: eta(1, 1), lower: 0, upper: 3, maxCandidates: 2 },
  ],
  ["largestGap", anyOptions((o) => core.largestGap(SCORES, o)), { maxK: 2, epsilon: 1 }],
  [
    "proposeTestRelease",
    anyOptions((o) => core.proposeTestRelease(SCORES, o)),
    { k: 1, rho: 1, delta: "1e-6" },
  ],
  ["stableTopK", anyOptions((o) => core.stableTopK(SCORES, o)), { maxK: 2, rho: 1, delta: "1e-6" }],
  ["makeStableTopK", anyOptions((o) => core.makeStableTopK(o)), STABLE],
  [
    "stableTopKFixed",
    anyOptions((o) => core.stableTopKFixed(SCORES, o)),
    { k: 1, domain: "public", rho: 1, delta: "1e-6" },
  ],
  [
    "makeStableTopKFixed",
    anyOptions((o) => core.makeStableTopKFixed(o)),
    { ...STABLE, k: 1, domain: "public", rounds: { rho: 1 } },
  ],
  ["labelByTeachers", anyOptions((o) => core.labelByTeachers([[0, 1, 0]], o)), TEACHERS],
  ["TeacherRun", anyOptions((o) => new core.TeacherRun(o)), MULTI_LABEL],
  ["Budget", anyOptions((o) => new core.Budget(pure(1), o)), {}],
  ["describeLoss", anyOptions((o) => core.describeLoss(pure(1), o)), { rounding: "up" }],
  ["convert", anyOptions((o) => core.convert(zcdp(1), o)), { to: "approx", delta: "1e-6" }],
  ["gaussianToApprox", anyOptions((o) => core.gaussianToApprox(1, o)), { delta: "1e-6" }],
  [
    "rhoAtMost",
    anyOptions((o) => core.rhoAtMost({ epsilon: 1, delta: "1e-6" }, o)),
    { conversion: "simple" },
  ],
  ["scaleAtLeast", anyOptions((o) => core.scaleAtLeast(pure(1), o)), { distance: 1 }],
  [
    "varianceAtLeast",
    anyOptions((o) => core.varianceAtLeast(approx(1, "1e-6"), o)),
    { conversion: "simple" },
  ],
  ["etaAtMost", anyOptions((o) => core.etaAtMost(1, o)), { monotone: true }],
  ["base2LossOf", anyOptions((o) => core.base2LossOf(eta(1, 1), o)), { monotone: true }],
  ["gaussianCurve", anyOptions((o) => core.gaussianCurve(o)), { variance: 1 }],
  ["bitTree", anyOptions((o) => testing.bitTree((bits) => bits.bit(), o)), { depth: 1 }],
  ["choiceTree", anyOptions((o) => testing.choiceTree(() => 1, o)), { smallestMass: "1/2" }],
  ["replayEntropy", anyOptions((o) => testing.replayEntropy("01", o)), { wordBits: 2 }],
  ["neighboursOf", anyOptions((o) => audit.neighboursOf([1], o)), { monotone: true }],
  ["exponentialTopKLaw", anyOptions((o) => audit.exponentialTopKLaw(SCORES, o)), { k: 1, scale: 1 }],
  [
    "topKWithGapLaw",
    anyOptions((o) => audit.topKWithGapLaw(SCORES, o)),
    { k: 1, scale: 1, resolution: 1, largestGap: 1 },
  ],
  [
    "base2ExponentialLaw",
    anyOptions((o) => audit.base2ExponentialLaw([1, 2], o)),
    { eta: eta(1, 1), lower: 0, upper: 3 },
  ],
  ["proposeTestReleaseLaw", anyOptions((o) => audit.proposeTestReleaseLaw(SCORES, 1, o)), TEST_LAW],
  ["largestGapLaw", anyOptions((o) => audit.largestGapLaw(SCORES, o)), CHOICE_LAW],
  ["stableTopKLaw", anyOptions((o) => audit.stableTopKLaw(SCORES, o)), { ...TEST_LAW, ...CHOICE_LAW }],
  ["multiLabelLaw", anyOptions((o) => audit.multiLabelLaw(SCORES, o)), { ...TEST_LAW, ...CHOICE_LAW }],
  [
    "stableTopKFixedLaw",
    anyOptions((o) => audit.stableTopKFixedLaw(SCORES, o)),
    { ...TEST_LAW, ...CHOICE_LAW, k: 1, roundsScale: 1 },
  ],
  ["floatTopKWithGap", anyOptions((o) => audit.floatTopKWithGap(SCORES, o)), { k: 1, scale: 1 }],
  [
    "fixedPrecisionBase2",
    anyOptions((o) => audit.fixedPrecisionBase2([1, 2], o)),
    { eta: eta(1, 1), precision: 9 },
  ],
  [
    "shownLoss",
    anyOptions((o) => audit.shownLoss({ hits: 1, runs: 2 }, { hits: 1, runs: 2 }, o)),
    { confidence: "0.9" },
  ],
  [
    "auditByRuns",
    anyOptions((o) => audit.auditByRuns(o)),
    { mechanism: () => "a", inputs: [0, 1], runs: 4, confidence: "0.9" },
  ],
  ["replay", anyOptions((o) => audit.replay(() => 1, o)), { input: 0, neighbours: [1] }],
  ["Attack.run", anyOptions((o) => audit.attacks[0].run(o)), { rounds: 1 }],
];

const refusal = expect.objectContaining({ name: "WinnowError", code: "invalid-parameter" });
const thrownBy = (run: () => unknown): unknown => {
  try {
    run();
  } catch (error) {
    return error;
  }
  return undefined;
};

describe.each(PUBLIC)("the options of %s", (_, call, options) => {
  it("are taken as they are", () => {
    expect(() => call(options)).not.toThrow();
  });

  it.each([[null], ["options"], [3], [true], [[]], [[1, 2]], [() => 1]])(
    "are refused if they are %o",
    (other) => {
      expect(thrownBy(() => call(other))).toEqual(refusal);
    },
  );

  it("have no name that nobody knows, and the refusal does not repeat it", () => {
    const error = thrownBy(() => call({ ...options, "Alice Liddell": 41_270 }));
    expect(error).toEqual(refusal);
    expect(String(error)).not.toMatch(/Alice|41270/);
  });

  it("may be undefined one by one where they may be absent", () => {
    expect(() => call({ ...options, ...undefinedOf(call, options) })).not.toThrow();
  });

  it.each(Object.keys(options).filter((name) => name !== "input"))(
    "are refused if %s is null or a symbol",
    (name) => {
      for (const value of [null, Symbol("secret")])
        expect(thrownBy(() => call({ ...options, [name]: value }))).toEqual(refusal);
    },
  );
});

/** Names that several functions know, all undefined, as far as this one knows them. */
function undefinedOf(call: Call, options: Options): Options {
  const names = ["sensitivity", "monotone", "negate", "entropy", "resolution", "method", "delta", "key"];
  const unknown = (name: string) =>
    /unknown name|not an option/.test(String(thrownBy(() => call({ ...options, [name]: undefined }))));
  return Object.fromEntries(
    names.filter((name) => !(name in options) && !unknown(name)).map((name) => [name, undefined]),
  );
}
