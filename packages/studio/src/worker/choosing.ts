/**
 * The chooser's answer on a guess: which mechanism, with which limit on the items of a person, names most right items on public numbers.
 * Nothing of the rows takes part, so a choice by it is as public as the guess.
 * @module
 */
import { choose, countsOfGuess, mechanismFor, Refusal, readGuess, sizeOf } from "winnow-release";
import { ANYONE } from "./answering.js";
import type { Asked, Guessed, GuessedWay } from "./api.js";
import { domainOf, type PublicLists } from "./asked-question.js";

/** Throws a WinnowError for a guess or a question that can't be read. */
export function chooseOnGuess(asked: Asked, guess: GuessedWay, lists: PublicLists): Guessed {
  const { mechanism: _, rho: __, groups: ___, where: ____, domain: _____, range: ______, ...rest } = asked;
  const domain = domainOf(asked, lists.candidates);
  const size = "kind" in domain && domain.kind !== "grid" ? sizeOf(domain) : undefined;
  const counts = countsOfGuess(readGuess(`people=${guess.people},items-per-person=${guess.items}`), size);
  const { chosen } = choose({ ...rest, domain, unit: asked.unit || ANYONE }, { guess: counts });
  const { mechanism, maxItemsPerUser, k } = chosen.question;
  const { right } = chosen.expects;
  if (right === undefined)
    throw new Refusal("invalid-question", "Nothing can be compared for this question.");
  const isNeeded = mechanismFor({ mechanism }).rules.bound === "needed";
  return {
    ...{ mechanism, right: right.mean * k, k, origin: counts.origin },
    ...(isNeeded && maxItemsPerUser !== undefined && { maxItemsPerUser }),
  };
}
