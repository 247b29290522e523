/**
 * `winnow budget key`, `head` and `consistency`: the keys that sign heads of a ledger, the head itself, signed and cosigned, and proof
 * that a ledger still has all entries of an earlier head.
 * @module
 */
import type { Command, Option } from "commander";
import { WinnowError } from "winnow-dp";
import {
  cosignedHead,
  forJson,
  keysInForce,
  type Ledger,
  noteKeyText,
  noteOf,
  type Policy,
  Refusal,
  readNoteKey,
  readPolicy,
  signedHead,
  visible,
} from "winnow-release";
import { examples } from "../command-options.js";
import { readKeyFile } from "../heads/key-file.js";
import { readNoteFile } from "../heads/note-file.js";
import { askPassphrase } from "../heads/passphrase.js";
import { seenIn, submit } from "../heads/submit.js";
import { openLedger } from "../ledger/open-ledger.js";
import { readPublicFile } from "../public-files.js";
import { print, tell } from "../render/terminal.js";
import { prepareFile } from "../write-file.js";

/** `ledgerOption` is that of the other commands about the ledger. */
export function registerHeads(budget: Command, ledgerOption: () => Option): void {
  budget
    .command("key [key]")
    .summary("the keys that sign heads of the ledger: list, add, revoke")
    .description(
      "Records a public key that signs heads of this ledger from now on, and with --revokes one that no longer does. Without a key, lists those in force.",
    )
    .option("--revokes <key>", "a public key, or its name and id, that must not sign any more")
    .addOption(ledgerOption())
    .addHelpText(
      "after",
      examples(
        ["winnow budget key example.org/ledger+2f9a4c1e+AZ…", "as winnow keygen printed it"],
        ["winnow budget key --revokes example.org/ledger+2f9a4c1e", ""],
        ["winnow budget key", ""],
      ),
    )
    .action(key);
  budget
    .command("head")
    .summary("the head of the ledger, signed and cosigned")
    .description(
      "Prints how many entries the ledger has and the hash over all of them. With --sign as a signed note that others can check and keep, with --policy with the cosignatures of its witnesses.",
    )
    .option(
      "--sign <key...>",
      "files with private keys of the ledger; two while one takes the place of the other",
    )
    .option("--policy <file>", "whose cosignatures to ask for: the witnesses with their keys and addresses")
    .option("--passphrase-file <file>", "the passphrase of the key is the first line of this file")
    .option("-o, --output <file>", "write to a file instead of standard output")
    .option("--force", "replace an existing file")
    .option("--json", "without --sign: JSON")
    .addOption(ledgerOption())
    .addHelpText(
      "after",
      examples(
        ["winnow budget head", ""],
        ["winnow budget head --sign ledger.key", ""],
        ["winnow budget head --sign ledger.key --policy policy.txt", "asks the witnesses"],
      ),
    )
    .action(head);
  budget
    .command("consistency <earlier> [later]")
    .summary("proof that an earlier head is part of this ledger")
    .description(
      "Prints a proof that the first entries of the ledger are those of an earlier head: a file with a signed note, which must be right, or a number of entries.",
    )
    .addOption(ledgerOption())
    .addHelpText(
      "after",
      examples(
        ["winnow budget consistency june.note", ""],
        ["winnow budget consistency june.json december.json", "for those who have both releases"],
        ["winnow budget consistency 42", ""],
      ),
    )
    .action(consistency);
}

interface LedgerOptions {
  readonly ledger: string;
}

async function key(text: string | undefined, options: LedgerOptions & { revokes?: string }): Promise<void> {
  const isChange = text !== undefined || options.revokes !== undefined;
  const adds = text === undefined ? undefined : publicKey(text);
  const ledger = await openLedger(
    options.ledger,
    isChange ? { create: adds !== undefined, asOwner: true } : { readOnly: true },
  );
  try {
    if (isChange) {
      const revokes = options.revokes && (await keyMeant(ledger, options.revokes));
      const change = { ...(adds !== undefined && { adds }), ...(revokes !== undefined && { revokes }) };
      if (!(await ledger.changeKeys(change))) tell("The ledger has this key already.");
    }
    await print(keysInWords(await ledger.keyEntries()));
  } finally {
    await ledger.close();
  }
}

/** Every change, and what signs now. */
function keysInWords(entries: Awaited<ReturnType<Ledger["keyEntries"]>>): string {
  const inForce = keysInForce(entries);
  const line = (sequence: number, what: string, key: string) => `Entry ${sequence} ${what} ${visible(key)}`;
  const changes = entries.flatMap(({ sequence, adds, revokes }) => [
    ...(adds === undefined ? [] : [line(sequence, "adds", adds)]),
    ...(revokes === undefined ? [] : [line(sequence, "revokes", revokes)]),
  ]);
  const now =
    inForce.length === 0
      ? "No key signs heads of the ledger."
      : `${inForce.length} ${inForce.length === 1 ? "key signs" : "keys sign"} heads of the ledger: ${inForce.map(visible).join(", ")}`;
  return [...changes, now].map((text) => `${text}\n`).join("");
}

function publicKey(text: string): string {
  try {
    const read = readNoteKey(text);
    if (read.type !== "head")
      throw new Refusal("usage", "The key is that of a witness, which signs no heads.");
    return noteKeyText(read);
  } catch (error) {
    if (!(error instanceof WinnowError)) throw error;
    throw new Refusal("usage", "The key must be a public key as winnow keygen prints it.");
  }
}

/** A whole key, or the name and the id of one that the ledger has. */
async function keyMeant(ledger: Ledger, text: string): Promise<string> {
  const inForce = keysInForce(await ledger.keyEntries());
  const found = inForce.filter((known) => known === text || known.startsWith(`${text}+`));
  if (found.length === 1) return found[0]!;
  throw new Refusal("key-not-recorded", "The key to be revoked isn't one that is in force.");
}

interface HeadOptions extends LedgerOptions {
  readonly sign?: readonly string[];
  readonly policy?: string;
  readonly passphraseFile?: string;
  readonly output?: string;
  readonly force?: boolean;
  readonly json?: boolean;
}

async function head(options: HeadOptions): Promise<void> {
  const { sign, policy: policyFile, output, json } = options;
  if (sign === undefined && policyFile !== undefined)
    throw new Refusal("usage", "--policy needs --sign: a witness cosigns what the ledger has signed.");
  if (sign !== undefined && json) throw new Refusal("usage", "--json is for a head that isn't signed.");
  const policy = policyFile === undefined ? undefined : await readPolicyFile(policyFile);
  const signers = await readSigners(sign ?? [], options);
  const ledger = await openLedger(options.ledger, { readOnly: true });
  const file = output === undefined ? undefined : await prepareFile(output, options);
  try {
    const text =
      sign === undefined ? await plainHead(ledger, json) : await noteOfHead(ledger, signers, policy);
    await (file === undefined ? print(text) : file.write(text));
  } finally {
    await file?.discard();
    await ledger.close();
  }
}

async function plainHead(ledger: Ledger, json = false): Promise<string> {
  const { sequence, hash, root } = await ledger.head();
  const { top } = await ledger.treeHead(sequence);
  if (json) return `${forJson({ schema: "winnow-head/1", sequence, hash, root, top })}\n`;
  return `The ledger has ${sequence} ${sequence === 1 ? "entry" : "entries"}, the root ${root} and the node ${top} over all of them.\n`;
}

async function noteOfHead(ledger: Ledger, signers: Signers, policy: Policy | undefined): Promise<string> {
  if (policy === undefined) {
    const { text, lines } = await signedHead(ledger, signers);
    return noteOf(text, lines);
  }
  const { note, cosigned, away } = await cosignedHead({ ledger, signers, policy, submit, seen: seenIn });
  for (const sentence of away) tell(sentence);
  if (!policy.isQuorum(cosigned)) tell("The cosignatures aren't the quorum of the policy.");
  return note;
}

type Signers = Awaited<ReturnType<typeof readSigners>>;

/** The private keys in these files, which may share one passphrase. */
export async function readSigners(
  files: readonly string[],
  options: { passphraseFile?: string | undefined },
) {
  let asked: Promise<string> | undefined;
  const passphrase = () => {
    asked ??= askPassphrase(options);
    return asked;
  };
  const signers: Awaited<ReturnType<typeof readKeyFile>>[] = [];
  for (const file of files) signers.push(await readKeyFile(file, passphrase));
  if (new Set(signers.map(({ key: { name } }) => name)).size > 1)
    throw new Refusal("usage", "The keys of a ledger have one name, and these have several.");
  return signers;
}

export async function readPolicyFile(path: string): Promise<Policy> {
  const text = await readPublicFile("The policy", path);
  try {
    return readPolicy(text);
  } catch (error) {
    if (!(error instanceof WinnowError)) throw error;
    throw new Refusal("usage", `The policy ${JSON.stringify(path)} must be ${error.expected}.`);
  }
}

async function consistency(
  earlier: string,
  later: string | undefined,
  options: LedgerOptions,
): Promise<void> {
  const heads = await Promise.all([earlier, ...(later === undefined ? [] : [later])].map(readHead));
  const ledger = await openLedger(options.ledger, { readOnly: true });
  try {
    const length = await ledger.length();
    for (const head of heads) {
      if (head.size > length)
        throw rolledBack(ledger, `it has ${length} entries, and the head has ${head.size}`);
      if (head.top !== undefined && (await ledger.treeHead(head.size)).top !== head.top)
        throw rolledBack(ledger, `its first ${head.size} entries aren't those of the head`);
    }
    const [first, second] = heads;
    await print(`${forJson(await ledger.consistency(first!.size, second?.size))}\n`);
  } finally {
    await ledger.close();
  }
}

/** A number of entries, or a head in a file. */
async function readHead(text: string): Promise<{ size: number; top?: string }> {
  return /^\d+$/.test(text) ? { size: Number(text) } : (await readNoteFile(text)).checkpoint;
}

function rolledBack(ledger: Ledger, why: string): Refusal {
  return new Refusal(
    "ledger-broken",
    `The ledger ${JSON.stringify(ledger.name)} isn't a later state of the head: ${why}.`,
  );
}
