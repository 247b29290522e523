/** The law of counts that share noise, by choice tree: each draw of a primitive is a choice among its outcomes. */
import { describe, it, vi } from "vitest";
import type { Interval } from "../../src/exact/interval.js";
import type { Rational } from "../../src/exact/rational.js";
import { type Choose, choiceTree } from "../../src/testing/choice-tree.js";
import { replayEntropy } from "../../src/testing/replay-entropy.js";
import { vectors } from "../support/count-vectors.js";
import { expectLaw } from "../support/expect-law.js";

const choice = vi.hoisted(() => ({ draw: undefined as undefined | ((size: Rational) => bigint) }));

vi.mock("../../src/sample/discrete-gaussian.js", () => ({
  drawDiscreteGaussian: (size: Rational) => choice.draw?.(size),
}));
vi.mock("../../src/sample/discrete-laplace.js", () => ({
  drawDiscreteLaplace: (size: Rational) => choice.draw?.(size),
}));

import { CountNoise } from "../../src/discover/count-noise.js";
import { Interval as Enclosed } from "../../src/exact/interval.js";
import { rational } from "../../src/exact/rational.js";

const PRECISION = 200;

/** The masses of −m … m, and of all others. */
function masses(law: "gaussian" | "laplace", size: Rational, most: number): Interval[] {
  const exponent = (x: number) =>
    law === "gaussian" ? rational(x * x).dividedBy(size.times(2n)) : rational(Math.abs(x)).dividedBy(size);
  const weight = (x: number) => Enclosed.from(exponent(x).negated(), PRECISION).exp();
  let total = Enclosed.from(0n, PRECISION);
  for (let x = -400; x <= 400; x++) total = total.plus(weight(x));
  const values = Array.from({ length: 2 * most + 1 }, (_, i) => weight(i - most).dividedBy(total));
  const known = values.reduce((sum, mass) => sum.plus(mass));
  return [...values, known.negated().plus(1n)];
}

describe("counts that share noise", () => {
  it.each(vectors.shared_law)("have the law of the vectors: $law, $each and $shared", (vector) => {
    const law = vector.law as "gaussian" | "laplace";
    const most = law === "gaussian" ? 14 : 40;
    const known = new Map<string, Interval[]>();
    // The parts of the code's noise stand for those of the vector, which are smaller than noise that the code would choose.
    const noise = new CountNoise(3, law === "gaussian" ? { rho: "1/50" } : { epsilon: "1/50" });
    const sample = (counts: readonly number[]) => (choose: Choose) => {
      choice.draw = (size) => {
        const name = size.equals(noise.size) ? vector.each : vector.shared;
        const laws = known.get(name) ?? masses(law, rational(name), most);
        known.set(name, laws);
        const chosen = choose(laws);
        return chosen === laws.length - 1 ? 10n ** 9n : BigInt(chosen - most);
      };
      return noise.noisy(counts, replayEntropy("")).join();
    };
    const one = choiceTree(sample([0]), { smallestMass: "1e-9" });
    const single: Record<string, string> = {};
    for (const { e, prob } of vector.one) {
      single[e] = prob;
      single[-e] = prob;
    }
    expectLaw({ tree: one, probabilities: single });
    const two = choiceTree(sample([0, 0]), { smallestMass: "1e-7" });
    expectLaw({
      tree: two,
      probabilities: Object.fromEntries(vector.two.map(({ e, prob }) => [e.join(), prob])),
    });
  });
});
