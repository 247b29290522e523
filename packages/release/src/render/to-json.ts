/**
 * A release as JSON, for programs and for the record: exact names and numbers, everything that could hide or act as escapes.
 * @module
 */
import type { NewRelease, Release } from "../document/release-document.js";
import { forJson } from "./neutralise.js";

/** `readRelease` reads it back. */
export function toJson(release: Release | NewRelease): string {
  return `${forJson(release)}\n`;
}
