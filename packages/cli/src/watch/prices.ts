/** What documents of the command line cost that aren't answers to questions: labels, looks at a watched list, and choices of a mechanism. */
import type { PriceOf } from "winnow-release";
import { priceOfLabels } from "../pate/labels.js";
import { priceOfChoice } from "../tune/tuned-choice.js";
import { pricesOfLooks } from "./watched-list.js";

/** For one check of a ledger, in the order of its entries. */
export function pricesOfDocuments(): PriceOf {
  const priceOfLook = pricesOfLooks();
  return (release) => priceOfLabels(release) ?? priceOfLook(release) ?? priceOfChoice(release);
}
