import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { inGroups, type LossJson, lossFromJson, pure, rational } from "winnow-dp";
import { readBudget } from "../../src/ledger/budget.js";
import { horizonInWords, inPeriods, keyMark, periodKey, promiseSentence } from "../../src/ledger/periods.js";
import type { AccountPromise } from "../../src/question/period.js";

interface Horizon {
  readonly name: string;
  readonly max_periods: number;
  readonly loss: readonly string[];
  readonly person: string;
  readonly person_plain: string;
  readonly person_period_presence_free: string;
  readonly person_period_first_w: string;
}

const VECTORS = new URL("../../../core/test/vectors-sets.json", import.meta.url);
const vectors: { readonly periods: readonly Horizon[] } = JSON.parse(readFileSync(VECTORS, "utf8"));

const weeks = { period: "week", first: "2026-01-05", horizon: 52 } as const;
const charge = (epsilon: string, period?: string) => ({
  loss: lossFromJson({ measure: "pure", epsilon } as LossJson),
  times: 1,
  isLate: false,
  period,
});

const inEpsilon = readBudget({ measure: "pure", epsilon: "99" });

describe("What a horizon costs", () => {
  it.each(vectors.periods)("is that of the reference values: $name", ({ loss, max_periods, ...expected }) => {
    const charges = loss.map((epsilon, i) => charge(epsilon, `week ${i}`.replace(" ", "-")));
    const total = (promise: AccountPromise) => inPeriods(promise, charges, inEpsilon, "add-remove")[0]?.loss;
    expect(total({ unit: "person", ...weeks, maxPeriodsPerUser: max_periods })).toEqual(
      pure(expected.person),
    );
    expect(total({ unit: "person", ...weeks })).toEqual(pure(expected.person_plain));
    expect(total({ unit: "person-period", ...weeks })).toEqual(pure(expected.person_period_presence_free));
    // Rule (F), which isn't built: two periods of a person may change.
    const pair = inGroups(
      loss.map((epsilon) => pure(epsilon)),
      { maxGroupsPerUser: 2 },
    );
    expect(pair).toEqual(pure(expected.person_period_first_w));
  });

  it("adds up inside a period, over keys, and what is about no period", () => {
    const charges = [
      charge("1", "a k"),
      charge("2", "a k"),
      charge("1", "b k"),
      charge("1", "a l"),
      charge("1/2"),
    ];
    const promise: AccountPromise = { unit: "person", ...weeks, maxPeriodsPerUser: 1 };
    const [rest, first, second, ...others] = inPeriods(promise, charges, inEpsilon, undefined);
    expect([rest?.loss, first?.loss, second?.loss]).toEqual([pure("1/2"), pure(3), pure(1)]);
    expect(others).toEqual([]);
  });

  it("doubles δ where one person takes another's place", () => {
    const zcdp = (period: string) => ({
      ...charge("1", period),
      loss: lossFromJson({ measure: "zcdp", rho: "1", delta: "1e-6" }),
    });
    const promise: AccountPromise = { unit: "person", ...weeks, maxPeriodsPerUser: 1 };
    const [total] = inPeriods(
      promise,
      [zcdp("a"), zcdp("b")],
      readBudget({ measure: "zcdp", rho: "9", delta: "1e-3" }),
      "replace",
    );
    expect(total?.loss).toMatchObject({ rho: rational(1), delta: rational("2e-6") });
  });

  it("is said word for word", () => {
    const person: AccountPromise = { unit: "person", ...weeks };
    expect(promiseSentence(person, "ε = 4")).toBe(
      "Whoever knows all but one person's data of the year learns at most ε = 4.",
    );
    expect(promiseSentence({ ...person, unit: "person-period" }, "ε = 1")).toBe(
      "Whoever knows all but one person's data of one week learns at most ε = 1; of n weeks of one person at most the sum of these weeks' losses.",
    );
    expect(horizonInWords({ ...person, horizon: 26 })).toBe("the 26 weeks");
  });

  it("has keys that depend on the store, the data set and the promise, and marks that don't reveal them", () => {
    const promise: AccountPromise = { unit: "person", ...weeks, maxPeriodsPerUser: 8 };
    const key = periodKey("secret", "visits", promise);
    expect(key).toBe(periodKey("secret", "visits", promise));
    expect(
      new Set([key, periodKey("other", "visits", promise), periodKey("secret", "sales", promise)]).size,
    ).toBe(3);
    expect(keyMark(key)).toMatch(/^[0-9a-f]{32}$/);
    expect(key).not.toContain(keyMark(key));
  });
});
