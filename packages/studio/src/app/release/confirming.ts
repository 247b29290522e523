/**
 * Whether the confirmation is open.
 * @module
 */
import { batch, signal } from "@preact/signals";
import { releaseProblem } from "../state/release-state.js";

export const confirming = signal(false);

/** What went wrong the last time is over. */
export function askToConfirm(): void {
  batch(() => {
    releaseProblem.value = undefined;
    confirming.value = true;
  });
}
