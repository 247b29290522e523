/**
 * The keys of signed notes, as text, in the formats of C2SP `signed-note` and Go's `sumdb/note`:
 *
 *     example.org/ledger+2f9a4c1e+AZx…                  a public key: name, key id, base64(type ‖ 32 bytes)
 *     PRIVATE+KEY+example.org/ledger+2f9a4c1e+AQh…      a private key: the same with the 32 bytes of the seed
 *
 * The type is 1 for a key that signs heads, and 4 for one that cosigns those of others (`tlog-cosignature`); the key id is the first
 * 4 bytes of SHA-256(name ‖ 0x0A ‖ type ‖ public key). A witness's public key may be written with either type.
 * @module
 */
import { invalidParameter, sha256 } from "winnow-dp";
import { fromHex, toHex } from "../ledger/inclusion.js";
import { type Ed25519Key, ed25519Key } from "./ed25519.js";

/** What a key signs: heads of its own log, or, with the time, heads of others. */
export type KeyType = "head" | "cosignature";

const TYPES: Readonly<Record<KeyType, number>> = { head: 1, cosignature: 4 };

type Bytes = Uint8Array<ArrayBuffer>;

/** A public key with its name. */
export interface NoteKey {
  readonly name: string;
  readonly type: KeyType;
  /** 8 hexadecimal digits. */
  readonly id: string;
  /** 32 bytes in hexadecimal. */
  readonly bytes: string;
}

/** A private key with its name; it can sign as either type. */
export interface NoteSigner extends Pick<Ed25519Key, "sign"> {
  /** What it signs heads with. */
  readonly key: NoteKey;
  /** What it cosigns with. */
  readonly cosigner: NoteKey;
}

const NAME_RULE = "a name of 1 to 255 characters without spaces and plus signs, such as example.org/ledger";

/** Whether a text can be the name of a key. */
export function isKeyName(name: string): boolean {
  return name.length <= 255 && /^[^\s+\p{Z}\p{C}]+$/u.test(name);
}

/** The public key with this name. */
export function noteKey(name: string, type: KeyType, bytes: string): NoteKey {
  if (!isKeyName(name)) throw invalidParameter("key", NAME_RULE);
  const [first] = sha256(new TextEncoder().encode(`${name}\n`), Uint8Array.of(TYPES[type]), fromHex(bytes));
  return { name, type, id: first!.toString(16).padStart(8, "0"), bytes };
}

/** A public key in the form of C2SP's `signed-note`. */
export function noteKeyText({ name, type, id, bytes }: NoteKey): string {
  return `${name}+${id}+${toBase64(Uint8Array.of(TYPES[type], ...fromHex(bytes)))}`;
}

/** The same key as another type. */
export function keyAs(type: KeyType, { name, bytes }: NoteKey): NoteKey {
  return noteKey(name, type, bytes);
}

const KEY_RULE = "a public key such as example.org/ledger+2f9a4c1e+AZ…";

/** Reads a public key; throws if its parts don't belong together. */
export function readNoteKey(text: string): NoteKey {
  const { name, id, bytes } = partsOf(text, KEY_RULE);
  const type = (["head", "cosignature"] as const).find((known) => TYPES[known] === bytes[0]);
  if (type === undefined || bytes.length !== 33) throw invalidParameter("key", KEY_RULE);
  const key = noteKey(name, type, toHex(bytes.subarray(1)));
  if (key.id !== id) throw invalidParameter("key", `${KEY_RULE}, with the id of its own bytes`);
  return key;
}

const PRIVATE = "PRIVATE+KEY+";
const PRIVATE_RULE = "a private key such as PRIVATE+KEY+example.org/ledger+2f9a4c1e+AQ…";

/** The text of a new private key: secret. */
export async function newPrivateKey(name: string): Promise<string> {
  if (!isKeyName(name)) throw invalidParameter("name", NAME_RULE);
  const seed = globalThis.crypto.getRandomValues(new Uint8Array(32));
  const { key } = await signerOf(name, seed);
  return `${PRIVATE}${name}+${key.id}+${toBase64(Uint8Array.of(TYPES.head, ...seed))}`;
}

/** Reads a private key. No error quotes any part of it. */
export async function readPrivateKey(text: string): Promise<NoteSigner> {
  if (!text.startsWith(PRIVATE)) throw invalidParameter("key", PRIVATE_RULE);
  const { name, id, bytes } = partsOf(text.slice(PRIVATE.length), PRIVATE_RULE);
  if (bytes[0] !== TYPES.head || bytes.length !== 33) throw invalidParameter("key", PRIVATE_RULE);
  const signer = await signerOf(name, bytes.slice(1));
  if (signer.key.id !== id) throw invalidParameter("key", `${PRIVATE_RULE}, with the id of its own bytes`);
  return signer;
}

async function signerOf(name: string, seed: Bytes): Promise<NoteSigner> {
  const pair = await ed25519Key(seed);
  const bytes = toHex(pair.publicKey);
  return {
    key: noteKey(name, "head", bytes),
    cosigner: noteKey(name, "cosignature", bytes),
    sign: (message) => pair.sign(message),
  };
}

/** A name has no plus sign, and base64 may have some. */
function partsOf(text: string, rule: string): { name: string; id: string; bytes: Bytes } {
  const [, name, id, base64] = /^([^+]+)\+([\da-f]{8})\+(.+)$/s.exec(text) ?? [];
  const bytes = base64 === undefined ? undefined : fromBase64(base64);
  if (name === undefined || id === undefined || bytes === undefined || !isKeyName(name))
    throw invalidParameter("key", rule);
  return { name, id, bytes };
}

export function toBase64(bytes: Uint8Array): string {
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
}

/** Undefined for anything but canonical base64. */
export function fromBase64(text: string): Bytes | undefined {
  try {
    const bytes = Uint8Array.from(atob(text), (sign) => sign.charCodeAt(0));
    return toBase64(bytes) === text ? bytes : undefined;
  } catch {
    return undefined;
  }
}
