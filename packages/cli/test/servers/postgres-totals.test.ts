import pg from "pg";
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import type { LossJson } from "winnow-dp";
import { uniformBelow } from "winnow-dp/sample";
import { seededEntropy } from "winnow-dp/testing";
import {
  type BudgetJson,
  type ChainRow,
  canonicalJson,
  chain,
  EMPTY_CHAIN,
  type LedgerEntry,
  type NewEntry,
  readEntry,
} from "winnow-release";
import { addTo, nothingDerived } from "../../../release/src/ledger/derived.js";
import { exampleRelease } from "../../../release/test/ledger/laws/place.js";
import { openLedger } from "../../src/ledger/open-ledger.js";
import { describeOnPostgres } from "./support/installed.js";
import { LedgerServer } from "./support/postgres-ledgers.js";

const TIME = "2026-01-02T03:04:05.678Z";
const SOFTWARE = { name: "winnow-test", version: "1.2.3" };
const NAMES = ["visits", 'a"b\\c', "\0\ud800\u2028é😀", '["visits","x"]', '\\\\"\\', "sales"];
const SIZES = [
  "0",
  "1/3",
  "0.25",
  "1e-9",
  "12",
  "1E+2",
  "7/1000000007",
  "123456789.5e-20",
  ".5",
  "3.",
  "1e-200",
  "Infinity",
];
const BUDGETS: readonly BudgetJson[] = [
  { measure: "pure", epsilon: "9" },
  { measure: "zcdp", rho: "1", delta: "1e-6" },
];

type Pick = <T>(choices: readonly T[]) => T;

/** Losses of all measures: often one of a few, else a new one. */
function lossOf(pick: Pick, i: number): LossJson {
  const size = pick([...SIZES, `1/${i + 2}`, `${i}/7`, `1e-${i % 13}`]);
  const delta = pick(["0", "1e-9", `1/${i + 3}`, "1"]);
  const words = pick([{}, { readable: 'ε = "0.5"\n' }]);
  return pick<LossJson>([
    { measure: "pure", epsilon: size, ...words },
    { measure: "base2", eta: size, ...words },
    { measure: "approx", epsilon: size, delta, ...words },
    { measure: "pure", epsilon: size, ...words },
    { measure: "approx", epsilon: size, delta, ...words },
    { measure: "zcdp", rho: size, ...pick([{}, { delta }]), ...words },
  ]);
}

/** Entries of every kind, about few accounts: reservations that are settled, never settled, or for another's id. */
function entryOf(pick: Pick, i: number, isLate: boolean, open: NewEntry[]): NewEntry {
  const loss = () => {
    for (;;) {
      const some = lossOf(pick, i);
      if (isLate || some.measure !== "zcdp") return some;
    }
  };
  const dataset = pick(NAMES.slice(0, 2 + (i % 4)));
  const named = { dataset, time: TIME, software: SOFTWARE };
  const question = pick<unknown>([
    { k: 3, unit: `unit ${i % 23} "\ud800`, neighbours: pick(["add-remove", 5]) },
    { neighbours: "replace", unit: null, weights: [1e-7, -1.5, 1e21, 123456789012345680000, 5e-324, 0.1] },
    { k: i },
    [],
    null,
  ]);
  const analyst = pick([undefined, "alice", 'bob "the \\ b" é😀', undefined]);
  const id = `${pick(["r", 'q"\\', "😀"])}${i}`;
  const kind = pick(["release", "release", "release", "reservation", "settle", "settle", "budget"] as const);
  const charge = pick([{}, {}, { charge: { reserved: loss(), settled: loss() } }]);
  if (kind === "budget" && pick([true, false])) return { kind, ...named, budget: pick(BUDGETS) };
  if (kind === "reservation") {
    const reservation = { kind, id, analyst, question, loss: loss(), ...named } as const;
    open.push(reservation);
    return reservation;
  }
  const reserved = kind === "settle" ? open.splice(uniformIndex(pick, open.length), 1)[0] : undefined;
  const asked =
    reserved?.kind === "reservation"
      ? { id: reserved.id, dataset: reserved.dataset, analyst: reserved.analyst, question: reserved.question }
      : { id, dataset, analyst, question };
  const answer = {
    winners: ["\0", "\ud800", "\\u0000", "\u007f\u2028", "😀"],
    counts: { a: [[], {}], b: true },
  };
  const release = { ...named, ...asked, loss: loss(), ...charge, answer };
  return { kind: "release", release };
}

function uniformIndex(pick: Pick, length: number): number {
  return length === 0 ? 0 : pick(Array.from({ length }, (_, i) => i));
}

/** Some logs begin with losses that have an ε of their own; some have enough of them that charges are folded. */
async function randomLog(seed: string, length: number): Promise<ChainRow[]> {
  const entropy = seededEntropy(seed);
  const pick: Pick = (choices) => choices[uniformBelow(choices.length, entropy)]!;
  const lateFrom = pick([0, length / 2, length]);
  const [rows, open]: [ChainRow[], NewEntry[]] = [[], []];
  for (let i = 0; i < length; i++)
    rows.push(await chain(entryOf(pick, i, i >= lateFrom, open), rows.at(-1) ?? EMPTY_CHAIN));
  return rows;
}

describeOnPostgres("what a PostgreSQL server counts itself", () => {
  let ledgers: LedgerServer;
  beforeAll(async () => {
    ledgers = await LedgerServer.start();
  });
  afterAll(() => ledgers?.stop());

  const connected = async (location: string) => {
    const client = new pg.Client(location);
    await client.connect();
    onTestFinished(() => client.end());
    return client;
  };

  const kept = async (client: pg.Client) => ({
    accounts: (
      await client.query({
        text: "SELECT dataset, summary FROM winnow_ledger.accounts ORDER BY place",
        rowMode: "array",
      })
    ).rows,
    places: (
      await client.query({
        text: "SELECT id, sequence::int FROM winnow_ledger.releases ORDER BY id",
        rowMode: "array",
      })
    ).rows,
  });

  const derivedOf = (entries: readonly LedgerEntry[]) => {
    const derived = nothingDerived();
    for (const entry of entries) addTo(derived, entry);
    const bytes = (text: string) => Buffer.from(text);
    return {
      accounts: [...derived.accounts].map(([key, summary]) => [key, canonicalJson(summary)]),
      places: [...derived.places].sort(([a], [b]) => Buffer.compare(bytes(a), bytes(b))),
    };
  };

  const LENGTH = process.env.PROVE === "all" ? 3000 : 400;
  const met = new Set<string>();
  it.each(["one", "two", "three"])(
    "is what this program derives, byte by byte, after entries of every kind: %s",
    async (seed) => {
      const client = await connected(await ledgers.fresh());
      const rows = await randomLog(seed, LENGTH);
      for (let at = 0; at < rows.length; ) {
        const batch = rows.slice(at, at + (at % 3 === 0 ? 1 : 40));
        await client.query("SELECT * FROM winnow_ledger.append($1, NULL)", [batch.map(({ text }) => text)]);
        at += batch.length;
      }
      const stored = await kept(client);
      expect(stored).toEqual(derivedOf(rows.map(({ text }) => readEntry(text))));
      for (const sign of [
        "isFolded",
        "counted",
        "promised",
        "budgetSequence",
        "settled",
        "reservation",
        "unit 16",
      ])
        if (JSON.stringify(stored.accounts).includes(sign)) met.add(sign);
    },
  );

  it("those logs led to every part of a summary", () => {
    expect(met.size).toBe(7);
  });

  /** An account with ε = 10, all of it spent, and a client that may only charge. */
  const spent = async () => {
    const location = await ledgers.fresh();
    const owner = await openLedger(location);
    onTestFinished(() => owner.close());
    await owner.setBudget("visits", { measure: "pure", epsilon: "10" });
    await owner.record("visits", exampleRelease("all", { loss: { measure: "pure", epsilon: "10" } }));
    const charger = await connected(ledgers.asCharger(location));
    const head = async () => {
      const { rows } = await charger.query("SELECT sequence::int, hash FROM winnow_ledger.head");
      return rows[0] as { sequence: number; hash: string };
    };
    const append = (...lines: readonly (string | null)[]) =>
      charger.query("SELECT * FROM winnow_ledger.append($1, NULL)", [lines]);
    const next = async (entry: NewEntry) => (await chain(entry, await head())).text;
    return { location, owner, charger, head, append, next };
  };
  const tiny = { measure: "pure", epsilon: "1/1000000" } as const;
  const release = (id: string, more: object = {}): NewEntry => ({
    kind: "release",
    release: { ...exampleRelease(id, { dataset: "other", loss: tiny }), ...more },
  });

  it("an account that may only charge can't pass a total, for its own account or another", async () => {
    const { owner, charger, append, next } = await spent();
    const summary = '{"budget":{"epsilon":"1000","measure":"pure"},"charges":[],"releases":0,"units":[]}';
    const text = await next(release("a"));
    for (const call of [
      "SELECT winnow_ledger.append($1, $2, $3)",
      "SELECT winnow_ledger.append(3, $2, $1, ARRAY['\"visits\"'], ARRAY[$3], '{}', NULL)",
    ])
      await expect(charger.query(call, [text, "hash", summary])).rejects.toMatchObject({ code: "42883" });
    for (const call of [
      "summary_after('{}', '{}', false)",
      "keep_places('{}')",
      "with_charge('{}', '{}', true)",
      "with_budget('{}', '{}', false)",
    ])
      await expect(charger.query(`SELECT winnow_ledger.${call}`)).rejects.toMatchObject({ code: "42501" });
    await append(text);
    await expect(owner.record("visits", exampleRelease("more"))).rejects.toThrow(
      /remaining budget of "visits" is epsilon = 0/,
    );
    expect((await owner.account("other")).releases).toBe(1);
    expect((await owner.verify()).findings).toEqual([]);
  });

  it("an account that may only charge can't raise a budget, or settle what another reserved for other parameters", async () => {
    const { owner, append, next, head } = await spent();
    const budget = { measure: "pure", epsilon: "1000" } as const;
    const named = { dataset: "other", time: TIME, software: SOFTWARE };
    await expect(
      append(await next({ kind: "budget", ...named, dataset: "visits", budget })),
    ).rejects.toMatchObject({
      code: "WL003",
    });
    const reservation = {
      kind: "reservation",
      id: "june",
      question: { k: 1 },
      loss: tiny,
      ...named,
    } as const;
    await append(await next(reservation));
    for (const other of [{ question: { k: 2 } }, { dataset: "sales" }, { analyst: "mallory" }])
      await expect(
        append(await next(release("june", { question: { k: 1 }, ...other }))),
      ).rejects.toMatchObject({ code: "WL001" });
    await expect(append(await next({ ...reservation, id: "all" }))).rejects.toMatchObject({ code: "WL001" });
    await expect(append(await next(release("all")))).rejects.toMatchObject({ code: "23505" });
    await append(await next(release("june", { question: { k: 1 } })));
    expect((await head()).sequence).toBe(4);
    expect((await owner.verify()).findings).toEqual([]);
  });

  it("an account that may only charge can't append anything but the canonical text of the next entry", async () => {
    const { owner, charger, append, next, head } = await spent();
    const good = await next(release("a", { question: { k: 5, unit: "é" } }));
    const { sequence, hash } = await head();
    const junk = `{"junk":1,"kind":"release","previous":"${hash}","sequence":${sequence + 1}}`;
    const changed = (from: string | RegExp, to: string) => {
      const text = good.replace(from, to);
      expect(text).not.toBe(good);
      return text;
    };
    const lines = [
      junk,
      "",
      "null",
      "[]",
      "{",
      changed("winnow-ledger/1", "winnow-ledger/2"),
      changed('"kind":"release"', '"kind":"gift"'),
      changed(hash, "0".repeat(64)),
      changed(`"sequence":${sequence + 1}`, `"sequence":${sequence + 2}`),
      changed(`"sequence":${sequence + 1}`, `"sequence":"${sequence + 1}"`),
      changed('"k":5', '"k":5.0'),
      changed('"k":5', '"k":5e0'),
      changed('"k":5', '"k":-0'),
      changed('"k":5', '"k":0.30000000000000004441'),
      changed('"k":5', '"k":1e400'),
      changed('"k":5', '"k":1E5'),
      changed('"k":5', '"k": 5'),
      changed('"k":5', '"k":5,"k":5'),
      changed('"k":5', '"z":5'),
      changed("é", "\\u00e9"),
      changed("é", "\\/"),
      changed("é", "\\ud83d\\ude00"),
      changed("é", "\t"),
      changed('"id":"a"', '"id":"\\u0000june"'),
      changed('"id":"a"', '"id":""'),
      changed('"id":"a"', '"id":7'),
      changed('"id":"a"', '"analyst":"eve ","id":"a"'),
      changed('"id":"a"', '"analyst":null,"id":"a"'),
      changed(/"epsilon":"[^"]*"/, '"epsilon":"-1"'),
      changed(/"epsilon":"[^"]*"/, '"epsilon":"little"'),
      changed(/"epsilon":"[^"]*"/, '"epsilon":"1/0"'),
      changed(/"epsilon":"[^"]*"/, '"epsilon":1'),
      changed(/"epsilon":"[^"]*"/, '"delta":"0","epsilon":"1"'),
      changed(/"epsilon":"[^"]*","measure":"pure"/, '"delta":"2","measure":"zcdp","rho":"1"'),
      changed(/"epsilon":"[^"]*","measure":"pure"/, '"epsilon":"1","measure":"approx"'),
      changed('"id":"a"', '"charge":{"settled":{"epsilon":"1","measure":"pure"}},"id":"a"'),
    ];
    for (const line of lines) await expect(append(line), line).rejects.toMatchObject({ code: "WL001" });
    await expect(append(null)).rejects.toMatchObject({ code: expect.stringMatching(/^(WL001|23502)$/) });
    await charger.query(
      "SET standard_conforming_strings = off; SET extra_float_digits = -15; SET search_path = pg_temp",
    );
    await expect(append(changed('"k":5', '"k":0.1000000000000000055'))).rejects.toMatchObject({
      code: "WL001",
    });
    await append(good);
    expect(await head()).toMatchObject({ sequence: sequence + 1 });
    expect((await owner.verify()).findings).toEqual([]);
  });

  it("entries that the owner inserted around the function are counted before anything else is", async () => {
    const { location, append, next, head, owner } = await spent();
    const text = await next(release("around"));
    await ledgers.sql(
      location,
      `INSERT INTO log SELECT 3, encode(sha256(convert_to(line, 'UTF8')), 'hex'), line FROM (VALUES ($line$${text}$line$)) AS one (line)`,
    );
    await expect(append(await next(release("b")))).rejects.toMatchObject({ code: "WL004" });
    await owner.record("other", exampleRelease("b"));
    await append(await next(release("c")));
    expect((await head()).sequence).toBe(5);
    expect((await owner.account("other")).releases).toBe(3);
    expect((await owner.verify()).findings).toEqual([]);
  });
});
