import { describe, expect, it } from "vitest";
import type { Entropy } from "../../src/entropy.js";
import { Rational, rational } from "../../src/exact/rational.js";
import { drawDiscreteGaussian } from "../../src/sample/discrete-gaussian.js";
import { drawDiscreteLaplace } from "../../src/sample/discrete-laplace.js";
import { preparedNoise } from "../../src/sample/prepared-noise.js";
import { StripSampler } from "../../src/sample/strip-sampler.js";
import { seededEntropy } from "../../src/testing/seeded-entropy.js";

/** Both give equal draws for equal bits, and take as many of them. */
function expectAlike(one: (entropy: Entropy) => bigint, other: (entropy: Entropy) => bigint): void {
  const [a, b] = [seededEntropy("prepared"), seededEntropy("prepared")];
  const draws = Array.from({ length: 50 }, () => [one(a), other(b)]);
  for (const [drawn, expected] of draws) expect(drawn).toBe(expected);
  expect(a.bitsUsed).toBe(b.bitsUsed);
  expect(draws.some(([drawn]) => drawn < 0n)).toBe(true);
}

const LARGEST = 2n ** 40n;

describe("noise that is drawn again and again", () => {
  it.each([rational(3), rational("1/2"), rational(LARGEST)])("comes from tables up to 2^40: %s", (size) => {
    const laplace = new StripSampler(
      { linear: Rational.ONE.dividedBy(size), quadratic: Rational.ZERO },
      { signed: true },
    );
    expectAlike(preparedNoise("laplace", size), (entropy) => BigInt(laplace.sample(entropy)));
    const half = Rational.ONE.dividedBy(size.times(2));
    const gaussian = new StripSampler({ linear: Rational.ZERO, quadratic: half }, { signed: true });
    expectAlike(preparedNoise("gaussian", size), (entropy) => BigInt(gaussian.sample(entropy)));
  });

  it("is drawn one by one beyond", () => {
    const size = rational(LARGEST + 1n);
    expectAlike(preparedNoise("laplace", size), (entropy) => drawDiscreteLaplace(size, entropy));
    expectAlike(preparedNoise("gaussian", size), (entropy) => drawDiscreteGaussian(size, entropy));
  });
});
