/**
 * Among whom the winners are, in public terms.
 * @module
 */
import { type GridDomain, gridSize } from "./grid.js";

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
