/**
 * `--dry-run` shows what a release would cost and whether it fits the budget, from public values alone. It doesn't open the
 * source or change the ledger. With a public twin of the rows it also shows how accurate the answer would be.
 * @module
 */
import { type Loss, lossToJson } from "winnow-dp";
import {
  boundInWords,
  concernAbout,
  countsInWords,
  domainInWords,
  expectedUtility,
  forJson,
  forTerminal,
  type GroupedQuestion,
  groupColumns,
  groupLimitInWords,
  groupsInWords,
  guardChargedInputs,
  inventedInWords,
  isGrouped,
  kindOf,
  lossOf,
  mechanismInWords,
  mechanismOf,
  percent,
  priceConcerns,
  type Question,
  quantileName,
  questionOfOne,
  RankedScores,
  rankErrorsInWords,
  readableLoss,
  selectionQuestion,
  subQuestion,
  takenFrom,
  type Utility,
  unitInWords,
} from "winnow-release";
import { findLedger, ledgerName } from "../ledger/open-ledger.js";
import { outputStyle, print, tell } from "../render/terminal.js";
import { SOFTWARE } from "../this-package.js";
import { tuneInWords } from "../tune/tuned-choice.js";
import type { ReleaseOptions } from "./release-options.js";
import { type Request, readRequest } from "./request.js";
import { publicCounts, type Rows, twinCandidates } from "./rows.js";
import { groupSplitInWords, tellChoice, tellExpectation, tellNoise, whatIsLeft } from "./tell.js";

export async function dryRun(
  kind: Question["kind"],
  rows: Rows,
  options: ReleaseOptions,
  signal: AbortSignal,
): Promise<void> {
  await rows.check();
  const request = await readRequest(kind, rows, options, signal);
  const { left, taken } = await preflight(request, options);
  const expected = await preview(request, options, signal);
  await tellExpectation(request.question, expected);
  tellNoise(request.question, options);
  if (request.tuning === undefined) tellChoice(request.choice, true);
  else tell(tuneInWords(request.tuning));
  await print(options.json ? asJson(request, taken, expected) : asText(request, { left, taken }, expected));
}

interface Preflight {
  /** In a sentence. */
  readonly left: string;
  /** What it takes of a budget in another measure. */
  readonly taken?: Loss | undefined;
}

/** Throws if the release doesn't fit the budget; without a ledger everything fits. */
async function preflight(
  { dataset, question, loss, inputs }: Request,
  options: ReleaseOptions,
): Promise<Preflight> {
  const { ledger: path, newDataset } = options;
  const ledger = await findLedger(path, { readOnly: true });
  if (ledger === undefined) {
    tellConcerns(concernAbout(loss));
    return { left: `There is no ledger at ${JSON.stringify(ledgerName(path))} yet.` };
  }
  try {
    await ledger.admitAccount(dataset, { isNewDataset: newDataset }); // without a mark, which would read the rows
    await guardChargedInputs(inputs, ledger);
    const reserved = await ledger.admit(dataset, question);
    const account = await ledger.account(dataset);
    tellConcerns(...priceConcerns(account, loss).map(({ why }) => why));
    const left = await whatIsLeft(ledger, dataset, question);
    return { left, taken: takenFrom(account, reserved) };
  } finally {
    await ledger.close();
  }
}

function tellConcerns(...concerns: readonly (string | undefined)[]): void {
  for (const concern of concerns) if (concern !== undefined) tell(concern);
}

export async function preview(
  request: Request,
  options: ReleaseOptions,
  signal: AbortSignal,
): Promise<Utility | undefined> {
  if (options.public === undefined || request.roles === undefined) return undefined;
  const { kind } = request.question;
  if (kindOf({ kind }).shape !== "winners" || request.question.groups !== undefined) return undefined; // their error is known without the rows
  const { question, roles, items } = request;
  const candidates = twinCandidates(question.domain, items);
  const { counts, bounded } = await publicCounts(
    options.public,
    options,
    roles,
    candidates,
    question.maxItemsPerUser,
  );
  return expectedUtility(question, new RankedScores(counts, bounded), { signal });
}

function asText(
  { question, loss, dataset, roles }: Request,
  { left, taken }: Preflight,
  expected: Utility | undefined,
): string {
  const reserves = taken === undefined ? "" : ` and reserve ${readableLoss(taken)} of the budget`;
  const style = outputStyle();
  const { shape } = kindOf(question);
  const mechanism = mechanismOf(question);
  const lines: [string, string][] = [
    ["data set", dataset],
    ...groupLines(question),
    ["columns", roles === undefined ? "guessed from the header" : `${roles.item} by ${roles.user}`],
    [shape === "values" ? "values" : "candidates", domainInWords(question.domain)],
    ["mechanism", mechanismInWords(mechanism.name, mechanism.parameters)],
    ...extrasOf(question),
    ["privacy", unitInWords(question)],
    ...(expected === undefined ? [] : [previewLine(expected)]),
    ["budget", left],
  ];
  return [
    "",
    `  The release would cost ${style.strong(readableLoss(loss))}${reserves}`,
    "",
    ...lines.map(([name, value]) => `  ${style.faint(name.padEnd(11))}${forTerminal(value, 300)}`),
    "",
    `  ${style.faint("No private row was counted; nothing was recorded or charged.")}`,
    "",
  ].join("\n");
}

/** The lines about counts released with the names, and about the limit on the items of a person. */
function extrasOf(asked: Question): [string, string][] {
  const question = questionOfOne(asked);
  const { counts, maxItemsPerUser } = question;
  const { shape } = kindOf(question);
  const lines: [string, string | false | undefined][] = [
    ["people", maxItemsPerUser !== undefined && boundInWords(question)],
    ["counts", counts && countsInWords({ question, mechanism: mechanismOf(question) })],
    ["quantiles", question.quantiles?.map(quantileName).join(", ")],
    ["error", shape === "values" && rankErrorsInWords(question)],
    ["noise", shape === "frequencies" && inventedInWords(question)],
  ];
  return lines.flatMap(([name, value]): [string, string][] => (value ? [[name, value]] : []));
}

function groupLines(question: Question): [string, string][] {
  const { groups } = question;
  if (groups === undefined) return [];
  return [
    ["groups", `by ${groupColumns(groups)}: ${groupsInWords(groups)}; ${groupLimitInWords(groups)}`],
    ["split", groupSplitInWords(question) ?? ""],
  ];
}

function previewLine({ recall, runs, charged }: Utility): [string, string] {
  const [share, error] = [recall.mean, 2 * recall.standardError].map(percent);
  const certainty = recall.standardError === 0 ? `in all of ${runs} runs` : `± ${error}, ${runs} runs`;
  const paid =
    charged === undefined
      ? ""
      : `; with a budget, ${percent(charged.mean)} of the price would count on average`;
  return ["preview", `names ${share} of the true winners of the public rows (${certainty})${paid}`];
}

function asJson(
  { question, loss, dataset, roles }: Request,
  taken: Loss | undefined,
  expected: Utility | undefined,
): string {
  return `${forJson({
    schema: "winnow-dry-run/1",
    software: SOFTWARE,
    dataset,
    question,
    mechanism: mechanismOf(question),
    loss: { ...lossToJson(loss), readable: readableLoss(loss) },
    ...(isGrouped(question) && { groups: splitAsJson(question) }),
    ...(taken !== undefined && { reserves: { ...lossToJson(taken), readable: readableLoss(taken) } }),
    ...(roles !== undefined && { source: { item: roles.item, user: roles.user } }),
    ...(expected !== undefined && { expected }),
  })}\n`;
}

/** What selects the groups, and what each of them costs alone. */
function splitAsJson(question: GroupedQuestion) {
  const selection = selectionQuestion(question);
  const json = (loss: Loss) => ({ ...lossToJson(loss), readable: readableLoss(loss) });
  return {
    ...(selection && { selection: json(lossOf(selection)) }),
    each: json(lossOf(subQuestion(question))),
  };
}
