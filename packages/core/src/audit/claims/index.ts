/**
 * The promises of Winnow's mechanisms that are checked exactly, or by runs.
 * @module
 */
import { adaptiveClaims } from "./adaptive-claims.js";
import { base2Claims } from "./base2-claims.js";
import type { ExactClaim } from "./exact-claim.js";
import { selectionClaims } from "./selection-claims.js";
import { teacherClaims } from "./teacher-claims.js";

export type { ExactClaim, ExactFinding } from "./exact-claim.js";

export { type RunClaim, type RunClaimOptions, runClaims } from "./run-claims.js";

/** One for every mechanism, and more where it may run in several ways. */
export function exactClaims(): readonly ExactClaim[] {
  return [...selectionClaims(), ...base2Claims(), ...adaptiveClaims(), ...teacherClaims()];
}
