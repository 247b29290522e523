/**
 * A private file must not serve as a public one. A list of candidates, a public twin or a list of names decides what is
 * published, so it must not be the source, the ledger or the configuration, neither under another name nor as a copy.
 *
 * The guard compares the files that the engine found: a second reading of the same pattern would find others. A private
 * file is read only if its size equals that of the public one. A changed copy, or a list that was extracted from the rows,
 * can't be recognised.
 * @module
 */
import { Refusal } from "../refusal/refusal.js";

/** A file that is there, by what identifies it. */
export interface FoundFile {
  /** In bytes. */
  readonly size: number;
  /** Equal for one file under two names; undefined where that can't be known. */
  readonly identity?: string | undefined;
  /** The hash of its content; undefined if it can't be read, which the code that needs it reports. */
  hash(): Promise<string | undefined>;
}

/** A file that someone says is public. */
export interface PublicInput {
  /** How the front end calls it: `--domain`, `The list`. */
  readonly role: string;
  readonly name: string;
  readonly file: FoundFile;
}

/** A file that isn't: `what` is "the source", "the ledger" … */
export interface PrivateFile {
  readonly what: string;
  readonly file: FoundFile;
}

const CHECKED: unique symbol = Symbol("checked");

/** That the public files of a question were compared: a release asks for it, so that no front end forgets. */
export interface GuardedInputs {
  readonly [CHECKED]: true;
}

/** Throws `not-public` if one of the public files is private. The private ones are looked for only if there is a public one. */
export async function guardPublicInputs(
  inputs: readonly PublicInput[],
  privateFiles: () => Promise<readonly PrivateFile[]>,
): Promise<GuardedInputs> {
  for (const { what, file } of inputs.length === 0 ? [] : await privateFiles())
    for (const input of inputs) {
      if (file.identity !== undefined && file.identity === input.file.identity)
        throw notPublic(input, `is ${what} itself`);
      if (await isCopy(input.file, file)) throw notPublic(input, `is a copy of ${what}`);
    }
  return { [CHECKED]: true };
}

/** Throws `not-public` if the ledger has charged one of the public files, under any name. */
export async function guardChargedInputs(
  inputs: readonly Pick<PublicInput, "role" | "name">[],
  chargedTo: (name: string) => Promise<string | undefined>,
): Promise<void> {
  for (const input of inputs) {
    const dataset = await chargedTo(input.name);
    if (dataset !== undefined)
      throw notPublic(input, `has rows that were charged to ${JSON.stringify(dataset)}`);
  }
}

async function isCopy(one: FoundFile, other: FoundFile): Promise<boolean> {
  if (one.size !== other.size || one.size === 0) return false;
  const [first, second] = await Promise.all([one.hash(), other.hash()]);
  return first !== undefined && first === second;
}

function notPublic({ role, name }: Pick<PublicInput, "role" | "name">, why: string): Refusal {
  return new Refusal("not-public", `${role} must be a public file, but ${JSON.stringify(name)} ${why}.`);
}
