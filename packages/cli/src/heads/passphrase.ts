/**
 * A passphrase, from a file that --passphrase-file names, or typed at the terminal, where it isn't shown. It is never an argument,
 * because other accounts can see those.
 * @module
 */
import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";
import { Refusal } from "winnow-release";
import { readPublicFile } from "../public-files.js";

export interface PassphraseOptions {
  readonly passphraseFile?: string | undefined;
}

/** The passphrase of a key that has one. */
export async function askPassphrase(
  { passphraseFile }: PassphraseOptions,
  question = "Passphrase of the key",
): Promise<string> {
  if (passphraseFile !== undefined) return firstLine(await readPublicFile("The passphrase", passphraseFile));
  if (process.stdin.isTTY !== true || process.stderr.isTTY !== true)
    throw new Refusal("usage", "The key has a passphrase: name a file that has it with --passphrase-file.");
  return typed(question);
}

/** A new one, typed twice; undefined for none. */
export async function newPassphrase(
  wanted: boolean,
  options: PassphraseOptions,
): Promise<string | undefined> {
  if (!wanted && options.passphraseFile === undefined) return undefined;
  const passphrase = await askPassphrase(options, "New passphrase");
  const isTyped = options.passphraseFile === undefined;
  if (isTyped && passphrase !== (await typed("Once more")))
    throw new Refusal("usage", "The two passphrases differ; nothing was made.");
  if (passphrase === "") throw new Refusal("usage", "A passphrase must have at least one character.");
  return passphrase;
}

function firstLine(text: string): string {
  return text.split(/\r?\n/, 1)[0] ?? "";
}

/** Reads a line without showing it. */
async function typed(question: string): Promise<string> {
  process.stderr.write(`  ${question}: `);
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: process.stdin, output: silent, terminal: true });
  try {
    return await lines.question("");
  } finally {
    lines.close();
    process.stderr.write("\n");
  }
}
