/**
 * The account of one data set: its budget and the losses charged to it, both taken from the log alone. Core's `Budget`
 * admits a charge: it counts every loss in the measure of the limit and refuses a loss that can't be counted in it.
 * Without a budget every charge is admitted and the running total is kept.
 *
 * A limited-domain top k is reserved in full and counted for the rounds it used, towards a limit that was there before
 * it. Totals without a limit are those of the full losses.
 *
 * An account holds one kind of neighbours, which its first release decides (one person more or less, or one person in
 * place of another), because losses for different neighbours don't add up.
 * @module
 */

import {
  Budget,
  compose,
  describeLoss,
  type Loss,
  type LossJson,
  type LossLike,
  type LossOf,
  lossFromJson,
  lossToJson,
  pure,
  type Rational,
  rational,
  readLoss,
} from "winnow-dp";
import { decimalText } from "../document/loss-text.js";
import type { ReleaseAnswer } from "../document/release-document.js";
import type { Counting } from "../mechanisms/mechanism.js";
import {
  type Charge,
  chargeOf,
  isCountedApart,
  lengthOf,
  lossOf,
  mayCountApart,
  reservationOf,
} from "../mechanisms/of-question.js";
import { type AccountPromise, periodsOf, periodText, readPeriod } from "../question/period.js";
import type { Question } from "../question/question.js";
import { Refusal } from "../refusal/refusal.js";
import {
  type BudgetJson,
  type BudgetLimit,
  type Charges,
  countedIn,
  partsOf,
  type RecordedBudget,
  RULE,
  readBudget,
  refusalOf,
  spend,
  totalAtDelta,
  totalsOfCharges,
  withoutRule,
} from "./budget.js";
import { canonicalJson } from "./canonical-json.js";
import type { LedgerEntry, ReservationEntry } from "./entry.js";
import { type FoldedSum, fold, LossSum } from "./folded.js";
import { inPeriods, MOST_PERIOD_GROUPS } from "./periods.js";
import {
  type AccountSummary,
  type ChargeGroup,
  EMPTY_SUMMARY,
  isAtOrder,
  mayHaveRule,
  periodIn,
  placeOf,
  protectionOf,
  summarise,
  summariseCharge,
} from "./summary.js";

/** Who spends, and at most how much of the account. */
export interface Spender {
  /** A public name, as releases carry it. */
  readonly analyst: string;
  readonly cap?: BudgetJson | undefined;
}

/**
 * A charge of its own, the most that a release may be settled for, or what is set aside for a release to come.
 *
 * @inline
 */
export type AdmittedAs = "charge" | "settled" | "reservation";

/** An account has at most this many open reservations: each is kept by its id. */
const MOST_RESERVATIONS = 1000;

/** What a ledger knows about one data set: its budget and all that was charged. */
export class Account {
  readonly dataset: string;
  /** Whose share of the account this is; undefined for all of it. */
  readonly spender: Spender | undefined;
  readonly summary: AccountSummary;
  /** More was charged to a share than its cap, which was set or lowered later, or in another measure: nothing fits any more. */
  readonly isOverdrawn: boolean = false;
  /** In full, and as they are counted towards the limit. */
  readonly #promised: readonly Charges[];
  readonly #counted: readonly Charges[];
  readonly #limit: BudgetLimit | undefined;
  readonly #budget: Budget | undefined;

  /**
   * From the entries of the log that are about the data set, in the order of the log, or from their summary. With a
   * spender, from the summary of their share, and their cap is its budget.
   */
  constructor(dataset: string, entries: Iterable<LedgerEntry> | AccountSummary, spender?: Spender) {
    this.dataset = dataset;
    this.spender = spender;
    this.summary = "charges" in entries ? entries : [...entries].reduce(summarise, EMPTY_SUMMARY);
    const limit = this.#readLimit();
    if (limit !== undefined) this.#limit = limit;
    this.#promised = chargesOf(this.summary, "promised", limit);
    this.#counted = chargesOf(this.summary, "counted", limit);
    if (limit === undefined) return;
    this.#limit = limit;
    const budget = spend(this.#limit, this.#counted);
    if (budget instanceof Budget) this.#budget = budget;
    else if (spender === undefined)
      throw new Refusal("ledger-broken", `More than the budget of ${this.#name} was charged to it.`);
    else {
      this.#budget = spend(this.#limit, [{ loss: this.#limit.loss, times: 1, isLate: false }]) as Budget;
      this.isOverdrawn = true;
    }
  }

  /** The budget as it was recorded last, or the cap. */
  get budgetJson(): BudgetJson | undefined {
    const json = this.spender === undefined ? this.summary.budget : this.spender.cap;
    return json === undefined ? undefined : withoutRule(json);
  }

  /** A cap isn't in the ledger and counts by the present rule. */
  #readLimit(): BudgetLimit | undefined {
    const json = this.spender === undefined ? this.summary.budget : this.spender.cap;
    if (json === undefined) return undefined;
    return { ...readBudget(json), ...(this.spender !== undefined && { inSquares: false }) };
  }

  /** The budget as it is recorded: in ρ with the present rule, unless charges before it may be counted by the one before. */
  ruled(budget: BudgetJson): RecordedBudget {
    return budget.measure === "zcdp" && mayHaveRule(this.summary) ? { ...budget, rule: RULE } : budget;
  }

  /** What the releases call one person. If these are several, the total holds only where they mean the same. */
  get units(): readonly string[] {
    return this.summary.units;
  }

  /** What it promises over time, if it does. */
  get promise(): AccountPromise | undefined {
    return this.summary.promise;
  }

  /** The charges of each period together, by its name, as it counts towards the limit. */
  get periods(): ReadonlyMap<string, Loss> {
    const byName = new Map<string, Loss>();
    const limit = this.#limit ?? { loss: pure(0n), orders: [] };
    for (const group of this.summary.charges) {
      if (group.period === undefined) continue;
      const [name = ""] = group.period.split(" ");
      const loss = countedIn(limit, readGroup(group, group.settled));
      const before = byName.get(name);
      byName.set(name, before === undefined ? loss : (compose(before, loss) as Loss));
    }
    return byName;
  }

  /** The limit, if there is one. */
  get budget(): Loss | undefined {
    return this.#limit?.loss;
  }

  /** The orders at which a Rényi budget is counted. */
  get orders(): readonly Rational[] {
    return this.#limit?.orders ?? [];
  }

  /** In the measure of the budget; without one, or if it can't hold them, in the strongest that can express all charges. */
  get spent(): Loss {
    return this.isOverdrawn ? this.totals[0] : (this.#budget?.spent ?? this.totals[0]);
  }

  /** Every bound on what was spent, the strongest measure first. */
  get totals(): readonly [Loss, ...Loss[]] {
    return totalsOfCharges(this.#promised);
  }

  /** The loss spent in each measure, kept apart. */
  get parts(): readonly Loss[] {
    return partsOf(this.#promised);
  }

  /** All of it as one (ε, δ) at a stated δ. */
  get atDelta(): LossOf["approx"] {
    return totalAtDelta(this.#promised);
  }

  get remaining(): Loss | undefined {
    return this.#budget?.remaining;
  }

  get releases(): number {
    return this.summary.releases;
  }

  /** The loss that had to fit for the last release. */
  get last(): Loss | undefined {
    const { last } = this.summary;
    return last === undefined ? undefined : lossFromJson(last);
  }

  /** Whether less than the releases promise is counted towards the limit. */
  get isPaidByRound(): boolean {
    const { charges, folded } = this.summary;
    return folded?.counted !== undefined || charges.some(({ settled }) => settled !== undefined);
  }

  /** How many reservations wait for their release. */
  get reservations(): number {
    return this.summary.charges.filter(({ reservation }) => reservation !== undefined).length;
  }

  /** The loss that must fit before an answer to the question is drawn. */
  reservationFor(question: Question): Loss {
    const counting = this.#counting;
    return counting === undefined ? lossOf(question) : reservationOf(question, counting);
  }

  /** How an answer to the question will be charged: with a price of its own kind towards this limit, or for its loss. */
  admittedAs(question: Question): AdmittedAs {
    const counting = this.#counting;
    if (counting === undefined || !mayCountApart(question)) return "charge";
    return isCountedApart(question, counting) ? "settled" : "charge";
  }

  /**
   * What a release is counted as, where that is another loss than it promises. For a release that was reserved, in the way that
   * its reservation was counted.
   */
  chargeFor(question: Question, answer: ReleaseAnswer, reservation?: ReservationEntry): Charge | undefined {
    const counting = reservation === undefined ? this.#counting : this.#countingOf(reservation);
    if (counting === undefined || !mayCountApart(question)) return undefined;
    return chargeOf(question, lengthOf(answer), counting);
  }

  /** Undefined without a limit: then nothing was promised that less could be counted towards. */
  get #counting(): Counting | undefined {
    if (this.#limit === undefined) return undefined;
    return { measure: this.#limit.loss.measure, isAtOrder: isAtOrder(this.summary) };
  }

  /**
   * In full if the budget changed since, and if an (ε, δ) budget went over to a Rényi order since: which order it is
   * depends on all that was counted before.
   */
  #countingOf({ id, sequence, loss }: ReservationEntry): Counting | undefined {
    const group = this.summary.charges.find(({ reservation }) => reservation === id);
    const isFromBefore = sequence < (this.summary.budgetSequence ?? 0);
    if (this.#limit === undefined || group === undefined || isFromBefore) return undefined;
    const { measure } = this.#limit.loss;
    if (measure === "approx" && isAtOrder(this.summary) !== group.isLate) return undefined;
    return { measure, isAtOrder: measure === "approx" && loss.measure === "zcdp" };
  }

  /** How many more releases like this one would be admitted; undefined without a budget. */
  admitsTimes(asked: LossLike): number | undefined {
    if (this.promise !== undefined) return this.#periodsLeft(readLoss(asked), this.promise);
    let times: number | undefined;
    const refusal = refusalOf(() => {
      times = this.#budget?.admitsTimes(this.#priceOf(readLoss(asked), "charge"));
    });
    return refusal === undefined ? times : 0;
  }

  /** In how many of the periods without a release one that costs this would still fit, one in each. */
  #periodsLeft(loss: Loss, promise: AccountPromise): number | undefined {
    if (this.#limit === undefined) return undefined;
    const used = new Set(this.summary.charges.map(({ period }) => period?.split(" ")[0]));
    const key = this.summary.charges.findLast(({ period }) => period?.includes(" "))?.period?.split(" ")[1];
    let summary = this.summary;
    let times = 0;
    for (const { name } of periodsOf(promise)) {
      if (used.has(name)) continue;
      summary = summariseCharge(
        summary,
        lossToJson(loss),
        periodText({ name, ...(key !== undefined && { key }) }),
      );
      if (!(spend(this.#limit, chargesOf(summary, "counted", this.#limit)) instanceof Budget)) break;
      times++;
    }
    return times;
  }

  /** The account after one more such charge, which must fit and isn't recorded: for questions before it. */
  after(asked: LossLike): Account {
    const summary = summariseCharge(this.summary, lossToJson(readLoss(asked)));
    return new Account(this.dataset, summary, this.spender);
  }

  /**
   * Throws an `over-budget` if the loss does not fit (it says what is left and what would), or cannot be counted: in the
   * measure of the budget, or with the neighbours of the question. Changes nothing.
   */
  admit(asked: LossLike, question?: unknown, as: AdmittedAs = "charge"): void {
    const loss = readLoss(asked);
    this.#admitNeighbours(protectionOf(question).neighbours);
    this.#admitPeriod(question);
    if (as === "reservation" && this.reservations >= MOST_RESERVATIONS) throw this.#tooManyReservations();
    const budget = this.#budget;
    if (budget === undefined) return;
    const refusal = refusalOf(() => {
      const price = this.#priceOf(loss, as);
      if (this.promise !== undefined) return this.#admitWithPeriods(loss, question);
      // Only a charge that is refused is tried: core then says what would fit.
      if (!budget.admits(price)) budget.charge(price);
    });
    if (refusal === undefined) return;
    const [limit, left] = [budget.limit, budget.remaining].map((part) => this.#describe(part));
    const cost = rounded(describeLoss(loss), "up");
    const sentence =
      refusal.code === "budget-exceeded"
        ? `The release costs ${cost}, but the remaining ${this.#limitName} is ${left} of ${limit}; ${rounded(refusal.expected ?? "less", "down")} would fit.`
        : `A release that costs ${cost} cannot be counted in the ${this.#limitName} (${limit}), which is in the measure ${budget.limit.measure}.`;
    throw new Refusal("over-budget", sentence, { cause: refusal });
  }

  /**
   * The most that a charge will be counted as: beyond a number of different losses, as charges of its decade are
   * (folded.ts), unless it joins those like it. A reservation, and what is settled for less, never does.
   */
  #priceOf(loss: Loss, as: AdmittedAs): Loss {
    if (this.#limit === undefined || loss.measure === "renyi") return loss;
    const json = lossToJson(loss);
    const { isFolded, isLate } = placeOf(this.summary, {
      loss: json,
      ...(as !== "charge" && { reservation: "" }),
    });
    if (isFolded) return countedIn(this.#limit, foldedCharge(json, isLate));
    return this.#limit.inSquares ? countedIn(this.#limit, { loss, times: 1, isLate }) : loss;
  }

  /** A release must be about a period exactly if the account promises something over time, and about the promise that the account makes. */
  #admitPeriod(question: unknown): void {
    const { promise } = this;
    const asked = periodIn(question);
    const refused = (sentence: string) => new Refusal("over-budget", sentence);
    if (promise === undefined) {
      if (asked === undefined) return;
      // A share of an account counts what it has in full, whatever the periods are.
      if (this.spender !== undefined) return;
      throw refused(`The budget of ${this.#name} has no periods, so no release about it is for one.`);
    }
    if (asked === undefined)
      throw refused(
        `The budget of ${this.#name} is for ${promise.period}s, so each release must be about one: --time and --period.`,
      );
    const period = readPeriod((question as { readonly period: unknown }).period);
    if (canonicalJson(period.promise) !== canonicalJson(promise))
      throw refused(`The release is for another promise than that of ${this.#name}.`);
    if (this.summary.charges.length >= MOST_PERIOD_GROUPS)
      throw refused(
        `${MOST_PERIOD_GROUPS} different charges about ${this.#name} are kept apart, which is the most.`,
      );
  }

  /** Throws the error with which core refuses the charges with one more, if it does. */
  #admitWithPeriods(loss: Loss, question: unknown): void {
    const summary = summariseCharge(this.summary, lossToJson(loss), periodIn(question));
    const after = spend(this.#limit!, chargesOf(summary, "counted", this.#limit));
    if (!(after instanceof Budget)) throw after;
  }

  #tooManyReservations(): Refusal {
    return new Refusal(
      "over-budget",
      `${MOST_RESERVATIONS} reservations about ${this.#name} wait for their releases, and all of them count in full; record those releases before you reserve more.`,
    );
  }

  /** Throws if this budget cannot be given to the data set: what was charged before counts. */
  admitBudget(json: BudgetJson): void {
    const refusal = spend(readBudget(this.ruled(json)), this.#promised);
    if (refusal instanceof Budget) return;
    const sentence =
      refusal.code === "budget-exceeded"
        ? `More than this budget was charged to ${this.#name} already (${this.totals.map((total) => rounded(describeLoss(total), "up")).join("; ")}).${this.isPaidByRound ? PROMISED : ""}`
        : `What was charged to ${this.#name} already cannot be counted in the measure ${json.measure}.`;
    throw new Refusal("over-budget", sentence, { cause: refusal });
  }

  #admitNeighbours(neighbours: string | undefined): void {
    const known = this.summary.neighbours;
    if (known === undefined || neighbours === undefined || neighbours === known) return;
    throw new Refusal(
      "over-budget",
      `The releases about ${this.#name} are for ${JSON.stringify(known)} neighbours; a loss for ${JSON.stringify(neighbours)} does not add up with theirs.`,
    );
  }

  #describe(loss: Loss): string {
    return rounded(describeLoss(loss, { orders: this.orders, rounding: "down" }), "down");
  }

  get #limitName(): string {
    return this.spender === undefined
      ? `budget of ${this.#name}`
      : `cap of the analyst ${JSON.stringify(this.spender.analyst)} on ${this.#name}`;
  }

  get #name(): string {
    return JSON.stringify(this.dataset);
  }
}

const PROMISED =
  " Another budget counts in full what the releases promise, and not only what their answers used.";

/** Long numbers as a person would say them, and never to the nearest: so that what is said to fit does. */
function rounded(text: string, direction: "up" | "down"): string {
  return text.replace(/\d+\.\d+/g, (number) => decimalText(rational(number), direction));
}

/** With what is counted instead of its loss, if that is less. */
function readGroup({ loss, times, isLate, isFolded }: ChargeGroup, counted = loss): Charges {
  return isFolded ? foldedCharge(counted, isLate) : { loss: lossFromJson(counted), times, isLate };
}

function foldedCharge(loss: LossJson, isLate: boolean): Charges {
  return readSums(fold([], loss, isLate))[0]!;
}

/** What counts, in full or towards the limit; of an account with periods, each key's most expensive ones together. */
function chargesOf(
  { charges, folded, promise, neighbours }: AccountSummary,
  as: "promised" | "counted",
  limit: BudgetLimit | undefined,
): readonly Charges[] {
  const sums = as === "promised" ? folded?.promised : (folded?.counted ?? folded?.promised);
  const groups = charges.map((group) => ({
    ...readGroup(group, as === "promised" ? group.loss : group.settled),
    period: group.period,
  }));
  const all = [...groups, ...readSums(sums)];
  if (promise === undefined || limit === undefined) return all;
  return inPeriods(promise, all, limit, neighbours);
}

function readSums(sums: readonly FoldedSum[] = []): Charges[] {
  return sums.map((sum) => ({ loss: new LossSum(sum), times: 1, isLate: sum.isLate }));
}
