/**
 * The list of promises of Winnow's mechanisms that are checked exactly. `runClaims` lists those that are checked by
 * runs.
 * @module
 */

import type { ExactClaim } from "./check-claim.js";
import { quantileClaims, thresholdClaims } from "./number-claims.js";
import { base2Claims, selectionClaims } from "./selection-claims.js";
import { stableClaims } from "./stable-claims.js";
import { unknownClaims } from "./unknown-claims.js";

/**
 * One for every mechanism, and more where it may run in several ways.
 *
 * @example
 * ```ts
 * import { exactClaims } from "winnow-audit";
 *
 * const [claim] = exactClaims();
 * `${claim.mechanism}: ${claim.promise}`; // → "topKWithGap: pure ε = 2"
 * ```
 */
export function exactClaims(): readonly ExactClaim[] {
  return [
    ...selectionClaims(),
    ...base2Claims(),
    ...stableClaims(),
    ...unknownClaims(),
    ...thresholdClaims(),
    ...quantileClaims(),
  ];
}
