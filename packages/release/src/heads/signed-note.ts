/**
 * Signed notes (C2SP `signed-note`): a text, a blank line, and a line for each signature of it.
 *
 *     example.org/ledger
 *     42
 *     CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=
 *
 *     — example.org/ledger Az3grlgtzPICa5OS8npVmf1Myq/5IZniMp+ZJurmRDeOoRDe4URYN7u5/Zhcyv2q1gGz…
 *
 * A key signs the text as it is; a cosigner signs it after two lines that say so and when (C2SP `tlog-cosignature`). Nothing of a note
 * means anything before a signature by a known key was verified. Signatures by unknown keys are ignored; a wrong one under the
 * name and id of a known key spoils the note.
 * @module
 */
import { invalidParameter } from "winnow-dp";
import { fromHex, toHex } from "../ledger/inclusion.js";
import { isSignedBy } from "./ed25519.js";
import { fromBase64, isKeyName, type NoteKey, type NoteSigner, toBase64 } from "./note-keys.js";

export interface NoteSignature {
  readonly name: string;
  /** The id of the key, 8 hexadecimal digits. */
  readonly id: string;
  /** What follows the id. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Its whole line, without the line feed. */
  readonly line: string;
}

/**
 * A text with its signatures.
 *
 * @inline
 */
export interface SignedNote {
  /** The signed text, with its last line feed. */
  readonly text: string;
  readonly signatures: readonly NoteSignature[];
}

/**
 * A signature that was verified.
 *
 * @inline
 */
export interface VerifiedSignature {
  readonly key: NoteKey;
  /** When it was made, in seconds since 1970, where it says so. */
  readonly time?: number;
  readonly line: string;
}

const LONGEST_NOTE = 100_000;
const MOST_SIGNATURES = 100;
const NOTE_RULE = "a signed note: a text, a blank line, and lines of signatures";

/** Reads the form of a note; no signature is verified. */
export function readNote(note: string): SignedNote {
  const isPlain = note.length <= LONGEST_NOTE && !/\p{Cs}/u.test(note) && !/[^\P{Cc}\n]/u.test(note);
  const end = note.lastIndexOf("\n\n");
  if (!isPlain || end <= 0 || !note.endsWith("\n")) throw invalidParameter("note", NOTE_RULE);
  const signatures = readSignatures(note.slice(end + 2));
  if (signatures === undefined || signatures.length === 0 || signatures.length > MOST_SIGNATURES)
    throw invalidParameter("note", NOTE_RULE);
  return { text: note.slice(0, end + 1), signatures };
}

/** Lines of signatures, each with its line feed; undefined if one isn't. */
export function readSignatures(lines: string): NoteSignature[] | undefined {
  if (lines !== "" && !lines.endsWith("\n")) return undefined;
  const signatures: NoteSignature[] = [];
  for (const line of lines.split("\n").slice(0, -1)) {
    const [, name, base64] = /^— (\S+) (\S+)$/.exec(line) ?? [];
    const bytes = base64 === undefined ? undefined : fromBase64(base64);
    if (name === undefined || !isKeyName(name) || bytes === undefined || bytes.length < 5) return undefined;
    signatures.push({ name, id: toHex(bytes.subarray(0, 4)), bytes: bytes.slice(4), line });
  }
  return signatures;
}

/** A note of this text with signatures, each a line. */
export function noteOf(text: string, lines: readonly string[]): string {
  return `${text}\n${lines.map((line) => `${line}\n`).join("")}`;
}

/** The line with which a key signs a text. */
export async function signatureLine(text: string, signer: NoteSigner): Promise<string> {
  return lineOf(signer.key, await signer.sign(new TextEncoder().encode(text)));
}

/** The line with which a cosigner says that it has seen this head at this time, in seconds since 1970. */
export async function cosignatureLine(text: string, signer: NoteSigner, time: number): Promise<string> {
  const signature = await signer.sign(cosigned(text, BigInt(time)));
  const bytes = new Uint8Array(8 + signature.length);
  new DataView(bytes.buffer).setBigUint64(0, BigInt(time));
  bytes.set(signature, 8);
  return lineOf(signer.cosigner, bytes);
}

function lineOf({ name, id }: NoteKey, signature: Uint8Array): string {
  return `— ${name} ${toBase64(Uint8Array.of(...fromHex(id), ...signature))}`;
}

function cosigned(text: string, time: bigint): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(`cosignature/v1\ntime ${time}\n${text}`);
}

/** The signatures of a note by these keys, one for each key; throws if one of them is wrong. */
export async function verifiedSignatures(
  { text, signatures }: SignedNote,
  keys: readonly NoteKey[],
): Promise<VerifiedSignature[]> {
  const verified: VerifiedSignature[] = [];
  for (const { name, id, bytes, line } of signatures) {
    const key = keys.find((known) => known.name === name && known.id === id);
    if (key === undefined || verified.some((one) => one.key === key)) continue;
    const signature = key.type === "head" ? headSignature(text, bytes) : cosignature(text, bytes);
    const isRight =
      signature !== undefined && (await isSignedBy(fromHex(key.bytes), signature.message, signature.bytes));
    if (!isRight) throw invalidParameter("note", `signed by ${name}, as it says`);
    verified.push({ key, ...(signature.time !== undefined && { time: signature.time }), line });
  }
  return verified;
}

interface Signature {
  readonly message: Uint8Array<ArrayBuffer>;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly time?: number;
}

function headSignature(text: string, bytes: Uint8Array<ArrayBuffer>): Signature {
  return { message: new TextEncoder().encode(text), bytes };
}

function cosignature(text: string, bytes: Uint8Array<ArrayBuffer>): Signature | undefined {
  if (bytes.length !== 72) return undefined;
  const time = new DataView(bytes.buffer, bytes.byteOffset).getBigUint64(0);
  if (time > BigInt(Number.MAX_SAFE_INTEGER)) return undefined;
  return { message: cosigned(text, time), bytes: bytes.slice(8), time: Number(time) };
}
