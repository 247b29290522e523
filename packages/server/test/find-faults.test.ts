/**
 * The checks of race.test.ts on services that are broken on purpose: without that, tests that find nothing would prove nothing. Each
 * is a real service with a broken ledger, and gets the same requests.
 */

import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { type Loss, pure } from "winnow-dp";
import { type ChargeOptions, chain, type Ledger, readEntry } from "winnow-release";
import { openLedger } from "../../cli/src/ledger/open-ledger.js";
import { Connection } from "../../cli/src/ledger/sqlite-connection.js";
import { SqliteStore } from "../../cli/src/ledger/sqlite-store.js";
import type { NewRelease } from "../../release/src/document/release-document.js";
import { StoredLog } from "../../release/src/ledger/stored-log.js";
import type { RecordedAnswer } from "../src/host.js";
import { findFaults, type Request } from "./support/find-faults.js";
import { ask, openService, serviceFolder } from "./support/service-folder.js";

const BUDGET = 20;
const KEYS = Array.from({ length: BUDGET + 4 }, (_, at) => `r${at}`);

/** Appends to a ledger by its chain and triggers alone: without a look at budgets, caps and ids. */
async function uncheckedRecorder(path: string) {
  const store = new SqliteStore(path, await Connection.open(path, 15_000));
  onTestFinished(() => store.close());
  const log = new StoredLog(store);
  let turn: Promise<unknown> = Promise.resolve();
  return (release: NewRelease): Promise<RecordedAnswer> => {
    const mine = turn.then(() =>
      store.writing(async () => {
        await log.refresh();
        const row = await chain({ kind: "release", release }, log.head);
        await log.add({ row, entry: readEntry(row.text) });
        await log.flush();
        return { ...release, ledger: { sequence: row.sequence, head: row.hash } };
      }),
    );
    turn = mine;
    return mine;
  };
}

/** Removes an entry with the trigger out of the way. */
async function dropEntry(path: string, sequence: number): Promise<void> {
  const connection = await Connection.open(path, 15_000);
  await connection.writing(async () => {
    const trigger = "log_is_not_deleted";
    const [row] = connection.all("SELECT sql FROM sqlite_master WHERE name = ?", trigger);
    connection.exec(`DROP TRIGGER ${trigger}`);
    connection.run("DELETE FROM log WHERE sequence = ?", sequence);
    connection.exec(String(row?.sql));
  });
  connection.close();
}

type Break = (sound: Ledger, path: string) => Promise<Broken>;

/** What is put in the place of a ledger's methods. */
interface Broken {
  record?(dataset: string, release: NewRelease, options: ChargeOptions): Promise<RecordedAnswer>;
  find?(...asked: Parameters<Ledger["find"]>): Promise<RecordedAnswer | undefined>;
  admit?(...asked: Parameters<Ledger["admit"]>): Promise<Loss>;
  reservation?(id: string): Promise<unknown>;
  reserve?(...asked: Parameters<Ledger["reserve"]>): Promise<unknown>;
}

const named = (release: NewRelease, spender: { readonly analyst: string } | undefined): NewRelease => ({
  ...release,
  ...(spender && { analyst: spender.analyst }),
});

const BREAKS: readonly (readonly [what: string, fault: RegExp, broken: Break])[] = [
  [
    "admits before the transaction that charges",
    /^overspent: visits$/,
    async (sound, path) => {
      const append = await uncheckedRecorder(path);
      let letGo = () => {};
      const allAreAdmitted = new Promise<void>((resolve) => {
        letGo = resolve;
      });
      let admitted = 0;
      return {
        admit: async (...asked) => {
          const loss = await sound.admit(...asked);
          if (++admitted === KEYS.length) letGo();
          return loss;
        },
        record: async (_, release, { spender }) => {
          await allAreAdmitted;
          return (await sound.find(release.id)) ?? append(named(release, spender));
        },
      };
    },
  ],
  [
    "answers before the charge is stored, and dies",
    /^answered without a charge: bob\.r\d+$/,
    async (sound) => ({
      record: async (dataset, release, options) =>
        release.id.endsWith("7")
          ? { ...named(release, options.spender), ledger: { sequence: 9, head: "0".repeat(64) } }
          : sound.record(dataset, release, options),
    }),
  ],
  [
    "forgets keys, and charges a retry again",
    /^charged twice: bob\.r\d+$/,
    async (_, path) => {
      const append = await uncheckedRecorder(path);
      return {
        find: async () => undefined,
        admit: async () => pure(1),
        record: (_, release, { spender }) => append(named(release, spender)),
      };
    },
  ],
  [
    "answers a retry anew from another draw",
    /^answered other than charged: bob\.r\d+$/,
    async (sound) => ({
      find: async () => undefined,
      admit: async () => pure(1),
      record: async (dataset, release, options) => {
        const { ledger } = await sound.record(dataset, release, options);
        return { ...named(release, options.spender), ledger };
      },
    }),
  ],
  [
    "charges under a key that no one used",
    /^charged unasked: bob\.r\d+-2$/,
    async (sound) => ({
      record: async (dataset, release, options) => {
        if (release.id.endsWith("3"))
          await sound.record(dataset, { ...release, id: `${release.id}-2` }, options);
        return sound.record(dataset, release, options);
      },
    }),
  ],
  [
    "drops an entry of the chain",
    /^chain: Entry \d+ is missing/,
    async (sound, path) => ({
      record: async (dataset, release, options) => {
        const recorded = await sound.record(dataset, release, options);
        if (recorded.ledger.sequence === 9) await dropEntry(path, 8);
        return recorded;
      },
    }),
  ],
];

/** More keys than the budget has room for race, and then all are asked again of a second service: what came, and what is wrong with it. */
async function raced(broken?: Break) {
  const folder = await serviceFolder({ "limits/concurrent": KEYS.length });
  onTestFinished(folder.remove);
  const path = join(folder.path, "team.ledger");
  const sound = await openLedger(path);
  onTestFinished(() => sound.close());
  const wrong: Partial<Record<string, unknown>> = { ...(await broken?.(sound, path)), close: async () => {} };
  const ledger = new Proxy<Ledger>(sound, {
    get(_, name) {
      const part = wrong[String(name)] ?? Reflect.get(sound, name);
      return typeof part === "function" ? part.bind(sound) : part;
    },
  });
  const services = [0, 1].map(() => openService(folder, { openLedger: async () => ledger }));
  const requests: Request[] = [];
  for (const { app } of await Promise.all(services))
    await Promise.all(
      KEYS.map(async (key) => {
        const body = { kind: "top", k: 2, epsilon: "1" };
        const response = await ask(app, "/v1/datasets/visits/releases", { as: "bob", key, body });
        const { status, ok } = response;
        const said = await response.json();
        const reply = { status, code: ok ? undefined : said.code, release: ok ? said : undefined };
        requests.push({ id: `bob.${key}`, reply });
      }),
    );
  for (const { service } of await Promise.all(services)) await service.close();
  const { faults } = await findFaults(sound, { visits: String(BUDGET) }, requests);
  return { faults, answered: requests.filter(({ reply }) => reply.release !== undefined).length };
}

it("a sound service has no faults", async () => {
  expect(await raced()).toEqual({ faults: [], answered: 2 * BUDGET });
});

it.each(BREAKS)("a service that %s is found out", async (_, fault, broken) => {
  const { faults, answered } = await raced(broken);
  expect(answered).toBeGreaterThan(0);
  expect(faults).toContainEqual(expect.stringMatching(fault));
});
