/**
 * `winnow verify`: one release against its ledger. The chain must be whole, the release must be an entry of it word for word,
 * and every release of the ledger must have been charged what its mechanism costs, within the budgets in force. Nothing
 * private is read. With `--proof`, the ledger isn't needed: the proof leads from the release to the root of a Merkle tree over all
 * entries, which shows nothing of the others. `verify.py` beside this program does the same from the published formulas, without our code.
 * @module
 */
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import type { Command } from "commander";
import { WinnowError } from "winnow-dp";
import {
  type CheckedHead,
  checkedNote,
  checkWitnessed,
  continues,
  type Finding,
  forJson,
  forTerminal,
  noteKeyText,
  type Opening,
  openSentence,
  type Policy,
  type PublishedRelease,
  Refusal,
  type Release,
  readConsistencyProof,
  readInclusionProof,
  readOpening,
  readRelease,
  unpricedSentence,
  verifyInclusion,
  visible,
} from "winnow-release";
import { DEFAULT_LEDGER, examples, positiveInteger } from "../command-options.js";
import { readNoteFile } from "../heads/note-file.js";
import { ledgerName, openLedger, readPublishedRelease } from "../ledger/open-ledger.js";
import { verifyRelease } from "../ledger/verify-release.js";
import { interruptible } from "../long-work.js";
import { readPublicFile } from "../public-files.js";
import { fileRefusal } from "../refusal.js";
import { print } from "../render/terminal.js";
import { readPolicyFile } from "./heads.js";

export function register(program: Command): void {
  program
    .command("verify")
    .argument("<release.json>", "a release as it was published")
    .argument("[ledger]", "the ledger, or the text that `winnow budget export` writes", DEFAULT_LEDGER)
    .summary("check a release and every charge of its ledger")
    .description(
      "Checks that the release is an entry of the ledger, that no entry was changed, removed, moved or cut off, that every " +
        "release was charged what its mechanism costs, and that no data set is over its budget. Reads nothing private. " +
        "The file verify.py of this package does the same without our code.",
    )
    .option("--proof <file>", "check a proof that the release is in a ledger, without the ledger")
    .option(
      "--root <hash>",
      "with --proof: the root that it must lead to, as you know it from somewhere else",
    )
    .option(
      "--policy <file>",
      "check the signed head that the release carries, without the ledger: by the keys of this policy",
    )
    .option(
      "--require-witness <n>",
      "with --policy: at least this many witnesses (default: its quorum)",
      (text) => positiveInteger("--require-witness")(text),
    )
    .option(
      "--since <file>",
      "with --policy: an earlier head or release, which the ledger must continue; with --consistency",
    )
    .option("--consistency <file>", "the proof of that, from winnow budget consistency")
    .option(
      "--rows <source>",
      "draw the answer again from these rows, which must be yours to see; with --opening",
    )
    .option("--opening <file>", "the opening of the bits, as --commit-bits wrote it")
    .option("--domain <file>", "with --rows: the public list of candidates, if the question has one")
    .option("--domain-column <column>", "the column of the list's CSV file with the candidates")
    .option("--json", "findings as JSON")
    .addHelpText(
      "after",
      examples(
        ["winnow verify release.json", ""],
        ["winnow verify release.json ledger.jsonl --json", "a ledger that was exported"],
        ["winnow verify release.json --proof proof.json", "without a ledger"],
        ["winnow verify release.json --policy policy.txt", "by witnesses whom you trust"],
        ["winnow verify release.json --policy policy.txt --since june.json --consistency proof.json", ""],
        ["winnow verify release.json --rows visits.csv --opening opening.json", "draws the answer again"],
      ),
    )
    .action(verify);
}

interface VerifyChoices {
  readonly json?: boolean;
  readonly proof?: string;
  readonly root?: string;
  readonly policy?: string;
  readonly requireWitness?: number;
  readonly since?: string;
  readonly consistency?: string;
  readonly rows?: string;
  readonly opening?: string;
  readonly domain?: string;
  readonly domainColumn?: string;
}

async function verify(path: string, file: string, choices: VerifyChoices): Promise<void> {
  const { json = false, proof, root, policy, requireWitness, rows, opening } = choices;
  if (proof !== undefined && file !== DEFAULT_LEDGER)
    throw new Refusal("usage", "Give either a ledger or --proof, not both.");
  if (proof === undefined && root !== undefined)
    throw new Refusal("usage", "--root is the root of a proof; give --proof too.");
  if (policy !== undefined && (proof !== undefined || file !== DEFAULT_LEDGER))
    throw new Refusal("usage", "--policy checks without a ledger and without --proof: give one of them.");
  if (policy === undefined && requireWitness !== undefined)
    throw new Refusal("usage", "--require-witness counts witnesses of a policy; give --policy too.");
  if ((choices.since === undefined) !== (choices.consistency === undefined))
    throw new Refusal(
      "usage",
      "--since and --consistency belong together: one is the earlier head, the other the proof.",
    );
  if (policy === undefined && choices.since !== undefined)
    throw new Refusal("usage", "--since compares signed heads, by the keys of a policy; give --policy too.");
  if ((rows === undefined) !== (opening === undefined))
    throw new Refusal("usage", "--rows and --opening belong together: the answer is drawn again from both.");
  const release = await readPublishedRelease(path);
  if (rows !== undefined && opening !== undefined) {
    const isAll = proof === undefined && policy === undefined && file === DEFAULT_LEDGER && !existsSync(file);
    await verifyRows(release, { ...choices, rows, opening, isAll });
    if (isAll) return;
  }
  if (proof !== undefined) return verifyProof(release, proof, choices);
  if (policy !== undefined) return verifyWitnessed(release, await readPolicyFile(policy), choices);
  const ledger = await openLedger(file, { readOnly: true });
  try {
    const { head, findings, recomputed, unpriced, open, isUnpriced } = await verifyRelease(ledger, release);
    const { sequence } = release.ledger;
    const holds = findings.length === 0;
    if (json)
      await print(
        `${forJson({ schema: "winnow-verification/1", whole: holds, ...redrawn(choices), head, findings, unpriced, ...(open.length > 0 && { open }) })}\n`,
      );
    else
      await print(
        holds
          ? `Release ${JSON.stringify(forTerminal(release.id))} is entry ${sequence} of the ledger. ` +
              `${recomputed} releases in ${head.sequence} entries were charged what they cost; no budget is exceeded.\n` +
              [unpricedSentence(unpriced), openSentence(open)].map((said) => said && `${said}\n`).join("")
          : findings.map(({ sentence }) => `${visible(sentence)}\n`).join(""),
      );
    if (isUnpriced)
      throw new Refusal(
        "not-priced",
        `The ledger ${JSON.stringify(ledgerName(file))} holds the release, but its price was not checked.`,
      );
    if (!holds)
      throw new Refusal(
        "ledger-broken",
        `The ledger ${JSON.stringify(ledgerName(file))} does not bear out the release.`,
      );
  } finally {
    await ledger.close();
  }
}

/** What the one document of a check says where the rows led to the answer before. */
function redrawn({ rows }: VerifyChoices): { readonly redrawn?: true } {
  return rows === undefined ? {} : { redrawn: true };
}

/** By the rows and the opening. A later check says in its own document that they lead to the answer. */
async function verifyRows(
  release: PublishedRelease,
  choices: VerifyChoices & { readonly rows: string; readonly opening: string; readonly isAll: boolean },
): Promise<void> {
  const opening = await readOpeningFile(choices.opening);
  const document = readRelease(JSON.stringify(release)) as PublishedRelease & Release;
  const { recomputed } = await import("../release/recompute.js");
  const findings = await interruptible(({ signal }) => recomputed(document, opening, { ...choices, signal }));
  const name = JSON.stringify(forTerminal(release.id));
  if (choices.json) {
    const whole = findings.length === 0;
    if (choices.isAll || !whole)
      await print(`${forJson({ schema: "winnow-recomputation/1", whole, findings })}\n`);
  } else if (findings.length === 0)
    await print(
      `The rows and the opening lead to release ${name}, bit for bit. Both are secret: keep them, and show them to no one else.\n`,
    );
  else await print(findings.map(({ sentence }) => `${visible(sentence)}\n`).join(""));
  if (findings.length > 0)
    throw new Refusal("not-recomputed", `Release ${name} isn't borne out by the rows and the opening.`);
}

async function readOpeningFile(path: string): Promise<Opening> {
  const text = await readPublicFile("The opening", path);
  try {
    return readOpening(text);
  } catch (error) {
    if (!(error instanceof WinnowError)) throw error;
    throw new Refusal("usage", `The file ${JSON.stringify(path)} isn't an opening that --commit-bits wrote.`);
  }
}

/** By the signatures that the release carries, without the ledger. */
async function verifyWitnessed(
  release: PublishedRelease,
  policy: Policy,
  choices: VerifyChoices,
): Promise<void> {
  const { json = false, requireWitness: least, since, consistency } = choices;
  const checked = await checkWitnessed(release, { policy, least });
  const { notes } = checked;
  const grown =
    checked.head === undefined || since === undefined || consistency === undefined
      ? undefined
      : await checkGrown(release, checked.head, { since, consistency, policy });
  const findings = [...checked.findings, ...(grown?.findings ?? []), ...documentProblem(release)];
  const head = findings.length === 0 ? checked.head : undefined;
  const holds = head !== undefined;
  if (json)
    await print(
      `${forJson({
        schema: "winnow-verification/1",
        whole: holds,
        ...redrawn(choices),
        findings,
        notes,
        ...(holds && {
          checkpoint: head.checkpoint,
          signed: head.signed.map(({ key }) => noteKeyText(key)),
          cosigned: head.cosigned.map(({ key, time }) => ({ key: noteKeyText(key), time: isoTime(time) })),
        }),
      })}\n`,
    );
  else if (head === undefined) await print(findings.map(({ sentence }) => `${visible(sentence)}\n`).join(""));
  else
    await print(
      inWords(release, head) + (grown?.said ?? "") + notes.map((note) => `${visible(note)}\n`).join(""),
    );
  if (!holds)
    throw new Refusal(
      "not-witnessed",
      `Release ${JSON.stringify(forTerminal(release.id))} isn't borne out by the policy.`,
    );
}

/** A document that contradicts itself, such as a loss whose words and numbers differ. Those of other programs are left alone. */
function documentProblem(release: PublishedRelease & { readonly schema?: unknown }): Finding[] {
  if (!String(release.schema).startsWith("winnow-release/")) return [];
  try {
    readRelease(JSON.stringify(release));
    return [];
  } catch (error) {
    if (!(error instanceof WinnowError)) throw error;
    const sentence = `Release ${JSON.stringify(forTerminal(release.id))} isn't a document that Winnow writes: ${error.message}.`;
    return [{ kind: "charge", sequence: release.ledger.sequence, sentence }];
  }
}

interface Since {
  readonly since: string;
  readonly consistency: string;
  readonly policy: Policy;
}

/** That the ledger of this head has all entries of an earlier one, which a key of the policy has signed too. */
async function checkGrown(
  { id, ledger: { sequence } }: PublishedRelease,
  { checkpoint: later }: CheckedHead,
  { since, consistency, policy }: Since,
): Promise<{ findings: Finding[]; said: string }> {
  const { note } = await readNoteFile(since);
  const proof = await readProof(consistency, readConsistencyProof);
  const earlier = await checkedNote(note, policy).catch((error: unknown) => {
    if (error instanceof WinnowError) return undefined;
    throw error;
  });
  const file = JSON.stringify(forTerminal(since));
  const found = (kind: Finding["kind"], sentence: string) => ({
    findings: [{ kind, sequence, sentence }],
    said: "",
  });
  if (earlier === undefined || earlier.signed.length === 0)
    return found(
      "not-signed",
      `No key of the policy has signed the head in ${file}, or a signature of it is wrong.`,
    );
  const { size } = earlier.checkpoint;
  if (await continues(later, earlier.checkpoint, proof))
    return {
      findings: [],
      said: `The ledger has all ${size} entries of the head in ${file}, unchanged and in the same order.\n`,
    };
  return found(
    "rolled-back",
    `The proof doesn't show that the ledger of release ${JSON.stringify(forTerminal(id))} has all ${size} entries of the head in ${file}.`,
  );
}

function inWords({ id, ledger: { sequence } }: PublishedRelease, head: CheckedHead): string {
  const { checkpoint, cosigned } = head;
  const lines = [
    `Release ${JSON.stringify(forTerminal(id))} is entry ${sequence} of the ledger ${JSON.stringify(forTerminal(checkpoint.origin))}, which had ${checkpoint.size} entries when it signed this head.`,
    ...cosigned.map(
      ({ key, time }) =>
        `${forTerminal(key.name)} saw that head at ${isoTime(time)}, and nothing that contradicts it.`,
    ),
    ...(cosigned.length === 0 ? ["No witness has seen it: the ledger may show others something else."] : []),
  ];
  return lines.map((line) => `${line}\n`).join("");
}

/** To the second. */
function isoTime(seconds = 0): string {
  const time = new Date(1000 * seconds);
  return Number.isNaN(time.getTime()) ? `${seconds} s after 1970` : time.toISOString().replace(".000Z", "Z");
}

/** Without the ledger. */
async function verifyProof(release: PublishedRelease, file: string, choices: VerifyChoices): Promise<void> {
  const { json = false, root } = choices;
  const proof = await readProof(file, readInclusionProof);
  const { size, sequence } = proof;
  const findings = await verifyInclusion(release, proof);
  if (findings.length === 0 && root !== undefined && root !== proof.root)
    findings.push({ kind: "not-included", sequence, sentence: "The proof leads to another root." });
  const holds = findings.length === 0;
  const tree = { size, root: proof.root };
  if (json)
    await print(
      `${forJson({ schema: "winnow-verification/1", whole: holds, ...redrawn(choices), tree, findings })}\n`,
    );
  else
    await print(
      holds
        ? `Release ${JSON.stringify(forTerminal(release.id))} is entry ${sequence} of the ledger with ${size} entries and the root ${proof.root}.\n` +
            (root === undefined ? "Compare that root with one that someone else kept.\n" : "")
        : findings.map(({ sentence }) => `${visible(sentence)}\n`).join(""),
    );
  if (!holds)
    throw new Refusal("not-proven", `The proof ${JSON.stringify(file)} does not bear out the release.`);
}

async function readProof<P>(file: string, read: (text: string) => P): Promise<P> {
  let text: string;
  try {
    text = await readFile(file, "utf8");
  } catch (error) {
    throw fileRefusal("The proof", file, error);
  }
  try {
    return read(text);
  } catch (error) {
    if (!(error instanceof WinnowError)) throw error;
    throw new Refusal("usage", `The file ${JSON.stringify(file)} isn't a proof: ${error.message}.`);
  }
}
