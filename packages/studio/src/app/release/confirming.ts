/**
 * Whether the confirmation is open, and where the keyboard goes once there is something to read.
 * @module
 */
import { batch, signal } from "@preact/signals";
import { announce } from "../parts/announce.js";
import { releaseProblem } from "../state/release-state.js";

export const PUBLISHED_TITLE = "published-title";

export const confirming = signal(false);

/** What went wrong the last time is over. */
export function askToConfirm(): void {
  batch(() => {
    releaseProblem.value = undefined;
    confirming.value = true;
  });
}

/** After the page has drawn the release, and the dialog has given the keyboard back. */
export function focusPublished(): void {
  requestAnimationFrame(() => {
    const title = document.getElementById(PUBLISHED_TITLE);
    title?.scrollIntoView({ block: "nearest" });
    title?.focus();
    announce("Released. The answer is on the safe-to-publish side.");
  });
}
