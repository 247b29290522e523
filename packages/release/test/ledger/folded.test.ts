import { describe, expect, it } from "vitest";
import { approx, type LossJson, lossFromJson, lossToJson, pure, rational, zcdp } from "winnow-dp";
import { uniformBelow } from "winnow-dp/sample";
import { seededEntropy } from "winnow-dp/testing";
import {
  Account,
  type BudgetJson,
  budgetOf,
  canonicalJson,
  EMPTY_SUMMARY,
  LEDGER_FORMAT,
  MOST_GROUPS,
  type NewEntry,
  readBudget,
} from "../../src/index.js";
import type { AdmittedAs } from "../../src/ledger/account.js";
import { type AccountSummary, summarise } from "../../src/ledger/summary.js";
import { Refusal } from "../../src/refusal/refusal.js";
import { budgetEntry, releaseEntry, SOFTWARE, TIME } from "./examples.js";

/** The n-th of ever different losses, of every measure and of sizes from 10^-9 to 10. */
function different(n: number): LossJson {
  const size = rational(1000 + n).dividedBy(10n ** BigInt(4 + (n % 9)));
  const loss = [
    () => pure(size),
    () => ({ measure: "base2", eta: size }),
    () => zcdp(size, n % 2 === 0 ? "1e-12" : 0),
    () => approx(size, `${n}e-15`),
  ][n % 4]!;
  return lossToJson(loss() as never);
}

function entered(summary: AccountSummary, ...entries: readonly NewEntry[]): AccountSummary {
  return entries.reduce(
    (before, entry, i) =>
      summarise(before, { ...entry, format: LEDGER_FORMAT, sequence: i + 1, previous: "" }),
    summary,
  );
}

const releases = (losses: readonly LossJson[], name = "r") =>
  losses.map((loss, i) => releaseEntry(`${name}${i}`, loss));
const losses = (count: number, from = 0) => Array.from({ length: count }, (_, i) => different(from + i));
const reservation = (id: string, loss: LossJson): NewEntry => ({
  kind: "reservation",
  id,
  dataset: "visits",
  time: TIME,
  software: SOFTWARE,
  question: {},
  loss,
});
const settled = (id: string, loss: LossJson, part: LossJson): NewEntry => {
  const { kind, release } = releaseEntry(id, loss);
  return { kind, release: { ...release, charge: { reserved: loss, settled: part } } };
};

/** An account with so many different losses, all of them as ε, that further ones find no place. */
const full = (loss = "1/1000") =>
  entered(
    EMPTY_SUMMARY,
    ...releases(
      Array.from({ length: MOST_GROUPS }, (_, i) => lossToJson(pure(rational(loss).plus(`${i}e-9`)))),
      "own",
    ),
  );

describe("charges that are no longer told apart", () => {
  it("leave an account in a size that does not grow with the number of different losses", () => {
    const many = entered(EMPTY_SUMMARY, ...releases(losses(400)));
    const more = entered(many, ...releases(losses(1200, 400), "s"));
    expect(many.charges).toHaveLength(MOST_GROUPS);
    expect(more.folded!.promised.length).toBe(many.folded!.promised.length);
    expect(canonicalJson(more).length).toBeLessThan(canonicalJson(many).length + 200);
    const times = [...more.charges, ...more.folded!.promised].reduce((sum, { times }) => sum + times, 0);
    expect([more.releases, times]).toEqual([1600, 1600]);
    const account = new Account("visits", JSON.parse(canonicalJson(more)));
    for (const loss of [account.spent, ...account.totals, ...account.parts, account.atDelta])
      expect(lossFromJson(lossToJson(loss))).toEqual(loss);
  });

  it("are equal losses again and again, whether they were reserved or not", () => {
    let summary = EMPTY_SUMMARY;
    for (let i = 0; i < 100; i++) {
      summary = entered(summary, reservation(`r${i}`, different(0)));
      expect(new Account("visits", summary).reservations).toBe(1);
      summary = entered(summary, releaseEntry(`r${i}`, different(0)), releaseEntry(`s${i}`, different(4)));
    }
    expect(summary.charges.map(({ times }) => times)).toEqual([100, 100]);
  });

  it.each<[LossJson[], object[]]>([
    [
      [
        { measure: "pure", epsilon: "1/3" },
        { measure: "pure", epsilon: "0.25" },
        { measure: "pure", epsilon: "1" },
      ],
      [
        {
          isLate: false,
          measure: "pure",
          decade: 0,
          times: 3,
          size: `1.58${"3".repeat(97)}4`,
          squares: `1.1736${"1".repeat(95)}2`,
        },
      ],
    ],
    [
      [
        { measure: "approx", epsilon: "1e-10", delta: "1e-400" },
        { measure: "approx", epsilon: "1.00000000000000000000000000000000001e-10", delta: "0" },
        { measure: "base2", eta: "7" },
      ],
      [
        {
          isLate: false,
          measure: "approx",
          decade: -10,
          times: 1,
          size: "0.0000000001",
          squares: `0.${"0".repeat(19)}1`,
          delta: `0.${"0".repeat(99)}1`,
        },
        {
          isLate: false,
          measure: "approx",
          decade: -9,
          times: 1,
          size: `0.${"0".repeat(9)}1${"0".repeat(34)}1`,
          squares: `0.${"0".repeat(19)}1${"0".repeat(34)}2${"0".repeat(34)}1`,
          delta: "0",
        },
        { isLate: false, measure: "base2", decade: 1, times: 1, size: "7", squares: "49" },
      ],
    ],
    [
      [
        { measure: "zcdp", rho: "2" },
        { measure: "zcdp", rho: "1/2", delta: "0.125" },
        { measure: "pure", epsilon: "Infinity" },
        { measure: "pure", epsilon: "20" },
      ],
      [
        { isLate: true, measure: "zcdp", times: 2, size: "2.5", delta: "0.125" },
        { isLate: true, measure: "pure", decade: 1, times: 2, size: "Infinity", squares: "Infinity" },
      ],
    ],
  ])("are added up as decimals, rounded up: %j", (given, sums) => {
    expect(entered(full(), ...releases(given)).folded).toEqual({ promised: sums });
  });

  it("keep apart what they promise and what they are counted as, until the budget changes", () => {
    const [loss, part] = [
      { measure: "approx", epsilon: "1", delta: "1e-6" } as const,
      { measure: "approx", epsilon: "0.25", delta: "1e-6" } as const,
    ];
    const budget: BudgetJson = { measure: "approx", epsilon: "9", delta: "1e-3" };
    const before = entered(full(), budgetEntry(budget), releaseEntry("a", { ...loss, epsilon: "0.5" }));
    const summary = entered(before, settled("b", loss, part));
    expect(summary.folded!.promised.map(({ times, size }) => [times, size])).toEqual([[2, "1.5"]]);
    expect(summary.folded!.counted!.map(({ times, size }) => [times, size])).toEqual([[2, "0.75"]]);
    const account = new Account("visits", summary);
    expect(account.isPaidByRound).toBe(true);
    expect(account.spent).toEqual(approx("0.814002016", "2e-6"));
    const changed = entered(summary, budgetEntry(budget));
    expect(changed.folded).toEqual({ promised: summary.folded!.promised });
    expect(new Account("visits", changed).spent).toEqual(approx("1.564002016", "2e-6"));
  });

  it("hold a place for what was reserved while there was one, and count the rest as they will be counted", () => {
    const budget: BudgetJson = { measure: "renyi", order: "4", epsilon: "3" };
    const early = entered(EMPTY_SUMMARY, budgetEntry(budget), reservation("early", different(0)));
    const others = entered(early, ...releases(losses(MOST_GROUPS + 8, 1).filter(isPure)));
    let summary = others;
    for (let n = 4; summary.folded === undefined; n += 4)
      summary = entered(summary, releaseEntry(`x${n}`, different(n)));
    const late = entered(summary, reservation("late", { measure: "pure", epsilon: "0.3" }));
    expect(late.charges.filter(({ isFolded }) => isFolded)).toHaveLength(1);
    expect(late.charges.filter(({ isFolded }) => !isFolded)).toHaveLength(MOST_GROUPS);
    const after = entered(
      late,
      releaseEntry("late", { measure: "pure", epsilon: "0.3" }),
      releaseEntry("early", different(0)),
    );
    expect(after.charges).toHaveLength(MOST_GROUPS);
    const spentAt = (summary: AccountSummary) => {
      const { spent } = new Account("visits", summary);
      return spent.measure === "renyi" ? spent.curve.at(4n).toNumber() : Number.NaN;
    };
    expect(spentAt(after)).toBeCloseTo(spentAt(late), 12);
  });

  it("refuse more reservations than an account keeps", () => {
    const ids = Array.from({ length: 1000 }, (_, i) => reservation(`r${i}`, different(0)));
    const account = new Account("visits", entered(EMPTY_SUMMARY, ...ids));
    expect(() => account.admit(pure(1n), {}, "reservation")).toThrow(
      '1000 reservations about "visits" wait for their releases',
    );
    account.admit(pure(1n));
  });
});

const BUDGETS: readonly BudgetJson[] = [
  { measure: "pure", epsilon: "30" },
  { measure: "base2", eta: "40" },
  { measure: "zcdp", rho: "8", delta: "1e-3" },
  { measure: "approx", epsilon: "30", delta: "1e-3" },
  { measure: "renyi", order: "8", epsilon: "30", delta: "1e-3" },
  { measure: "renyi", order: "3/2", epsilon: "30", delta: "1e-3" },
];

describe("an account with more different losses than it tells apart", () => {
  it.each(BUDGETS)("counts at least what they cost, and not much more: %j", (json) => {
    const limit = readBudget(json);
    const budget = budgetOf(limit);
    let summary = entered(EMPTY_SUMMARY, budgetEntry(json));
    for (const [i, loss] of losses(160).filter(countableIn(json)).entries()) {
      budget.charge(lossFromJson(loss));
      summary = entered(summary, releaseEntry(`r${i}`, loss));
    }
    expect(summary.folded).toBeDefined();
    const size = (loss: unknown) => sizeAt(loss as never, limit.orders[0] ?? rational(2n));
    const [counted, exact] = [size(new Account("visits", summary).spent), size(budget.spent)];
    expect(counted).toBeGreaterThanOrEqual(exact - 1e-12);
    expect(counted).toBeLessThanOrEqual(exact * 1.2);
  });

  it.each(BUDGETS)("admits again what it admitted one by one, to the end of the budget: %j", (json) => {
    const entropy = seededEntropy(canonicalJson(json));
    const open: [string, LossJson][] = [];
    const small = losses(400).filter((loss, n) => n % 9 > 4 && countableIn(json)(loss));
    let summary = entered(
      EMPTY_SUMMARY,
      budgetEntry(json),
      ...releases(small.slice(0, MOST_GROUPS - 2), "s"),
    );
    let [admitted, refused] = [0, 0];
    while (refused < 6) {
      const account = new Account("visits", summary); // throws if more was charged than it allows
      if (open.length > 3) {
        const [[id, loss]] = open.splice(uniformBelow(open.length, entropy), 1) as [[string, LossJson]];
        summary = entered(summary, releaseEntry(id, loss));
        continue;
      }
      const i = admitted + refused;
      const loss = different(uniformBelow(900_000, entropy));
      const as: AdmittedAs = uniformBelow(4, entropy) === 0 ? "reservation" : "charge";
      const times = account.admitsTimes(lossFromJson(loss))!;
      if (!countableIn(json)(loss) || !admits(account, loss, as)) {
        refused += Number(countableIn(json)(loss));
        continue;
      }
      admitted++;
      if (as === "charge") expect(times).toBeGreaterThan(0);
      else open.push([`r${i}`, loss]);
      summary = entered(summary, as === "charge" ? releaseEntry(`r${i}`, loss) : reservation(`r${i}`, loss));
    }
    new Account("visits", summary);
    expect(admitted).toBeGreaterThan(8);
    expect(summary.folded).toBeDefined();
  });
});

function isPure({ measure }: LossJson): boolean {
  return measure === "pure";
}

function countableIn({ measure }: BudgetJson) {
  return (loss: LossJson) =>
    (measure !== "pure" && measure !== "base2") || loss.measure === "pure" || loss.measure === "base2";
}

function sizeAt(loss: ReturnType<typeof lossFromJson>, order: ReturnType<typeof rational>): number {
  switch (loss.measure) {
    case "renyi":
      return loss.curve.at(order).toNumber();
    case "zcdp":
      return Number(loss.rho);
    case "base2":
      return Number(loss.eta);
    default:
      return Number(loss.epsilon);
  }
}

function admits(account: Account, loss: LossJson, as: AdmittedAs): boolean {
  try {
    account.admit(lossFromJson(loss), {}, as);
    return true;
  } catch (error) {
    expect(error).toBeInstanceOf(Refusal);
    return false;
  }
}
