/**
 * Keys for tests, from a number: whoever reads this can sign with them.
 * @module
 */
import { createHash } from "node:crypto";
import { ed25519Key } from "../../src/heads/ed25519.js";
import { noteKey, toBase64 } from "../../src/heads/note-keys.js";
import { type NoteSigner, readPrivateKey } from "../../src/index.js";

/** A signer with the text of its private key. */
export async function noteSigner(
  name: string,
  number: number,
): Promise<NoteSigner & { readonly text: string }> {
  const seed = Uint8Array.from(createHash("sha256").update(`key ${number}`).digest());
  const { publicKey } = await ed25519Key(seed);
  const { id } = noteKey(name, "head", Buffer.from(publicKey).toString("hex"));
  const text = `PRIVATE+KEY+${name}+${id}+${toBase64(Uint8Array.of(1, ...seed))}`;
  return { ...(await readPrivateKey(text)), text };
}
