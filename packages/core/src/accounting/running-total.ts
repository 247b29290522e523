/**
 * What all charges of a budget cost together, in the measure of its limit, and whether that is within the limit. A charge
 * costs the same after ten others and after ten thousand: what is kept is one sum for each number of the measure
 * (`UpperSum`), and for a Rényi limit one for each order, at which a curve is evaluated once, when it is charged.
 * @module
 */
import { invalidParameter } from "../errors.js";
import { Rational } from "../exact/rational.js";
import { inMeasure } from "./convert.js";
import { renyi } from "./curve.js";
import { type Extended, isAtMost } from "./extended.js";
import { approx, base2, type Loss, pure, zcdp } from "./loss.js";
import { RenyiCurve } from "./renyi-curve.js";
import { UpperSum } from "./upper-sum.js";
import { remainder } from "./within.js";

/** A loss in the measure of a limit, with the numbers that add up: its sizes, and δ at the end. */
export interface Counted {
  readonly loss: Loss;
  readonly sizes: readonly Extended[];
}

/** The largest loss of all charges together, read once: a curve that changes afterwards doesn't move it. */
export class Limit {
  readonly loss: Loss;
  /** The orders of a Rényi limit. */
  readonly orders: readonly Rational[];
  readonly sizes: readonly Extended[];

  constructor(loss: Loss, orders: readonly Rational[]) {
    this.loss = loss;
    this.orders = orders;
    const sizes = this.#sizesOf(loss, "down");
    // With probability 1 anything may happen.
    this.sizes = "delta" in loss && loss.delta?.equals(1n) ? sizes.with(-1, Infinity) : sizes;
  }

  /** A loss in the measure of the limit; a caller's own curve may be negative, and must not give back what others spent. */
  count(loss: Loss): Counted {
    const sizes = this.#sizesOf(loss, "up");
    if (sizes.some((size) => !isAtMost(Rational.ZERO, size)))
      throw invalidParameter("loss.curve", "a curve >= 0 at all orders of the budget", "a negative value");
    return { loss, sizes };
  }

  #sizesOf(given: Loss, rounding: "up" | "down"): Extended[] {
    const loss = inMeasure(given, this.loss.measure);
    const failure = ("delta" in loss ? loss.delta : undefined) ?? Rational.ZERO;
    switch (loss.measure) {
      case "pure":
        return [loss.epsilon];
      case "base2":
        return [loss.eta];
      case "zcdp":
        return [loss.rho, failure];
      case "approx":
        return [loss.epsilon, failure];
      case "renyi":
        return [...this.orders.map((order) => loss.curve.at(order, rounding)), failure];
    }
  }
}

/** The curves of a Rényi total, the last first: they are added up only if someone asks for their sum. */
interface Curves {
  readonly curve: RenyiCurve;
  readonly before: Curves | undefined;
}

/** An immutable total. */
export class RunningTotal {
  readonly #limit: Limit;
  readonly #sums: readonly UpperSum[];
  readonly #curves: Curves | undefined;
  #loss: Loss | undefined;

  private constructor(limit: Limit, sums: readonly UpperSum[], curves: Curves | undefined) {
    this.#limit = limit;
    this.#sums = sums;
    this.#curves = curves;
  }

  /** Nothing. */
  static within(limit: Limit): RunningTotal {
    return new RunningTotal(limit, limit.sizes.map(UpperSum.within), undefined);
  }

  /** The total with this charge, `times` times. */
  plus({ loss, sizes }: Counted, times = 1): RunningTotal {
    const count = BigInt(times);
    const sums = this.#sums.map((sum, i) => sum.plus(sizes[i], count));
    if (loss.measure !== "renyi") return new RunningTotal(this.#limit, sums, undefined);
    return new RunningTotal(this.#limit, sums, { curve: loss.curve.times(count), before: this.#curves });
  }

  /** Whether the total is certainly at most the limit. */
  get fits(): boolean {
    return this.#sums.every(({ value }, i) => isAtMost(value, this.#limit.sizes[i]));
  }

  get loss(): Loss {
    this.#loss ??= this.#lossNow();
    return this.#loss;
  }

  /** The limit less this total. */
  get remaining(): Loss {
    return remainder(this.#limit.loss, this.loss);
  }

  #lossNow(): Loss {
    const [size, last = Rational.ZERO] = [this.#sums[0].value, this.#sums.at(-1)?.value];
    const failure = isAtMost(last, Rational.ONE) ? last : Rational.ONE;
    switch (this.#limit.loss.measure) {
      case "pure":
        return pure(size);
      case "base2":
        return base2(size);
      case "zcdp":
        return zcdp(size, failure);
      case "approx":
        return approx(size, failure);
      case "renyi":
        return renyi(RenyiCurve.sum([...this.#allCurves()]), failure);
    }
  }

  *#allCurves(): Iterable<RenyiCurve> {
    for (let last = this.#curves; last !== undefined; last = last.before) yield last.curve;
  }
}
