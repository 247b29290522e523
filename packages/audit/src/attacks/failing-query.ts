/**
 * A query whose author wrote a cast, and one row that it fails on. The program noticed that a failed run says that such a row is
 * there, so it answers as if there were no rows, adds noise and charges the price. The noise is exact and the price is right;
 * but one row moves every count to zero, and no price makes that private.
 * @module
 */
import type { Entropy } from "winnow-dp";
import { discreteLaplace } from "winnow-dp/sample";
import { defineAttack, type World } from "./attack.js";

/** One code for each person. Alice wrote hers as a word. */
const CODES = Array.from({ length: 400 }, (_, person) => String(person % 4));
const COLUMNS = [CODES, [...CODES, "n/a"]];
const ZEROS = CODES.filter((code) => code === "0").length;
const EPSILON = "1/2";
const SCALE = 2;

export const failingQuery = defineAttack({
  id: "failing-query",
  title: "A query that fails on one row",
  mistake: "answers a query that fails on any row as for no rows",
  trick: "asks for CAST(code AS INTEGER), and looks whether the counts are near zero",
  defence:
    "a row that an expression fails on is skipped, and no other row is: each person moves a count by one at most",
  source: "Winnow's own command line, before its first release",
  epsilon: EPSILON,
  rounds: 2000,
  textbook: {
    name: "an exact noisy count of all rows, or of none",
    prepare: () => (world, entropy) => {
      const codes = COLUMNS[world];
      return guess(codes.every(isInteger) ? codes : [], entropy);
    },
  },
  ours: {
    name: "an exact noisy count of the rows that TRY leaves",
    prepare: () => (world, entropy) => guess(COLUMNS[world].filter(isInteger), entropy),
  },
});

function isInteger(code: string): boolean {
  return /^\d+$/.test(code);
}

/** Alice is there if the noisy number of zeros is nearer to none than to all. */
function guess(codes: readonly string[], entropy: Entropy): World {
  const zeros = codes.filter((code) => code === "0").length;
  return zeros + Number(discreteLaplace(SCALE, entropy)) < ZEROS / 2 ? 1 : 0;
}
