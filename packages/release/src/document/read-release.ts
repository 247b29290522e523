/**
 * `readRelease`: a release document back from its JSON, checked. What is not one is refused with the path of the field that
 * is wrong: another schema, a question that cannot be asked, winners that the question cannot have. Item names may be
 * anything and stay data.
 * @module
 */
import { lossFromJson, lossToJson } from "winnow-dp";
import { type Question, type QuestionInput, readQuestion } from "../question/question.js";
import { refused } from "../refused.js";
import { type Fields, fieldsOf, integerAt, listAt, textAt, textsAt } from "./fields.js";
import { readAnswer } from "./read-answer.js";
import { readableLoss } from "./readable-loss.js";
import { RELEASE_SCHEMA, type Release, type ReleaseLoss } from "./release-document.js";

const RELEASE_FIELDS = [
  "schema",
  "id",
  "dataset",
  "time",
  "software",
  "question",
  "mechanism",
  "loss",
  "answer",
  "source",
  "ledger?",
  "notes",
];

export function readRelease(text: string): Release {
  const json = parse(text);
  if (isOfOtherSchema(json)) throw refused("release.schema", `"${RELEASE_SCHEMA}"`);
  const fields = fieldsOf(json, "release", RELEASE_FIELDS);
  const question = questionIn(fields);
  return {
    schema: RELEASE_SCHEMA,
    id: nonEmpty(fields, "id"),
    dataset: nonEmpty(fields, "dataset"),
    time: timeIn(fields),
    software: softwareIn(fields),
    question,
    mechanism: mechanismIn(fields, question),
    loss: lossIn(fields),
    answer: readAnswer(fields.answer, question),
    source: sourceIn(fields),
    ...(fields.ledger !== undefined && { ledger: ledgerIn(fields) }),
    notes: notesIn(fields),
  };
}

/** Said first: a later version may have other fields. */
function isOfOtherSchema(json: unknown): boolean {
  return typeof json === "object" && json !== null && "schema" in json && json.schema !== RELEASE_SCHEMA;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw refused("release", "JSON text");
  }
}

function nonEmpty(fields: Fields, name: string): string {
  const text = textAt(fields, "release", name);
  if (text === "") throw refused(`release.${name}`, "a text that is not empty");
  return text;
}

function timeIn(fields: Fields): string {
  const time = textAt(fields, "release", "time");
  const date = new Date(time);
  if (Number.isNaN(date.getTime()) || date.toISOString() !== time)
    throw refused("release.time", "a time such as 2026-01-31T12:00:00.000Z");
  return time;
}

function softwareIn(fields: Fields): Release["software"] {
  const software = fieldsOf(fields.software, "release.software", ["name", "version", "packages"]);
  return {
    name: textAt(software, "release.software", "name"),
    version: textAt(software, "release.software", "version"),
    packages: textsAt(software, "release.software", "packages"),
  };
}

/** Read anew, it must come out as it is: in canonical form and without fields of its own. */
function questionIn(fields: Fields): Question {
  const question = readQuestion(
    fieldsOf(fields.question, "release.question", QUESTION_FIELDS) as unknown as QuestionInput,
  );
  if (JSON.stringify(sorted(question)) !== JSON.stringify(sorted(fields.question)))
    throw refused("release.question", "a question in canonical form");
  return question;
}

const QUESTION_FIELDS = [
  "kind",
  "k",
  "domain",
  "neighbours",
  "mechanism",
  "epsilon?",
  "rho?",
  "delta?",
  "resolution?",
  "unit",
];

/** With the keys of every object in one order. */
function sorted(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  return Object.entries(value)
    .map(([key, part]) => [key, sorted(part)])
    .sort();
}

function mechanismIn(fields: Fields, question: Question): Release["mechanism"] {
  const mechanism = fieldsOf(fields.mechanism, "release.mechanism", ["name", "parameters"]);
  if (mechanism.name !== question.mechanism)
    throw refused("release.mechanism.name", `"${question.mechanism}", as in the question`);
  return { name: question.mechanism, parameters: textsAt(mechanism, "release.mechanism", "parameters") };
}

/** The exact numbers count; the words must say the same. */
function lossIn(fields: Fields): ReleaseLoss {
  const { readable, ...json } = fieldsOf(fields.loss, "release.loss", [
    "measure",
    "epsilon?",
    "eta?",
    "rho?",
    "delta?",
    "readable",
  ]);
  const loss = lossFromJson(json, "release.loss");
  const exact = lossToJson(loss);
  if (Object.keys(json).length !== Object.keys(exact).length)
    throw refused("release.loss", "an object with the numbers of its measure");
  if (readable !== readableLoss(loss)) throw refused("release.loss.readable", "the loss in words");
  return { ...exact, readable };
}

function sourceIn(fields: Fields): Release["source"] {
  const source = fieldsOf(fields.source, "release.source", ["item", "user", "dialect"]);
  return {
    item: textAt(source, "release.source", "item"),
    user: textAt(source, "release.source", "user"),
    dialect: textsAt(source, "release.source", "dialect"),
  };
}

const HASH = /^[\da-f]{64}$/;

function ledgerIn(fields: Fields): NonNullable<Release["ledger"]> {
  const ledger = fieldsOf(fields.ledger, "release.ledger", ["sequence", "head"]);
  const head = textAt(ledger, "release.ledger", "head");
  if (!HASH.test(head)) throw refused("release.ledger.head", "64 hexadecimal digits");
  return { sequence: integerAt(ledger, "release.ledger", "sequence", 1), head };
}

function notesIn(fields: Fields): readonly string[] {
  return listAt(fields, "release", "notes").map((note) => {
    if (typeof note !== "string") throw refused("release.notes", "a list of texts");
    return note;
  });
}
