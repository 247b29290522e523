/**
 * `winnow verify`: one release against its ledger. The chain must be whole, the release must be an entry of it word for word,
 * and every release of the ledger must have been charged what its mechanism costs, within the budgets in force. Nothing
 * private is read. With `--proof`, the ledger isn't needed: the proof leads from the release to the root of a Merkle tree over all
 * entries, which shows nothing of the others. `verify.py` beside this program does the same from the published formulas, without our code.
 * @module
 */
import { readFile } from "node:fs/promises";
import type { Command } from "commander";
import { WinnowError } from "winnow-dp";
import {
  checkCharges,
  forJson,
  forTerminal,
  type InclusionProof,
  type PublishedRelease,
  Refusal,
  readInclusionProof,
  unpricedSentence,
  verifyInclusion,
  visible,
} from "winnow-release";
import { DEFAULT_LEDGER, examples } from "../command-options.js";
import { ledgerName, openLedger, readPublishedRelease } from "../ledger/open-ledger.js";
import { priceOfLabels } from "../pate/labels.js";
import { fileRefusal } from "../refusal.js";
import { print } from "../render/terminal.js";

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
    .option("--json", "findings as JSON")
    .addHelpText(
      "after",
      examples(
        ["winnow verify release.json", ""],
        ["winnow verify release.json ledger.jsonl --json", "a ledger that was exported"],
        ["winnow verify release.json --proof proof.json", "without a ledger"],
      ),
    )
    .action(verify);
}

interface VerifyChoices {
  readonly json?: boolean;
  readonly proof?: string;
  readonly root?: string;
}

async function verify(path: string, file: string, choices: VerifyChoices): Promise<void> {
  const { json = false, proof, root } = choices;
  if (proof !== undefined && file !== DEFAULT_LEDGER)
    throw new Refusal("usage", "Give either a ledger or --proof, not both.");
  if (proof === undefined && root !== undefined)
    throw new Refusal("usage", "--root is the root of a proof; give --proof too.");
  const release = await readPublishedRelease(path);
  if (proof !== undefined) return verifyProof(release, proof, choices);
  const ledger = await openLedger(file, { readOnly: true });
  try {
    const { head, findings: chain } = await ledger.verify([release]);
    const {
      findings: charges,
      recomputed,
      unpriced,
    } = chain.length > 0
      ? { findings: [], recomputed: 0, unpriced: [] }
      : await checkCharges(ledger.entries(), priceOfLabels);
    const findings = [...chain, ...charges];
    const { sequence } = release.ledger;
    const own = unpriced.filter((one) => one.sequence === sequence);
    if (findings.length === 0 && own.length > 0)
      findings.push({ kind: "not-priced", sequence, sentence: unpricedSentence(own) });
    const holds = findings.length === 0;
    if (json)
      await print(
        `${forJson({ schema: "winnow-verification/1", whole: holds, head, findings, unpriced })}\n`,
      );
    else
      await print(
        holds
          ? `Release ${JSON.stringify(forTerminal(release.id))} is entry ${sequence} of the ledger. ` +
              `${recomputed} releases in ${head.sequence} entries were charged what they cost; no budget is exceeded.\n` +
              (unpriced.length === 0 ? "" : `${unpricedSentence(unpriced)}\n`)
          : findings.map(({ sentence }) => `${visible(sentence)}\n`).join(""),
      );
    if (own.length > 0 && findings.every(({ kind }) => kind === "not-priced"))
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

/** Without the ledger. */
async function verifyProof(
  release: PublishedRelease,
  file: string,
  { json = false, root }: VerifyChoices,
): Promise<void> {
  const proof = await readProof(file);
  const { size, sequence } = proof;
  const findings = await verifyInclusion(release, proof);
  if (findings.length === 0 && root !== undefined && root !== proof.root)
    findings.push({ kind: "not-included", sequence, sentence: "The proof leads to another root." });
  const holds = findings.length === 0;
  const tree = { size, root: proof.root };
  if (json) await print(`${forJson({ schema: "winnow-verification/1", whole: holds, tree, findings })}\n`);
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

async function readProof(file: string): Promise<InclusionProof> {
  let text: string;
  try {
    text = await readFile(file, "utf8");
  } catch (error) {
    throw fileRefusal("The proof", file, error);
  }
  try {
    return readInclusionProof(text);
  } catch (error) {
    if (!(error instanceof WinnowError)) throw error;
    throw new Refusal("usage", `The file ${JSON.stringify(file)} isn't a proof: ${error.message}.`);
  }
}
