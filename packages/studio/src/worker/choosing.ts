/**
 * The chooser's answer on a guess: which mechanism, with which limit on the items of a person, names most right items on public numbers.
 * Nothing of the rows takes part, so a choice by it is as public as the guess.
 * @module
 */
import { choose, countsOfGuess, kindOf, needsLimit, Refusal, readGuess, sizeOf } from "winnow-release";
import { ANYONE } from "./answering.js";
import type { Asked, Guessed, GuessedWay } from "./api.js";
import { domainOf, type PublicLists } from "./asked-question.js";

/** Throws a WinnowError for a guess or a question that can't be read. */
export function chooseOnGuess(asked: Asked, guess: GuessedWay, lists: PublicLists): Guessed {
  const { kind, k, neighbours, epsilon, delta, counts, resolution, maxItemsPerUser: given } = asked;
  const domain = domainOf(asked, lists.candidates);
  const size = "kind" in domain && domain.kind !== "grid" ? sizeOf(domain) : undefined;
  const guessed = countsOfGuess(readGuess(`people=${guess.people},items-per-person=${guess.items}`), size);
  const input = {
    ...{ kind, k, neighbours, epsilon, delta, counts, resolution, domain, unit: asked.unit || ANYONE },
    ...(needsLimit(kindOf({ kind })) && { maxItemsPerUser: given }),
  };
  // Those that may take a limit are asked without one on this page.
  const { chosen } = choose(input, { guess: guessed }, ({ rules }) => rules.bound !== "possible");
  const { mechanism, maxItemsPerUser, k: most } = chosen.question;
  const { right } = chosen.expects;
  if (right === undefined)
    throw new Refusal("invalid-question", "Nothing can be compared for this question.");
  return {
    ...{ mechanism, right: right.mean * most, k: most, origin: guessed.origin },
    ...(maxItemsPerUser !== undefined && { maxItemsPerUser }),
  };
}
