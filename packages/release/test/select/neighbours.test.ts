/** What a question costs covers what one person can do to the law of its answer. */
import { describe, expect, it } from "vitest";
import { exponentialTopKLaw, type Law, likelihoodRatio, neighboursOf, topKWithGapLaw } from "winnow-audit";
import { rational } from "winnow-dp";
import { seededEntropy } from "winnow-dp/testing";
import { lossOf, mechanismOf, type Neighbours, type Question, select } from "../../src/index.js";
import { ask, listed, UNKNOWN } from "../support/ask.js";

const COUNTS = [4, 2, 2, 0];

/** The law of the answer over these counts, with the noise that the release records. */
function lawOf(
  { k, resolution, ...question }: Question,
  counts: Parameters<typeof exponentialTopKLaw>[0],
): Law {
  const { scale } = mechanismOf({ k, ...question }).parameters;
  const options = { k, scale, precision: 96 };
  if (resolution === undefined) return exponentialTopKLaw(counts, options);
  return topKWithGapLaw(counts, { ...options, resolution, largestGap: 3 });
}

describe("the largest likelihood ratio between neighbours is the loss of the question:", () => {
  const cases: [
    name: string,
    neighbours: Neighbours,
    input: { k: number; mechanism?: "top-k" | "permute-and-flip" },
  ][] = [
    ["permute-and-flip, people added", "add-remove", { k: 1, mechanism: "permute-and-flip" }],
    ["permute-and-flip, people replaced", "replace", { k: 1, mechanism: "permute-and-flip" }],
    ["two winners, people added", "add-remove", { k: 2, mechanism: "top-k" }],
    ["two winners, people replaced", "replace", { k: 2, mechanism: "top-k" }],
    ["a winner with its gap, people added", "add-remove", { k: 1 }],
    ["a winner with its gap, people replaced", "replace", { k: 1 }],
  ];

  it.each(cases)("%s", (_, neighbours, input) => {
    const question = ask({ domain: listed(COUNTS.length), epsilon: "1/2", neighbours, ...input });
    const others = neighboursOf(COUNTS, { monotone: neighbours === "add-remove" });
    const { least, most } = likelihoodRatio(
      lawOf(question, COUNTS),
      others.map((counts) => lawOf(question, counts)),
    );
    const loss = lossOf(question);
    if (loss.measure !== "pure") throw new Error("a pure loss was expected");
    expect(rational(most).minus(loss.epsilon).toNumber()).toBeLessThan(1e-20);
    expect(rational(least).toNumber()).toBeGreaterThan(0.4); // and it is not far too pessimistic
  });
});

describe("with equal random bits, one person more changes an answer only where noise cannot hide it:", () => {
  it("a stable set of unknown candidates holds the first of them, or is not released", async () => {
    const question = ask({ k: 2, domain: UNKNOWN, rho: 1, delta: "1e-6" });
    const items = ["a", "b", "c"];
    for (let seed = 0; seed < 200; seed++) {
      const [before, after] = await Promise.all(
        [
          [200, 180, 3],
          [201, 181, 4],
        ].map(async (users) => {
          const { winners } = await select(question, [{ items, users }], { entropy: seededEntropy(seed) });
          return winners.map(({ item }) => item).join();
        }),
      );
      expect(["a,b", "a", ""]).toContain(before);
      expect(["a,b", "a", ""]).toContain(after);
    }
  });

  it("a candidate that one person brought is never named", async () => {
    const question = ask({ k: 3, domain: UNKNOWN, rho: "1/2", delta: "1e-6" });
    for (let seed = 0; seed < 200; seed++) {
      const batch = { items: ["a", "b", "only me"], users: [500, 400, 1] };
      const { winners } = await select(question, [batch], { entropy: seededEntropy(seed) });
      expect(winners).not.toContainEqual({ item: "only me" });
    }
  });
});
