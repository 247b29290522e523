/**
 * The assertion of every closed form: each probability of a reference law is enclosed, narrowly, up to the rounding of its
 * last digit.
 * @module
 */
import { expect } from "vitest";
import { rational } from "../../core/src/exact/rational.js";
import type { Law } from "../../core/test/support/law.js";
import type { Law as EnclosedLaw } from "../src/laws/law.js";

/** The vectors' decimals are correct to 28 significant digits. */
const ROUNDING = rational("1e-27");
/** Enclosures are at most so wide. */
const WIDTH = rational("1e-40");

export function expectEnclosed(law: EnclosedLaw, probabilities: Law): void {
  expect([...law.keys()].sort()).toEqual(Object.keys(probabilities).sort());
  const missed = [...law].filter(([outcome, enclosure]) => {
    const p = rational(probabilities[outcome]);
    const off = p.times(ROUNDING);
    const isWide = enclosure.upper().minus(enclosure.lower()).compare(WIDTH) > 0;
    return isWide || enclosure.isBelow(p.minus(off)) || enclosure.isAbove(p.plus(off));
  });
  expect(missed.map(([outcome]) => outcome)).toEqual([]);
}
