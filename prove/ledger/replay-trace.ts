/**
 * A trace of the model, step by step, on a real ledger: each run has a connection of its own to one store (memory, a SQLite file,
 * a PostgreSQL server or the database of a browser), and dies where the trace says so. Within a transaction, that is an error at COMMIT, after which nothing
 * of it may be there. On a server the connection is also lost at some COMMITs of runs that live, before or after the server
 * has it, and the run must end as the model says all the same.
 * @module
 */
import { join } from "node:path";
import pg from "pg";
import { rational } from "winnow-dp";
import {
  chain,
  Ledger,
  lossOf,
  type Question,
  Refusal,
  type Release,
  readQuestion,
  releaseLoss,
  type Store,
} from "winnow-release";
import { createLedger } from "../../packages/cli/src/ledger/ledger-file.js";
import { openLedger, readLedgerAddress } from "../../packages/cli/src/ledger/open-ledger.js";
import { connectTo, LostConnection, type Session } from "../../packages/cli/src/ledger/postgres-session.js";
import { PostgresStore } from "../../packages/cli/src/ledger/postgres-store.js";
import { Connection } from "../../packages/cli/src/ledger/sqlite-connection.js";
import { SqliteStore } from "../../packages/cli/src/ledger/sqlite-store.js";
import type { Step } from "./spin.js";

/** At most two rounds of 1/20 each, as the model's PRICE of 2, and a budget of three. */
const QUESTION: Question = readQuestion({
  k: 2,
  domain: { kind: "unknown" },
  rho: "1/10",
  delta: "1e-6",
  unit: "one person",
});
const BUDGET = { measure: "zcdp", rho: "3/20", delta: "1e-3" } as const;
const DATASET = "visits";

/** As the model's `Auditor` starts them. */
const IDS = ["a", "a", "b"];

class Death extends Error {}

/** What befalls a run at its next COMMIT. */
type Fate = "dies" | "lost before" | "lost after" | undefined;

interface Fated {
  fate: Fate;
}

/** A run: a ledger on its own connection, and its fate. */
class Runner implements Fated {
  readonly ledger: Ledger;
  readonly id: string;
  readonly isServed: boolean;
  fate: Fate;
  #draws = 0;
  /** What the run has in its hands: a service prints it whatever became of its ledger. */
  #answer: object | undefined;

  /** With a store of its own, or as a request to a service, which has one ledger for all. */
  constructor(id: string, open: Ledger | ((runner: Fated) => Store)) {
    this.isServed = open instanceof Ledger;
    this.ledger =
      open instanceof Ledger ? open : new Ledger(open(this), { software: { name: "prove", version: "0" } });
    this.id = id;
  }

  /** What really happens at a step; the trace says only whether the run dies in it and what its answer costs. */
  async take({ run, step, outcome }: Step, fate: Fate): Promise<string> {
    this.fate = outcome === "dies" ? "dies" : fate;
    try {
      switch (step) {
        case "find":
          return await this.#find();
        case "admit":
          await this.ledger.admit(DATASET, QUESTION);
          return "fits";
        case "reserve":
          await this.ledger.reserve(DATASET, this.id, QUESTION);
          return "committed";
        case "record":
          return await this.#record(run, outcome === "committed 1" ? 1 : 2);
        case "publish":
          return `publish ${await this.#cost()}`;
        default:
          return outcome; // a death between two steps
      }
    } catch (error) {
      if (error instanceof Death) return "dies";
      // Of a run that is dead nobody hears that it doesn't know.
      if (isRefusal(error)) return error.code === "charge-unknown" ? "dies" : error.code;
      throw error;
    } finally {
      this.fate = undefined;
    }
  }

  async #find(): Promise<string> {
    this.#answer = await this.ledger.find(this.id, { dataset: DATASET, question: QUESTION });
    if (this.#answer !== undefined) return "stored";
    return (await this.ledger.reservation(this.id)) === undefined ? "nothing" : "reservation-open";
  }

  async #record(run: number, rounds: number): Promise<string> {
    const release = releaseOf(this.id, `run ${run} draw ${this.#draws++}`, rounds);
    const recorded = await this.ledger.record(DATASET, release);
    this.#answer = recorded;
    return recorded.answer.note === release.answer.note ? `committed ${roundsOf(recorded)}` : "stored";
  }

  /** What the answer that is printed was counted as. */
  async #cost(): Promise<number> {
    return roundsOf(this.isServed ? this.#answer! : (await this.ledger.find(this.id))!);
  }
}

function isRefusal(error: unknown): error is Refusal {
  return error instanceof Refusal;
}

/** One round: the list was empty. Two: one name, and then the end. */
function releaseOf(id: string, name: string, rounds: number) {
  const winners = rounds === 1 ? [] : [{ item: name }];
  return {
    id,
    dataset: DATASET,
    time: new Date(0).toISOString(),
    software: { name: "prove", version: "0" },
    question: QUESTION,
    loss: releaseLoss(lossOf(QUESTION)),
    answer: { released: rounds > 1, k: 2, winners, ordered: true, stopped: true, note: name },
  };
}

/** A release is counted as nearly 1/20 for each of its rounds: the scale of its noise is rounded up. */
function roundsOf(release: object): number {
  const { charge } = release as Pick<Release, "charge">;
  if (charge === undefined || !("rho" in charge.settled)) throw new Error("not settled in ρ");
  return Math.round(rational(charge.settled.rho).times(20n).toNumber());
}

export interface Replayed {
  /** What happened at each step, and what the model says. */
  readonly differences: readonly string[];
  readonly findings: readonly unknown[];
}

/** On a SQLite file in the folder. */
export async function replayOnFile(trace: readonly Step[], folder: string): Promise<Replayed> {
  const path = join(folder, "ledger");
  createLedger(path);
  const connections = await Promise.all(IDS.map(() => Connection.open(path, 1000)));
  const runners = IDS.map((id, run) => {
    const connection = connections[run];
    return new Runner(id, (runner) => {
      const exec = connection.exec.bind(connection);
      connection.exec = (sql) => {
        if (sql === "COMMIT" && runner.fate === "dies") throw new Death();
        exec(sql);
      };
      return new SqliteStore(path, connection);
    });
  });
  return replay(trace, runners, []);
}

/** On a store of any kind; each run has a connection of its own. */
export async function replayOn(trace: readonly Step[], open: () => Promise<Store>): Promise<Replayed> {
  const stores = await Promise.all(IDS.map(open));
  const runners = IDS.map((id, run) => new Runner(id, (runner) => fated(stores[run], runner)));
  return replay(trace, runners, []);
}

/** A store whose transactions end in the death of a run that is fated to die, after all of their work. */
function fated(store: Store, runner: Fated): Store {
  return new Proxy(store, {
    get(_, name) {
      const part = Reflect.get(store, name);
      if (name === "writing" || name === "reading")
        return (work: () => Promise<unknown>) =>
          store[name](async () => {
            const result = await work();
            if (runner.fate === "dies") throw new Death();
            return result;
          });
      return typeof part === "function" ? part.bind(store) : part;
    },
  });
}

/** On a PostgreSQL server, whose address this is. */
export async function replayOnServer(trace: readonly Step[], location: string): Promise<Replayed> {
  const { address, name } = readLedgerAddress(location)!;
  const connecting = (runner: Fated) => async (): Promise<Session> => {
    if (runner.fate === "dies") throw new Death();
    const session = await connectTo(address);
    const query: Session["query"] = async (sql, values) => {
      const { fate } = runner;
      if (sql !== "COMMIT" || fate === undefined) return session.query(sql, values);
      if (fate === "lost after") await session.query(sql);
      if (fate !== "dies") runner.fate = undefined;
      throw new LostConnection();
    };
    return { ...session, query };
  };
  const runners = IDS.map(
    (id) => new Runner(id, (runner) => new PostgresStore(name, connecting(runner), 5000)),
  );
  return replay(trace, runners, [undefined, "lost before", "lost after"]);
}

/** A step of someone who isn't a run: what happens, or nothing. */
type Other = (step: string) => Promise<void>;

/** A charge of one round, as another program appends it. */
function oneRound(id: string) {
  const loss = { measure: "zcdp", rho: "1/20" } as const;
  return { ...releaseOf(id, id, 1), question: { k: 1 }, loss };
}

/** On a server whose owner takes a copy and puts it back under a service. */
export async function replayRollback(trace: readonly Step[], location: string): Promise<Replayed> {
  const owner = new pg.Client(location);
  await owner.connect();
  const service = await openLedger(location, { isServed: true });
  const tables = ["log", "head", "accounts", "releases", "summarised", "sources"];
  const other: Other = async (step) => {
    if (step === "copies")
      for (const table of tables) await owner.query(`CREATE TABLE copy_${table} AS TABLE ${table}`);
    else if (step === "restores")
      await owner.query(
        `BEGIN; SET LOCAL session_replication_role = replica;
        ${tables.map((table) => `DELETE FROM ${table}; INSERT INTO ${table} TABLE copy_${table}`).join(";")}; COMMIT`,
      );
    else {
      const ledger = await openLedger(location);
      await ledger.record(DATASET, oneRound("another"));
      await ledger.close();
    }
  };
  try {
    await owner.query("CREATE SCHEMA copies; SET search_path = copies, winnow_ledger");
    const runners = IDS.map((id) => new Runner(id, service));
    return await replay(trace, runners, [], other);
  } finally {
    await owner.end();
    await service.close();
  }
}

/** On a server where an account that may only charge does what it likes. */
export async function replayLiar(
  trace: readonly Step[],
  location: string,
  liar: string,
): Promise<Replayed & { readonly forged: number }> {
  const client = new pg.Client(liar);
  await client.connect();
  let [lies, forged] = [0, 0];
  const { address, name } = readLedgerAddress(location)!;
  const other: Other = async (step) => {
    const { rows } = await client.query("SELECT sequence::int, hash FROM winnow_ledger.head");
    const release = oneRound(`lie ${lies++}`);
    const { text } = await chain({ kind: "release", release }, rows[0]);
    if (step === "appends") await client.query("SELECT winnow_ledger.append(ARRAY[$1], NULL)", [text]);
    else
      for (const forgery of [
        "UPDATE winnow_ledger.accounts SET summary = $1",
        "SELECT winnow_ledger.append(ARRAY[$1], ARRAY['{}'], NULL)",
        "SELECT winnow_ledger.append(ARRAY[replace($1, 'lie', 'a lie') || ' '], NULL)",
      ])
        await client.query(forgery, [text]).then(
          () => forged++,
          () => {},
        );
  };
  try {
    const runners = IDS.map(
      (id) => new Runner(id, () => new PostgresStore(name, () => connectTo(address), 5000)),
    );
    return { ...(await replay(trace, runners, [], other)), forged };
  } finally {
    await client.end();
  }
}

async function replay(
  trace: readonly Step[],
  runners: Runner[],
  fates: readonly Fate[],
  other: Other = async () => {},
): Promise<Replayed> {
  await runners[0].ledger.setBudget(DATASET, BUDGET);
  const differences: string[] = [];
  for (const [place, step] of trace.entries()) {
    const runner = runners[step.run];
    if (runner === undefined) {
      await other(step.step);
      continue;
    }
    const happened = await runner.take(step, fates[place % fates.length]);
    const expected = step.step === "publish" ? `publish ${step.outcome}` : step.outcome;
    if (happened !== expected) differences.push(`${step.run} ${step.step}: ${happened}, not ${expected}`);
  }
  if (runners.some(({ isServed }) => isServed)) return { differences, findings: [] };
  const findings = await runners[0].ledger.verify().then(
    (report) => report.findings,
    (error: unknown) => [isRefusal(error) ? error.code : error],
  );
  for (const { ledger } of runners) await ledger.close();
  return { differences, findings };
}
