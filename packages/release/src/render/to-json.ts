/**
 * A release as JSON, for programs and for the record: exact names and numbers, everything that could hide or act as escapes.
 * @module
 */
import { readRelease } from "../document/read-release.js";
import type { NewRelease, Release } from "../document/release-document.js";
import { forJson } from "./neutralise.js";

/** One text for one release, in whatever order a storage gave its fields back; `readRelease` reads it. */
export function toJson(release: Release | NewRelease): string {
  return `${forJson(readRelease(JSON.stringify(release)))}\n`;
}
