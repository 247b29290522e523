/**
 * The question, in public terms only: how many winners, among which candidates, by which mechanism, at what price, and
 * who is protected. It holds no private value, so it may be recorded, printed and compared. Numbers are canonical
 * texts and keys come in one order, so `JSON.stringify` gives equal questions the same text.
 *
 * The rules say which mechanism may answer which question. Pure ε is only promised over public candidates. Items that
 * only the data mention can be named by mechanisms for unknown domains alone, which pay δ for it:
 *
 *   top, no bound          the limited-domain top k: items that come before ⊥, in order
 *   top, bound m < k/4     the items above a threshold, after each person was cut to m items; the best k of them
 *   names, bound m         every item above the threshold
 *   adaptive               a stable set
 *
 * A person who was cut to m items is in m counts. For k up to 4·m that loses more than it gains, so the bound is not
 * used there unless the mechanism is named (docs/guide/without-a-list.md).
 *
 * A quantile is a selection too: among the points of a public grid, by rank (numbers.ts).
 *
 * A public list of candidates is recorded as its size and a hash that tells which list it was (listed-domain.ts).
 * @module
 */
import { type RationalLike, rational, rhoAtMost } from "winnow-dp";
import { decimalText } from "../document/loss-text.js";
import { refused } from "../refused.js";
import {
  checkFrequencies,
  type GridDomain,
  type GridInput,
  gridSize,
  readGrid,
  readShares,
} from "./numbers.js";

/** How a question may be answered. */
export type MechanismName =
  | "top-k-with-gap"
  | "top-k"
  | "permute-and-flip"
  | "limited-top-k"
  | "threshold-top-k"
  | "select-partitions"
  | "stable-top-k"
  | "stable-top-k-fixed"
  | "quantiles"
  | "integer-partition";

/** Which data sets are to look alike: one person more or less, or one person in place of another. */
export type Neighbours = "add-remove" | "replace";

/** Among whom the winners are. */
export type Domain =
  /** A public list of `size` candidates; `hash` tells which (see `listedDomain`). */
  | { readonly kind: "listed"; readonly size: number; readonly hash: string }
  /** All whole numbers from 0 below this. */
  | { readonly kind: "integers"; readonly below: number }
  /** The items in the data: private, so naming them takes a mechanism for unknown domains. */
  | { readonly kind: "unknown" }
  /** The points of a public grid, among which quantiles are. */
  | GridDomain;

/** The best k, a set that stands out, every item that enough people have, quantiles of a column, or how many items have how many people. */
export type QuestionKind = "top" | "adaptive" | "names" | "quantile" | "frequencies";

export interface Question {
  readonly kind: QuestionKind;
  /** How many winners or quantiles; for "adaptive" and "names" the most that there may be; 1 for "frequencies". */
  readonly k: number;
  readonly domain: Domain;
  readonly neighbours: Neighbours;
  readonly mechanism: MechanismName;
  /** Exactly one of epsilon and rho. */
  readonly epsilon?: string;
  readonly rho?: string;
  readonly delta?: string;
  /** Gaps are multiples of this. */
  readonly resolution?: string;
  /** Whether noisy counts of users come with the names. */
  readonly counts?: true;
  /** The most items that a person counts for, chosen by a keyed hash; absent if all count. */
  readonly maxItemsPerUser?: number;
  /** For quantiles: the shares of values below, rising. The items are the values of people. */
  readonly quantiles?: readonly string[];
  /** A public bound on the number of values. */
  readonly atMost?: number;
  /** What one person is in the data, such as "one value of column user". */
  readonly unit: string;
}

/** A question as a person or a program puts it; what is left out gets its default. */
export interface QuestionInput {
  /** Default "top". */
  readonly kind?: QuestionKind | undefined;
  /** For "names" it may be left out; for "quantile" it is the number of quantiles. */
  readonly k?: number | undefined;
  readonly domain: Domain | GridInput;
  /** Default "add-remove". */
  readonly neighbours?: Neighbours | undefined;
  /** Default: the one that says most for this domain and budget. */
  readonly mechanism?: MechanismName | undefined;
  readonly epsilon?: RationalLike | undefined;
  readonly rho?: RationalLike | undefined;
  readonly delta?: RationalLike | undefined;
  /** Default 1 with "top-k-with-gap"; otherwise no gaps are released. */
  readonly resolution?: RationalLike | undefined;
  /** Default: where they cost nothing more. */
  readonly counts?: boolean | undefined;
  /** Default 1 for "quantile" and "frequencies"; otherwise each person counts for all items. */
  readonly maxItemsPerUser?: number | undefined;
  readonly quantiles?: readonly RationalLike[] | undefined;
  readonly atMost?: number | undefined;
  readonly unit: string;
}

/** All winners are held in memory, by the mechanism and by the code that prints them. */
const MOST_WINNERS = 1_000_000;

/** The question in canonical form. Throws a WinnowError ("invalid-parameter") on what cannot be asked. */
export function readQuestion(input: QuestionInput): Question {
  const kind = input.kind ?? "top";
  if (!KINDS.includes(kind)) throw refused("kind", `one of ${KINDS.join(", ")}`, kind);
  const shares = kind === "quantile" ? readShares(input.quantiles) : undefined;
  const k = shares?.length ?? input.k ?? USUAL_K[kind];
  if (k === undefined || !Number.isSafeInteger(k) || k < 1) throw refused("k", "an integer >= 1", k);
  if (k > MOST_WINNERS) throw refused("k", `an integer from 1 to ${MOST_WINNERS}`, k);
  const neighbours = input.neighbours ?? "add-remove";
  if (neighbours !== "add-remove" && neighbours !== "replace")
    throw refused("neighbours", '"add-remove" or "replace"', neighbours);
  if (typeof input.unit !== "string" || input.unit.trim() === "")
    throw refused(
      "unit",
      'a text that says what one person is, such as "one value of column user"',
      input.unit,
    );
  const { counts = false } = input;
  if (typeof counts !== "boolean") throw refused("counts", "true or false", counts);
  const domain = readDomain(input.domain);
  const given = input.maxItemsPerUser ?? (kind === "quantile" || kind === "frequencies" ? 1 : undefined);
  const bound = given === undefined ? undefined : positiveInteger("maxItemsPerUser", given);
  const mechanism =
    input.mechanism ?? defaultMechanism(kind, domain, { k, rho: input.rho, maxItemsPerUser: bound });
  const isBounded = bound !== undefined && (input.mechanism !== undefined || mechanism !== "limited-top-k");
  const question: Question = {
    kind,
    k,
    domain,
    neighbours,
    mechanism,
    ...positive("epsilon", input.epsilon),
    ...positive("rho", input.rho),
    ...positive("delta", input.delta),
    ...positive("resolution", input.resolution ?? (mechanism === "top-k-with-gap" ? 1n : undefined)),
    ...((counts || mechanism === "threshold-top-k") && { counts: true }),
    ...(isBounded && { maxItemsPerUser: bound }),
    ...(shares !== undefined && { quantiles: shares }),
    ...(input.atMost !== undefined && { atMost: positiveInteger("atMost", input.atMost) }),
    unit: input.unit.trim(),
  };
  checkMechanism(question);
  return question;
}

const KINDS: readonly QuestionKind[] = ["top", "adaptive", "names", "quantile", "frequencies"];

/** Where it need not be said. */
const USUAL_K: { readonly [Kind in QuestionKind]?: number } = { names: MOST_WINNERS, frequencies: 1 };

/** Beyond any meaning, and well within what the mechanisms compute with. */
const [LEAST, MOST] = ["1e-200", "1e200"].map((text) => rational(text));

/** `{ [field]: canonical text }`, or nothing. */
function positive<Field extends string>(
  field: Field,
  value: RationalLike | undefined,
): { readonly [F in Field]?: string } {
  if (value === undefined) return {};
  const size = rational(value, field);
  if (size.numerator <= 0n) throw refused(field, "a rational > 0", value);
  if (size.compare(LEAST) < 0 || size.compare(MOST) > 0)
    throw refused(field, "a rational from 1e-200 to 1e200", value);
  return { [field]: String(size) } as { readonly [F in Field]: string };
}

const HASH = /^[\da-f]{64}$/;

function readDomain(domain: QuestionInput["domain"]): Domain {
  const kind: unknown = domain?.kind;
  switch (domain?.kind) {
    case "listed":
      if (!HASH.test(domain.hash)) throw refused("domain.hash", "64 hexadecimal digits", domain.hash);
      return { kind: "listed", size: positiveInteger("domain.size", domain.size), hash: domain.hash };
    case "integers":
      return { kind: "integers", below: positiveInteger("domain.below", domain.below) };
    case "unknown":
      return { kind: "unknown" };
    case "grid":
      return readGrid(domain);
    default:
      throw refused("domain.kind", '"listed", "integers", "unknown" or "grid"', kind);
  }
}

function positiveInteger(field: string, value: number): number {
  if (!Number.isSafeInteger(value) || value < 1) throw refused(field, "an integer >= 1", value);
  return value;
}

interface Rules {
  readonly kind: QuestionKind;
  readonly domains: readonly Domain["kind"][];
  readonly budgets: readonly ("epsilon" | "rho")[];
  /** Whether there is a probability of failure to pay for. */
  readonly delta: boolean;
  /** How many candidates beyond the winners there must be. */
  readonly spare: number;
  /** Whether leads can be released: always, with ε only, or never. */
  readonly gaps?: "always" | "epsilon";
  readonly counts?: boolean;
  /** Whether people are cut to `maxItemsPerUser` items first. */
  readonly bound?: "needed" | "possible";
}

const PUBLIC = ["listed", "integers"] as const;

const BOTH = ["epsilon", "rho"] as const;
const UNKNOWN = ["unknown"] as const;

/** By mechanism, in the order in which they are shown. */
export const MECHANISMS: Readonly<Record<MechanismName, Rules>> = {
  "top-k-with-gap": {
    kind: "top",
    domains: PUBLIC,
    budgets: ["epsilon"],
    delta: false,
    spare: 1,
    gaps: "always",
    counts: true,
  },
  "top-k": { kind: "top", domains: PUBLIC, budgets: BOTH, delta: false, spare: 0, counts: true },
  "permute-and-flip": { kind: "top", domains: PUBLIC, budgets: ["epsilon"], delta: false, spare: 0 },
  "limited-top-k": {
    kind: "top",
    domains: UNKNOWN,
    budgets: BOTH,
    delta: true,
    spare: 0,
    gaps: "epsilon",
    counts: true,
    bound: "possible",
  },
  "threshold-top-k": {
    kind: "top",
    domains: UNKNOWN,
    budgets: BOTH,
    delta: true,
    spare: 0,
    counts: true,
    bound: "needed",
  },
  "stable-top-k-fixed": {
    kind: "top",
    domains: ["unknown", "listed"],
    budgets: BOTH,
    delta: true,
    spare: 0,
  },
  "stable-top-k": {
    kind: "adaptive",
    domains: ["unknown", "listed", "integers"],
    budgets: BOTH,
    delta: true,
    spare: 0,
  },
  "select-partitions": {
    kind: "names",
    domains: UNKNOWN,
    budgets: BOTH,
    delta: true,
    spare: 0,
    counts: true,
    bound: "needed",
  },
  "integer-partition": {
    kind: "frequencies",
    domains: UNKNOWN,
    budgets: ["epsilon"],
    delta: false,
    spare: 0,
    bound: "needed",
  },
  quantiles: { kind: "quantile", domains: ["grid"], budgets: BOTH, delta: false, spare: 0, bound: "needed" },
};

/** From this many winners per person on, cutting people to fewer items names more of them. */
const WINNERS_PER_ITEM = 4;

/** The mechanism that says most: gaps where they come for free, names in order where there is no list. */
export function defaultMechanism(
  kind: QuestionKind,
  domain: Domain,
  { k, rho, maxItemsPerUser }: Pick<QuestionInput, "rho" | "maxItemsPerUser"> & { readonly k: number },
): MechanismName {
  if (kind === "adaptive") return "stable-top-k";
  if (kind === "names") return "select-partitions";
  if (kind === "quantile") return "quantiles";
  if (kind === "frequencies") return "integer-partition";
  const size = sizeOf(domain);
  if (size !== undefined) return rho !== undefined || k === size ? "top-k" : "top-k-with-gap";
  const isLong = maxItemsPerUser !== undefined && k > WINNERS_PER_ITEM * maxItemsPerUser;
  return isLong ? "threshold-top-k" : "limited-top-k";
}

/** How many candidates there are, where that is public. */
export function sizeOf(domain: Domain): number | undefined {
  switch (domain.kind) {
    case "listed":
      return domain.size;
    case "integers":
      return domain.below;
    case "grid":
      return gridSize(domain);
    default:
      return undefined;
  }
}

/** Throws unless the mechanism can answer the question. */
function checkMechanism(question: Question): void {
  const { mechanism, kind, domain, k } = question;
  const rules = Object.hasOwn(MECHANISMS, mechanism) ? MECHANISMS[mechanism] : undefined;
  if (rules === undefined)
    throw refused("mechanism", `one of ${Object.keys(MECHANISMS).join(", ")}`, mechanism);
  if (rules.kind !== kind) throw refused("mechanism", `one for a question of kind "${kind}"`, mechanism);
  if (!rules.domains.includes(domain.kind)) throw domainRefused(mechanism, rules, domain);
  checkBudget(question, rules);
  checkExtras(question, rules);
  if (kind === "frequencies") checkFrequencies(question);
  if ((mechanism === "permute-and-flip" || kind === "frequencies") && k !== 1)
    throw refused("k", `1 with ${mechanism}`, k);
  const size = sizeOf(domain);
  if (size !== undefined && kind === "top" && k > size - rules.spare) throw tooMany(question, size, rules);
}

/** Checks what can come with the names, and whether people are cut to fewer items first. */
function checkExtras(question: Question, rules: Rules): void {
  const { mechanism, resolution, rho, counts, maxItemsPerUser, atMost } = question;
  if (resolution !== undefined && rules.gaps === undefined)
    throw refused("resolution", `absent with ${mechanism}, which releases no leads`, resolution);
  if (resolution !== undefined && rho !== undefined)
    throw refused("resolution", "absent with rho, whose noise does not cover leads", resolution);
  if (atMost !== undefined && mechanism !== "quantiles")
    throw refused("atMost", `absent with ${mechanism}`, atMost);
  if (counts && !rules.counts) throw refused("counts", `absent with ${mechanism}`, counts);
  if (maxItemsPerUser === undefined ? rules.bound === "needed" : rules.bound === undefined)
    throw refused(
      "maxItemsPerUser",
      maxItemsPerUser === undefined
        ? `an integer >= 1 with ${mechanism}, such as 10`
        : `absent with ${mechanism}, which counts people for all their items`,
      maxItemsPerUser ?? "none",
    );
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
    throw refused(
      "delta",
      `absent with ${mechanism}, which needs none${rhoInstead(epsilon, delta, rules)}`,
      delta,
    );
  if (!rules.delta) return;
  if (delta === undefined)
    throw refused("delta", `a rational above 0 and below 1 with ${mechanism}, such as 1e-6`, "none");
  if (rational(delta).compare(1n) >= 0) throw refused("delta", "a rational above 0 and below 1", delta);
}

/** Over a public list, (ε, δ) buys more as a ρ: the price that it pays for. */
function rhoInstead(epsilon: string | undefined, delta: string, { kind }: Rules): string {
  if (kind !== "top" || epsilon === undefined || rational(delta).compare(1n) >= 0) return "";
  const rho = decimalText(rhoAtMost({ epsilon, delta }), "down");
  return `; to spend this epsilon and delta over a public list, pass rho = ${rho} instead of both`;
}

function tooMany({ k, mechanism }: Question, size: number, { spare }: Rules) {
  const most = size - spare;
  if (most < 1) return refused("domain", `a list of ${spare + 1} or more candidates with ${mechanism}`, size);
  const why = spare === 0 ? "" : " (the last lead needs a runner-up)";
  return refused("k", `an integer from 1 to ${most} for ${size} candidates with ${mechanism}${why}`, k);
}
