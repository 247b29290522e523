import { describe, expect, it } from "vitest";
import { Rational, rational } from "../../../packages/core/src/exact/rational.js";
import { Grid } from "../../src/study/grid.js";

/** Scores between the points of every grid tried here: multiples of 1/60 from −1 to 2. */
const SCORES = Array.from({ length: 181 }, (_, i) => Rational.of(BigInt(i - 60), 60n));

/** The largest distance of two floored scores that are at most a sensitivity apart, by trying all pairs. */
function flooredSensitivity(resolution: string, sensitivity: Rational): Rational {
  const grid = new Grid({ k: 1, scale: 1, resolution });
  const step = Rational.of(1n, rational(resolution).denominator);
  let largest = 0n;
  for (const one of SCORES)
    for (const other of SCORES) {
      const isNeighbour = one.compare(other) >= 0 && one.minus(other).compare(sensitivity) <= 0;
      const distance = grid.steps(one) - grid.steps(other);
      if (isNeighbour && distance > largest) largest = distance;
    }
  return step.times(largest);
}

describe("Scores floored to a grid [Ding23, Lemma 4.2]", () => {
  it.each(["1", "1/2", "1/3", "1/5", "2/3"])(
    "keep a sensitivity that is a multiple of the step: %s",
    (step) => {
      for (const sensitivity of [rational(1), Rational.of(2n, rational(step).denominator)])
        expect(flooredSensitivity(step, sensitivity).toString()).toBe(sensitivity.toString());
    },
  );

  it("have the next multiple of the step where it is not a multiple, which the lemma excludes", () => {
    expect(flooredSensitivity("1/2", Rational.of(1n, 60n)).toString()).toBe("0.5");
    expect(flooredSensitivity("1/2", Rational.of(3n, 5n)).toString()).toBe("1");
    expect(flooredSensitivity("1/3", Rational.of(1n, 2n)).toString()).toBe("2/3");
  });
});
