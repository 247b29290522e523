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
  describeLoss,
  type Loss,
  type LossJson,
  type LossLike,
  type LossOf,
  lossFromJson,
  lossToJson,
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
import type { Question } from "../question/question.js";
import { Refusal } from "../refusal/refusal.js";
import {
  type BudgetJson,
  type BudgetLimit,
  type Charges,
  countedIn,
  partsOf,
  readBudget,
  refusalOf,
  spend,
  totalAtDelta,
  totalsOfCharges,
} from "./budget.js";
import type { LedgerEntry, ReservationEntry } from "./entry.js";
import { type FoldedSum, fold, LossSum } from "./folded.js";
import {
  type AccountSummary,
  type ChargeGroup,
  EMPTY_SUMMARY,
  isAtOrder,
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

/** A charge of its own, the most that a release may be settled for, or what is set aside for a release to come. */
export type AdmittedAs = "charge" | "settled" | "reservation";

/** An account has at most this many open reservations: each is kept by its id. */
const MOST_RESERVATIONS = 1000;

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
    const { charges, folded } = this.summary;
    this.#promised = [...charges.map((group) => readGroup(group)), ...readSums(folded?.promised)];
    this.#counted = [
      ...charges.map((group) => readGroup(group, group.settled)),
      ...readSums(folded?.counted ?? folded?.promised),
    ];
    if (this.budgetJson === undefined) return;
    this.#limit = readBudget(this.budgetJson);
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
    return this.spender === undefined ? this.summary.budget : this.spender.cap;
  }

  /** What the releases call one person. If these are several, the total holds only where they mean the same. */
  get units(): readonly string[] {
    return this.summary.units;
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
    let times: number | undefined;
    const refusal = refusalOf(() => {
      times = this.#budget?.admitsTimes(this.#priceOf(readLoss(asked), "charge"));
    });
    return refusal === undefined ? times : 0;
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
    if (as === "reservation" && this.reservations >= MOST_RESERVATIONS) throw this.#tooManyReservations();
    const budget = this.#budget;
    if (budget === undefined) return;
    const refusal = refusalOf(() => {
      const price = this.#priceOf(loss, as);
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
    return isFolded ? countedIn(this.#limit.loss.measure, foldedCharge(json, isLate)) : loss;
  }

  #tooManyReservations(): Refusal {
    return new Refusal(
      "over-budget",
      `${MOST_RESERVATIONS} reservations about ${this.#name} wait for their releases, and all of them count in full; record those releases before you reserve more.`,
    );
  }

  /** Throws if this budget cannot be given to the data set: what was charged before counts. */
  admitBudget(json: BudgetJson): void {
    const refusal = spend(readBudget(json), this.#promised);
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

function readSums(sums: readonly FoldedSum[] = []): Charges[] {
  return sums.map((sum) => ({ loss: new LossSum(sum), times: 1, isLate: sum.isLate }));
}
