import { describe, expect, it } from "vitest";
import type { Recorder } from "../../../core/src/standout/recorder.js";
import { makeStableTopK } from "../../../core/src/standout/stable-top-k.js";
import { makeStableTopKFixed } from "../../../core/src/standout/stable-top-k-fixed.js";
import { seededEntropy } from "../../../core/src/testing/seeded-entropy.js";
import {
  countListed,
  type Row,
  recordedWays,
  withoutEachUser,
} from "../../src/replay/recorded-mechanisms.js";
import { type RecordedMechanism, replay } from "../../src/replay/replay.js";

const ITEMS = ["a", "b", "c", "d", "e"];
const ROWS: readonly Row[] = Array.from({ length: 40 }, (_, person) =>
  ITEMS.filter((_, item) => person % (item + 1) === 0).map((item) => ({ user: `p${person}`, item })),
).flat();

/** What is found about a mechanism, by kind. */
function kinds(mechanism: RecordedMechanism<readonly Row[]>, rows = ROWS): string[] {
  const neighbours = withoutEachUser(rows);
  const { violations } = replay(mechanism, { input: rows, neighbours, entropy: seededEntropy("kinds") });
  return [...new Set(violations.map(({ kind }) => kind))];
}

/** The sum of noise and a number, as a step. */
function noisy(
  value: number,
  recorder: Recorder,
  { scale = 1, sensitivity = 1, monotone = false } = {},
): number {
  const step = { name: "noise", parameters: { scale }, input: [value], sensitivity, monotone };
  return recorder.step(step, (entropy) => value + scale * entropy.bits(4));
}

describe("A replay of our own ways", () => {
  it.each(recordedWays(ITEMS).map((way) => [way.name, way.mechanism] as const))(
    "finds nothing in %s",
    (_, mechanism) => {
      for (let seed = 0; seed < 5; seed++) {
        const entropy = seededEntropy(seed);
        const found = replay(mechanism, { input: ROWS, neighbours: withoutEachUser(ROWS), entropy });
        expect(found.violations).toEqual([]);
        expect(found.neighbours).toBe(40);
        expect(found.steps.length).toBeGreaterThan(0);
      }
    },
  );

  it("replays the production code of stableTopK: equal bits, equal answers", () => {
    const choose = { noise: "gumbel", scale: 2 } as const;
    const options = { maxK: 3, monotone: true, choose, test: { variance: 2 }, delta: "1/100" };
    const histogram = [9, 4, 3, 0];
    for (let seed = 0; seed < 20; seed++) {
      const recorder: Recorder = { step: (_, draw) => draw(entropy) };
      const entropy = seededEntropy(seed);
      const recorded = makeStableTopK(options).recorded(histogram, recorder);
      expect(recorded).toEqual(makeStableTopK(options).invoke(histogram, seededEntropy(seed)));
    }
  });
});

describe("The recorded stableTopKFixed", () => {
  const shared = {
    k: 2,
    maxK: 4,
    penalty: 1,
    gapCap: 20,
    monotone: true,
    choose: { noise: "gumbel", scale: 2 },
    test: { variance: 2 },
    rounds: { scale: 2 },
    delta: "1/100",
  } as const;

  it.each([
    [[9, 4, 3, 0], "public"],
    [[30, 29, 28, 1], "public"],
    [[30, 0, 0, 0], "public"],
    [[1, 1, 1, 1], "public"],
    [[30, 29, 28, 1], "unknown"],
    [[9, 4, 3, 0], "unknown"],
  ] as const)(
    "answers on %j of a domain that is %s as the production code does with equal bits",
    (counts, domain) => {
      const measurement = makeStableTopKFixed({ ...shared, domain });
      for (let seed = 0; seed < 20; seed++) {
        const entropy = seededEntropy(seed);
        const recorder: Recorder = { step: (_, draw) => draw(entropy) };
        const recorded = measurement.recorded(counts, recorder);
        expect(recorded).toEqual(measurement.invoke(counts, seededEntropy(seed)));
      }
    },
  );
});

describe("A replay finds", () => {
  it("nothing in a step within its sensitivity", () => {
    expect(kinds((rows, recorder) => noisy(countListed(rows, ["a"])[0], recorder))).toEqual([]);
  });

  it("noise whose scale depends on the data", () => {
    expect(kinds((rows, recorder) => noisy(0, recorder, { scale: rows.length }))).toEqual(["parameters"]);
  });

  it("a person counted once for every row", () => {
    const twice = ROWS.flatMap((row) => [row, row]);
    expect(kinds((rows, recorder) => noisy(rows.length, recorder), twice)).toEqual(["sensitivity"]);
    const { violations } = replay((rows: readonly Row[], recorder) => noisy(rows.length, recorder), {
      input: twice,
      neighbours: withoutEachUser(twice),
    });
    expect(violations[0].message).toMatch(/move by \d+, where its loss allows 1/);
  });

  it("counts released beside the answer", () => {
    const mechanism = (rows: readonly Row[], recorder: Recorder) => [noisy(0, recorder), rows.length];
    expect(kinds(mechanism)).toEqual(["release"]);
  });

  it("counts hidden in a map or a set, which JSON would not show", () => {
    expect(kinds((rows) => new Map([["rows", rows.length]]))).toEqual(["release"]);
    expect(kinds((rows) => new Set([rows.length]))).toEqual(["release"]);
    expect(kinds((rows) => BigInt(rows.length))).toEqual(["release"]);
  });

  it("one step more, or one less, for some data", () => {
    const more = (rows: readonly Row[], recorder: Recorder) =>
      rows.length < ROWS.length ? [noisy(0, recorder), noisy(0, recorder)] : [noisy(0, recorder)];
    const less = (rows: readonly Row[], recorder: Recorder) =>
      rows.length < ROWS.length ? [] : [noisy(0, recorder)];
    expect(kinds(more)).toEqual(["steps"]);
    expect(kinds(less)).toContain("steps");
  });

  it("a list of candidates that depends on the data", () => {
    const rows = [...ROWS, { user: "p1", item: "only p1" }];
    const mechanism = (of: readonly Row[], recorder: Recorder) => {
      const input = [...new Set(of.map(({ item }) => item))].map(() => 0);
      return recorder.step({ name: "pick", parameters: {}, input, sensitivity: 1 }, () => 0);
    };
    expect(kinds(mechanism, rows)).toEqual(["sensitivity"]);
  });

  it("scores that move both ways where one was promised", () => {
    const oneWay = (rows: readonly Row[], recorder: Recorder) => {
      const step = { name: "pick", parameters: {}, sensitivity: 1, monotone: true };
      return recorder.step({ ...step, input: countListed(rows, ITEMS) }, () => 0);
    };
    const bothWays = (rows: readonly Row[], recorder: Recorder) => {
      const [a] = countListed(rows, ["a"]);
      return recorder.step(
        { name: "pick", parameters: {}, input: [a, -a], sensitivity: 1, monotone: true },
        () => 0,
      );
    };
    expect(kinds(oneWay)).toEqual([]);
    expect(kinds(bothWays)).toEqual(["sensitivity"]);
  });

  it("bits of one's own outside the steps, by their release", () => {
    const own = seededEntropy("own");
    expect(kinds(() => own.bits(20))).toEqual(["release"]);
  });

  it("no excuse in an error: what the mechanism throws is thrown", () => {
    const mechanism = () => {
      throw new Error("broken");
    };
    expect(() => kinds(mechanism)).toThrow("broken");
  });
});
