/**
 * Soundness where it is easiest to lose: with a few binary places, many of the points below lie so close to a multiple of the
 * unit that a wrong guard digit, or two ends that are swapped, put the number outside. An enclosure of the same point with many
 * more digits, far narrower than the unit, must lie inside the coarse one.
 */
import { describe, expect, it } from "vitest";
import { Interval } from "../../src/exact/interval.js";
import { minusLnEnclosure } from "../../src/exact/ln.js";
import { normalCdfEnclosure } from "../../src/exact/normal-cdf.js";

const MORE = 160;

/** Both ends of the fine enclosure lie inside the coarse one, which is at most two units wide. */
function expectInside(f: (x: Interval) => Pick<Interval, "lo" | "hi">, a: bigint, precision: number): void {
  const x = new Interval(a, a, precision);
  const [coarse, fine] = [f(x), f(x.withPrecision(precision + MORE))];
  const shift = BigInt(MORE);
  const isInside = coarse.lo << shift <= fine.lo && fine.hi <= coarse.hi << shift;
  if (!isInside || coarse.hi - coarse.lo > 2n) expect.fail(`${a}/2^${precision}`);
}

describe.each([1, 2, 3, 5, 8])("with %i binary places", (precision) => {
  it("ln contains the finer enclosure, and so does minus ln", () => {
    for (let a = 1n; a <= 1500n; a++) expectInside((x) => x.ln(), a, precision);
    for (let a = 1n; a <= 300n; a++) expectInside(minusLnEnclosure, a, precision);
  });

  it("exp contains the finer enclosure", () => {
    for (let a = -300n; a <= 1000n; a++) expectInside((x) => x.exp(), a, precision);
  });

  it("the normal distribution function contains the finer enclosure", () => {
    for (let a = -60n; a <= 60n; a++) expectInside(normalCdfEnclosure, a, precision);
  });
});

it("ln contains the finer enclosure at 31·2^-355, where it lies next to a multiple of the unit", () => {
  expectInside((x) => x.ln(), 31n, 355);
});

describe("at 4096 binary places", () => {
  it("a point gives at most two units of the normal distribution function", () => {
    const { lo, hi } = normalCdfEnclosure(Interval.from(1, 4096));
    expect(hi - lo).toBeLessThanOrEqual(2n);
  });

  it("a point gives at most two units of e^x up to 2^4096, and ln brings the point back", () => {
    const x = Interval.from(2839, 4096); // 4096·ln 2 is 2839.1
    const power = x.exp();
    expect(power.hi - power.lo).toBeLessThanOrEqual(2n);
    expect(power.ln().contains(2839)).toBe(true);
  });
});
