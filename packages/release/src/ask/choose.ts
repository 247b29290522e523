/**
 * The mechanism of a question that names none: the first of the list that may answer it and is usual for it, so that leads come
 * where they are free, and names come in order where there is no list.
 * @module
 */
import { invalidParameter } from "winnow-dp";
import type { Mechanism, Speaker, Usual } from "../mechanisms/mechanism.js";
import { MECHANISMS } from "../mechanisms/mechanisms.js";
import { varianceRatio } from "../parts/approx-rounds.js";
import type { Domain } from "../question/domain.js";
import type { Question, QuestionInput, QuestionKind } from "../question/question.js";

/** As much of a question as its default depends on. */
export interface Undecided extends Usual {
  readonly kind: QuestionKind;
  readonly domain: Domain["kind"];
  /** The limit on items is a setting of the place, and no part of the question: over a list, people are limited only if it says so. */
  readonly isLimitIdle?: boolean | undefined;
}

/** One of the kind, even if it can't answer: then the reader of the question says why. */
export function usualMechanism(
  { isLimitIdle = false, ...given }: Undecided,
  mayBe: (mechanism: Mechanism) => boolean = () => true,
): Mechanism {
  const { kind, domain, set = false } = given;
  const asked = isLimitIdle && domain === "listed" ? { ...given, maxItemsPerUser: undefined } : given;
  const all = MECHANISMS.filter(
    (each) =>
      each.rules.kind === kind &&
      (each.rules.isSet ?? false) === set &&
      (each.rules.isUsual?.(asked) ?? true) &&
      mayBe(each),
  );
  const bounded = all.filter((each) => takesBound(each, asked));
  const usual = bounded.length > 0 ? bounded : all;
  const found = usual.find(({ rules }) => rules.domains.includes(domain)) ?? usual[0];
  if (found === undefined && set)
    throw invalidParameter("set", `absent in a question of kind "${kind}"`, set);
  if (found === undefined) throw invalidParameter("kind", "one that a mechanism answers", kind);
  return found;
}

/** Over a list, a limit on items is only given for a mechanism that takes one. */
function takesBound(
  { rules }: Mechanism,
  { domain, maxItemsPerUser }: Pick<Undecided, "domain" | "maxItemsPerUser">,
): boolean {
  if (domain !== "listed" || maxItemsPerUser === undefined) return true;
  return rules.bound !== undefined && rules.domains.includes(domain);
}

/**
 * Says which of exponential noise and Gumbel noise was chosen over a public list, and what the other would give, if a δ was
 * offered; otherwise undefined. From public numbers alone.
 */
export function noiseInWords(
  question: Question,
  offered: Pick<QuestionInput, "delta" | "resolution">,
  say: Speaker,
): string | undefined {
  const { k, resolution } = question;
  if (offered.delta === undefined || question.rho !== undefined || question.domain.kind === "unknown")
    return undefined;
  const ratio = varianceRatio({ ...question, delta: offered.delta });
  if (ratio === undefined) return undefined;
  const deviation = Math.sqrt(ratio.toNumber());
  const less = `${Math.round(100 * Math.abs(1 - deviation))} %`;
  const winners = k === 1 ? "1 winner" : `${k} winners`;
  if (question.delta !== undefined)
    return deviation < 1
      ? `Gumbel noise in (ε, δ): for ${winners} it is ${less} smaller than exponential noise for ε alone, which could tell leads too (${say.option("resolution", "1")}).`
      : `Gumbel noise in (ε, δ), as asked: for ${winners}, exponential noise for ε alone would be smaller.`;
  return deviation < 1 && resolution !== undefined
    ? `δ isn't spent, because leads need exponential noise: without ${say.option("resolution", resolution)}, Gumbel noise in (ε, δ) would be ${less} smaller.`
    : `δ isn't spent: for ${winners}, exponential noise for ε alone is smaller than Gumbel noise in (ε, δ).`;
}
