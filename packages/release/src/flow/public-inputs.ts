/**
 * A private file must not serve as a public one. A list of candidates, a public twin or a list of names decides what is
 * published, so it must not be the source, the ledger or the configuration, neither under another name nor as a copy.
 *
 * There are two comparisons, and a release asks for both by type (`GuardedInputs`), so that no front end forgets one: with the
 * private files of this run, before a ledger is opened, and with the rows that the ledger has charged, under whatever name.
 *
 * The first compares the files that the engine found: a second reading of the same pattern would find others. A private
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
  /** By which a ledger with this key recognises its rows; undefined if it has none. */
  mark(key: string): Promise<string | undefined>;
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

const COMPARED: unique symbol = Symbol("compared");
const CHECKED: unique symbol = Symbol("checked");

/** The public files of a question, none of which is a private file of this run. */
export interface ComparedInputs {
  readonly [COMPARED]: readonly PublicInput[];
}

/** That none of them has rows that the ledger has charged, either. */
export interface GuardedInputs {
  readonly [CHECKED]: true;
}

/** Throws `not-public` if one of the public files is private. The private ones are looked for only if there is a public one. */
export async function guardPublicInputs(
  inputs: readonly PublicInput[],
  privateFiles: () => Promise<readonly PrivateFile[]>,
): Promise<ComparedInputs> {
  for (const { what, file } of inputs.length === 0 ? [] : await privateFiles())
    for (const input of inputs) {
      if (file.identity !== undefined && file.identity === input.file.identity)
        throw notPublic(input, `is ${what} itself`);
      if (await isCopy(input.file, file)) throw notPublic(input, `is a copy of ${what}`);
    }
  return { [COMPARED]: inputs };
}

/**
 * The part of a ledger that knows which rows it has charged.
 *
 * @inline
 */
export interface MarkedLedger {
  /** The key of its marks; undefined where it keeps none. */
  markKey(): Promise<string | undefined>;
  /** The data set that rows of this mark were charged to. */
  chargedTo(mark: string): Promise<string | undefined>;
}

/** Throws `not-public` if the ledger has charged one of the public files, under any name. */
export async function guardChargedInputs(
  { [COMPARED]: inputs }: ComparedInputs,
  ledger: MarkedLedger,
): Promise<GuardedInputs> {
  const key = inputs.length === 0 ? undefined : await ledger.markKey();
  for (const input of inputs) {
    const mark = key === undefined ? undefined : await input.file.mark(key);
    const dataset = mark === undefined ? undefined : await ledger.chargedTo(mark);
    if (dataset !== undefined)
      throw notPublic(input, `has rows that were charged to ${JSON.stringify(dataset)}`);
  }
  return { [CHECKED]: true };
}

async function isCopy(one: FoundFile, other: FoundFile): Promise<boolean> {
  if (one.size !== other.size || one.size === 0) return false;
  const [first, second] = await Promise.all([one.hash(), other.hash()]);
  return first !== undefined && first === second;
}

function notPublic({ role, name }: Pick<PublicInput, "role" | "name">, why: string): Refusal {
  return new Refusal("not-public", `${role} must be a public file, but ${JSON.stringify(name)} ${why}.`);
}
