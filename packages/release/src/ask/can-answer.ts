/**
 * Which mechanism may answer which question: the one place that asks. A draft is as much of a question as is decided; what it
 * leaves out rules no mechanism out, unless it is known to stay out.
 * @module
 */
import { invalidParameter, rational, type WinnowError } from "winnow-dp";
import type { Mechanism } from "../mechanisms/mechanism.js";
import type { Domain } from "../question/domain.js";
import type { Question } from "../question/question.js";

/** Canonical texts. */
type Given = { readonly [Size in Sizes]?: Question[Size] | undefined };

type Sizes =
  | ("k" | "epsilon" | "rho" | "delta" | "resolution" | "counts" | "maxItemsPerUser" | "atMost")
  | "outsiderShare";

/**
 * A question as far as it was put: what `canAnswer` looks at.
 *
 * @inline
 */
export interface Draft extends Given {
  readonly kind: Question["kind"];
  readonly domain: Domain["kind"];
  /** How many candidates there are, if that is public and known yet. */
  readonly size?: number | undefined;
  /** What will not be given. */
  readonly lacks?: readonly ("budget" | "delta" | "maxItemsPerUser")[];
}

/** For a whole question. */
export const NOTHING_OPEN = {
  lacks: ["budget", "delta", "maxItemsPerUser"],
} as const satisfies Partial<Draft>;

/** True, or why not. */
export function canAnswer(mechanism: Mechanism, draft: Draft): true | WinnowError {
  for (const refusal of REFUSALS) {
    const found = refusal(mechanism, draft);
    if (found !== undefined) return found;
  }
  return true;
}

type Refusal = (mechanism: Mechanism, draft: Draft) => WinnowError | undefined;

/** In the order in which they are told. */
const REFUSALS: readonly Refusal[] = [
  ({ name, rules }, { kind }) =>
    rules.kind === kind
      ? undefined
      : invalidParameter("mechanism", `one for a question of kind "${kind}"`, name),
  wrongDomain,
  wrongBudget,
  wrongDelta,
  wrongExtras,
  wrongBound,
  ({ name, rules }, { k = 1 }) =>
    rules.isForOne && k !== 1 ? invalidParameter("k", `1 with ${name}`, k) : undefined,
  tooMany,
];

function wrongDomain({ name, rules: { domains } }: Mechanism, { domain }: Draft): WinnowError | undefined {
  if (domains.includes(domain)) return undefined;
  if (domain !== "unknown")
    return invalidParameter("mechanism", `one for a domain of kind "${domain}"`, name);
  const expected = `a public domain (${domains.join(" or ")}) with ${name}, because the items of private rows are private`;
  return invalidParameter("domain.kind", expected, domain);
}

function wrongBudget({ name, rules }: Mechanism, { epsilon, rho, lacks }: Draft): WinnowError | undefined {
  const isNone = epsilon === undefined && rho === undefined;
  const isBoth = epsilon !== undefined && rho !== undefined;
  if (isBoth || (isNone && lacks?.includes("budget")))
    return invalidParameter("budget", "exactly one of epsilon and rho", isNone ? "none" : "both");
  if (rho !== undefined && !rules.budgets.includes("rho"))
    return invalidParameter("rho", `absent with ${name}, which takes epsilon`, rho);
  return undefined;
}

function wrongDelta({ name, rules }: Mechanism, { rho, delta, lacks }: Draft): WinnowError | undefined {
  const isUnused = rules.delta === "none" || (rules.delta === "possible" && rho !== undefined);
  if (isUnused)
    return delta === undefined
      ? undefined
      : invalidParameter("delta", `absent with ${name}${whyUnused(rules, rho)}`, delta);
  if (delta === undefined)
    return rules.delta === "needed" && lacks?.includes("delta")
      ? invalidParameter("delta", `a rational above 0 and below 1 with ${name}, such as 1e-6`, "none")
      : undefined;
  return rational(delta).compare(1n) >= 0
    ? invalidParameter("delta", "a rational above 0 and below 1", delta)
    : undefined;
}

function whyUnused({ delta, gaps }: Mechanism["rules"], rho: string | undefined): string {
  if (delta === "possible" && rho !== undefined) return " and rho, which needs none";
  return gaps === "always" ? ", whose leads need exponential noise, which uses none" : ", which needs none";
}

/** Leads, counts, and a bound on the number of values. */
function wrongExtras({ name, rules }: Mechanism, draft: Draft): WinnowError | undefined {
  const { resolution, rho, counts, atMost, outsiderShare } = draft;
  if (resolution !== undefined && rules.gaps === undefined)
    return invalidParameter("resolution", `absent with ${name}, which releases no leads`, resolution);
  if (resolution !== undefined && rho !== undefined)
    return invalidParameter("resolution", "absent with rho, whose noise does not cover leads", resolution);
  if (atMost !== undefined && !rules.atMost) return invalidParameter("atMost", `absent with ${name}`, atMost);
  if (outsiderShare !== undefined && !rules.isSet)
    return invalidParameter("outsiderShare", `absent with ${name}, which gives no set`, outsiderShare);
  if (counts && rules.counts === undefined) return invalidParameter("counts", `absent with ${name}`, counts);
  return undefined;
}

/** Whether people are cut to fewer items first. */
function wrongBound({ name, rules }: Mechanism, draft: Draft): WinnowError | undefined {
  const { maxItemsPerUser, lacks } = draft;
  if (maxItemsPerUser === undefined)
    return rules.bound === "needed" && lacks?.includes("maxItemsPerUser")
      ? invalidParameter("maxItemsPerUser", `an integer >= 1 with ${name}, such as 10`, "none")
      : undefined;
  return rules.bound === undefined
    ? invalidParameter(
        "maxItemsPerUser",
        `absent with ${name}, which counts people for all their items`,
        maxItemsPerUser,
      )
    : undefined;
}

function tooMany({ name, rules: { spare, isSet } }: Mechanism, { k, size }: Draft): WinnowError | undefined {
  if (spare === undefined || size === undefined || k === undefined || k <= size - spare) return undefined;
  const most = size - spare;
  if (most < 1)
    return invalidParameter("domain", `a list of ${spare + 1} or more candidates with ${name}`, size);
  const why = spare === 0 || isSet ? "" : " (the last lead needs a runner-up)";
  return invalidParameter("k", `an integer from 1 to ${most} for ${size} candidates with ${name}${why}`, k);
}
