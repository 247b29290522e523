import { fingerprint } from "../../../core/test/support/frozen.js";

/** Enough of a fingerprint to notice any change. */
export function mark(value: unknown): string {
  return fingerprint(typeof value === "string" ? value : JSON.stringify(value)).slice(0, 16);
}
