/**
 * A public list of candidates in a question: its size, and a hash that tells which list it was. Candidates are a set: their order
 * doesn't matter, and a name that comes twice is refused, because a candidate must be counted once.
 * @module
 */
import { invalidParameter, sha256 as plainSha256 } from "winnow-dp";
import type { Domain } from "./domain.js";

/** A piece of a list is hashed at once: Web Crypto takes whole buffers, and a text cannot be longer than half a gigabyte. */
const NAMES_IN_A_PIECE = 65_536;

/**
 * The domain of these candidates. The hash is SHA-256 over the names in code-unit order, each as JSON on its line; of more
 * than 65,536 names, the SHA-256 over the hashes (32 bytes each) of pieces of 65,536.
 */
export async function listedDomain(
  candidates: Iterable<string>,
): Promise<Extract<Domain, { kind: "listed" }>> {
  const names = Array.from(candidates).sort();
  if (names.length === 0) throw invalidParameter("domain", "a list of at least one candidate", "none");
  const repeated = names.find((name, index) => index > 0 && name === names[index - 1]);
  if (repeated !== undefined) throw invalidParameter("domain", "a list with every candidate once", repeated);
  return { kind: "listed", size: names.length, hash: hexOf(await hashOf(names)) };
}

/** The hash of a list of at most 65,536 names, at once and in plain JavaScript. */
export function hashOfList(names: readonly string[]): string {
  const bytes = new TextEncoder().encode(linesOf(names.toSorted()));
  return Array.from(plainSha256(bytes), (word) => word.toString(16).padStart(8, "0")).join("");
}

function linesOf(names: readonly string[]): string {
  return names.map((name) => `${JSON.stringify(name)}\n`).join("");
}

async function hashOf(names: readonly string[]): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  for (let start = 0; start < names.length; start += NAMES_IN_A_PIECE) {
    const lines = linesOf(names.slice(start, start + NAMES_IN_A_PIECE));
    pieces.push(await sha256(new TextEncoder().encode(lines)));
  }
  return pieces.length === 1 ? pieces[0] : sha256(Uint8Array.from(pieces.flatMap((piece) => [...piece])));
}

async function sha256(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  return new Uint8Array(await globalThis.crypto.subtle.digest("SHA-256", bytes));
}

function hexOf(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
