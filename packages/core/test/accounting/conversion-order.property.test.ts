import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Rational } from "../../src/exact/rational.js";
import {
  approx,
  Budget,
  boundedRangeCurve,
  compose,
  convert,
  type Loss,
  type LossOf,
  pure,
  renyi,
  zcdp,
} from "../../src/index.js";

describe("what an (ε, δ) budget admits", () => {
  const sizes = fc.integer({ min: 1, max: 60 }).map((n) => Rational.of(BigInt(n), 50n));
  const failures = fc.constantFrom("1e-7", "1e-6");
  const losses: fc.Arbitrary<Loss> = fc.oneof(
    sizes.map((epsilon) => pure(epsilon)),
    fc.tuple(sizes, failures).map(([epsilon, delta]) => approx(epsilon, delta)),
    sizes.map((epsilon) => zcdp(epsilon.times(epsilon).dividedBy(8n))),
    fc.tuple(sizes, failures).map(([epsilon, delta]) => renyi(boundedRangeCurve(epsilon), delta)),
  );

  it("is never above it: losses in ε as their sum, and all from the first zCDP on by their own conversion", () => {
    let mixed = 0;
    fc.assert(
      fc.property(fc.array(losses, { minLength: 1, maxLength: 10 }), (wanted) => {
        const limit = approx(5, "1e-5");
        const budget = new Budget(limit);
        for (const loss of wanted) if (budget.admits(loss)) budget.charge(loss);
        const admitted = budget.history.map(({ loss }) => loss);
        const first = admitted.findIndex(
          (loss) => loss.measure === "zcdp" || ("delta" in loss && loss.measure === "renyi"),
        );
        if (first === -1) return;
        mixed++;
        const before = sumInEpsilon(admitted.slice(0, first));
        const after = compose(
          ...admitted.slice(first).map((loss) => convert(loss, { to: "renyi" })),
        ) as LossOf["renyi"];
        const whole = convert(after, { to: "approx", delta: limit.delta.minus(before.delta) });
        expect((before.epsilon as Rational).plus(whole.epsilon as Rational)).toSatisfy(
          (total: Rational) => total.compare(5n) <= 0,
        );
      }),
      { numRuns: 60 },
    );
    expect(mixed).toBeGreaterThan(20);
  });
});

function sumInEpsilon(losses: readonly Loss[]): LossOf["approx"] {
  return losses.reduce<LossOf["approx"]>(
    (sum, loss) =>
      compose(sum, loss.measure === "approx" ? loss : approx(convert(loss, { to: "pure" }).epsilon, 0)),
    approx(0, 0),
  );
}
