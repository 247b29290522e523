/**
 * Whether the confirmation is open, and where the keyboard goes once there is something to read.
 * @module
 */
import { signal } from "@preact/signals";
import { announce } from "../parts/announce.js";

export const PUBLISHED_TITLE = "published-title";

export const confirming = signal(false);

/** After the page has drawn the release, and the dialog has given the keyboard back. */
export function focusPublished(): void {
  requestAnimationFrame(() => {
    const title = document.getElementById(PUBLISHED_TITLE);
    title?.scrollIntoView({ block: "nearest" });
    title?.focus();
    announce("Released. The answer is on the safe-to-publish side.");
  });
}
