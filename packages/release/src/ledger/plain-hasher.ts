/**
 * The hashes of the Merkle tree in plain JavaScript, for every runtime: about ten microseconds each. A program with a faster SHA-256
 * passes its own.
 * @module
 */
import { sha256 } from "winnow-dp";

import type { TreeHasher } from "./inclusion.js";

export const PLAIN_HASHER: TreeHasher = {
  leaf: (leaf) => digest(0, leaf),
  node: (left, right) => digest(1, left, right),
  root: (size, node) => digest(2, BigInt(size).toString(16).padStart(16, "0"), node),
};

/** SHA-256 of one byte, followed by the bytes that the digits stand for. */
function digest(first: number, ...parts: readonly string[]): string {
  const digits = parts.join("");
  const bytes = new Uint8Array(1 + digits.length / 2);
  bytes[0] = first;
  for (let i = 0; i < digits.length; i += 2) bytes[1 + i / 2] = Number.parseInt(digits.slice(i, i + 2), 16);
  return Array.from(sha256(bytes), (word) => word.toString(16).padStart(8, "0")).join("");
}
