/**
 * The law of a random run as rational numbers, by exhaustion over what chance may answer.
 * @module
 */
import { Rational } from "../../src/exact/rational.js";
import { everyPath } from "../../src/testing/tree-walk.js";

/** What chance decides in one run. */
export interface Fate {
  /** 0, …, n − 1 with probability 1/n each. */
  below(n: number): number;
  isTrue(probability: Rational): boolean;
}

/** The probability of every label that a run can end with. */
export function exactMass(run: (fate: Fate) => string): Map<string, Rational> {
  const masses = new Map<string, Rational>();
  let mass = Rational.ONE;
  const paths = everyPath((ask) => {
    mass = Rational.ONE;
    return run({
      below(n) {
        mass = mass.dividedBy(BigInt(n));
        return ask(n);
      },
      isTrue(probability) {
        if (probability.equals(0) || probability.equals(1)) return probability.equals(1);
        const isTrue = ask(2) === 0;
        mass = mass.times(isTrue ? probability : Rational.ONE.minus(probability));
        return isTrue;
      },
    });
  });
  for (const { label } of paths) {
    const key = String(label);
    masses.set(key, (masses.get(key) ?? Rational.ZERO).plus(mass));
  }
  return masses;
}
