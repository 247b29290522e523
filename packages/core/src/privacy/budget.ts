/**
 * A privacy budget: it admits a charge before the release that costs it, or refuses it and stays as it was. The
 * limit may be in any one measure; charges in other measures are counted in it where that is possible. Charges may
 * be chosen by looking at earlier answers: what was admitted is together within the limit.
 *
 * An (ε, δ) budget takes every measure. Losses in ε add up; from the first one on that has no ε (zCDP, Rényi), what is
 * left is counted at one Rényi order, whose conversion is charged with that first one (`ConversionOrder`).
 *
 * A release whose price depends on its answer is reserved in full and settled for what it used (reservation.ts). Open
 * reservations count in full, and one that is never settled counts for ever.
 *
 * The budget lives in memory. A crash between charge and release wastes what was charged and releases nothing.
 * Proof: docs/proofs/composition.md.
 * @module
 */
import { invalidParameter, WinnowError } from "../errors.js";
import { asInterval } from "../exact/interval.js";
import { ln2 } from "../exact/ln.js";
import { Rational, type RationalLike, rational } from "../exact/rational.js";
import { arrayLike, readOptions, text } from "../validate.js";
import { compose, inMeasure, repeat } from "./compose.js";
import { ConversionOrder, hasEpsilon, leftAfter } from "./conversion-order.js";
import {
  type ApproxLoss,
  approx,
  base2,
  difference,
  type Extended,
  isAtMost,
  isBounded,
  type Loss,
  type Measure,
  pure,
  renyi,
  smaller,
  zcdp,
} from "./loss.js";
import { describeLoss, type LossLike, readLoss } from "./loss-json.js";
import type { RenyiCurve } from "./renyi-curve.js";
import { countSettled, type Reservation } from "./reservation.js";
import { base2AtMost, rootToDigits, roundedDown } from "./rounding.js";

/** What a Rényi budget needs besides its limit. */
export interface BudgetOptions {
  /** The orders > 1 at which a Rényi budget holds, fixed in advance. Required for one, refused otherwise. */
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
  readonly each: Loss;
  readonly once?: ApproxLoss | undefined;
  readonly order?: ConversionOrder | undefined;
}

/**
 * A privacy budget: it admits a charge before the release that costs it, or refuses it and stays as it was.
 *
 * The limit is in any one measure; charges in other measures are counted in it where that is possible, and an (ε, δ)
 * budget takes all of them. The budget lives in memory.
 *
 * Guarantee: all releases that were charged are together within the limit, also if each was chosen by looking at the
 * answers before it. See docs/guide/accounting.md and docs/proofs/composition.md.
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
  /** What may be spent in all. */
  readonly limit: Loss;
  readonly #orders: readonly Rational[];
  readonly #history: Charge[] = [];
  readonly #checkedCurves = new WeakSet<RenyiCurve>();
  readonly #open = new Map<Reservation, Counting>();
  #spent: Loss;
  /** Of an (ε, δ) budget, from the first charge on that has no ε. */
  #order: ConversionOrder | undefined;

  /**
   * A budget of which nothing is spent.
   *
   * @param limit What may be spent in all, in the measure to count in. Only an explicit `Infinity` means that there is no limit.
   * @param options The orders of a Rényi budget.
   */
  constructor(limit: LossLike, options: BudgetOptions = {}) {
    const { orders } = readOptions(options, {}, { orders: arrayLike });
    this.limit = readLoss(limit, "limit");
    this.#orders = readOrders(this.limit, orders);
    this.#spent = repeat(this.limit, 0n);
  }

  /** What all charges so far cost together, in the measure of the limit. */
  get spent(): Loss {
    return this.#spent;
  }

  /** What open reservations hold, in full, in the measure of the limit. */
  get reserved(): Loss {
    return compose(repeat(this.limit, 0n), ...[...this.#open.keys()].map(({ counted }) => counted));
  }

  /** What is left after all charges and open reservations, in the measure of the limit. */
  get remaining(): Loss {
    return remainder(this.limit, this.#held);
  }

  get #held(): Loss {
    return this.#open.size === 0 ? this.#spent : compose(this.#spent, this.reserved);
  }

  /** The charges so far, oldest first. */
  get history(): readonly Charge[] {
    return [...this.#history];
  }

  /** Whether such a charge would be admitted now. */
  admits(loss: LossLike): boolean {
    return this.#allows(this.#spentAfter(this.#counting(readLoss(loss))));
  }

  /** How many more charges like this one would be admitted. */
  admitsTimes(loss: LossLike): number {
    const counting = this.#counting(readLoss(loss));
    const allows = (times: number) => this.#allows(this.#spentAfter(counting, times));
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
    const { entry, counting } = this.#admit(loss, label);
    this.#history.push(entry);
    this.#spent = compose(this.#spent, entry.counted);
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
    const { entry, counting } = this.#admit(loss, label);
    this.#open.set(entry, counting);
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
    const counting = this.#open.get(reservation);
    if (counting === undefined)
      throw invalidParameter("reservation", "one of this budget that is not settled yet", reservation);
    const settled = readLoss(loss);
    const count = (part: Loss) =>
      counting.order?.count(part) ?? this.#notNegative(inMeasure(part, this.limit.measure));
    const each = countSettled(reservation, counting, settled, this.limit.measure, count);
    const { label } = reservation;
    const counted = total({ ...counting, each });
    const others = [...this.#open.keys()].filter((open) => open !== reservation);
    const spent = compose(this.#spent, counted, ...others.map((open) => open.counted));
    if (!this.#isPart(each, counting.each) || !this.#allows(spent))
      throw invalidParameter("loss", "at most what was reserved", "more");
    const charge = Object.freeze({ loss: settled, counted, ...(label === undefined ? {} : { label }) });
    this.#open.delete(reservation);
    this.#history.push(charge);
    this.#spent = compose(this.#spent, counted);
    return charge;
  }

  /** Whether a settled loss is at most the reserved one. Curves are rounded the same way, so that one is within itself. */
  #isPart(settled: Loss, reserved: Loss): boolean {
    if (settled.measure !== "renyi" || reserved.measure !== "renyi")
      return isWithin(settled, reserved, this.#orders);
    const below = (order: Rational) => settled.curve.at(order).compare(reserved.curve.at(order)) <= 0;
    return this.#orders.every(below) && isAtMost(orZero(settled.delta), orZero(reserved.delta));
  }

  /** How a loss is counted, or the refusal. */
  #admit(loss: LossLike, label: string | undefined): { entry: Charge; counting: Counting } {
    const asked = readLoss(loss);
    if (label !== undefined) text("label", label);
    const counting = this.#counting(asked);
    if (!this.#allows(this.#spentAfter(counting))) throw this.#refusal(asked, counting);
    const counted = total(counting);
    const entry = Object.freeze({ loss: asked, counted, ...(label === undefined ? {} : { label }) });
    return { entry, counting };
  }

  #counting(loss: Loss): Counting {
    const { measure } = this.limit;
    if (measure !== "approx" || (this.#order === undefined && hasEpsilon(loss)))
      return { each: this.#notNegative(inMeasure(loss, measure)) };
    const order = this.#order ?? ConversionOrder.for(inMeasure(this.remaining, "approx"));
    return { each: order.count(loss), once: this.#order ? undefined : order.cost, order };
  }

  /** A caller's own curve may be negative. It must not give back what other charges spent. */
  #notNegative(loss: Loss): Loss {
    if (loss.measure !== "renyi" || this.#checkedCurves.has(loss.curve)) return loss;
    if (this.#orders.some((order) => loss.curve.at(order).numerator < 0n))
      throw invalidParameter("loss.curve", "a curve >= 0 at all orders of the budget", loss.curve);
    this.#checkedCurves.add(loss.curve);
    return loss;
  }

  #spentAfter(counting: Counting, times = 1): Loss {
    return compose(this.#held, total(counting, times));
  }

  #allows(spent: Loss): boolean {
    return isWithin(spent, this.limit, this.#orders);
  }

  #refusal(loss: Loss, counting: Counting): WinnowError {
    const left = this.remaining;
    const fits = this.#largestWithin(left, loss.measure, counting);
    const [asked, cost] = [loss, total(counting)].map((part) => describeLoss(part, { orders: this.#orders }));
    const [room, rest, whole] = [fits, left, this.limit].map((part) =>
      describeLoss(part, { orders: this.#orders, rounding: "down" }),
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
    if (order === undefined) return largestWithin(left, measure, this.#orders);
    const room = inMeasure(left, "approx");
    return order.largestWithin(once === undefined ? room : leftAfter(room, once), measure);
  }
}

function total({ each, once }: Counting, times = 1): Loss {
  const all = repeat(each, times);
  return once === undefined ? all : compose(once, all);
}

function readOrders(limit: Loss, orders: readonly RationalLike[] | undefined): readonly Rational[] {
  if (limit.measure !== "renyi") {
    if (orders !== undefined)
      throw invalidParameter("orders", `absent for a ${limit.measure} budget`, orders);
    return [];
  }
  const read = orders?.map((order) => rational(order, "orders")) ?? [];
  if (read.length === 0 || read.some((order) => order.compare(1n) <= 0))
    throw invalidParameter("orders", "a list of at least one rational, all > 1", orders);
  return read;
}

/*
 * Comparing and subtracting losses of one measure. Rényi curves are compared at a public list of orders.
 */

/** Whether a loss is certainly at most the limit, which is of the same measure. */
export function isWithin(loss: Loss, limit: Loss, orders: readonly Rational[]): boolean {
  switch (limit.measure) {
    case "pure":
      return isAtMost(inMeasure(loss, "pure").epsilon, limit.epsilon);
    case "base2":
      return isAtMost(inMeasure(loss, "base2").eta, limit.eta);
    case "zcdp": {
      const { rho, delta } = inMeasure(loss, "zcdp");
      return isAtMost(rho, limit.rho) && isAtMost(orZero(delta), orZero(limit.delta));
    }
    case "approx": {
      const { epsilon, delta } = inMeasure(loss, "approx");
      return isAtMost(epsilon, limit.epsilon) && isAtMost(delta, limit.delta);
    }
    case "renyi": {
      const { curve, delta } = inMeasure(loss, "renyi");
      const below = (order: Rational) => isAtMost(curve.at(order, "up"), limit.curve.at(order, "down"));
      return orders.every(below) && isAtMost(orZero(delta), orZero(limit.delta));
    }
  }
}

/** What is left of the limit after a loss of the same measure that is within it. */
export function remainder(limit: Loss, loss: Loss): Loss {
  switch (limit.measure) {
    case "pure":
      return pure(difference(limit.epsilon, inMeasure(loss, "pure").epsilon));
    case "base2":
      return base2(difference(limit.eta, inMeasure(loss, "base2").eta));
    case "zcdp": {
      const { rho, delta } = inMeasure(loss, "zcdp");
      return zcdp(difference(limit.rho, rho), orZero(limit.delta).minus(orZero(delta)));
    }
    case "approx": {
      const { epsilon, delta } = inMeasure(loss, "approx");
      return approx(difference(limit.epsilon, epsilon), limit.delta.minus(delta));
    }
    case "renyi": {
      const { curve, delta } = inMeasure(loss, "renyi");
      return renyi(limit.curve.minus(curve), orZero(limit.delta).minus(orZero(delta)));
    }
  }
}

function orZero(delta: Rational | undefined): Rational {
  return delta ?? Rational.ZERO;
}

/*
 * What would fit: the largest loss of one measure that a limit in another covers, rounded down.
 */

/** For a measure that has no single largest loss, or cannot be counted against the limit, the limit itself. */
export function largestWithin(limit: Loss, measure: Measure, orders: readonly Rational[]): Loss {
  if (measure === limit.measure) return limit;
  const delta = "delta" in limit ? limit.delta : 0n;
  switch (measure) {
    case "pure":
      return pure(epsilonWithin(limit, orders));
    case "base2": {
      const epsilon = epsilonWithin(limit, orders);
      return base2(isBounded(epsilon) ? base2AtMost(epsilon) : epsilon);
    }
    case "approx":
      return approx(epsilonWithin(limit, orders), delta ?? 0n);
    case "zcdp":
      return limit.measure === "renyi" ? zcdp(rhoWithin(limit, orders), delta) : limit;
    case "renyi":
      return limit;
  }
}

/** The largest ε of which ε-DP is within the limit. */
function epsilonWithin(limit: Loss, orders: readonly Rational[]): Extended {
  if (limit.measure === "pure" || limit.measure === "approx") return limit.epsilon;
  if (limit.measure === "base2") {
    const { eta } = limit;
    return isBounded(eta) ? roundedDown((precision) => asInterval(ln2(precision)).times(eta)) : eta;
  }
  const rho = rhoWithin(limit, orders);
  return isBounded(rho) ? rootToDigits(rho.times(2n), "down") : rho;
}

/** The largest ρ of which ρ-zCDP is within the limit. */
function rhoWithin(limit: Loss & { measure: "zcdp" | "renyi" }, orders: readonly Rational[]): Extended {
  if (limit.measure === "zcdp") return limit.rho;
  return orders.map((order): Extended => limit.curve.at(order, "down").dividedBy(order)).reduce(smaller);
}
