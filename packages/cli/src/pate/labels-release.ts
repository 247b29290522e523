/**
 * The released labels as a document ("winnow-labels/1"), and as a table. It is recorded in the ledger like any release.
 * @module
 */
import { createHash } from "node:crypto";
import { type Loss, type LossJson, lossToJson, rational, type TeacherAnswer } from "winnow-dp";
import { decimalText, forCsvField, forTerminal, readableLoss } from "winnow-release";
import { table } from "../render/table.js";
import type { Style } from "../render/terminal.js";
import { SOFTWARE } from "../this-package.js";
import type { LabelBudget } from "./labelling.js";
import type { VoteLists } from "./votes.js";

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
  readonly software: typeof SOFTWARE;
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

interface Input extends Pick<LabelsRelease, "id" | "dataset" | "question"> {
  readonly lists: VoteLists;
  readonly answers: readonly TeacherAnswer[];
  readonly loss: Loss;
}

export function labelsRelease({ id, dataset, question, lists, answers, loss }: Input): LabelsRelease {
  const { queries, labels } = lists;
  return {
    schema: "winnow-labels/1",
    id,
    dataset,
    time: new Date().toISOString(),
    software: SOFTWARE,
    question,
    loss: { ...lossToJson(loss), readable: readableLoss(loss) },
    answer: answers.map((answer, i) => ({
      query: queries[i],
      // The class after the last label is "no label".
      labels: answer.released ? answer.labels.flatMap((label) => labels[label] ?? []) : [],
    })),
  };
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
