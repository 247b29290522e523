/**
 * What the engine's failures mean. Its messages quote rows and values, so nothing of them is kept: only their kind, which
 * stands in the first words, decides on a code and a sentence of ours.
 * @module
 */
import { Refusal, type RefusalCode } from "../../refusal.js";

const OUT_OF_MEMORY = /^Out of Memory/;

const KINDS: readonly (readonly [RegExp, RefusalCode, string])[] = [
  [/^INTERRUPT/, "interrupted", "The run was interrupted."],
  [
    /No space left on device|max_temp_directory_size/,
    "disk-full",
    "The disk is full: what does not fit into memory had no place.",
  ],
  [OUT_OF_MEMORY, "source-limit", "Counting needs more memory than the limit allows."],
];

export function isOutOfMemory(error: unknown): boolean {
  return error instanceof Error && OUT_OF_MEMORY.test(error.message);
}

/** `sentence` is what a failure of any other kind means here. */
export function engineRefusal(
  error: unknown,
  sentence: string,
  code: RefusalCode = "unreadable-source",
): Refusal {
  if (error instanceof Refusal) return error;
  const message = error instanceof Error ? error.message : "";
  const [, kind = code, meaning = sentence] = KINDS.find(([words]) => words.test(message)) ?? [];
  return new Refusal(kind, meaning);
}
