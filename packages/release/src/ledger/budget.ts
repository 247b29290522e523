/**
 * Budgets and totals: the limit of a data set as exact JSON, that limit after the charges of a log, and the total cost
 * of releases where there is no budget.
 *
 * A budget is a limit in one measure. A Rényi budget is a limit ε at one order α, given in advance; all other budgets
 * are written like losses.
 *
 * Without a budget nothing says in which measure to count, so there are two totals. Both hold even if later releases
 * were chosen after looking at earlier answers; they are two bounds on the same thing, not parts of it. The first is
 * in the strongest measure that can express all of the losses (`compose`). The second is in zCDP, which can always
 * express them and is smaller for many small losses: ε-DP counts as ρ = ε·tanh(ε/2), and (ε, δ)-DP keeps its δ. Beside them
 * stands one (ε, δ) at a stated δ (`totalAtDelta`), which people understand, and what was charged in each measure.
 *
 * A budget in ρ says by which rule an ε is counted in it. By rule 2 it is ε·tanh(ε/2), the least that holds for every mechanism;
 * without a rule it is ε²/2, as in accounts that were charged before there was a rule: there it stays so, for old charges and
 * for new ones, because nothing that was charged may be charged less later (summary.ts).
 * @module
 */
import {
  approx,
  Budget,
  compose,
  convert,
  invalidParameter,
  isBounded,
  type Loss,
  type LossJson,
  type LossOf,
  lossFromJson,
  lossToJson,
  type Measure,
  pure,
  type Rational,
  type RationalLike,
  rational,
  readers,
  renyi,
  repeat,
  WinnowError,
  zcdp,
  zcdpCurve,
} from "winnow-dp";
import { LossSum, sumOfOne } from "./folded.js";

/** The rule by which an ε is counted in ρ: ε·tanh(ε/2). */
export const RULE = 2;

/** A budget in a ledger and in configuration: exact texts. */
export type BudgetJson =
  | LossJson
  | { readonly measure: "renyi"; readonly order: string; readonly epsilon: string; readonly delta?: string };

/** A budget in a ledger. In ρ it may say by which rule an ε is counted. */
export type RecordedBudget =
  | BudgetJson
  | (Extract<LossJson, { readonly measure: "zcdp" }> & { readonly rule: typeof RULE });

/**
 * A limit, and the orders at which it holds if it is a Rényi budget.
 *
 * @inline
 */
export interface BudgetLimit {
  readonly loss: Loss;
  readonly orders: readonly Rational[];
  /** An ε is counted as ε²/2 in ρ, as in old accounts. */
  readonly inSquares?: boolean;
}

/** A budget without the rule by which an ε is counted in it. */
export function withoutRule(json: RecordedBudget): BudgetJson {
  if (!("rule" in json)) return json;
  const { rule: _, ...limit } = json;
  return limit;
}

/** Reads a budget; one that promises nothing, or admits nothing, is refused. */
export function readBudget(given: RecordedBudget): BudgetLimit {
  const json = withoutRule(given);
  const inSquares = json.measure === "zcdp" && !("rule" in given);
  if ("rule" in given && (given.rule !== RULE || json.measure !== "zcdp")) throw noBudget();
  const limit =
    json.measure === "renyi" ? renyiLimit(json) : { loss: lossFromJson(json), orders: [], inSquares };
  if (json.measure !== "renyi" && !sizeOf(json).every(isPositive)) throw noBudget();
  // With probability 1 anything may happen.
  if ("delta" in json && json.delta !== undefined && rational(json.delta, "delta").compare(1n) >= 0)
    throw noBudget();
  return limit;
}

/** A limit as a person gives it, on a command line or in a configuration. */
export interface GivenLimit {
  readonly epsilon?: RationalLike | undefined;
  readonly rho?: RationalLike | undefined;
  readonly eta?: RationalLike | undefined;
  readonly delta?: RationalLike | undefined;
  readonly order?: RationalLike | undefined;
}

/** Reads a limit in one measure: one text for each number, so that equal budgets are recognised. */
export function budgetFrom({ epsilon, rho, eta, delta, order }: GivenLimit): BudgetJson {
  const sizes = Object.entries({ epsilon, rho, eta }).filter(([, size]) => size !== undefined);
  if (sizes.length !== 1)
    throw invalidParameter(
      "limit",
      "exactly one of epsilon, rho and eta",
      sizes.map(([name]) => name).join(" and ") || "none",
    );
  if (order !== undefined && epsilon === undefined)
    throw invalidParameter("order", "absent without epsilon, because a Rényi budget is an ε at one order");
  if (delta !== undefined && eta !== undefined)
    throw invalidParameter("delta", "absent with eta, whose budget has none");
  const failure = delta !== undefined && { delta: String(readers.properProbability("delta", delta)) };
  const size = (field: string, given: RationalLike) => String(readers.positiveRational(field, given));
  if (rho !== undefined) return { measure: "zcdp", rho: size("rho", rho), ...failure };
  if (eta !== undefined) return { measure: "base2", eta: size("eta", eta) };
  const whole = size("epsilon", epsilon as RationalLike);
  if (order !== undefined) return { measure: "renyi", order: orderAbove1(order), epsilon: whole, ...failure };
  return failure ? { measure: "approx", epsilon: whole, ...failure } : { measure: "pure", epsilon: whole };
}

function orderAbove1(given: RationalLike): string {
  const order = rational(given, "order");
  if (order.compare(1n) <= 0) throw invalidParameter("order", "a rational > 1", given);
  return String(order);
}

/** An empty budget with that limit. */
export function budgetOf({ loss, orders }: BudgetLimit): Budget {
  return new Budget(loss, orders.length === 0 ? {} : { orders });
}

/** The line through (α, ε): it is only ever evaluated at α. */
function renyiLimit({ order, epsilon, delta }: BudgetJson & { measure: "renyi" }): BudgetLimit {
  const [alpha, size] = [rational(order, "order"), rational(epsilon, "epsilon")];
  if (alpha.compare(1n) <= 0 || size.compare(0n) <= 0) throw noBudget();
  return { loss: renyi(zcdpCurve(size.dividedBy(alpha)), delta ?? 0n), orders: [alpha] };
}

function sizeOf(json: LossJson): string[] {
  switch (json.measure) {
    case "base2":
      return [json.eta];
    case "zcdp":
      return [json.rho];
    default:
      return [json.epsilon];
  }
}

function isPositive(text: string): boolean {
  return text !== "Infinity" && rational(text, "budget").compare(0n) > 0;
}

function noBudget(): WinnowError {
  return invalidParameter(
    "budget",
    "a finite limit > 0 in one measure, with a delta < 1 if it has one (for a Rényi budget at an order > 1)",
  );
}

/** `times` charges of one loss, or the sum of charges that are no longer kept apart. */
export interface Charges {
  readonly loss: Loss | LossSum;
  readonly times: number;
  readonly isLate: boolean;
}

/**
 * The budget with all of the losses charged, or the error with which it refuses them. A group of charges counts at most what
 * they counted one by one, so that what was admitted is admitted again.
 */
export function spend(limit: BudgetLimit, charges: readonly Charges[]): Budget | WinnowError {
  const budget = budgetOf(limit);
  const { measure } = limit.loss;
  const isAtOrder = (charge: Charges) => measure === "approx" && charge.isLate;
  const refusal = refusalOf(() => {
    const late = charges.filter(isAtOrder);
    for (const charge of charges) if (!isAtOrder(charge)) budget.charge(countedIn(limit, charge));
    if (late.length > 0) budget.charge(zcdp(0n)); // fixes the order
    for (const charge of late) budget.charge(countedIn(limit, charge));
  });
  return refusal ?? budget;
}

/**
 * Charges in a measure in which they add up to what they are one by one. An (ε, δ) budget counts late losses at a Rényi
 * order, so their curves are added; a sum of ε would be counted as one large ε.
 */
export function countedIn(limit: BudgetLimit, charge: Charges): Loss {
  const { loss, times, isLate } = charge;
  const { measure } = limit.loss;
  if (measure !== "approx") return repeat(inMeasureOf(limit, loss), times);
  if (isLate) return repeat(inMeasure(loss, "renyi"), times);
  return repeat(totalOf(loss).measure === "base2" ? inMeasure(loss, "pure") : totalOf(loss), times);
}

/** A loss in the measure of a limit in which losses add up. */
export function inMeasureOf(
  { loss: { measure }, inSquares = false }: BudgetLimit,
  loss: Loss | LossSum,
): Loss {
  if (measure === "approx") return totalOf(loss);
  const isSquared =
    inSquares && !(loss instanceof LossSum) && loss.measure !== "zcdp" && loss.measure !== "renyi";
  return inMeasure(isSquared ? sumOfOne(lossToJson(loss)) : loss, measure);
}

/** Each loss is converted before it is repeated: ε-DP n times is n times the ρ of ε in zCDP, and not the ρ of n·ε. */
function inMeasure(loss: Loss | LossSum, to: Exclude<Measure, "approx">): Loss {
  return loss instanceof LossSum ? loss.in(to) : convert(loss, { to });
}

/** In its own measure. */
function totalOf(loss: Loss | LossSum): Loss {
  return loss instanceof LossSum ? loss.total : loss;
}

/** The error with which core refuses a charge, if it does. */
export function refusalOf(charge: () => void): WinnowError | undefined {
  try {
    charge();
    return undefined;
  } catch (error) {
    if (error instanceof WinnowError) return error;
    throw error;
  }
}

type Repeated = Pick<Charges, "loss" | "times">;

/** ε = 0 for nothing. */
export function totalsOfCharges(charges: readonly Repeated[]): readonly [Loss, ...Loss[]] {
  if (charges.length === 0) return [pure(0n)];
  const { measure } = compose(...charges.map(({ loss }) => totalOf(loss)));
  const total = sumIn(measure, charges);
  return measure === "zcdp" ? [total] : [total, sumIn("zcdp", charges)];
}

function sumIn(measure: Measure, charges: readonly Repeated[]): Loss {
  const parts = charges.map(({ loss, times }) =>
    repeat(measure === "approx" ? totalOf(loss) : inMeasure(loss, measure), times),
  );
  return compose(...parts);
}

/** The loss charged in each measure, kept apart: ε, then ρ, then (ε, δ). */
export function partsOf(charges: readonly Repeated[]): readonly Loss[] {
  const kinds: readonly (readonly Measure[])[] = [["pure", "base2"], ["zcdp"], ["approx"]];
  return kinds.flatMap((measures) => {
    const same = charges.filter(({ loss }) => measures.includes(totalOf(loss).measure));
    return same.length === 0 ? [] : [compose(...same.map(({ loss, times }) => repeat(totalOf(loss), times)))];
  });
}

/** The smallest δ that a total is stated at. */
const LEAST_DELTA = rational("1e-6");

/**
 * All charges together as one (ε, δ), the tightest that is known: as Rényi curves, of which each loss contributes its
 * own at every order, converted once. δ is a power of ten: 10⁻⁶, or the first above twice the δ that releases have
 * spent themselves. Where the plain sum of ε and δ is no worse in either, it is the total: that of one release is its own loss.
 */
export function totalAtDelta(charges: readonly Repeated[]): LossOf["approx"] {
  if (charges.length === 0) return approx(0n, 0n);
  if (charges.some(({ loss }) => !isLimited(totalOf(loss)))) return approx(Infinity, 0n);
  const curve = sumIn("renyi", charges);
  const spent = ("delta" in curve ? curve.delta : undefined) ?? rational(0n);
  let delta = LEAST_DELTA;
  while (delta.compare(spent.times(2n)) < 0) delta = delta.times(10n);
  if (delta.compare(1n) >= 0) return approx(Infinity, 1n);
  const converted = convert(curve, { to: "approx", delta });
  const sum = plainSum(charges);
  const isOne = charges.length === 1 && charges[0].times === 1;
  return sum !== undefined && (isOne || isWithin(sum, converted)) ? sum : converted;
}

/** The sum of losses that all are (ε, δ). Pure ones are stated with a δ, at which their curve gives a smaller ε. */
function plainSum(charges: readonly Repeated[]): LossOf["approx"] | undefined {
  if (charges.some(({ loss }) => totalOf(loss).measure !== "approx")) return undefined;
  const sum = sumIn("approx", charges);
  return sum.measure === "approx" ? sum : undefined;
}

function isWithin(one: LossOf["approx"], other: LossOf["approx"]): boolean {
  if (!isBounded(one.epsilon)) return false;
  const isLess = !isBounded(other.epsilon) || one.epsilon.compare(other.epsilon) <= 0;
  return isLess && one.delta.compare(other.delta) <= 0;
}

function isLimited(loss: Loss): boolean {
  if (loss.measure === "zcdp") return isBounded(loss.rho);
  if (loss.measure === "base2") return isBounded(loss.eta);
  return loss.measure === "renyi" || isBounded(loss.epsilon);
}

/** "about 7 more releases like this"; undefined times (no budget) has no words. */
export function moreReleases(times: number, like = "this"): string {
  if (times === 0) return `no more releases like ${like}`;
  if (times === Infinity) return `any number of releases like ${like}`;
  return `about ${times} more release${times === 1 ? "" : "s"} like ${like}`;
}
