import { expect, it } from "vitest";
import type { Entropy } from "../../src/entropy.js";
import { type Rational, rational } from "../../src/exact/rational.js";
import { bernoulliExp } from "../../src/sample/bernoulli-exp.js";
import { discreteGaussian } from "../../src/sample/discrete-gaussian.js";
import { discreteLaplace } from "../../src/sample/discrete-laplace.js";
import { seededEntropy } from "../../src/testing/seeded-entropy.js";

/** [CKS20, Algorithm 3] word for word: t = ⌊σ⌋ + 1, and a proposal x is kept with probability e^−γ, γ = (|x| − σ²/t)²/(2σ²). */
function asPublished(variance: Rational, entropy: Entropy): bigint {
  let t = 1n;
  while (rational(t * t).compare(variance) <= 0) t++;
  for (;;) {
    const x = discreteLaplace(t, entropy);
    const distance = rational(x < 0n ? -x : x).minus(variance.dividedBy(t));
    if (bernoulliExp(distance.times(distance).dividedBy(variance.times(2n)), entropy)) return x;
  }
}

// The law itself is checked in discrete-gaussian.exhaustive.test.ts and one-off-choices.exhaustive.test.ts.
it.each(["1/4", "9/4", "100/3", "9", "0.01"])(
  "discreteGaussian of σ² = %s is the published algorithm, bit by bit",
  (variance) => {
    const [ours, theirs] = [seededEntropy(variance), seededEntropy(variance)];
    for (let draw = 0; draw < 100; draw++)
      expect(discreteGaussian(variance, ours)).toBe(asPublished(rational(variance), theirs));
  },
);
