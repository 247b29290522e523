/**
 * Which mechanism may answer which question. Pure ε is only ever promised over candidates that are public; whoever the
 * data alone mention can be named by the stable mechanisms only, which pay δ for it.
 * @module
 */
import { rational } from "winnow-dp";
import { refused } from "../refused.js";
import type { Domain, MechanismName, Question, QuestionInput } from "./question.js";

interface Rules {
  readonly kind: Question["kind"];
  readonly domains: readonly Domain["kind"][];
  readonly budgets: readonly ("epsilon" | "rho")[];
  /** Whether there is a probability of failure to pay for. */
  readonly delta: boolean;
  /** How many candidates beyond the winners there must be. */
  readonly spare: number;
}

const PUBLIC = ["listed", "integers"] as const;

/** By mechanism, in the order in which they are shown. */
export const MECHANISMS: Readonly<Record<MechanismName, Rules>> = {
  "top-k-with-gap": { kind: "top", domains: PUBLIC, budgets: ["epsilon"], delta: false, spare: 1 },
  "top-k": { kind: "top", domains: PUBLIC, budgets: ["epsilon", "rho"], delta: false, spare: 0 },
  "permute-and-flip": { kind: "top", domains: PUBLIC, budgets: ["epsilon"], delta: false, spare: 0 },
  "stable-top-k-fixed": {
    kind: "top",
    domains: ["unknown", "listed"],
    budgets: ["epsilon", "rho"],
    delta: true,
    spare: 0,
  },
  "stable-top-k": {
    kind: "adaptive",
    domains: ["unknown", "listed", "integers"],
    budgets: ["epsilon", "rho"],
    delta: true,
    spare: 0,
  },
};

/** The mechanism that says most: gaps where they come for free. */
export function defaultMechanism(
  kind: Question["kind"],
  domain: Domain,
  { k, rho }: Pick<QuestionInput, "k" | "rho">,
): MechanismName {
  if (kind === "adaptive") return "stable-top-k";
  const size = sizeOf(domain);
  if (size === undefined) return "stable-top-k-fixed";
  return rho !== undefined || k === size ? "top-k" : "top-k-with-gap";
}

/** How many candidates there are, where that is public. */
export function sizeOf(domain: Domain): number | undefined {
  if (domain.kind === "unknown") return undefined;
  return domain.kind === "listed" ? domain.size : domain.below;
}

/** Throws unless the mechanism can answer the question. */
export function checkMechanism(question: Question): void {
  const { mechanism, kind, domain, k, resolution } = question;
  const rules = Object.hasOwn(MECHANISMS, mechanism) ? MECHANISMS[mechanism] : undefined;
  if (rules === undefined)
    throw refused("mechanism", `one of ${Object.keys(MECHANISMS).join(", ")}`, mechanism);
  if (rules.kind !== kind) throw refused("mechanism", `one for a question of kind "${kind}"`, mechanism);
  if (!rules.domains.includes(domain.kind)) throw domainRefused(mechanism, rules, domain);
  checkBudget(question, rules);
  if (resolution !== undefined && mechanism !== "top-k-with-gap")
    throw refused("resolution", `absent with ${mechanism}, which releases no leads`, resolution);
  if (mechanism === "permute-and-flip" && k !== 1) throw refused("k", "1 with permute-and-flip", k);
  const size = sizeOf(domain);
  if (size !== undefined && kind === "top" && k > size - rules.spare) throw tooMany(question, size, rules);
}

function domainRefused(mechanism: MechanismName, { domains }: Rules, domain: Domain) {
  if (domain.kind !== "unknown")
    return refused("mechanism", `one for a domain of kind "${domain.kind}"`, mechanism);
  const expected = `a public domain (${domains.join(" or ")}) with ${mechanism}, because the items of private rows are private`;
  return refused("domain.kind", expected, domain.kind);
}

function checkBudget({ mechanism, epsilon, rho, delta }: Question, rules: Rules): void {
  if ((epsilon === undefined) === (rho === undefined))
    throw refused("budget", "exactly one of epsilon and rho", epsilon === undefined ? "none" : "both");
  if (rho !== undefined && !rules.budgets.includes("rho"))
    throw refused("rho", `absent with ${mechanism}, which takes epsilon`, rho);
  if (!rules.delta && delta !== undefined)
    throw refused("delta", `absent with ${mechanism}, which needs none`, delta);
  if (!rules.delta) return;
  if (delta === undefined)
    throw refused("delta", `a rational above 0 and below 1 with ${mechanism}, such as 1e-6`, "none");
  if (rational(delta).compare(1n) >= 0) throw refused("delta", "a rational above 0 and below 1", delta);
}

function tooMany({ k, mechanism }: Question, size: number, { spare }: Rules) {
  const most = size - spare;
  if (most < 1) return refused("domain", `a list of ${spare + 1} or more candidates with ${mechanism}`, size);
  const why = spare === 0 ? "" : " (the last lead needs a runner-up)";
  return refused("k", `an integer from 1 to ${most} for ${size} candidates with ${mechanism}${why}`, k);
}
