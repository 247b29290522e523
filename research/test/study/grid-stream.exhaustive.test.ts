import { inspect } from "node:util";
import { describe, expect, it } from "vitest";
import { Reference } from "../../../packages/audit/src/reference-samplers.js";
import { closedLaw, onGrid } from "../../../packages/audit/test/laws/gap-outcomes.js";
import { replayEntropy } from "../../../packages/core/src/testing/replay-entropy.js";
import { seededEntropy } from "../../../packages/core/src/testing/seeded-entropy.js";
import { expectLaw } from "../../../packages/core/test/support/expect-law.js";
import { GridStream } from "../../src/study/rank-free.js";
import {
  byMergedStreams,
  byReversedStream,
  byStream,
  type GapOracle,
  SMALL_CASES,
  treeOfBits,
  treeOfChoices,
} from "./gap-oracles.js";

const { two, three, allRanked, fractions, coarse } = SMALL_CASES;

describe.each<[string, GapOracle]>([
  ["in order", byStream],
  ["from the last to the first", byReversedStream],
  ["in streams of their own, merged", byMergedStreams],
])("GridStream with candidates %s", (_, oracle) => {
  it.each([
    { of: two, smallestMass: "1e-6", undecided: 0.0002 },
    { of: three, smallestMass: "1e-6", undecided: 0.0014 },
    { of: allRanked, smallestMass: "1e-5", undecided: 0.05 },
    { of: fractions, smallestMass: "1e-6", undecided: 0.0014 },
    { of: coarse, smallestMass: "1e-6", undecided: 0.0014 },
  ])("has the law of the closed form to $undecided: scores $of.scores, k = $of.k", (check) => {
    const tree = treeOfChoices(oracle, check.of, check.smallestMass);
    expectLaw({ tree, probabilities: closedLaw(onGrid(check.of)) });
    expect(tree.undecided.isBelow(check.undecided)).toBe(true);
  });
});

describe("GridStream", () => {
  const options = { k: 1, scale: 1, resolution: 1 };
  const seeded = () => new GridStream<string>(options, new Reference(seededEntropy("grid stream")));
  const used = "this stream is used up: its answer was taken, or it was merged into another";

  it("has its law over all bits, to 0.27", () => {
    const tree = treeOfBits(byStream, two, 16);
    expectLaw({ tree, probabilities: closedLaw(two) });
    expect(tree.undecided.compare("0.27")).toBe(-1);
  });

  it("is used once", () => {
    const stream = seeded().push("a", 1).push("b", 0);
    stream.finish();
    expect(() => stream.push("c", 0)).toThrow(used);
    expect(() => stream.finish()).toThrow(used);
    expect(() => seeded().merge(stream)).toThrow(used);
  });

  it("uses up the stream that is merged into it, and takes only one like itself", () => {
    const [stream, merged] = [seeded().push("a", 1), seeded().push("b", 0)];
    stream.merge(merged);
    expect(() => merged.push("c", 0)).toThrow(used);
    expect(() => stream.merge(stream)).toThrow("other must be another stream");
    for (const other of [{ k: 2 }, { scale: 2 }, { resolution: 2 }, { resolution: "1/2" }]) {
      const unlike = new GridStream<string>({ ...options, ...other }, new Reference(replayEntropy("")));
      expect(() => stream.merge(unlike)).toThrow("other must be a stream with the same parameters");
    }
    expect(stream.finish()).toHaveLength(1);
  });

  it("refuses too few candidates, and a score that is no number", () => {
    const stream = seeded().push("a", 1);
    expect(() => stream.finish()).toThrow("k must be an integer below the number of candidates; got 1");
    expect(() => stream.push("b", Number.NaN)).toThrow("score must be a rational number");
    expect(stream.push("b", 0).finish()).toHaveLength(1);
  });

  it("shows nothing of its state", () => {
    const stream = seeded().push("a", 1).push("b", 0);
    expect(JSON.stringify(stream)).toBe("{}");
    expect(inspect(stream, { depth: 9, showHidden: true })).toBe("GridStream {}");
  });
});
