/**
 * `winnow show ID`: a stored release again, in any format, from the ledger alone. Nothing is asked of the rows and nothing is charged.
 * @module
 */
import type { Command } from "commander";
import {
  forTerminal,
  isReleaseId,
  type Recorded,
  Refusal,
  type Release,
  readRelease,
  toJson,
} from "winnow-release";
import { addOptions, DEFAULT_LEDGER, examples, optionName } from "../command-options.js";
import { ledgerName, openLedger } from "../ledger/open-ledger.js";
import { isLabels, type LabelsRelease, labelsText } from "../pate/labels.js";
import { releaseBefore } from "../release/before.js";
import { type OutputOptions, prepareOutputs } from "../release/outputs.js";
import { budgetLeft, tidyUp } from "../release/tell.js";
import { outputStyle, print } from "../render/terminal.js";

interface ShowOptions extends OutputOptions {
  readonly ledger: string;
}

export function register(program: Command): void {
  const command = program
    .command("show <id>")
    .summary("print a stored release again, in any format")
    .description(
      "Prints the release with this id again, as the ledger stores it: as a table, or as you choose. Reads no rows and charges nothing.",
    );
  addOptions(command, [
    { name: "ledger", text: "the ledger: a file, or postgres://host/database", default: DEFAULT_LEDGER },
    ...(["json", "csv", "plot", "labels", "statement", "registry", "output", "force"] as const),
  ])
    .addHelpText(
      "after",
      examples(
        ["winnow show june", "`winnow budget log` has the ids"],
        ["winnow show june --csv -o june.csv", ""],
        ["winnow show june --plot june.svg --statement", ""],
      ),
    )
    .action(show);
}

async function show(id: string, options: ShowOptions): Promise<void> {
  const ledger = await openLedger(options.ledger, { readOnly: true });
  try {
    const stored = isReleaseId(id) ? await ledger.find<Release | LabelsRelease>(id) : undefined;
    if (stored === undefined)
      throw new Refusal(
        "not-found",
        `The ledger ${JSON.stringify(ledgerName(options.ledger))} has no release ${JSON.stringify(forTerminal(id))}.`,
      );
    if (isLabels(stored)) return await showLabels(stored, options);
    const release = readRelease(toJson(stored as Recorded<Release>));
    const outputs = await prepareOutputs(options, []);
    try {
      const before = await releaseBefore(ledger, release);
      await outputs.publish(release, await budgetLeft(ledger, release.dataset, release.question), before);
    } finally {
      await outputs.discard();
    }
  } finally {
    await tidyUp(() => ledger.close());
  }
}

const NOT_OF_LABELS = ["plot", "labels", "statement", "registry", "output"] as const;

/** Labels are a table, CSV or JSON. */
async function showLabels(release: LabelsRelease, options: ShowOptions): Promise<void> {
  const idle = NOT_OF_LABELS.find((name) => options[name] !== undefined);
  if (idle !== undefined)
    throw new Refusal("usage", `${optionName(idle)} doesn't apply to labels of teachers.`);
  await print(labelsText(release, options, outputStyle()));
}
