/**
 * A ledger with releases of every kind of question, mechanism and measure, under budgets of every measure, as the command
 * line records them. Counts are generated, and names are as strange as names can be.
 * @module
 */
import fc from "fast-check";
import { expect } from "vitest";
import { type Loss, lossFromJson, lossToJson, rational, WinnowError } from "winnow-dp";
import { seededEntropy } from "winnow-dp/testing";
import {
  type BudgetJson,
  budgetOf,
  type CountedItems,
  type Ledger,
  newRelease,
  type PublishedRelease,
  type Question,
  type QuestionInput,
  Refusal,
  readBudget,
  readQuestion,
  select,
} from "winnow-release";
import { openLedger } from "../../packages/cli/src/ledger/open-ledger.js";
import {
  labelsQuestion,
  labelsRelease,
  lossOfLabels,
  teacherOptions,
} from "../../packages/cli/src/pate/labels.js";

/** Composed and decomposed é, a lone surrogate, an emoji beside a private character, separators, quotes, controls. */
export const NAMES = ["é", "e\u0301", "\ud800", "😀", "\uf8ff", "a\u2028b", 'say "\\"', "\u0000\u001b\u007f"];

const COUNTS: CountedItems = {
  items: [...NAMES, "rare"],
  users: [900, 800, 700, 600, 500, 400, 300, 200, 1],
};
const NUMBERS: CountedItems = { items: ["18", "20.5", "33", "99"], users: [40, 30, 20, 10] };

const listed = { kind: "listed", size: COUNTS.items.length, hash: "ab".repeat(32) } as const;
const unknown = { kind: "unknown" } as const;
const grid = { kind: "grid", lower: 0, upper: 120 } as const;
const delta = "1e-6";
/** A third, written with four hundred digits too many to be one. */
const LONG = `${"3".repeat(400)}/${"9".repeat(399)}8`;

type Asked = Omit<QuestionInput, "unit">;

/** Every mechanism, with ε and with ρ where it takes both, with leads and counts, people bounded and not. */
export const ASKED: readonly Asked[] = [
  { k: 2, domain: listed, epsilon: LONG },
  { k: 2, domain: listed, epsilon: "1/3", counts: true, resolution: "1/7" },
  { k: 9, domain: listed, epsilon: 1 },
  { k: 3, domain: listed, rho: "1/7" },
  { k: 3, domain: listed, rho: "0.02", counts: true },
  { k: 1, domain: listed, epsilon: "0.7", mechanism: "permute-and-flip" },
  { k: 2, domain: { kind: "integers", below: 1000 }, epsilon: "1/2" },
  { k: 3, domain: unknown, epsilon: 1, delta },
  { k: 3, domain: unknown, epsilon: 1, delta, resolution: "1/2", counts: true },
  { k: 40, domain: unknown, epsilon: 1, delta },
  { k: 40, domain: unknown, epsilon: 1, delta, counts: true },
  { k: 3, domain: unknown, rho: "1/20", delta },
  { k: 3, domain: unknown, rho: "1/20", delta: "1e-150", counts: true },
  { k: 3, domain: unknown, rho: "1/20", delta, mechanism: "limited-top-k", maxItemsPerUser: 2 },
  { k: 40, domain: unknown, epsilon: 1, delta, maxItemsPerUser: 2 },
  { k: 40, domain: unknown, rho: "1/9", delta, maxItemsPerUser: 3 },
  { kind: "names", domain: unknown, epsilon: 1, delta, maxItemsPerUser: 2 },
  { kind: "names", domain: unknown, epsilon: 1, delta, maxItemsPerUser: 20, counts: true },
  { k: 2, domain: listed, epsilon: 1, maxItemsPerUser: 2 },
  { k: 2, domain: listed, epsilon: 1, delta, maxItemsPerUser: 20 },
  { k: 2, domain: listed, rho: "1/9", maxItemsPerUser: 3 },
  { kind: "names", domain: unknown, epsilon: 1, delta, maxItemsPerUser: 10 },
  { kind: "names", domain: unknown, epsilon: "1/100", delta, maxItemsPerUser: 4 },
  { kind: "names", domain: unknown, rho: 1, delta, maxItemsPerUser: 1, counts: true },
  { kind: "adaptive", k: 5, domain: unknown, epsilon: 1, delta },
  { kind: "adaptive", k: 5, domain: listed, rho: "1/4", delta },
  { k: 2, domain: unknown, rho: "1/4", delta, mechanism: "stable-top-k-fixed" },
  { k: 2, domain: listed, epsilon: 2, delta, mechanism: "stable-top-k-fixed" },
  { kind: "quantile", quantiles: ["1/2"], domain: grid, epsilon: 1 },
  { kind: "quantile", quantiles: [0, "1/10", "1/2", 1], domain: grid, rho: "1/9", maxItemsPerUser: 3 },
  { kind: "quantile", quantiles: ties(60), domain: grid, epsilon: 1, atMost: 1000 },
  { kind: "quantile", quantiles: ties(60), domain: grid, rho: "1/2", atMost: 1000 },
  { kind: "frequencies", domain: unknown, epsilon: "1/2" },
  // Hardly any noise, or nothing else.
  { k: 3, domain: unknown, epsilon: 5000, delta },
  { k: 3, domain: unknown, rho: "1e9", delta },
  { k: 3, domain: unknown, epsilon: "1e-12", delta },
  { kind: "names", domain: unknown, epsilon: 5000, delta, maxItemsPerUser: 2 },
  { kind: "adaptive", k: 5, domain: unknown, rho: "1e9", delta },
  { kind: "frequencies", domain: unknown, epsilon: 900 },
  // A public list in (ε, δ).
  { k: 8, domain: listed, epsilon: 1, delta },
  { k: 9, domain: listed, epsilon: "1/3", delta: "1e-9", mechanism: "top-k", counts: true },
  { k: 1, domain: listed, epsilon: "1/2", delta: "1e-30", mechanism: "top-k" },
  // A set.
  { k: 4, domain: listed, epsilon: "1/2", set: true },
  { k: 4, domain: listed, epsilon: "1/2", set: true, counts: true },
  { k: 4, domain: listed, rho: "0.02", set: true, counts: true, outsiderShare: "2/3" },
  { k: 2, domain: { kind: "integers", below: 1000 }, rho: "1/7", set: true, outsiderShare: 1 },
];

function ties(n: number): string[] {
  return Array.from({ length: n }, (_, i) => `${i + 1}/${n + 1}`);
}

/** Budgets in every measure; an account without one takes everything. */
const BUDGETS: readonly (BudgetJson | undefined)[] = [
  undefined,
  { measure: "pure", epsilon: "4" },
  { measure: "base2", eta: "6" },
  { measure: "zcdp", rho: "20", delta: "1e-4" },
  { measure: "approx", epsilon: "30", delta: "1e-4" },
  { measure: "renyi", order: "8", epsilon: "40", delta: "1e-4" },
];

const TIME = new Date("2026-01-31T12:00:00Z");
const SOFTWARE = { name: "prove", version: "0" };

async function released(id: string, dataset: string, question: Question) {
  const answer = await select(question, [countsFor(question)], { entropy: seededEntropy(id) });
  return newRelease({
    id,
    dataset,
    time: TIME,
    software: SOFTWARE,
    question,
    answer,
    source: { item: "area", user: "user", dialect: {} },
  });
}

function countsFor({ kind, domain }: Question): CountedItems {
  if (kind === "quantile") return NUMBERS;
  if (kind === "frequencies") return { items: ["40", "3", "1"], users: [1, 2, 5] }; // so many items have so many people
  return domain.kind === "integers" ? { items: ["7", "8", "9"], users: [90, 50, 20] } : COUNTS;
}

/** Some releases name none. */
const ANALYSTS = [{ analyst: "alice" }, { analyst: "\u{1f98a} é" }, undefined];

/** The release, unless the budget refuses it. */
async function recorded(ledger: Ledger, dataset: string, id: string, question: Question, reserves: boolean) {
  try {
    const spender = ANALYSTS[id.length % ANALYSTS.length];
    if (reserves) await ledger.reserve(dataset, id, question, { spender, isNewDataset: true });
    else await ledger.admit(dataset, question, { spender });
    return [
      await ledger.record(dataset, await released(id, dataset, question), { spender, isNewDataset: true }),
    ];
  } catch (error) {
    if (error instanceof Refusal && error.code === "over-budget") return [];
    throw error;
  }
}

/** Labels of both kinds, by ε and by ρ. */
async function recordLabels(ledger: Ledger): Promise<PublishedRelease[]> {
  const published: PublishedRelease[] = [];
  for (const task of ["multi-class", "multi-label"] as const)
    for (const budget of [
      { epsilon: "2", delta },
      { rho: "1/3", ...(task === "multi-label" && { delta }) },
    ]) {
      const lists = { task, queries: ["a", "b", "é"], teachers: names(50), labels: names(4) };
      const question = labelsQuestion(lists, budget, "one teacher");
      const loss = lossOfLabels(lists, teacherOptions(lists, budget));
      const answers = lists.queries.map(() => ({ released: false }) as const);
      const id = `labels ${published.length}`;
      published.push(
        await ledger.record(
          "votes",
          labelsRelease({
            id,
            dataset: "votes",
            software: SOFTWARE,
            question,
            lists,
            answers,
            loss,
          } as Parameters<typeof labelsRelease>[0]),
          { isNewDataset: true },
        ),
      );
    }
  return published;
}

function names(n: number): string[] {
  return Array.from({ length: n }, (_, i) => String(i));
}

/** Those in ε first: from the first in ρ on, an (ε, δ) budget counts at one order. */
const IN_ORDER = ASKED.map((_, i) => i).sort(
  (a, b) => Number("rho" in ASKED[a]!) - Number("rho" in ASKED[b]!),
);
/** Of them, under a budget: leads with counts, permute-and-flip, limited domains with either noise, (ε, δ) over a list, sets, Gumbel noise. */
const SOME = [1, 5, 7, 9, 39, 40, 41, 42, 43, 3, 10, 11, 44];

/** Records them all, or a sample; returns the releases as they were published. */
export async function recordAll(path: string, isSample: boolean): Promise<PublishedRelease[]> {
  const ledger = await openLedger(path, { create: true });
  const published: PublishedRelease[] = [];
  try {
    for (const neighbours of ["add-remove", "replace"] as const)
      for (const budget of isSample && neighbours === "replace" ? [undefined] : BUDGETS) {
        const dataset = `${NAMES[0]} ${neighbours} ${budget?.measure ?? "no budget"}`;
        if (budget !== undefined) await ledger.setBudget(dataset, budget);
        for (const i of isSample && budget !== undefined ? SOME : IN_ORDER) {
          const question = readQuestion({ ...ASKED[i]!, neighbours, unit: "one person" });
          const reserves = budget !== undefined && i % 2 === 0;
          published.push(...(await recorded(ledger, dataset, `${dataset} ${i}`, question, reserves)));
        }
      }
    published.push(...(await recordLabels(ledger)));
  } finally {
    ledger.close();
  }
  return published;
}

const sizes = fc
  .tuple(fc.integer({ min: 1, max: 999 }), fc.integer({ min: 1, max: 400 }))
  .map((pair) => pair.join("/"));

/** A question of the list with other numbers in it. */
const randomly = fc
  .record({
    asked: fc.constantFrom(...ASKED.filter(({ kind }) => kind !== "frequencies")), // whose tables take minutes at small ε
    size: sizes,
    failure: fc.integer({ min: 2, max: 30 }).map((digits) => `3e-${digits}`),
    k: fc.integer({ min: 1, max: 9 }),
    bound: fc.integer({ min: 1, max: 12 }),
    neighbours: fc.constantFrom("add-remove", "replace"),
  })
  .map(
    ({ asked, size, failure, k, bound, neighbours }): Asked => ({
      ...asked,
      neighbours,
      ...(asked.rho === undefined ? { epsilon: size } : { rho: size }),
      ...(asked.delta !== undefined && { delta: failure }),
      ...(asked.k !== undefined && asked.mechanism !== "permute-and-flip" && { k }),
      ...(asked.maxItemsPerUser !== undefined && { maxItemsPerUser: bound }),
    }),
  );

/** So many releases at random parameters, as many as can be asked of them. */
export async function recordRandom(path: string, runs: number): Promise<PublishedRelease[]> {
  const ledger = await openLedger(path, { create: true });
  const published: PublishedRelease[] = [];
  try {
    for (const [i, input] of fc.sample(randomly, runs).entries()) {
      const question = asked({ ...input, unit: "one person" });
      if (question === undefined) continue;
      const dataset = question.neighbours;
      published.push(...(await recorded(ledger, dataset, `random ${i}`, question, false)));
    }
  } finally {
    ledger.close();
  }
  return published;
}

/** The question, unless it can't be asked. */
function asked(input: QuestionInput): Question | undefined {
  try {
    return readQuestion(input);
  } catch (error) {
    if (error instanceof WinnowError) return undefined;
    throw error;
  }
}

/** Budgets with room for thousands of small losses. */
const ROOMY: readonly BudgetJson[] = [
  { measure: "zcdp", rho: "9999", delta: "1/2" },
  { measure: "approx", epsilon: "9999", delta: "1/2" },
  { measure: "renyi", order: "8", epsilon: "9999", delta: "1/2" },
];

/** So many releases, no two at the same price, to a data set with a budget in zCDP, in (ε, δ) and in Rényi each. */
export async function recordDifferent(path: string, counts: readonly number[]): Promise<PublishedRelease[]> {
  const ledger = await openLedger(path, { create: true });
  const published: PublishedRelease[] = [];
  try {
    for (const [n, budget] of ROOMY.entries()) {
      const count = counts[n]!;
      const dataset = `different ${budget.measure}`;
      await ledger.setBudget(dataset, budget);
      for (let i = 0; i < count; i++) {
        const size = `${1001 + i}/${10 ** (5 + (i % 3))}`;
        const input = i % 10 === 9 ? ({ ...UNKNOWN, delta } as const) : { k: 2, domain: listed };
        const budgeted = (i < count / 3 || i % 2 === 0) && i % 10 !== 9 ? { epsilon: size } : { rho: size };
        const question = readQuestion({ ...input, ...budgeted, unit: "one person" });
        published.push(...(await recorded(ledger, dataset, `${dataset} ${i}`, question, i % 20 === 9)));
      }
    }
  } finally {
    ledger.close();
  }
  return published;
}

const UNKNOWN = { k: 3, domain: unknown, mechanism: "limited-top-k" } as const;

/** The account of a ledger counts at least what core's budget does for the same charges, and not much more. */
export async function expectCountedAlike(
  path: string,
  dataset: string,
  releases: readonly PublishedRelease[],
): Promise<void> {
  const ledger = await openLedger(path, { readOnly: true });
  const account = await ledger.account(dataset);
  ledger.close();
  const limit = readBudget(account.budgetJson!);
  const budget = budgetOf(limit);
  for (const { loss, charge } of releases.filter((release) => release.dataset === dataset))
    budget.charge(lossFromJson(exact(charge?.settled ?? loss)));
  const size = (loss: Loss) =>
    rational(
      loss.measure === "renyi"
        ? loss.curve.at(limit.orders[0]!)
        : loss.measure === "zcdp"
          ? loss.rho
          : loss.measure === "base2"
            ? loss.eta
            : loss.epsilon,
    ).toNumber();
  expect(size(account.spent), dataset).toBeGreaterThanOrEqual(size(budget.spent) * (1 - 1e-12));
  expect(size(account.spent), dataset).toBeLessThanOrEqual(size(budget.spent) * 1.2);
  for (const loss of account.totals) expect(lossFromJson(lossToJson(loss))).toEqual(loss);
}

function exact(loss: object): object {
  return Object.fromEntries(Object.entries(loss).filter(([name]) => name !== "readable"));
}
