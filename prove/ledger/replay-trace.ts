/**
 * A trace of the model, step by step, on a real ledger: each run has a connection of its own to one SQLite file, and dies
 * where the trace says so. Within a transaction, that is an error at COMMIT, after which nothing of it may be there.
 * @module
 */
import { join } from "node:path";
import { rational } from "winnow-dp";
import { lossOf, type Question, type Release, readQuestion, releaseLoss } from "winnow-release";
import { Connection } from "../../packages/cli/src/ledger/connection.js";
import { Ledger } from "../../packages/cli/src/ledger/ledger.js";
import { createLedger } from "../../packages/cli/src/ledger/ledger-file.js";
import { SqliteStore } from "../../packages/cli/src/ledger/sqlite-store.js";
import { Refusal } from "../../packages/cli/src/refusal.js";
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

/** A run: a ledger on its own connection, which can be told to die at COMMIT. */
class Runner {
  readonly ledger: Ledger;
  readonly id: string;
  #diesAtCommit = false;
  #draws = 0;

  constructor(path: string, connection: Connection, id: string) {
    const exec = connection.exec.bind(connection);
    connection.exec = (sql) => {
      if (sql === "COMMIT" && this.#diesAtCommit) throw new Death();
      exec(sql);
    };
    this.ledger = new Ledger(new SqliteStore(path, connection));
    this.id = id;
  }

  /** What really happens at a step; the trace says only whether the run dies in it and what its answer costs. */
  async take({ run, step, outcome }: Step): Promise<string> {
    this.#diesAtCommit = outcome === "dies";
    try {
      switch (step) {
        case "find":
          return await this.#find();
        case "admitsQuestion":
          await this.ledger.admitsQuestion(DATASET, QUESTION);
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
      if (error instanceof Refusal) return error.code;
      throw error;
    } finally {
      this.#diesAtCommit = false;
    }
  }

  async #find(): Promise<string> {
    if ((await this.ledger.find(this.id, { dataset: DATASET, question: QUESTION })) !== undefined)
      return "stored";
    return (await this.ledger.reservation(this.id)) === undefined ? "nothing" : "reservation-open";
  }

  async #record(run: number, rounds: number): Promise<string> {
    const release = releaseOf(this.id, `run ${run} draw ${this.#draws++}`, rounds);
    const recorded = await this.ledger.record(DATASET, release);
    return recorded.answer.note === release.answer.note ? `committed ${roundsOf(recorded)}` : "stored";
  }

  /** What the answer that is printed was counted as. */
  async #cost(): Promise<number> {
    return roundsOf((await this.ledger.find(this.id))!);
  }
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

export async function replayTrace(trace: readonly Step[], folder: string): Promise<Replayed> {
  const path = join(folder, "ledger");
  createLedger(path);
  const runners: Runner[] = [];
  for (const id of IDS) runners.push(new Runner(path, await Connection.open(path, 1000), id));
  await runners[0].ledger.setBudget(DATASET, BUDGET);
  const differences: string[] = [];
  for (const step of trace) {
    const happened = await runners[step.run].take(step);
    const expected = step.step === "publish" ? `publish ${step.outcome}` : step.outcome;
    if (happened !== expected) differences.push(`${step.run} ${step.step}: ${happened}, not ${expected}`);
  }
  const { findings } = await runners[0].ledger.verify();
  for (const { ledger } of runners) ledger.close();
  return { differences, findings };
}
