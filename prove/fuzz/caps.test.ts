import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import Database from "libsql";
import { describe, expect, it } from "vitest";
import { rational } from "winnow-dp";
import {
  type Ledger,
  lossOf,
  type Question,
  Refusal,
  readQuestion,
  releaseLoss,
  type Spender,
} from "winnow-release";
import { openLedger } from "../../packages/cli/src/ledger/open-ledger.js";
import { Fuzzer } from "./fuzzer.js";

/** Who asks which service about which data set, at which price in twelfths of ε. */
interface Ask {
  readonly analyst: string | undefined;
  readonly service: number;
  readonly dataset: string;
  readonly price: number;
  readonly reserves: boolean;
}

interface Case {
  /** Of each data set, in twelfths. */
  readonly budget: number;
  /** Of each analyst on each data set. */
  readonly cap: number;
  /** Those of one group are asked at once. */
  readonly groups: readonly (readonly Ask[])[];
}

const ask: fc.Arbitrary<Ask> = fc.record({
  analyst: fc.constantFrom("alice", "alice", "alice", 'al"ice', undefined),
  service: fc.nat(1),
  dataset: fc.constantFrom("visits", "visits", "orders"),
  price: fc.integer({ min: 1, max: 9 }),
  reserves: fc.boolean(),
});
const cases: fc.Arbitrary<Case> = fc.record({
  budget: fc.integer({ min: 8, max: 24 }),
  cap: fc.integer({ min: 3, max: 12 }),
  groups: fc.array(fc.array(ask, { minLength: 2, maxLength: 5 }), { minLength: 2, maxLength: 5 }),
});

const inTwelfths = (epsilon: number) =>
  ({ measure: "pure", epsilon: String(rational(`${epsilon}/12`)) }) as const;

function questionOf({ price }: Ask): Question {
  const domain = { kind: "integers", below: 5 } as const;
  return readQuestion({
    k: 1,
    domain,
    mechanism: "permute-and-flip",
    epsilon: `${price}/12`,
    unit: "one person",
  });
}

/** How a service asks its ledger; a broken one forgets something. */
type Service = (ledger: Ledger, id: string, asked: Ask, spender: Spender | undefined) => Promise<void>;

const release = (id: string, asked: Ask) => ({
  id,
  dataset: asked.dataset,
  time: "2026-01-02T03:04:05.678Z",
  software: { name: "fuzz", version: "0" },
  question: questionOf(asked),
  loss: releaseLoss(lossOf(questionOf(asked))),
});

const honest: Service = async (ledger, id, asked, spender) => {
  if (asked.reserves) await ledger.reserve(asked.dataset, id, questionOf(asked), { spender });
  await ledger.record(asked.dataset, release(id, asked), { spender });
};

const uncapped = (spender: Spender | undefined) => spender && { analyst: spender.analyst };

const BROKEN: readonly (readonly [string, Service])[] = [
  [
    "looks at the cap before the transaction",
    async (ledger, id, asked, spender) => {
      await ledger.admit(asked.dataset, questionOf(asked), { spender });
      await ledger.record(asked.dataset, release(id, asked), { spender: uncapped(spender) });
    },
  ],
  [
    "has no cap for reservations",
    async (ledger, id, asked, spender) => {
      if (asked.reserves)
        await ledger.reserve(asked.dataset, id, questionOf(asked), { spender: uncapped(spender) });
      await ledger.record(asked.dataset, release(id, asked), { spender });
    },
  ],
];

/** Nothing is overspent at any entry, what was refused doesn't fit, and what is stored is what the log adds up to. */
async function isKept({ budget, cap, groups }: Case, service: Service): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "winnow-caps-"));
  try {
    const path = join(folder, "ledger");
    const ledgers = [await openLedger(path, { create: true }), await openLedger(path)];
    for (const dataset of ["visits", "orders"]) await ledgers[0]!.setBudget(dataset, inTwelfths(budget));
    let asks = 0;
    for (const group of groups) {
      const outcomes = await Promise.all(
        group.map(async (asked) => {
          const spender =
            asked.analyst === undefined ? undefined : { analyst: asked.analyst, cap: inTwelfths(cap) };
          return isRefused(service(ledgers[asked.service]!, `r${asks++}`, asked, spender));
        }),
      );
      const spent = await replayed(ledgers[0]!, budget, cap);
      for (const [i, { dataset, analyst, price }] of group.entries()) {
        if (!outcomes[i]) continue;
        const fits = spent(dataset) + price <= budget;
        expect(fits && (analyst === undefined || spent(dataset, analyst) + price <= cap), "refused").toBe(
          false,
        );
      }
    }
    for (const ledger of ledgers) expect((await ledger.verify()).findings).toEqual([]);
    const kept = stored(path);
    stored(path, "UPDATE summarised SET sequence = 0");
    await ledgers[1]!.setBudget("visits", inTwelfths(budget)); // no entry, but the data are derived and stored anew
    expect(stored(path)).toEqual(kept);
    for (const ledger of ledgers) await ledger.close();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function isRefused(work: Promise<void>): Promise<boolean> {
  try {
    await work;
    return false;
  } catch (error) {
    if (error instanceof Refusal && error.code === "over-budget") return true;
    throw error;
  }
}

/** Adds up the log, in integers. */
async function replayed(ledger: Ledger, budget: number, cap: number) {
  const sums = new Map<string, number>();
  const spent = (dataset: string, analyst?: string) => sums.get(JSON.stringify([dataset, analyst])) ?? 0;
  const known = new Set<string>();
  for await (const entry of ledger.entries()) {
    if (entry.kind === "budget" || entry.kind === "key") continue;
    const { id, dataset, analyst, loss } = entry.kind === "release" ? entry.release : entry;
    if (known.has(id)) continue; // it was reserved
    known.add(id);
    const price = "epsilon" in loss ? rational(loss.epsilon).times(12n).toNumber() : Number.NaN;
    for (const who of new Set([undefined, analyst]))
      sums.set(JSON.stringify([dataset, who]), spent(dataset, who) + price);
    expect(spent(dataset), "budget").toBeLessThanOrEqual(budget);
    if (analyst !== undefined) expect(spent(dataset, analyst), "cap").toBeLessThanOrEqual(cap);
  }
  return spent;
}

/** What is stored beside the log, after a statement. */
function stored(path: string, statement?: string): unknown {
  const database = new Database(path);
  try {
    if (statement !== undefined) database.exec(statement);
    const all = (sql: string) => database.prepare(sql).all();
    return [
      all("SELECT * FROM accounts ORDER BY place"),
      all("SELECT * FROM releases ORDER BY id"),
      all("SELECT * FROM summarised"),
    ];
  } finally {
    database.close();
  }
}

describe("budgets and caps", () => {
  const fuzzer = new Fuzzer("caps", cases, 8);

  it("are never overspent by two services, refuse only what doesn't fit, and are stored as the log says", () =>
    fuzzer.holds((example) => isKept(example, honest)));

  it.each(BROKEN)("are missed by a service that %s, and that is noticed", async (_, service) => {
    expect(await fuzzer.refutes((example) => isKept(example, service))).toBe(true);
  });
});
