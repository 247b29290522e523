/**
 * Every way to lose privacy that the proofs of the smallest noise warn of, the wrong variant that shows it, and where that variant is
 * caught: an attack of `winnow audit --attacks`, or a test. A trap without one, or a test that is gone, fails here.
 */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { attacks } from "../../src/attacks/attacks.js";

/** A trap, its wrong variant, and the attack or the file and title of the test that catches it. */
type Trap = readonly [
  trap: string,
  variant: string,
  ...caught: readonly [attack: string] | readonly [file: string, title: string],
];

const RANGE = "packages/core/test/accounting/profile/bounded-range.test.ts";
const HERE = "packages/audit/test/attacks/tight-traps.test.ts";
const COUNTS = "packages/core/test/discover/count-noise.test.ts";
const WEEKS = "packages/core/test/over-time/renew-list.test.ts";
const TABLES = "packages/core/test/accounting/profile/one-order-steps.test.ts";
const ORDERS = "packages/core/test/accounting/profile/failing-steps.test.ts";
const SETS = "packages/core/test/select/top-k-set.test.ts";

const TRAPS: readonly Trap[] = [
  // Rounds in (ε, δ)
  [
    "a window of the recursion that is empty",
    "unwritten cells are read as 0",
    RANGE,
    "with a window that was cleared",
  ],
  [
    "chords between grid points",
    "the maximum over the grid without the excess",
    RANGE,
    "without the excess between grid points",
  ],
  [
    "interpolation",
    "V in the loss instead of W in its exponential",
    RANGE,
    "with V interpolated in the loss instead of W in its exponential",
  ],
  [
    "rounding of the grid",
    "a range or a step that is rounded down",
    RANGE,
    "with a range that was rounded down",
  ],
  [
    "rounds chosen after answers",
    "the best constant strategy is charged",
    HERE,
    "cost more than the best constant strategy wins",
  ],
  [
    "the number of rounds",
    "k grows after looking",
    HERE,
    "cost more than they promise if one more is asked for after looking",
  ],
  [
    "a run that stops early",
    "ε of the rounds used, at the same δ",
    RANGE,
    "may not be counted as the ε for which its rounds alone have δ",
  ],
  [
    "leads with Gumbel noise",
    "range η for a lead",
    HERE,
    "have twice the range if leads are released with Gumbel noise",
  ],
  [
    "exponential noise in rounds of bounded range",
    "range r/β for it",
    HERE,
    "aren't what exponential noise of the same scale gives",
  ],
  [
    "names and counts in one δ",
    "δ = 0 where the rounds alone fit into ε, or the closed form of one round",
    RANGE,
    "isn't 0 where the rounds alone fit into ε",
  ],
  // Prices
  [
    "the Laplace curve for more than one index",
    "k winners in one shot at the price of one",
    "packages/core/test/select/make-noisy-top-k.test.ts",
    "of peeled permute-and-flip is k·r/scale",
  ],
  [
    "δ of discrete Gaussian noise isn't monotone",
    "σ² is rounded up after it was certified",
    "packages/core/test/accounting/profile/discrete-gaussian.test.ts",
    "must be checked as it is used: a larger one may have a larger δ",
  ],
  [
    "sums of discrete Gaussian noises",
    "one noise in place of two",
    "packages/core/test/accounting/profile/discrete-gaussian.test.ts",
    "needs the factor of sums: one noise in place of two isn't a bound",
  ],
  [
    "old releases",
    "a tighter rule for what was charged already",
    "packages/release/test/ledger/rule.test.ts",
    "counts as before after the budget was replaced",
  ],
  // Counts that share noise
  [
    "people who are replaced",
    "shared noise at the price of people who are added or removed",
    COUNTS,
    "but not for people who are replaced: three times as much",
  ],
  [
    "the lattice",
    "factor 1 with the formula of continuous noise",
    COUNTS,
    "nor without the multiple of k + u",
  ],
  [
    "the price of shared noise",
    "that of noise of its own of the same variance",
    COUNTS,
    "nor charged as independent noise of the same variance would be",
  ],
  [
    "intervals of names that their noise has chosen",
    "the width of one fixed name",
    "packages/core/test/discover/histogram-top-k.test.ts",
    "for which the width of one fixed name isn't enough",
  ],
  // Names
  [
    "failures at both ends of a table",
    "a first entry of δ, no failure at the end",
    TABLES,
    "is (ε, δ) for all counts of the names that move",
  ],
  [
    "a table for (ε, δ) in an account in ρ",
    "the ρ that converts to its (ε, δ)",
    ORDERS,
    "isn't what a table for (ε, δ) costs in ρ",
  ],
  ["a table in ρ", "all of ρ for each name", ORDERS, "has ρ at every order and nearly that"],
  ["items without a limit", "a table for one name on counts of ten", "items-without-limit"],
  ["names that nobody has a list of", "candidates from private rows", "unknown-domain"],
  ["a threshold without noise", "every name that enough people have", "bare-threshold"],
  // Sets
  ["positions that tell ranks", "a set in the order of a query by count", "set-by-count"],
  ["ties", "the index of rows decides among equal scores", "ties-by-index"],
  [
    "exponents of the envelope",
    "a bound without its slack",
    HERE,
    "whose exponents aren't at least those of the weights has another law",
  ],
  [
    "a share of outsiders beyond 1",
    "min inside − max outside without weights",
    SETS,
    "exceeds the claim where a share above 1 would be allowed",
  ],
  // Candidates
  [
    "no run at all",
    "the published bound for a Poisson number of runs below 1",
    HERE,
    "costs more than the formula that forgets that there may be no run",
  ],
  ["a run that throws", "an error that says so", "failing-query"],
  ["the number of runs", "a log of trials", "logged-trials"],
  [
    "runs that fail",
    "errors are thrown on",
    "packages/core/test/over-time/select-private-candidate.test.ts",
    "releases nothing if every run throws",
  ],
  // Groups and weeks
  [
    "one key for all groups",
    "a key for each group",
    HERE,
    "isn't kept by a key of its own for each group or period",
  ],
  [
    "one key for a horizon",
    "a fresh key for each week",
    HERE,
    "isn't kept by a key of its own for each group or period",
  ],
  [
    "people who were cut elsewhere",
    "a group is filled up again",
    "packages/core/test/discover/bound-groups.test.ts",
    "would move counts of others",
  ],
  [
    "settling in groups",
    "the mean of all groups",
    "packages/core/test/accounting/in-groups.test.ts",
    "would count too little by the mean of all groups",
  ],
  [
    "empty groups",
    "a group without people is left out",
    "packages/core/test/discover/top-k-in-groups.test.ts",
    "where skipping empty groups would show that someone is there",
  ],
  [
    "renewal of a list",
    "sums of weekly counts, an exact margin",
    WEEKS,
    "differ by more if the tests are wrong",
  ],
];

const ROOT = new URL("../../../../", import.meta.url);

describe("A trap", () => {
  it.each(TRAPS)("has a wrong variant that is caught: %s (%s)", (_, __, place, title?: string) => {
    if (title === undefined) expect(attacks.map(({ id }) => id)).toContain(place);
    else
      expect(readFileSync(new URL(place, ROOT), "utf8")).toMatch(
        new RegExp(`["'\`][^"\`\\n]*${quoted(title)}`),
      );
  });

  it("is listed once", () => {
    expect(new Set(TRAPS.map(([trap]) => trap)).size).toBe(TRAPS.length);
  });

  it("is listed for each attack on names, sets and candidates", () => {
    const listed = new Set(TRAPS.map(([, , place]) => place));
    for (const id of [
      "unknown-domain",
      "bare-threshold",
      "items-without-limit",
      "set-by-count",
      "ties-by-index",
      "logged-trials",
      "failing-query",
    ])
      expect(listed).toContain(id);
  });
});

function quoted(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
