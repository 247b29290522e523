/**
 * What a question costs and what is left, exactly and in words: of the data set's budget, and of the analyst's cap in it.
 * @module
 */
import { type Loss, lossToJson, rational } from "winnow-dp";
import {
  type Account,
  lossOf,
  moreReleases,
  type Question,
  type ReleaseLoss,
  readableLoss,
  releaseLoss,
} from "winnow-release";

/** A limit and what is spent of it. Exact numbers are text; `readable` rounds against you. */
export interface Balance {
  readonly limit: LossView;
  readonly spent: LossView;
  readonly remaining: LossView;
  readonly releases: number;
}

/** A loss in its measure, and in words. A Rényi loss is its ε at the order of the budget. */
export type LossView = Readonly<Record<string, string>> & {
  readonly measure: string;
  readonly readable: string;
};

export interface DatasetBudget {
  readonly dataset: string;
  /** The budget of the data set, which all analysts share. */
  readonly budget: Balance;
  /** The analyst's own cap. */
  readonly cap: Balance;
  /** The analyst's remaining budget, in a sentence. */
  readonly readable: string;
}

export interface Cost {
  readonly dataset: string;
  readonly question: Question;
  /** What the release promises on its own. */
  readonly loss: ReleaseLoss;
  /** The price that must fit now; a list that ends early may be charged less. */
  readonly reserved: LossView;
  readonly fits: boolean;
  /** Why it doesn't fit. */
  readonly refusal?: string;
  /** How many more releases like this fit now; absent if any number does. */
  readonly more?: number;
  readonly readable: string;
}

export function budgetOf(dataset: string, whole: Account, own: Account): DatasetBudget {
  const [budget, cap] = [balanceOf(whole), balanceOf(own)];
  const readable = `Of your cap of ${cap.limit.readable}, ${cap.remaining.readable} is left; of the budget of ${budget.limit.readable} that all analysts share, ${budget.remaining.readable} is left.`;
  return { dataset, budget, cap, readable };
}

/** Shares of a budget that monitoring distinguishes, the largest first. */
const SHARES = ["1", "0.75", "0.5", "0.2", "0.1", "0.05", "0.02", "0.01"] as const;

/** The largest of these shares that is left of every part of the budget, or 0. */
export function shareLeft(account: Account): number {
  const { limit, remaining } = balanceOf(account);
  const parts = ["epsilon", "rho", "eta", "delta"].filter(
    (part) =>
      limit[part] !== undefined && limit[part] !== "Infinity" && rational(limit[part]).compare(0n) > 0,
  );
  const isLeft = (share: string) =>
    parts.every(
      (part) => rational(remaining[part] ?? 0).compare(rational(limit[part]!).times(rational(share))) >= 0,
    );
  return Number(SHARES.find(isLeft) ?? 0);
}

/** The service refuses to start with a data set without a budget. */
function balanceOf(account: Account): Balance {
  const { budget, remaining, spent, releases } = account;
  if (budget === undefined || remaining === undefined) throw new Error("the account has lost its budget");
  return {
    limit: lossView(account, budget, "down"),
    spent: lossView(account, spent, "up"),
    remaining: lossView(account, remaining, "down"),
    releases,
  };
}

export function costOf(
  dataset: string,
  question: Question,
  {
    whole,
    own,
    refusal,
  }: { readonly whole: Account; readonly own: Account; readonly refusal: string | undefined },
): Cost {
  const reserved = whole.reservationFor(question);
  const times = [whole, own].map((account) => account.admitsTimes(account.reservationFor(question)) ?? 0);
  const more = refusal === undefined ? Math.min(...times) : 0;
  return {
    dataset,
    question,
    loss: releaseLoss(lossOf(question)),
    reserved: lossView(whole, reserved, "up"),
    fits: refusal === undefined,
    ...(refusal !== undefined && { refusal }),
    ...(more !== Infinity && { more }),
    readable: `It costs ${readableLoss(reserved)}; ${moreReleases(more)} can be made now.`,
  };
}

function lossView(account: Account, loss: Loss, rounding: "up" | "down"): LossView {
  const { orders } = account;
  const [order] = orders;
  const readable = readableLoss(loss, rounding, orders.length === 0 ? undefined : orders);
  if (loss.measure !== "renyi" || order === undefined) return { ...lossToJson(loss), readable };
  const failure = loss.delta === undefined ? {} : { delta: String(loss.delta) };
  const epsilon = String(loss.curve.at(order, rounding));
  return { measure: "renyi", order: String(order), epsilon, ...failure, readable };
}
