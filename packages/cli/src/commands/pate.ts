/**
 * `winnow pate VOTES` labels public examples from the votes of teachers that were trained on private ones. A run
 * follows the order of every release: price, ledger, votes, answers in memory, the charge together with the answers,
 * and only then output.
 * @module
 */

import { type Command, Option } from "commander";
import { type Loss, labelByTeachers, lossToJson, type TeacherOptions } from "winnow-dp";
import {
  type ChargeOptions,
  type ComparedInputs,
  confirmConcerns,
  guardChargedInputs,
  inSafeOrder,
  isReleaseId,
  type Ledger,
  newReleaseId,
  priceConcerns,
  Refusal,
  readableLoss,
} from "winnow-release";
import { addOptions, DEFAULT_LEDGER, examples } from "../command-options.js";
import { openLedger } from "../ledger/open-ledger.js";
import { type Interruption, interruptible } from "../long-work.js";
import {
  type LabelsQuestion,
  type LabelsRelease,
  labelsQuestion,
  labelsRelease,
  labelsText,
  lossOfLabels,
  needsDelta,
  teacherOptions,
  unspent,
} from "../pate/labels.js";
import { checkSizes, readVotes, type VoteLists } from "../pate/votes.js";
import { readNames } from "../public-files.js";
import { terminalCurator } from "../release/confirm.js";
import { datasetName, markOf } from "../release/dataset-name.js";
import { guardFiles } from "../release/public-inputs.js";
import { showRecorded, tellClosed, tellWhatIsLeft, tidyUp } from "../release/tell.js";
import { chooseLedger } from "../release/which-ledger.js";
import { outputStyle, print, tell, tellPrivately } from "../render/terminal.js";
import { SOFTWARE } from "../this-package.js";

export function register(program: Command): void {
  const command = program
    .command("pate <votes>")
    .summary("private labels from teachers' votes")
    .description(
      "Labels public examples. VOTES is a CSV file with the columns query, teacher and label. The lists of queries, teachers and labels are public. Pass each as a number n for the names 0 to n − 1, a range t0..t9, names separated by commas, or a file with one name per line.",
    )
    .addOption(
      new Option("--task <kind>", "one right class, or any number of right labels")
        .choices(["multi-class", "multi-label"])
        .default("multi-class"),
    )
    .option("--queries <list>", "the queries")
    .option("--teachers <list>", "the teachers")
    .option("--labels <list>", "the labels");
  addOptions(command, [
    { name: "epsilon", text: "the loss of all answers together: ε, with --delta" },
    { name: "rho", text: "the loss of all answers together: ρ of zCDP" },
    { name: "delta", text: "the probability of failure, such as 1e-6" },
    { name: "unit", text: "what one unit of privacy is", default: "everything in the data of one teacher" },
    { name: "ledger", default: DEFAULT_LEDGER },
    { name: "dataset", text: "the data set to charge (default: the name of the file)" },
    ...(["newDataset", "releaseId", "dryRun", "yes"] as const),
    { name: "json", text: "print the release as JSON (schema winnow-labels/1)" },
    { name: "csv", text: "print the labels as CSV" },
  ])
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
  readonly newDataset?: boolean;
  readonly yes?: boolean;
  readonly config?: string;
  readonly releaseId?: string;
  readonly dryRun?: boolean;
  readonly json?: boolean;
  readonly csv?: boolean;
  /** Which of these come from the configuration file. */
  readonly defaults?: readonly string[];
}

/** The public part of the run. */
interface Asked {
  readonly path: string;
  /** Its lists, none of which is private. */
  readonly inputs: ComparedInputs;
  readonly dataset: string;
  readonly lists: VoteLists;
  readonly question: LabelsQuestion;
  readonly teachers: TeacherOptions;
  readonly loss: Loss;
}

async function label(path: string, given: PateOptions): Promise<void> {
  const { dataset: name, dryRun: isDryRun } = given;
  const rows = { location: path, files: [path], dataset: name, isDryRun };
  const options = { ...given, ledger: await chooseLedger(given.ledger, rows) };
  const asked = await readAsked(path, options);
  const { dataset, loss } = asked;
  if (options.dryRun) return print(dryRunText(asked));
  const ledger = await openLedger(options.ledger, { create: true });
  try {
    await interruptible(async (interruption) => {
      const release = await makeLabels(ledger, asked, options, interruption);
      await showRecorded(release.id, () =>
        print(labelsText(release, options, outputStyle()), () => tellClosed(release.id)),
      );
      await tellWhatIsLeft(ledger, dataset, loss);
    });
  } finally {
    await tidyUp(() => ledger.close());
  }
}

function dryRunText({ question, loss }: Asked): string {
  const sentences = [
    `The labels would cost ${readableLoss(loss)}.`,
    ...unspent(question, lossToJson(loss)),
    "Nothing was read, recorded or charged.",
  ];
  return sentences.map((sentence) => `  ${sentence}\n`).join("");
}

async function readAsked(path: string, options: PateOptions): Promise<Asked> {
  const { task, epsilon, rho, unit, defaults = [] } = options;
  const isIdle = defaults.includes("delta") && !needsDelta(task, rho);
  const delta = isIdle ? undefined : options.delta;
  const given = { "--queries": options.queries, "--teachers": options.teachers, "--labels": options.labels };
  const inputs = await guardFiles(given, { sources: [path], ledger: options.ledger, config: options.config });
  const [queries, teachers, labels] = await Promise.all([
    readNames("queries", options.queries),
    readNames("teachers", options.teachers),
    readNames("labels", options.labels),
  ]);
  const lists = { task, queries, teachers, labels };
  checkSizes(lists);
  const price = teacherOptions(lists, { epsilon, rho, delta });
  return {
    path,
    inputs,
    dataset: datasetName(path, options.dataset),
    lists,
    question: labelsQuestion(lists, { epsilon, rho, delta }, unit),
    teachers: price,
    loss: lossOfLabels(lists, price),
  };
}

async function storedLabels(
  ledger: Ledger,
  { dataset, question }: Asked,
  id: string | undefined,
): Promise<LabelsRelease | undefined> {
  if (id === undefined) return undefined;
  if (!isReleaseId(id))
    throw new Refusal(
      "usage",
      "--release-id must be a short text without control characters or spaces at its ends.",
    );
  const found = await ledger.find<LabelsRelease>(id, { dataset, question });
  if (found !== undefined)
    tell(`Release ${id} exists already: this is its stored answer, and nothing was charged.`);
  return found;
}

async function makeLabels(
  ledger: Ledger,
  asked: Asked,
  { releaseId, newDataset, yes }: PateOptions,
  { signal, passPointOfNoReturn }: Interruption,
): Promise<LabelsRelease> {
  const { path, inputs, dataset, lists, question, teachers, loss } = asked;
  const id = releaseId ?? newReleaseId();
  let charge: ChargeOptions = {};
  const { release } = await inSafeOrder<Awaited<ReturnType<typeof readVotes>>, LabelsRelease, LabelsRelease>({
    stored: () => storedLabels(ledger, asked, releaseId),
    guard: async () => {
      charge = {
        mark: await markOf(ledger, { location: path, files: [path] }),
        isNewDataset: newDataset,
      };
      await ledger.admitAccount(dataset, charge);
      await guardChargedInputs(inputs, ledger);
    },
    admit: async () => {
      await ledger.admitLoss(dataset, loss, question);
      return loss;
    },
    confirm: async () => {
      const concerns = priceConcerns(await ledger.account(dataset), loss);
      await confirmConcerns(concerns, terminalCurator({ yes, signal }));
    },
    count: () => readVotes(path, lists, signal),
    draw: ({ votes, skippedLines }) => {
      tell(`The unit of privacy is ${question.unit}: one teacher may be replaced by any other.`);
      if (skippedLines > 0)
        tellPrivately(
          `${skippedLines === 1 ? "1 line isn't a vote and was" : `${skippedLines} lines aren't votes and were`} skipped.`,
        );
      const { answers } = labelByTeachers(votes, teachers);
      return labelsRelease({ id, dataset, software: SOFTWARE, question, lists, answers, loss });
    },
    settle: passPointOfNoReturn,
    record: (labels) => ledger.record(dataset, labels, charge),
    signal,
  });
  return release;
}
