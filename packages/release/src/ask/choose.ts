/**
 * The mechanism of a question that names none: the first of the list that may answer it and is usual for it, so that leads come
 * where they are free, and names come in order where there is no list.
 * @module
 */
import type { RationalLike } from "winnow-dp";
import type { Mechanism } from "../mechanisms/mechanism.js";
import { MECHANISMS } from "../mechanisms/mechanisms.js";
import type { Domain } from "../question/domain.js";
import type { QuestionKind } from "../question/question.js";
import { refused } from "../refused.js";

/** As much of a question as its default depends on. */
export interface Undecided {
  readonly kind: QuestionKind;
  readonly domain: Domain["kind"];
  /** How many candidates there are, if that is public and known yet. */
  readonly size?: number | undefined;
  readonly k: number;
  readonly rho?: RationalLike | undefined;
  readonly maxItemsPerUser?: number | undefined;
}

/** One of the kind, even if it can't answer: then the reader of the question says why. */
export function usualMechanism(
  asked: Undecided,
  mayBe: (mechanism: Mechanism) => boolean = () => true,
): Mechanism {
  const { kind, domain } = asked;
  const usual = MECHANISMS.filter(
    (each) => each.rules.kind === kind && (each.rules.isUsual?.(asked) ?? true) && mayBe(each),
  );
  const found = usual.find(({ rules }) => rules.domains.includes(domain)) ?? usual[0];
  if (found === undefined) throw refused("kind", "one that a mechanism answers", kind);
  return found;
}
