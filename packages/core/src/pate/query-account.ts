/**
 * The account of a labelling run: every query costs the same, whatever its answer, and is charged before it is answered.
 * It ends when one query more would exceed the limit.
 *
 *   limit approx(ε, δ)   the queries are composed as concentrated or as Rényi losses, whichever gives the smaller ε
 *   limit zcdp(ρ, δ)     ρ and δ add up
 *   a Budget             each query is charged to it, beside whatever else is
 *
 * How many queries a limit admits is known from the first one on and does not depend on the votes, so that the promise is
 * one about a fixed number of answers. Proof: label-by-teachers.proof.md.
 * @module
 */

import { Budget } from "../accounting/budget.js";
import { repeat } from "../accounting/compose.js";
import { convert } from "../accounting/convert.js";
import type { Method } from "../accounting/curve-to-approx.js";
import { type Extended, isAtMost, isBounded } from "../accounting/extended.js";
import { approx, type Loss, type LossOf } from "../accounting/loss.js";
import { type LossLike, readLoss } from "../accounting/loss-json.js";
import { invalidParameter } from "../errors.js";
import { type RationalLike, rational } from "../exact/rational.js";
import { object, oneOf } from "../options.js";
import type { QueryLoss } from "./teacher-task.js";

/**
 * What a run of queries may cost, and how that is counted.
 *
 * @inline
 */
export interface AccountOptions {
  /** What the run may cost. Default: no limit, and the loss is reported as zCDP. */
  readonly limit?: LossLike<"approx" | "zcdp"> | Budget | undefined;
  /** How many queries are composed for an (ε, δ). Default: the way that gives the smaller ε. */
  readonly accounting?: Accounting | undefined;
  /** How they are converted: by the textbook formula or (the default) the smallest bound known. */
  readonly conversion?: Method | undefined;
}

/** The readers of what a run may cost. */
export const ACCOUNT = {
  limit: object,
  accounting: oneOf("zcdp", "renyi"),
  conversion: oneOf("simple", "optimal"),
};

/**
 * In which measure queries are composed: concentrated or Rényi differential privacy.
 *
 * @inline
 */
export type Accounting = "zcdp" | "renyi";

/**
 * What a run of queries has cost so far.
 *
 * @inline
 */
export type Spent = {
  /** The loss so far: (ε, δ) under such a limit, else zCDP. */
  readonly privacy: LossOf["approx" | "zcdp"];
  /** In which measure the queries were composed. */
  readonly accounting: Accounting;
};

export class QueryAccount {
  readonly #loss: QueryLoss;
  readonly #limit: LossOf["approx" | "zcdp"] | Budget | undefined;
  readonly #ways: readonly Accounting[];
  readonly #conversion: Method;
  readonly #most: number;
  #queries = 0;

  constructor(loss: QueryLoss, { limit, accounting, conversion = "optimal" }: AccountOptions) {
    this.#loss = loss;
    this.#limit = limit === undefined || limit instanceof Budget ? limit : readLoss(limit, "limit");
    this.#ways = accounting === undefined ? ["zcdp", "renyi"] : [accounting];
    this.#conversion = conversion;
    this.#most = this.#mostQueries();
  }

  /** How many queries have been charged. */
  get queries(): number {
    return this.#queries;
  }

  /** Charges one query, or says that the limit does not admit it. */
  charge(): boolean {
    if (this.#queries >= this.#most) return false;
    if (this.#limit instanceof Budget) {
      const loss = this.#loss[this.#limit.limit.measure === "renyi" ? "renyi" : "zcdp"];
      if (!this.#limit.admits(loss)) return false;
      this.#limit.charge(loss, "a query to teachers");
    }
    this.#queries++;
    return true;
  }

  get spent(): Spent {
    const limit = this.#limit;
    const isApprox = limit !== undefined && !(limit instanceof Budget) && limit.measure === "approx";
    if (!isApprox) return { privacy: repeat(this.#loss.zcdp, this.#queries), accounting: "zcdp" };
    if (this.#queries === 0) return { privacy: approx(0n, 0n), accounting: this.#ways[0] };
    return this.#ways
      .map((way) => ({ privacy: this.#asApprox(way, this.#queries, limit.delta), accounting: way }))
      .reduce((first, second) => (isClearlyBelow(second, first) ? second : first));
  }

  #asApprox(way: Accounting, queries: number, delta: RationalLike): LossOf["approx"] {
    return convert(repeat<Loss>(this.#loss[way], queries), {
      to: "approx",
      delta,
      conversion: this.#conversion,
    });
  }

  #mostQueries(): number {
    const limit = this.#limit;
    if (limit === undefined || limit instanceof Budget) return Infinity;
    if (limit.measure === "zcdp") return new Budget(limit).admitsTimes(this.#loss.zcdp);
    if (limit.measure !== "approx" || limit.delta.numerator === 0n)
      throw invalidParameter("limit", "a Budget, a zcdp loss, or an approx loss with a delta > 0", limit);
    return this.#ways.map((way) => this.#mostWithin(limit, way)).reduce((a, b) => Math.max(a, b));
  }

  /** The textbook formula tells nearly how many at once; a search goes on from there. */
  #mostWithin({ epsilon, delta }: LossOf["approx"], way: Accounting): number {
    const admits = (measure: Accounting, conversion: Method) => (queries: number) => {
      const total = repeat<Loss>(this.#loss[measure], queries);
      const failure = "delta" in total ? (total.delta ?? rational(0n)) : rational(0n);
      if (failure.compare(delta) >= 0) return false; // nothing is left to convert with
      return isAtMost(convert(total, { to: "approx", delta, conversion }).epsilon, epsilon);
    };
    const simply = largest(admits("zcdp", "simple"), 0);
    const isKnown = simply === Infinity || (this.#conversion === "simple" && way === "zcdp");
    return isKnown ? simply : largest(admits(way, this.#conversion), simply);
  }
}

/** The largest n ≥ known that is accepted, where all up to it are: in steps of growing size, then by halves; beyond 2^51, Infinity. */
function largest(isAccepted: (n: number) => boolean, known: number): number {
  let accepted = known;
  let step = Math.max(1, Math.floor(known / 8));
  for (; isAccepted(accepted + step); step *= 2) {
    accepted += step;
    if (accepted > Number.MAX_SAFE_INTEGER / 4) return Infinity;
  }
  let refused = accepted + step;
  while (refused - accepted > 1) {
    const middle = accepted + Math.floor((refused - accepted) / 2);
    if (isAccepted(middle)) accepted = middle;
    else refused = middle;
  }
  return accepted;
}

/** By more than the rounding of the last digits. */
function isClearlyBelow(a: { privacy: LossOf["approx"] }, b: { privacy: LossOf["approx"] }): boolean {
  const [small, large]: Extended[] = [a.privacy.epsilon, b.privacy.epsilon];
  return isBounded(small) && isBounded(large) && small.times("1.000000001").compare(large) < 0;
}
