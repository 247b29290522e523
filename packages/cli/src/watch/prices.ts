/** What documents of the command line cost that aren't answers to questions: labels, and looks at a watched list. */
import type { PriceOf } from "winnow-release";
import { priceOfLabels } from "../pate/labels.js";
import { pricesOfLooks } from "./watched-list.js";

/** For one check of a ledger, in the order of its entries. */
export function pricesOfDocuments(): PriceOf {
  const priceOfLook = pricesOfLooks();
  return (release) => priceOfLabels(release) ?? priceOfLook(release);
}
