/**
 * A public list of candidates as the domain of a question: its size and a hash that tells which list it was. Candidates
 * are a set: their order does not matter, and a name that comes twice is refused, for a candidate must be counted once.
 * @module
 */
import { refused } from "../refused.js";
import type { Domain } from "./question.js";

/** The domain of these candidates. The hash is SHA-256 over the names in code-unit order, each as JSON on its line. */
export async function listedDomain(
  candidates: Iterable<string>,
): Promise<Extract<Domain, { kind: "listed" }>> {
  const names = [...candidates].sort();
  if (names.length === 0) throw refused("domain", "a list of at least one candidate", "none");
  const repeated = names.find((name, index) => index > 0 && name === names[index - 1]);
  if (repeated !== undefined) throw refused("domain", "every candidate once", repeated);
  const text = names.map((name) => `${JSON.stringify(name)}\n`).join("");
  const digest = await globalThis.crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return { kind: "listed", size: names.length, hash: hexOf(new Uint8Array(digest)) };
}

function hexOf(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
