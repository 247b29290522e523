/**
 * `winnow pate VOTES`: labels for public examples from the votes of teachers who were trained on private ones.
 * @module
 */
import { type Command, Option } from "commander";
import { labelByTeachers } from "winnow-dp";
import { forJson, newReleaseId, readableLoss } from "winnow-release";
import { interruptible } from "../interrupt.js";
import { DEFAULT_LEDGER, type Ledger, openLedger } from "../ledger/open-ledger.js";
import { readNames } from "../names.js";
import { lossOfLabels, teacherOptions } from "../pate/labelling.js";
import {
  type LabelsRelease,
  labelsCsv,
  labelsQuestion,
  labelsRelease,
  labelsTable,
} from "../pate/labels-release.js";
import { readVotes, type VoteLists } from "../pate/votes.js";
import { datasetName } from "../release/dataset-name.js";
import { showRecorded, tidyUp } from "../release/not-written.js";
import { tellWhatIsLeft } from "../release/tell.js";
import { tell, tellPrivately } from "../render/curator.js";
import { examples } from "../render/examples.js";
import { print } from "../render/print.js";
import { outputStyle } from "../render/style.js";

interface PateOptions {
  readonly task: VoteLists["task"];
  readonly queries?: string;
  readonly teachers?: string;
  readonly labels?: string;
  readonly epsilon?: string;
  readonly rho?: string;
  readonly delta?: string;
  readonly unit: string;
  readonly ledger: string;
  readonly dataset?: string;
  readonly releaseId?: string;
  readonly dryRun?: boolean;
  readonly json?: boolean;
  readonly csv?: boolean;
}

export function register(program: Command): void {
  program
    .command("pate <votes>")
    .summary("private labels from teachers' votes")
    .description(
      "Labels for public examples. VOTES is a CSV file with the columns query, teacher and label. Which queries, teachers and labels there are is public: a number n for the names 0 to n − 1, a range t0..t9, names with commas between, or a file with one name on each line.",
    )
    .addOption(
      new Option("--task <kind>", "one right class, or any number of right labels")
        .choices(["multi-class", "multi-label"])
        .default("multi-class"),
    )
    .option("--queries <list>", "the queries")
    .option("--teachers <list>", "the teachers")
    .option("--labels <list>", "the labels")
    .option("--epsilon <rational>", "the loss of all answers together: ε, with --delta")
    .option("--rho <rational>", "the loss of all answers together: ρ of zCDP")
    .option("--delta <rational>", "the probability of failure, such as 1e-6")
    .option("--unit <text>", "what one person is", "everything in the data of one teacher")
    .option("--ledger <file>", "where releases are recorded", DEFAULT_LEDGER)
    .option("--dataset <name>", "the data set that is charged (default: the name of the file)")
    .option(
      "--release-id <id>",
      "asked again with the same id, the same answer is printed and nothing charged",
    )
    .option("--dry-run", "what it would cost; nothing is read, recorded or charged")
    .option("--json", "the release as JSON (schema winnow-labels/1)")
    .option("--csv", "the labels as CSV")
    .addHelpText(
      "after",
      examples(
        [
          "winnow pate votes.csv --queries q0..q2 --teachers t0..t99 --labels cat,dog,bird,fish --epsilon 8 --delta 1e-6",
          "",
        ],
        ["winnow pate votes.csv --queries 20 --teachers 250 --labels labels.txt --rho 1/2 --csv", ""],
      ),
    )
    .action(label);
}

async function label(path: string, options: PateOptions): Promise<void> {
  const lists = await readLists(options);
  const { epsilon, rho, delta } = options;
  const question = labelsQuestion(lists, { epsilon, rho, delta }, options.unit);
  const run = teacherOptions(lists, options);
  const loss = lossOfLabels(lists, run);
  const dataset = datasetName(path, options.dataset);
  if (options.dryRun) {
    await print(`  The labels would cost ${readableLoss(loss)}. Nothing was read, recorded or charged.\n`);
    return;
  }
  const ledger = await openLedger(options.ledger, { create: true });
  try {
    await interruptible(async ({ signal, passPointOfNoReturn }) => {
      const known = await stored(ledger, options.releaseId, { dataset, question });
      const release = known ?? (await answer(signal));
      await showRecorded(release.id, () => print(textOf(release, options)));
      await tellWhatIsLeft(ledger, dataset, loss);

      async function answer(signal: AbortSignal): Promise<LabelsRelease> {
        await ledger.admits(dataset, loss, question);
        const { votes, skippedLines } = await readVotes(path, lists, signal);
        tell(`What is protected is ${question.unit}: one teacher may be replaced by any other.`);
        if (skippedLines > 0) tellPrivately(`${skippedLines} lines are no votes and counted for nobody.`);
        const { answers } = labelByTeachers(votes, run);
        passPointOfNoReturn();
        const id = options.releaseId ?? newReleaseId();
        return ledger.record(dataset, labelsRelease({ id, dataset, question, lists, answers, loss }));
      }
    });
  } finally {
    await tidyUp(() => ledger.close());
  }
}

async function readLists(options: PateOptions): Promise<VoteLists> {
  const [queries, teachers, labels] = await Promise.all([
    readNames("queries", options.queries),
    readNames("teachers", options.teachers),
    readNames("labels", options.labels),
  ]);
  return { task: options.task, queries, teachers, labels };
}

async function stored(
  ledger: Ledger,
  id: string | undefined,
  asked: Pick<LabelsRelease, "dataset" | "question">,
): Promise<LabelsRelease | undefined> {
  if (id === undefined) return undefined;
  const found = await ledger.find<LabelsRelease>(id, asked);
  if (found !== undefined)
    tell(`Release ${id} was made before: this is its answer again, and nothing was charged.`);
  return found;
}

function textOf(release: LabelsRelease, { json, csv }: PateOptions): string {
  if (json) return `${forJson(release)}\n`;
  return csv ? labelsCsv(release) : labelsTable(release, outputStyle());
}
