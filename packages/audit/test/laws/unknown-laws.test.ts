import { describe, expect, it } from "vitest";
import { limitedTopK, makeLimitedTopK } from "../../../core/src/discover/limited-top-k.js";
import { rational } from "../../../core/src/exact/rational.js";
import { byBytes } from "../../../core/src/race/candidates.js";
import { bitTree } from "../../../core/src/testing/bit-tree.js";
import { expectLaw } from "../../../core/test/support/expect-law.js";
import { LIMITED, LIMITED_GAPS, vectors } from "../../../core/test/support/unknown-vectors.js";
import { keepProbabilities, limitedTopKLaw } from "../../src/laws/unknown-laws.js";
import { expectEnclosed } from "../expect-enclosed.js";

const byName = (histogram: Readonly<Record<string, number>>) =>
  Object.fromEntries(Object.entries(histogram).sort(([a], [b]) => byBytes(a, b)));

describe("limitedTopKLaw", () => {
  it.each(LIMITED)(
    "has all digits of the reference law: $name",
    ({ histogram, question, range, threshold, law }) => {
      const height = rational(range).plus(threshold);
      expectEnclosed(limitedTopKLaw(byName(histogram), { ...question, height }), law);
    },
  );

  it.each(LIMITED_GAPS)("has all digits of the reference law with gaps: $name", (vector) => {
    const { histogram, question, range, threshold, resolution, largestGap, law } = vector;
    const height = rational(range).plus(threshold);
    expectEnclosed(limitedTopKLaw(byName(histogram), { ...question, height, resolution, largestGap }), law);
  });

  it("has probabilities that add up to 1", () => {
    for (const { histogram, question, range, threshold } of LIMITED) {
      const law = limitedTopKLaw(byName(histogram), { ...question, height: rational(range).plus(threshold) });
      const sum = [...law.values()].reduce((a, b) => a.plus(b));
      expect(sum.contains(1)).toBe(true);
    }
  });
});

describe("limitedTopK by all bit strings", () => {
  it.each(["gumbel", "exponential"] as const)("has its law for one name (%s)", (noise) => {
    const question = { k: 1, maxCandidates: 1, noise, scale: 2 };
    const measurement = makeLimitedTopK({ ...question, threshold: 1 });
    const tree = bitTree(
      (entropy) => {
        const { winners, stopped } = measurement.invoke({ a: 3 }, entropy);
        return `${winners.map(({ candidate }) => candidate)}${stopped ? "." : ""}`;
      },
      { depth: 16, wordBits: 4 },
    );
    const law = limitedTopKLaw({ a: 3 }, { ...question, height: 2 });
    const probabilities = Object.fromEntries([...law].map(([outcome, p]) => [outcome, String(p.lower())]));
    expect(tree.undecided.compare("1/25")).toBe(-1);
    expectLaw({ tree, probabilities });
  });

  it("draws nothing where nobody is there to name", () => {
    const tree = bitTree(
      (entropy) => limitedTopK({}, { k: 2, scale: 1, delta: "1/10", entropy }).winners.length,
      { depth: 12, wordBits: 4 },
    );
    expect([...tree.mass.keys()]).toEqual(["0"]);
  });
});

describe("keepProbabilities", () => {
  it.each(vectors.keep_probability)(
    "are the reference values for ε = $epsilon_each, δ = $delta_each",
    ({ epsilon_each, delta_each, certain_from, keep }) => {
      const found = keepProbabilities(epsilon_each, delta_each);
      expect(found.length - 1).toBe(certain_from);
      for (const { count, prob } of keep) {
        const enclosure = found[Math.min(count, certain_from)];
        const off = rational(prob).times("1e-27");
        expect(
          enclosure.isBelow(rational(prob).minus(off)) || enclosure.isAbove(rational(prob).plus(off)),
        ).toBe(false);
      }
    },
  );
});
