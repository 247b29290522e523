/**
 * Questions before it is too late: losses that protect hardly anyone, and accounts that no budget limits. Every front end asks
 * here, so that the command line, the service, the agent's tools and the page agree on what needs a confirmation. A sentence is
 * made of public values alone: prices, totals, budgets and names of data sets.
 *
 * - Above ε = 10 an answer may be more than e^10, about 22,000, times as likely with one person as without.
 * - δ is the probability with which someone's unique item, which nothing else would name, may be published. It is paid for
 *   each person on their own, so among 1/δ people with such an item one is expected to be named. That holds for (ε, δ) and
 *   for zCDP with a δ: what can't happen without a person happens with them with probability at most δ.
 *
 * Both hold for one release, for the total of an account that has no budget, and for a budget, which is the total that is to come.
 * @module
 */

import {
  approx,
  base2,
  convert,
  type Extended,
  isBounded,
  type Loss,
  type LossLike,
  lossToJson,
  pure,
  type Rational,
  rational,
  readLoss,
  zcdp,
} from "winnow-dp";
import { readableLoss } from "../document/loss-text.js";
import type { Account } from "../ledger/account.js";
import { type BudgetJson, readBudget } from "../ledger/budget.js";
import { mustBeButIs } from "../refusal/must-be.js";

/** More needs a confirmation. */
const LARGEST_EPSILON = rational(10n);
const LARGEST_DELTA = rational("1e-5");
/** At which the ε of a loss is stated that has none of its own. */
const STATED_DELTA = rational("1e-6");

/** Why someone must agree to such a loss first; undefined if no one must. `what` costs it. */
export function concernAbout(loss: LossLike, what = "The price"): string | undefined {
  const read = readLoss(loss);
  return sentenceOf(what, epsilonOf(read), deltaOf(read));
}

/** Why someone must agree to a budget or a cap first. A Rényi budget holds at its own order only. */
export function concernAboutBudget(json: BudgetJson, what = "The budget"): string | undefined {
  const { loss } = readBudget(json);
  return sentenceOf(
    what,
    json.measure === "renyi" ? epsilonAtOrder(json.order, json.epsilon) : epsilonOf(loss),
    deltaOf(loss),
  );
}

/**
 * Why someone must agree to the total of an account without a budget first, if this loss takes it above the limit for
 * confirmation. A budget was agreed to when it was set.
 */
export function concernAboutTotal(account: Account, loss: Loss): string | undefined {
  if (account.budget !== undefined) return undefined;
  const [before, after] = [account, account.after(loss)].map(totalOf);
  const isNew = (size: "epsilon" | "delta", most: Rational) =>
    exceeds(after[size], most) && !exceeds(before[size], most);
  const what = `The total of ${JSON.stringify(account.dataset)}, which has no budget,`;
  return sentenceOf(
    what,
    isNew("epsilon", LARGEST_EPSILON) ? after.epsilon : rational(0n),
    isNew("delta", LARGEST_DELTA) ? after.delta : rational(0n),
  );
}

/**
 * How much of the budget such a charge takes, where that isn't the loss itself: the first ρ in an (ε, δ) budget fixes the order
 * at which everything is counted and takes far more than the next one. The charge must fit.
 */
export function takenFrom(account: Account, loss: Loss): Loss | undefined {
  const { budget } = account;
  if (budget === undefined || budget.measure === loss.measure) return undefined;
  const taken = difference(account.after(loss).spent, account.spent);
  const isItself = taken === undefined || ("epsilon" in loss && isSame(taken, pure(loss.epsilon)));
  return isItself ? undefined : taken;
}

/** In one measure; undefined for curves. */
function difference(more: Loss, less: Loss): Loss | undefined {
  const minus = (a: Extended, b: Extended) => (isBounded(a) && isBounded(b) ? a.minus(b) : Infinity);
  if (more.measure === "approx" && less.measure === "approx") {
    const [epsilon, delta] = [minus(more.epsilon, less.epsilon), more.delta.minus(less.delta)];
    return delta.numerator === 0n ? pure(epsilon) : approx(epsilon, delta);
  }
  if (more.measure === "pure" && less.measure === "pure") return pure(minus(more.epsilon, less.epsilon));
  if (more.measure === "base2" && less.measure === "base2") return base2(minus(more.eta, less.eta));
  if (more.measure === "zcdp" && less.measure === "zcdp")
    return zcdp(minus(more.rho, less.rho), deltaOf(more).minus(deltaOf(less)));
  return undefined;
}

function isSame(one: Loss, other: Loss): boolean {
  return JSON.stringify(lossToJson(one)) === JSON.stringify(lossToJson(other));
}

/** "with probability up to δ = 0.01, …": what δ means for someone with something unique. */
export function deltaInWords(delta: Rational, probability = `δ = ${readableDelta(delta)}`): string {
  const people = delta.numerator === 0n ? 0n : rational(1n).dividedBy(delta).floor();
  const expected =
    people < 2n
      ? "expect that of most such people"
      : `among ${people.toLocaleString("en")} such people, expect one`;
  return `with probability up to ${probability}, an item that only one person has may be published; ${expected}`;
}

function sentenceOf(what: string, epsilon: Extended, delta: Rational): string | undefined {
  const sentences = [
    ...(exceeds(epsilon, LARGEST_EPSILON)
      ? [
          mustBeButIs(
            what,
            "at most ε = 10 without a confirmation, because more protects hardly anyone",
            readableLoss({ measure: "pure", epsilon }),
          ),
        ]
      : []),
    ...(exceeds(delta, LARGEST_DELTA)
      ? [
          mustBeButIs(
            what,
            `at most δ = ${readableDelta(LARGEST_DELTA)} without a confirmation`,
            `δ = ${readableDelta(delta)}: ${deltaInWords(delta, "that")}`,
          ),
        ]
      : []),
  ];
  return sentences.length === 0 ? undefined : sentences.join(" ");
}

function exceeds(size: Extended, most: Rational): boolean {
  return !isBounded(size) || size.compare(most) > 0;
}

function readableDelta(delta: Rational): string {
  return readableLoss(approx(0n, delta)).replace(/^.*δ = /, "");
}

/** A ρ has an ε at each δ; it is stated at a small one beside its own. */
function epsilonOf(loss: Loss): Extended {
  if (loss.measure === "pure" || loss.measure === "approx") return loss.epsilon;
  return convert(loss, { to: "approx", delta: deltaOf(loss).plus(STATED_DELTA) }).epsilon;
}

/** The probability of failure that it states itself. */
function deltaOf(loss: Loss): Rational {
  return ("delta" in loss ? loss.delta : undefined) ?? rational(0n);
}

/** ε(α) + ln(1/δ)/(α − 1), which steers a question only. */
function epsilonAtOrder(order: string, epsilon: string): Rational {
  const slack = Math.log(1 / STATED_DELTA.toNumber()) / rational(order).minus(1n).toNumber();
  return rational(epsilon).plus(rational(slack));
}

/** The smallest ε that is known for all releases, and the δ that they have spent themselves. */
function totalOf(account: Account): { readonly epsilon: Extended; readonly delta: Rational } {
  const [strongest] = account.totals;
  const delta = deltaOf(strongest);
  const sum = strongest.measure === "pure" || strongest.measure === "approx" ? strongest.epsilon : Infinity;
  if (!exceeds(sum, LARGEST_EPSILON)) return { epsilon: sum, delta };
  const { epsilon } = account.atDelta;
  const isLess = isBounded(epsilon) && (!isBounded(sum) || epsilon.compare(sum) < 0);
  return { epsilon: isLess ? epsilon : sum, delta };
}
