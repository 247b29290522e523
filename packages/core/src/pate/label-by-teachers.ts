/**
 * `labelByTeachers`: private labels for public examples, from the votes of teachers, each trained on its own part of the
 * private data (PATE). "multi-label" queries are answered by `stableTopK`, any number of labels or an abstention [ZW22];
 * "multi-class" queries by noisy max.
 *
 * Guarantee: what `privacy` says, for one teacher whose votes all change, which is the most that adding, removing or
 * replacing a person can do. Every query is charged before it is answered and costs the same whatever the answer; when the
 * limit admits no more, the run ends.
 *
 * Cost: one pass over the votes and some tens of microseconds per query. Proof: label-by-teachers.proof.md.
 * @module
 */

import { anEntropy, type Entropy } from "../entropy.js";
import { invalidData } from "../errors.js";
import { iterable, object, oneOf, readOptions } from "../options.js";
import { withEntropy } from "../system-entropy.js";
import { type AbortOptions, aSignal, untilAborted } from "../until-aborted.js";
import { MULTI_CLASS, type MultiClassOptions, MultiClassTask } from "./multi-class.js";
import { MULTI_LABEL, type MultiLabelOptions, MultiLabelTask } from "./multi-label.js";
import { ACCOUNT, type AccountOptions, QueryAccount, type Spent } from "./query-account.js";
import type { TeacherAnswer, TeacherTask } from "./teacher-task.js";
import type { QueryVotes } from "./votes.js";

/**
 * What teachers are asked, what the answers may cost, and where the bits come from.
 */
export type TeacherOptions = (MultiLabelOptions | MultiClassOptions) &
  AccountOptions &
  AbortOptions & {
    /** Where the fair bits come from. Default: the system's cryptographic generator. */
    readonly entropy?: Entropy | undefined;
  };

/**
 * The votes on one query after the other: one dense typed array of all, or anything that yields those of each.
 *
 * @inline
 */
export type Votes = Uint8Array | Uint16Array | Uint32Array | Iterable<QueryVotes>;

/**
 * How far a run got, and at which loss.
 *
 * @inline
 */
export type TeacherReport = Spent & {
  /** How many queries were answered, by labels or an abstention. All of them were charged. */
  readonly queries: number;
  /** How many of them got no label. */
  readonly abstentions: number;
  /** Whether there was a query that the limit did not admit any more. */
  readonly isExhausted: boolean;
};

/** The answers of a run, with its report. */
export interface TeacherLabels extends TeacherReport {
  /** The answers, query by query, up to where the limit was reached. */
  readonly answers: readonly TeacherAnswer[];
}

/**
 * Private labels for public examples, from the votes of teachers that each know their own part of the private data
 * (PATE).
 *
 * Queries are answered in their order as far as the limit admits. Every query is charged before it is answered, and
 * costs the same whatever the answer.
 *
 * Guarantee: what `privacy` says, for one teacher whose votes all change, which is the most that adding, removing or
 * replacing a person can do. See docs/mechanisms/label-by-teachers.md.
 *
 * @param votes The votes on one query after the other; those that arrive over time give a promise. `TeacherRun` keeps
 * what was answered should the source fail, or the signal be aborted.
 * @param options The kind of the queries, the noise, and what all of them may cost.
 *
 * @example
 * ```ts
 * import { labelByTeachers } from "winnow-dp";
 *
 * // 1000 teachers say for one query which of three classes is right; all but one agree.
 * const votes = new Uint8Array(1000).fill(2, 1);
 * const { answers } = labelByTeachers(votes, {
 *   task: "multi-class",
 *   teachers: 1000,
 *   labels: 3,
 *   choose: { noise: "gumbel", scale: 20 },
 *   limit: { measure: "zcdp", rho: "1/100" },
 * });
 * answers; // → [{ released: true, labels: [2] }]
 * ```
 */
export function labelByTeachers(
  votes: AsyncIterable<QueryVotes>,
  options: TeacherOptions,
): Promise<TeacherLabels>;

export function labelByTeachers(votes: Votes, options: TeacherOptions): TeacherLabels;

export function labelByTeachers(
  votes: Votes | AsyncIterable<QueryVotes>,
  options: TeacherOptions,
): TeacherLabels | Promise<TeacherLabels> {
  const run = new TeacherRun(options);
  if (Symbol.asyncIterator in Object(votes))
    return labelArriving(run, votes as AsyncIterable<QueryVotes>, options.signal);
  return withEntropy(options.entropy, (bits) => {
    const answers: TeacherAnswer[] = [];
    for (const query of queriesOf(votes as Votes, run.votesPerQuery)) {
      const answer = run.answer(query, bits);
      if (answer === undefined) break;
      answers.push(answer);
    }
    return { answers, ...run.report() };
  });
}

async function labelArriving(
  run: TeacherRun,
  votes: AsyncIterable<QueryVotes>,
  signal: AbortSignal | undefined,
): Promise<TeacherLabels> {
  const answers: TeacherAnswer[] = [];
  for await (const query of signal === undefined ? votes : untilAborted(votes, signal)) {
    const answer = run.answer(query);
    if (answer === undefined) break;
    answers.push(answer);
  }
  return { answers, ...run.report() };
}

/**
 * A run of `labelByTeachers` whose queries come one at a time. Once its signal is aborted it answers no more; `report`
 * still tells what was spent.
 *
 * @example
 * ```ts
 * import { TeacherRun, zcdp } from "winnow-dp";
 *
 * const run = new TeacherRun({
 *   task: "multi-class",
 *   teachers: 1000,
 *   labels: 3,
 *   choose: { noise: "gumbel", scale: 20 },
 *   limit: zcdp("1/100"),
 * });
 * run.answer(new Uint16Array(1000).fill(2)); // → { released: true, labels: [2] }
 * run.report().queries; // → 1
 * ```
 */
export class TeacherRun {
  readonly #task: TeacherTask;
  readonly #account: QueryAccount;
  readonly #entropy: Entropy | undefined;
  readonly #signal: AbortSignal | undefined;
  #abstentions = 0;
  #isExhausted = false;

  /** A run that has not answered yet: the options are checked, and how many queries the limit admits is known. */
  constructor(options: TeacherOptions) {
    const read = readTeacherOptions(options);
    this.#task = read.task === "multi-label" ? new MultiLabelTask(read) : new MultiClassTask(read);
    this.#account = new QueryAccount(this.#task.loss, read);
    this.#entropy = read.entropy;
    this.#signal = read.signal;
  }

  /** How many votes there are on a query: one of each teacher, or one of each teacher for each label. */
  get votesPerQuery(): number {
    return this.#task.votesPerQuery;
  }

  /** The answer to the next query, or undefined if the limit does not admit it. */
  answer(votes: QueryVotes, entropy = this.#entropy): TeacherAnswer | undefined {
    this.#signal?.throwIfAborted();
    const counts = this.#task.count(votes);
    this.#isExhausted ||= !this.#account.charge();
    if (this.#isExhausted) return undefined;
    const answer = withEntropy(entropy, (bits) => this.#task.answer(counts, bits));
    if (!answer.released) this.#abstentions++;
    return answer;
  }

  /** The answers so far, and their loss. */
  report(): TeacherReport {
    const [queries, abstentions] = [this.#account.queries, this.#abstentions];
    return { queries, abstentions, isExhausted: this.#isExhausted, ...this.#account.spent };
  }
}

const TASK = oneOf("multi-label", "multi-class");

function readTeacherOptions(options: TeacherOptions): TeacherOptions {
  const shared = { ...ACCOUNT, entropy: anEntropy, signal: aSignal };
  TASK("task", object("options", options).task);
  return options.task === "multi-label"
    ? readOptions(options, { task: TASK, ...MULTI_LABEL.required }, { ...MULTI_LABEL.optional, ...shared })
    : readOptions(options, { task: TASK, ...MULTI_CLASS }, shared);
}

function* queriesOf(votes: Votes, perQuery: number): Generator<QueryVotes, void> {
  if (!ArrayBuffer.isView(votes)) return yield* iterable("votes", votes) as Iterable<QueryVotes>;
  const dense = votes as Uint8Array;
  if (dense.length % perQuery !== 0)
    throw invalidData(
      "votes",
      `of a length that is a multiple of ${perQuery}, the votes on a query`,
      "invalid-parameter",
    );
  for (let start = 0; start < dense.length; start += perQuery) yield dense.subarray(start, start + perQuery);
}
