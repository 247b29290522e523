import { describe, expect, it } from "vitest";
import type { Entropy } from "../../src/entropy.js";
import { rational } from "../../src/exact/rational.js";
import { TopKStream } from "../../src/select/top-k-stream.js";
import { type TopKWithGapOptions, topKWithGap } from "../../src/select/top-k-with-gap.js";
import { bitTree } from "../../src/testing/bit-tree.js";
import { seededEntropy } from "../../src/testing/seeded-entropy.js";
import { expectLaw } from "../support/expect-law.js";
import { expectRefused, untouched } from "./refusals.js";
import { orderWithGaps, WITH_GAP } from "./selection-laws.js";

const SCORES = [5, 100, 3.5];
const quiet = { scale: "1e-9", entropy: seededEntropy("quiet") };

function refuse(
  options: Partial<Record<keyof TopKWithGapOptions | "rho", unknown>>,
  message: string,
  scores: number[] = SCORES,
): void {
  const given = { k: 1, entropy: untouched(), ...options } as TopKWithGapOptions;
  expectRefused(() => topKWithGap(scores, given), message);
}

/** Gaps of scores between which there is next to no noise. */
function gaps(scores: (number | bigint)[], options: Omit<TopKWithGapOptions, "scale" | "epsilon">): string[] {
  return topKWithGap(scores, { ...quiet, ...options } as TopKWithGapOptions).winners.map(({ gap }) =>
    String(gap),
  );
}

describe("topKWithGap", () => {
  it("has its law by exhaustion: two candidates, one place", () => {
    const selection = WITH_GAP.find(({ name }) => name === "n=k+1, k=1")!;
    const { scores, k, scale, resolution, law } = selection;
    const sample = (entropy: Entropy) => topKWithGap(scores, { k, scale, resolution, entropy }).winners;
    const tree = bitTree(sample, { depth: 15, key: orderWithGaps(selection) });
    expect(tree.undecided.toNumber()).toBeLessThan(0.25);
    expectLaw({ tree, probabilities: law });
  });

  it("answers with the winners, best first, by how much each leads the next, and the loss", () => {
    const { winners, privacy } = topKWithGap(SCORES, { k: 2, ...quiet, resolution: "1/2" });
    expect(winners.map(({ candidate }) => candidate)).toEqual([1, 0]);
    expect(winners.map(({ gap }) => gap.toNumber())).toEqual([expect.closeTo(95, 0), expect.closeTo(1.5, 0)]);
    expect(privacy).toEqual({ measure: "pure", epsilon: rational("4e9") });
  });

  it("has a resolution of 1 by default", () => {
    expect(["2", "3"]).toContain(gaps([10, 7], { k: 1 })[0]);
    expect(gaps([10, 7.5], { k: 1 })).toEqual(["2"]);
  });

  it("never floors scores, whatever the resolution: 0.9 wins where the sensitivity is 0.01", () => {
    for (let seed = 0; seed < 50; seed++) {
      const options = { k: 1, sensitivity: "0.01", epsilon: 10, entropy: seededEntropy(seed) };
      expect(topKWithGap([0.1, 0.9, 0.2], options).winners[0].candidate).toBe(1);
      expect(
        new TopKStream({ ...options, resolution: 1 }).pushScores([0.1, 0.9, 0.2]).finish().winners[0]
          .candidate,
      ).toBe(1);
    }
  });

  it("floors the gap of the exact scores with their noise", () => {
    const close = (scores: number[], resolution: string) =>
      rational(gaps(scores, { k: 1, resolution })[0]).toNumber();
    expect(close([2.9, 0.2], "1")).toBe(2); // 2.7
    expect(close([2.9, 0.8], "1")).toBe(2); // 2.1, while ⌊2.9⌋ − ⌊0.8⌋ = 2 too
    expect(close([2.1, 0.9], "1")).toBe(1); // 1.2, while ⌊2.1⌋ − ⌊0.9⌋ = 2
    expect(close([9.99, 0.01], "3/10")).toBeCloseTo(9.9, 9); // 9.98 in steps of 0.3
    expect(close([9, 2], "2/3")).toBeCloseTo(20 / 3, 9);
    const noiseless = (scores: number[], negate: boolean) =>
      topKWithGap(scores, { k: 1, scale: 0, negate, entropy: untouched() }).winners.map(({ gap }) =>
        String(gap),
      );
    expect(noiseless([-0.5, -3], false)).toEqual(["2"]);
    expect(noiseless([-0.5, 3], true)).toEqual(["3"]);
  });

  it("charges for the sensitivity as it is, whatever the resolution", () => {
    const epsilon = (sensitivity: string, resolution: string) =>
      topKWithGap(SCORES, { k: 1, scale: 1, sensitivity, resolution, entropy: seededEntropy(1) }).privacy
        .epsilon;
    expect(epsilon("1", "0.3")).toEqual(rational(2));
    expect(epsilon("0.25", "0.3")).toEqual(rational("0.5"));
    expect(epsilon("1/3", "1")).toEqual(rational("2/3"));
    const stream = new TopKStream({ k: 1, scale: 1, sensitivity: "1/3", resolution: 1 }).pushScores(SCORES);
    expect(stream.finish().privacy).toEqual({ measure: "pure", epsilon: rational("2/3") });
    expect(
      topKWithGap(SCORES, { k: 1, epsilon: 1, sensitivity: "0.25", resolution: "0.3" }).privacy.epsilon,
    ).toEqual(rational(1));
  });

  it("takes an undefined rho for none", () => {
    expect(() => topKWithGap(SCORES, { k: 1, ...quiet, rho: undefined } as TopKWithGapOptions)).not.toThrow();
  });
});

describe("A winner with its gap", () => {
  const { winners } = topKWithGap([9, 4, 1], { k: 2, ...quiet, resolution: "1/2" });
  const shown = winners.map(({ candidate, gap }) => ({ candidate, gap }));

  it("can be copied, spread and written as JSON", () => {
    expect(winners.map((winner) => ({ ...winner }))).toEqual(shown);
    expect(JSON.parse(JSON.stringify(winners))).toEqual(
      winners.map(({ candidate, gap }) => ({ candidate, gap: String(gap) })),
    );
    expect(structuredClone(winners[0]).gap).toMatchObject({ numerator: winners[0].gap.numerator });
  });

  it("shows its candidate and its gap, and nothing else", () => {
    expect(Reflect.ownKeys(winners[0]).sort()).toEqual(["candidate", "gap"]);
  });
});

describe("topKWithGap refuses, before a bit is drawn,", () => {
  it("to rank everybody, as the last gap needs one who did not win", () => {
    refuse({ k: 3, epsilon: 1 }, "k must be an integer from 1 to 2 (the last lead needs a runner-up); got 3");
    refuse({ k: 4, epsilon: 1 }, "k must be an integer from 1 to 2 (the last lead needs a runner-up); got 4");
    refuse({ k: 1, epsilon: 1 }, "scores must be a list of 2 or more candidates; got 1", [5]);
    refuse({ k: 1, epsilon: 1 }, "scores must be a list of 2 or more candidates; got 0", []);
    refuse(
      { k: 4, epsilon: 1, domain: { size: 4 } },
      "k must be an integer from 1 to 3 (the last lead needs a runner-up); got 4",
    );
  });

  it("a k that is no number of winners", () => {
    for (const k of [0, -1, 0.5]) refuse({ k, epsilon: 1 }, `k must be an integer >= 1; got ${k}`);
  });

  it("a resolution that is none", () => {
    refuse({ epsilon: 1, resolution: 0 }, "resolution must be a rational > 0; got 0");
    refuse({ epsilon: 1, resolution: "-1/10" }, 'resolution must be a rational > 0; got "-1/10"');
    refuse(
      { epsilon: 1, resolution: "fine" },
      'resolution must be a rational number such as "1/3", "0.1", "1e-6", 1n or 0.1; got "fine"',
    );
  });

  it("a budget in rho, no budget, and two", () => {
    refuse({ rho: 1 }, "rho must be absent, because gaps need epsilon or scale; got 1");
    refuse({ epsilon: 1, rho: 1 }, "rho must be absent, because gaps need epsilon or scale; got 1");
    refuse({}, 'budget must be exactly one of epsilon, rho and scale; got "none"');
    refuse(
      { epsilon: 1, scale: 1 },
      'budget must be exactly one of epsilon, rho and scale; got "epsilon and scale"',
    );
    refuse({ epsilon: -1 }, "epsilon must be a rational > 0; got -1");
  });
});
