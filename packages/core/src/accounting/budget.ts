/**
 * A privacy budget: it admits a charge before the release that costs it, or refuses it and stays as it was. The
 * limit may be in any one measure; charges in other measures are counted in it where that is possible. Charges may
 * be chosen by looking at earlier answers: admitted charges together never exceed the limit.
 *
 * An (ε, δ) budget takes every measure. Losses in ε add up; from the first one on that has no ε (zCDP, Rényi), what is
 * left is counted at one Rényi order, whose conversion is charged with that first one (`ConversionOrder`).
 *
 * A release whose price depends on its answer is reserved in full and settled for what it used (reservation.ts). Open
 * reservations count in full, and one that is never settled counts for ever.
 *
 * The budget lives in memory. A crash between charge and release wastes what was charged and releases nothing.
 * Proof: composition.proof.md.
 * @module
 */
import { invalidParameter, WinnowError } from "../errors.js";
import { type Rational, type RationalLike, rational } from "../exact/rational.js";
import { arrayLike, readOptions, text } from "../options.js";
import { compose } from "./compose.js";
import { ConversionOrder } from "./conversion-order.js";
import { inMeasure } from "./convert.js";
import { describeLoss } from "./describe-loss.js";
import { isAtMost } from "./extended.js";
import { largestWithin } from "./largest-within.js";
import type { Loss, Measure } from "./loss.js";
import { type LossLike, readLoss } from "./loss-json.js";
import { countSettled, type Reservation } from "./reservation.js";
import { type Counted, Limit, RunningTotal } from "./running-total.js";
import { hasEpsilon, leftAfter } from "./within.js";

/**
 * What a Rényi budget needs besides its limit.
 *
 * @inline
 */
export interface BudgetOptions {
  /** The orders > 1 at which a Rényi budget holds, fixed in advance, at most 256. Required for one, refused otherwise. */
  readonly orders?: readonly RationalLike[];
}

/** A charge that was admitted. */
export interface Charge {
  /** As it was asked for, read as a loss. */
  readonly loss: Loss;
  /** In the measure of the budget, with what had to be paid once to count it. */
  readonly counted: Loss;
  /** What it was for, as the caller put it. */
  readonly label?: string;
}

/** How a charge is counted: each, and once before the first of them. */
interface Counting {
  readonly each: Counted;
  readonly once?: Counted | undefined;
  readonly order?: ConversionOrder | undefined;
}

/**
 * A privacy budget: it admits a charge before the release that costs it, or refuses it and stays as it was.
 *
 * The limit is in any one measure; charges in other measures are counted in it where that is possible, and an (ε, δ)
 * budget takes all of them. The budget lives in memory.
 *
 * Guarantee: all releases that were charged are together within the limit, also if each was chosen by looking at the
 * answers before it. See docs/guide/accounting.md and composition.proof.md.
 *
 * @example
 * ```ts
 * import { Budget, zcdp } from "winnow-dp";
 *
 * const budget = new Budget(zcdp("0.1"));
 * budget.charge(zcdp("0.07"), "top ten places");
 * budget.remaining; // → { measure: "zcdp", rho: 0.03 }
 * budget.admits(zcdp("0.05")); // → false
 * ```
 */
export class Budget {
  readonly #limit: Limit;
  readonly #history: Charge[] = [];
  readonly #open = new Map<Reservation, Counting>();
  #spent: RunningTotal;
  /** With all open reservations, in full. */
  #held: RunningTotal;
  /** The order at which an (ε, δ) budget counts, from the first charge on that has no ε. */
  #order: ConversionOrder | undefined;

  /**
   * A budget of which nothing is spent.
   *
   * @param limit What may be spent in all, in the measure to count in. Only an explicit `Infinity` means that there is no limit.
   * @param options The orders of a Rényi budget.
   */
  constructor(limit: LossLike, options: BudgetOptions = {}) {
    const { orders } = readOptions(options, {}, { orders: arrayLike });
    const loss = readLoss(limit, "limit");
    this.#limit = new Limit(loss, readOrders(loss, orders));
    this.#spent = this.#held = RunningTotal.within(this.#limit);
  }

  /** The largest loss of all charges together. */
  get limit(): Loss {
    return this.#limit.loss;
  }

  /** What all charges so far cost together, in the measure of the limit. */
  get spent(): Loss {
    return this.#spent.loss;
  }

  /** What open reservations hold, in full, in the measure of the limit. */
  get reserved(): Loss {
    return this.#withOpen(RunningTotal.within(this.#limit)).loss;
  }

  /** The loss left after all charges and open reservations, in the measure of the limit. */
  get remaining(): Loss {
    return this.#held.remaining;
  }

  #withOpen(spent: RunningTotal): RunningTotal {
    return [...this.#open.values()].reduce((sum, counting) => after(sum, counting), spent);
  }

  /** The charges so far, oldest first. */
  get history(): readonly Charge[] {
    return [...this.#history];
  }

  /** Whether such a charge would be admitted now. */
  admits(loss: LossLike): boolean {
    return after(this.#held, this.#counting(readLoss(loss))).fits;
  }

  /** How many more charges like this one would be admitted. */
  admitsTimes(loss: LossLike): number {
    const counting = this.#counting(readLoss(loss));
    const allows = (times: number) => after(this.#held, counting, times).fits;
    let [few, many] = [0, 1];
    for (; allows(many); many *= 2) {
      if (many > Number.MAX_SAFE_INTEGER / 2) return Infinity;
      few = many;
    }
    while (many - few > 1) {
      const middle = few + Math.floor((many - few) / 2);
      if (allows(middle)) few = middle;
      else many = middle;
    }
    return few;
  }

  /**
   * Charges the loss, or throws `budget-exceeded` and changes nothing. Charge first, release after.
   *
   * @param loss What the release will cost, in any measure that the budget can count.
   * @param label What it is for; kept in the history.
   */
  charge(loss: LossLike, label?: string): Charge {
    const { entry, counting, held } = this.#admit(loss, label);
    this.#history.push(entry);
    this.#spent = this.#open.size === 0 ? held : after(this.#spent, counting);
    this.#held = held;
    this.#order = counting.order;
    return entry;
  }

  /**
   * Sets the loss aside for a release whose price depends on its answer, or throws `budget-exceeded` and changes nothing.
   * Reserve the most that the answer can cost before anything is drawn. Until it is settled, the reservation counts in
   * full.
   *
   * @param loss The most that the release can cost, in any measure that the budget can count.
   * @param label What it is for; kept in the history.
   */
  reserve(loss: LossLike, label?: string): Reservation {
    const { entry, counting, held } = this.#admit(loss, label);
    this.#open.set(entry, counting);
    this.#held = held;
    this.#order = counting.order;
    return entry;
  }

  /**
   * Charges what the answer cost instead of what was reserved for it, and only then show the answer. All of the reserved δ
   * is charged. A loss in ε that is counted by its Rényi curve is counted in full: a zCDP or Rényi budget refuses less, and an
   * (ε, δ) budget counts all of it if it was reserved after the order was fixed.
   *
   * @param reservation What `reserve` returned; it can be settled once.
   * @param loss What the answer cost, in the measure that was reserved, at most as much. Default: all of it.
   */
  settle(reservation: Reservation, loss: LossLike = reservation?.loss): Charge {
    const counting = this.#opened(reservation);
    const settled = readLoss(loss);
    const count = (part: Loss) => counting.order?.count(part) ?? inMeasure(part, this.limit.measure);
    const reserved = { ...counting, each: counting.each.loss };
    const each = this.#limit.count(countSettled(reservation, reserved, settled, this.limit.measure, count));
    if (!each.sizes.every((size, i) => isAtMost(size, counting.each.sizes[i])))
      throw invalidParameter("loss", "at most what was reserved", "more");
    return this.#settle(reservation, settled, { ...counting, each });
  }

  #opened(reservation: Reservation): Counting {
    const counting = this.#open.get(reservation);
    if (counting !== undefined) return counting;
    throw invalidParameter("reservation", "one of this budget that is not settled yet", reservation);
  }

  #settle(reservation: Reservation, loss: Loss, counting: Counting): Charge {
    const { label } = reservation;
    const reserved = this.#opened(reservation); // a loss may have code that has settled it
    this.#open.delete(reservation);
    const held = this.#withOpen(after(this.#spent, counting));
    // A part that is a longer fraction than the whole may round up past it: then the whole is counted.
    const final = held.fits ? counting : reserved;
    this.#spent = after(this.#spent, final);
    this.#held = held.fits ? held : this.#withOpen(this.#spent);
    const charge = Object.freeze({ loss, counted: lossOf(final), ...(label === undefined ? {} : { label }) });
    this.#history.push(charge);
    return charge;
  }

  /** How a loss is counted, or the refusal. */
  #admit(
    loss: LossLike,
    label: string | undefined,
  ): { entry: Charge; counting: Counting; held: RunningTotal } {
    const asked = readLoss(loss);
    if (label !== undefined) text("label", label);
    const counting = this.#counting(asked);
    const held = after(this.#held, counting);
    if (!held.fits) throw this.#refusal(asked, counting);
    const counted = lossOf(counting);
    const entry = Object.freeze({ loss: asked, counted, ...(label === undefined ? {} : { label }) });
    return { entry, counting, held };
  }

  #counting(loss: Loss): Counting {
    const { measure } = this.limit;
    if (measure !== "approx" || (this.#order === undefined && hasEpsilon(loss)))
      return { each: this.#limit.count(inMeasure(loss, measure)) };
    const order = this.#order ?? ConversionOrder.for(inMeasure(this.remaining, "approx"));
    const once = this.#order ? undefined : this.#limit.count(order.cost);
    return { each: this.#limit.count(order.count(loss)), once, order };
  }

  #refusal(loss: Loss, counting: Counting): WinnowError {
    const left = this.remaining;
    const { orders } = this.#limit;
    const fits = this.#largestWithin(left, loss.measure, counting);
    const [asked, cost] = [loss, lossOf(counting)].map((part) => describeLoss(part, { orders }));
    const [room, rest, whole] = [fits, left, this.limit].map((part) =>
      describeLoss(part, { orders, rounding: "down" }),
    );
    const expected = `at most ${room}`;
    const got = asked === cost || asked === "" ? cost : `${asked} (${cost})`;
    return new WinnowError(
      "budget-exceeded",
      `loss must be ${expected} (left: ${rest}, of ${whole}); got ${got}`,
      { field: "loss", expected, got },
    );
  }

  #largestWithin(left: Loss, measure: Measure, { once, order }: Counting): Loss {
    if (order === undefined) return largestWithin(left, measure, this.#limit.orders);
    const room = inMeasure(left, "approx");
    return order.largestWithin(
      once === undefined ? room : leftAfter(room, inMeasure(once.loss, "approx")),
      measure,
    );
  }
}

/** A total with `once`, and `times` times `each`. */
function after(total: RunningTotal, { each, once }: Counting, times = 1): RunningTotal {
  return (once === undefined ? total : total.plus(once)).plus(each, times);
}

function lossOf({ each, once }: Counting): Loss {
  return once === undefined ? each.loss : compose(once.loss, each.loss);
}

/** A charge evaluates a curve at every order. */
const MOST_ORDERS = 256;

function readOrders(limit: Loss, orders: readonly RationalLike[] | undefined): readonly Rational[] {
  if (limit.measure !== "renyi") {
    if (orders !== undefined)
      throw invalidParameter("orders", `absent for a ${limit.measure} budget`, orders);
    return [];
  }
  const read = orders?.map((order) => rational(order, "orders")) ?? [];
  const isList = read.length >= 1 && read.length <= MOST_ORDERS;
  if (!isList || read.some((order) => order.compare(1n) <= 0))
    throw invalidParameter("orders", `a list of 1 to ${MOST_ORDERS} rationals, all > 1`, orders);
  return read;
}
