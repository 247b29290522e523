/**
 * `labelByTeachers`: private labels for public examples, from the votes of teachers, each trained on its own part of the
 * private data (PATE). "multi-label" queries are answered by `stableTopK`, any number of labels or an abstention [ZW22];
 * "multi-class" queries by noisy max.
 *
 * Guarantee: what `privacy` says, for one teacher replaced by another in all of its votes, which is what one person more,
 * less or other can do. Every query is charged before it is answered and costs the same whatever the answer; when the
 * limit admits no more, the run ends.
 *
 * Cost: one pass over the votes and some tens of microseconds a query. Proof: docs/proofs/label-by-teachers.md.
 * @module
 */
import type { Entropy } from "../entropy/entropy.js";
import { anEntropy, withEntropy } from "../entropy/system-entropy.js";
import { invalidParameter } from "../errors.js";
import { object, oneOf, readOptions } from "../validate.js";
import { MULTI_CLASS, type MultiClassOptions, MultiClassTask } from "./multi-class-task.js";
import { MULTI_LABEL, type MultiLabelOptions, MultiLabelTask } from "./multi-label-task.js";
import { ACCOUNT, type AccountOptions, QueryAccount, type Spent } from "./query-account.js";
import type { TeacherAnswer, TeacherTask } from "./teacher-task.js";
import type { QueryVotes } from "./vote-counts.js";

/** What teachers are asked, what the answers may cost, and where the bits come from. */
export type TeacherOptions = (MultiLabelOptions | MultiClassOptions) &
  AccountOptions & {
    /** Where the fair bits come from. Default: the system's cryptographic generator. */
    readonly entropy?: Entropy | undefined;
  };

/** The votes on one query after the other: one dense typed array of all, or anything that yields those of each. */
export type Votes = Uint8Array | Uint16Array | Uint32Array | Iterable<QueryVotes>;

/** How far a run got, and at which loss. */
export interface TeacherReport extends Spent {
  /** How many queries were answered, by labels or an abstention. All of them were charged. */
  readonly queries: number;
  /** How many of them got no label. */
  readonly abstentions: number;
  /** Whether there was a query that the limit did not admit any more. */
  readonly isExhausted: boolean;
}

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
 * Guarantee: what `privacy` says, for one teacher replaced by another in all of its votes, which is what one person
 * more, less or other can do. See docs/mechanisms/label-by-teachers.md.
 *
 * @param votes The votes on one query after the other.
 * @param options The kind of the queries, the noise, and what all of them may cost.
 */
export function labelByTeachers(votes: Votes, options: TeacherOptions): TeacherLabels {
  const run = new TeacherRun(options);
  return withEntropy(options.entropy, (bits) => {
    const answers: TeacherAnswer[] = [];
    for (const query of queriesOf(votes, run.votesPerQuery)) {
      const answer = run.answer(query, bits);
      if (answer === undefined) break;
      answers.push(answer);
    }
    return { answers, ...run.report() };
  });
}

/** A run of `labelByTeachers` whose queries come one at a time. */
export class TeacherRun {
  readonly #task: TeacherTask;
  readonly #account: QueryAccount;
  readonly #entropy: Entropy | undefined;
  #abstentions = 0;
  #isExhausted = false;

  /** A run that has not answered yet: the options are checked, and how many queries the limit admits is known. */
  constructor(options: TeacherOptions) {
    const read = readTeacherOptions(options);
    this.#task = read.task === "multi-label" ? new MultiLabelTask(read) : new MultiClassTask(read);
    this.#account = new QueryAccount(this.#task.loss, read);
    this.#entropy = read.entropy;
  }

  /** How many votes there are on a query: one of each teacher, or one of each teacher for each label. */
  get votesPerQuery(): number {
    return this.#task.votesPerQuery;
  }

  /** The answer to the next query, or undefined if the limit does not admit it. */
  answer(votes: QueryVotes, entropy = this.#entropy): TeacherAnswer | undefined {
    const counts = this.#task.count(votes);
    this.#isExhausted ||= !this.#account.charge();
    if (this.#isExhausted) return undefined;
    const answer = withEntropy(entropy, (bits) => this.#task.answer(counts, bits));
    if (!answer.released) this.#abstentions++;
    return answer;
  }

  /** What was answered so far, and at which loss. */
  report(): TeacherReport {
    const [queries, abstentions] = [this.#account.queries, this.#abstentions];
    return { queries, abstentions, isExhausted: this.#isExhausted, ...this.#account.spent };
  }
}

const TASK = oneOf("multi-label", "multi-class");

function readTeacherOptions(options: TeacherOptions): TeacherOptions {
  const shared = { ...ACCOUNT, entropy: anEntropy };
  TASK("task", object("options", options).task);
  return options.task === "multi-label"
    ? readOptions(options, { task: TASK, ...MULTI_LABEL.required }, { ...MULTI_LABEL.optional, ...shared })
    : readOptions(options, { task: TASK, ...MULTI_CLASS }, shared);
}

function* queriesOf(votes: Votes, perQuery: number): Generator<QueryVotes, void> {
  if (!ArrayBuffer.isView(votes)) return yield* votes as Iterable<QueryVotes>;
  const dense = votes as Uint8Array;
  if (dense.length % perQuery !== 0)
    throw invalidParameter(
      "votes",
      `of a length that is a multiple of ${perQuery}, the votes on a query`,
      dense.length,
    );
  for (let start = 0; start < dense.length; start += perQuery) yield dense.subarray(start, start + perQuery);
}
