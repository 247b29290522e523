/**
 * `winnow verify`: one release against its ledger. The chain must be whole, the release must be an entry of it word for word,
 * and every release of the ledger must have been charged what its mechanism costs, within the budgets in force. Nothing
 * private is read. `verify.py` beside this program does the same from the published formulas, without our code.
 * @module
 */
import type { Command } from "commander";
import type { Loss } from "winnow-dp";
import {
  checkCharges,
  forJson,
  forTerminal,
  LedgerError,
  type RecordedRelease,
  visible,
} from "winnow-release";
import { examples } from "../command-options.js";
import { DEFAULT_LEDGER, ledgerName, openLedger, readPublishedRelease } from "../ledger/open-ledger.js";
import { lossOfLabels, teacherOptions } from "../pate/labelling.js";
import type { LabelsQuestion } from "../pate/labels-release.js";
import type { VoteLists } from "../pate/votes.js";
import { Refusal } from "../refusal.js";
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
    .option("--json", "findings as JSON")
    .addHelpText(
      "after",
      examples(
        ["winnow verify release.json", ""],
        ["winnow verify release.json ledger.jsonl --json", "a ledger that was exported"],
      ),
    )
    .action(verify);
}

async function verify(path: string, file: string, { json = false }: { json?: boolean }): Promise<void> {
  const release = await readPublishedRelease(path);
  const ledger = await openLedger(file, { readOnly: true });
  try {
    const { head, findings: chain } = await ledger.verify([release]);
    const { findings: charges, recomputed } =
      chain.length > 0
        ? { findings: [], recomputed: 0 }
        : checkCharges(await ledger.entries(), priceOfLabels);
    const findings = [...chain, ...charges];
    const holds = findings.length === 0;
    if (json) await print(`${forJson({ schema: "winnow-verification/1", whole: holds, head, findings })}\n`);
    else
      await print(
        holds
          ? `Release ${JSON.stringify(forTerminal(release.id))} is entry ${release.ledger.sequence} of the ledger. ` +
              `${recomputed} releases in ${head.sequence} entries were charged what they cost; no budget is exceeded.\n`
          : findings.map(({ sentence }) => `${visible(sentence)}\n`).join(""),
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

/** All votes of a run are held in memory, and so they are here. */
const MOST = 2 ** 24;

/** What labels cost depends on the sizes of public lists only. */
function priceOfLabels(release: RecordedRelease): Loss | undefined {
  if (!("schema" in release) || release.schema !== "winnow-labels/1") return undefined;
  const { task, queries, teachers, labels, epsilon, rho, delta } = release.question as LabelsQuestion;
  const sizes = [queries, teachers, labels].map(({ size }) => size);
  if (!sizes.every((size) => Number.isSafeInteger(size) && size > 0) || sizes[0]! * sizes[2]! > MOST)
    return undefined;
  const [some, many, classes] = sizes.map((size) => new Array<string>(size).fill(""));
  const lists: VoteLists = { task, queries: some, teachers: many, labels: classes };
  try {
    return lossOfLabels(lists, teacherOptions(lists, { epsilon, rho, delta }));
  } catch (error) {
    throw error instanceof Refusal ? new LedgerError("ledger-broken", error.message) : error;
  }
}
