/**
 * Labels from teachers' votes: what they cost, and how they are released.
 *
 * From a budget for all queries to the noise of each, and to the cost of a run. Every query costs the same, so the loss is
 * known before any vote is read.
 *
 *   rho               zCDP: each query gets an equal share; with any number of labels, half of it goes to each of the two steps
 *   epsilon, delta    the largest ρ that implies (ε, δ), split the same way; with any number of labels, half of δ is for the tests
 *
 * The released labels are a document ("winnow-labels/1"), recorded in the ledger like any release, and a table.
 * @module
 */

import { createHash } from "node:crypto";
import {
  approx,
  type Loss,
  type LossJson,
  labelByTeachers,
  lossToJson,
  type Rational,
  rational,
  readers,
  rhoAtMost,
  type TeacherLabels,
  type TeacherOptions,
  zcdp,
} from "winnow-dp";
import { seededEntropy } from "winnow-dp/testing";
import {
  decimalText,
  forCsvField,
  forJson,
  forTerminal,
  type RecordedRelease,
  Refusal,
  readableLoss,
} from "winnow-release";
import { table } from "../render/table.js";
import type { Style } from "../render/terminal.js";
import { classesOf, type VoteLists } from "./votes.js";

interface LabelBudget {
  readonly epsilon?: string | undefined;
  readonly rho?: string | undefined;
  readonly delta?: string | undefined;
}

/** For a conversion to (ε, δ), and for the tests of a task with any number of labels. */
export function needsDelta(task: VoteLists["task"], rho: string | undefined): boolean {
  return rho === undefined || task === "multi-label";
}

/** The options of the library's labelling for these lists and this budget. */
export function teacherOptions(lists: VoteLists, budget: LabelBudget): TeacherOptions {
  const { task, queries, teachers } = lists;
  const { rho, failure, limit } = shares(lists, budget);
  const each = rho.dividedBy(queries.length);
  if (task === "multi-class")
    return {
      task,
      teachers: teachers.length,
      labels: classesOf(lists),
      choose: { noise: "gumbel", rho: each },
      limit,
    };
  const half = each.dividedBy(2n);
  return {
    task,
    teachers: teachers.length,
    labels: lists.labels.length,
    choose: { noise: "gumbel", rho: half },
    test: { rho: half },
    delta: failure.dividedBy(queries.length),
    limit,
  };
}

interface Shares {
  readonly rho: Rational;
  /** For the tests of all queries together. */
  readonly failure: Rational;
  readonly limit: TeacherOptions["limit"];
}

function shares({ task }: VoteLists, { epsilon, rho, delta }: LabelBudget): Shares {
  if ((epsilon === undefined) === (rho === undefined))
    throw new Refusal("usage", "The budget must be exactly one of --epsilon (with --delta) and --rho.");
  const takesTests = task === "multi-label";
  if (needsDelta(task, rho) !== (delta !== undefined))
    throw new Refusal(
      "usage",
      delta === undefined
        ? "--delta must be a rational above 0 and below 1, such as 1e-6."
        : "--delta must be left out with --rho and one right class, which needs no δ.",
    );
  const chance = delta === undefined ? rational(0n) : readers.properProbability("delta", delta);
  if (epsilon === undefined) {
    const whole = readers.positiveRational("rho", rho!);
    return { rho: whole, failure: chance, limit: zcdp(whole, chance) };
  }
  const failure = takesTests ? chance.dividedBy(2n) : rational(0n);
  return {
    rho: rhoAtMost({ epsilon, delta: chance.minus(failure) }),
    failure,
    limit: approx(epsilon, chance),
  };
}

/** The cost of the run: the accounting doesn't depend on votes, so none are needed. */
export function lossOfLabels(lists: VoteLists, options: TeacherOptions): Loss {
  const perQuery = options.task === "multi-label" ? options.labels : 1;
  const { privacy, queries } = labelByTeachers(new Uint8Array(lists.queries.length * perQuery), {
    ...options,
    teachers: 1,
    entropy: seededEntropy("no votes"),
  });
  if (queries < lists.queries.length)
    throw new Refusal(
      "usage",
      `The budget covers ${queries} of the ${lists.queries.length} queries; raise it.`,
    );
  return privacy;
}

export interface LabelsQuestion extends LabelBudget {
  readonly kind: "labels";
  readonly task: VoteLists["task"];
  readonly teachers: PublicList;
  readonly queries: PublicList;
  readonly labels: PublicList;
  readonly neighbours: "replace";
  readonly unit: string;
}

/** The number of names, and a hash of them. */
interface PublicList {
  readonly size: number;
  readonly hash: string;
}

export interface LabelsRelease {
  readonly schema: "winnow-labels/1";
  readonly id: string;
  readonly dataset: string;
  readonly time: string;
  readonly software: { readonly name: string; readonly version: string };
  readonly question: LabelsQuestion;
  readonly loss: LossJson & { readonly readable: string };
  /** In the order of the queries; no labels where the teachers didn't agree. */
  readonly answer: readonly { readonly query: string; readonly labels: readonly string[] }[];
  readonly ledger?: { readonly sequence: number; readonly head: string };
}

export function labelsQuestion(lists: VoteLists, budget: LabelBudget, unit: string): LabelsQuestion {
  const { task, teachers, queries, labels } = lists;
  return {
    kind: "labels",
    task,
    teachers: listed(teachers),
    queries: listed(queries),
    labels: listed(labels),
    neighbours: "replace",
    ...canonical(budget),
    unit,
  };
}

/** Equal numbers have equal texts, so that equal questions are recognised. */
function canonical({ epsilon, rho, delta }: LabelBudget): LabelBudget {
  const text = (field: string, value: string | undefined) =>
    value === undefined ? {} : { [field]: String(rational(value, field)) };
  return { ...text("epsilon", epsilon), ...text("rho", rho), ...text("delta", delta) };
}

function listed(names: readonly string[]): PublicList {
  const hash = createHash("sha256").update(names.map((name) => `${JSON.stringify(name)}\n`).join(""));
  return { size: names.length, hash: hash.digest("hex") };
}

interface Input extends Pick<LabelsRelease, "id" | "dataset" | "software" | "question"> {
  readonly lists: VoteLists;
  readonly answers: TeacherLabels["answers"];
  readonly loss: Loss;
}

export function labelsRelease({
  id,
  dataset,
  software,
  question,
  lists,
  answers,
  loss,
}: Input): LabelsRelease {
  const { queries, labels } = lists;
  return {
    schema: "winnow-labels/1",
    id,
    dataset,
    time: new Date().toISOString(),
    software,
    question,
    loss: { ...lossToJson(loss), readable: readableLoss(loss) },
    answer: answers.map((answer, i) => ({
      query: queries[i],
      // The class after the last label is "no label".
      labels: answer.released ? answer.labels.flatMap((label) => labels[label] ?? []) : [],
    })),
  };
}

/** Whether a stored release is one of labels. */
export function isLabels(release: { readonly schema?: unknown }): release is LabelsRelease {
  return release.schema === "winnow-labels/1";
}

/** As it was asked for. */
export function labelsText(
  release: LabelsRelease,
  { json, csv }: { readonly json?: boolean; readonly csv?: boolean },
  style: Style,
): string {
  if (json) return `${forJson(release)}\n`;
  return csv ? labelsCsv(release) : labelsTable(release, style);
}

export function labelsCsv({ answer }: LabelsRelease): string {
  const rows = answer.flatMap(({ query, labels }) =>
    (labels.length === 0 ? [""] : labels).map((label) => `${forCsvField(query)},${forCsvField(label)}`),
  );
  return `${["query,label", ...rows].join("\r\n")}\r\n`;
}

/** If the answers cost less than was allowed: says so, and that only the cost is charged. */
export function unspent({ epsilon, queries }: LabelsQuestion, loss: LossJson): readonly string[] {
  if (epsilon === undefined || loss.measure !== "approx") return [];
  if (rational(loss.epsilon).compare(epsilon) >= 0) return [];
  const [allowed, cost] = [rational(epsilon), rational(loss.epsilon)].map((size) => decimalText(size, "up"));
  return [
    `ε = ${allowed} was allowed; ${queries.size === 1 ? "one query costs" : `${queries.size} queries cost`} ε = ${cost} in total, and only that is charged.`,
  ];
}

const MOST_ROWS = 40;

export function labelsTable({ answer, loss, question, id, dataset }: LabelsRelease, style: Style): string {
  const rows = answer.slice(0, MOST_ROWS).map(({ query, labels }) => ({
    query: forTerminal(query),
    labels: labels.length === 0 ? style.faint("none") : labels.map((label) => forTerminal(label)).join(", "),
  }));
  const rest = answer.length - rows.length;
  const unanswered = answer.filter(({ labels }) => labels.length === 0).length;
  return [
    "",
    table(rows, [
      { name: "query", title: "query" },
      { name: "labels", title: question.task === "multi-class" ? "label" : "labels" },
    ]),
    ...(rest > 0 ? [`  … and ${rest.toLocaleString("en")} more; --json and --csv have them all`] : []),
    "",
    `  ${style.strong(loss.readable)}${style.faint(`  for ${forTerminal(question.unit, 200)}`)}`,
    ...unspent(question, loss).map((sentence) => `  ${style.faint(sentence)}`),
    `  ${style.faint(`${answer.length - unanswered} of ${answer.length} queries answered · ${forTerminal(dataset)} · release ${forTerminal(id)}`)}`,
    "",
  ].join("\n");
}

/** All votes of a run are held in memory, and so they are here. */
const MOST = 2 ** 24;

/** What labels cost depends on the sizes of public lists only. */
export function priceOfLabels(release: RecordedRelease): Loss | undefined {
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
    throw error instanceof Refusal ? new Refusal("ledger-broken", error.message) : error;
  }
}
