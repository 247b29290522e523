/**
 * What is asked, in public terms only: how many winners, among which candidates, by which mechanism, at what price, and
 * who is protected. A question holds no private value, so it may be recorded, printed and compared. Numbers are canonical
 * texts and keys come in one order: `JSON.stringify` of two equal questions is the same text.
 * @module
 */
import { type RationalLike, rational } from "winnow-dp";
import { refused } from "../refused.js";
import { checkMechanism, defaultMechanism } from "./mechanism-rules.js";

/** How a question may be answered. */
export type MechanismName =
  | "top-k-with-gap"
  | "top-k"
  | "permute-and-flip"
  | "stable-top-k"
  | "stable-top-k-fixed";

/** Which data sets are to look alike: one person more or less, or one person in place of another. */
export type Neighbours = "add-remove" | "replace";

/** Among whom the winners are. */
export type Domain =
  /** A public list of so many candidates; `hash` tells which (see `listedDomain`). */
  | { readonly kind: "listed"; readonly size: number; readonly hash: string }
  /** All whole numbers from 0 below this. */
  | { readonly kind: "integers"; readonly below: number }
  /** Whoever the data mention: private, so only stable sets of them can be named. */
  | { readonly kind: "unknown" };

export interface Question {
  readonly kind: "top" | "adaptive";
  /** How many winners; for "adaptive" the most that there may be. */
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
  /** What one person is in the data, such as "one value of column user". */
  readonly unit: string;
}

/** A question as a person or a program puts it; what is left out gets its default. */
export interface QuestionInput {
  /** Default "top". */
  readonly kind?: "top" | "adaptive" | undefined;
  readonly k: number;
  readonly domain: Domain;
  /** Default "add-remove". */
  readonly neighbours?: Neighbours | undefined;
  /** Default: the one that says most for this domain and budget. */
  readonly mechanism?: MechanismName | undefined;
  readonly epsilon?: RationalLike | undefined;
  readonly rho?: RationalLike | undefined;
  readonly delta?: RationalLike | undefined;
  /** Default 1 where gaps are released. */
  readonly resolution?: RationalLike | undefined;
  readonly unit: string;
}

/** All winners are held in memory, by the mechanism and by whoever prints them. */
const MOST_WINNERS = 1_000_000;

/** The question in canonical form. Throws a WinnowError ("invalid-parameter") on what cannot be asked. */
export function readQuestion(input: QuestionInput): Question {
  const kind = input.kind ?? "top";
  if (kind !== "top" && kind !== "adaptive") throw refused("kind", '"top" or "adaptive"', kind);
  if (!Number.isSafeInteger(input.k) || input.k < 1) throw refused("k", "an integer >= 1", input.k);
  if (input.k > MOST_WINNERS) throw refused("k", `an integer from 1 to ${MOST_WINNERS}`, input.k);
  const neighbours = input.neighbours ?? "add-remove";
  if (neighbours !== "add-remove" && neighbours !== "replace")
    throw refused("neighbours", '"add-remove" or "replace"', neighbours);
  if (typeof input.unit !== "string" || input.unit.trim() === "")
    throw refused(
      "unit",
      'a text that says what one person is, such as "one value of column user"',
      input.unit,
    );
  const domain = readDomain(input.domain);
  const mechanism = input.mechanism ?? defaultMechanism(kind, domain, input);
  const question: Question = {
    kind,
    k: input.k,
    domain,
    neighbours,
    mechanism,
    ...positive("epsilon", input.epsilon),
    ...positive("rho", input.rho),
    ...positive("delta", input.delta),
    ...positive("resolution", input.resolution ?? (mechanism === "top-k-with-gap" ? 1n : undefined)),
    unit: input.unit.trim(),
  };
  checkMechanism(question);
  return question;
}

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

function readDomain(domain: Domain): Domain {
  const kind: unknown = domain?.kind;
  switch (domain?.kind) {
    case "listed":
      if (!HASH.test(domain.hash)) throw refused("domain.hash", "64 hexadecimal digits", domain.hash);
      return { kind: "listed", size: positiveInteger("domain.size", domain.size), hash: domain.hash };
    case "integers":
      return { kind: "integers", below: positiveInteger("domain.below", domain.below) };
    case "unknown":
      return { kind: "unknown" };
    default:
      throw refused("domain.kind", '"listed", "integers" or "unknown"', kind);
  }
}

function positiveInteger(field: string, value: number): number {
  if (!Number.isSafeInteger(value) || value < 1) throw refused(field, "an integer >= 1", value);
  return value;
}
