/**
 * Reads a release document back from its JSON and checks it: the schema, a question that can be asked, an answer that
 * this question can have (the right number of winners, each once, with gaps exactly where gaps are released, in an
 * order that reveals nothing more).
 *
 * Someone else wrote the JSON, so every field must have the expected kind and unknown fields are refused. An error
 * names the path of the field and never quotes its value. Item names may be any text and stay data.
 * @module
 */
import { invalidParameter, lossFromJson, lossToJson, Rational, rational } from "winnow-dp";
import { readQuestion } from "../ask/read-question.js";
import { kindOf } from "../kinds/kinds.js";
import { ANALYST_RULE, isAnalyst } from "../ledger/entry.js";
import { readWitnessedPlace } from "../ledger/witnessed-place.js";
import { type GroupedQuestion, isGrouped, parametersOfGroup, subQuestion } from "../mechanisms/in-groups.js";
import { type Answered, countsIn, mechanismFor } from "../mechanisms/of-question.js";
import { compareNames } from "../parts/names.js";
import { recordedSize } from "../parts/recorded-size.js";
import type { Frequency, GroupAnswer, Winner } from "../question/answer.js";
import type { GridDomain } from "../question/grid.js";
import { groupsPerUser, groupText } from "../question/groups.js";
import { countedInWords } from "../question/labels.js";
import { hashOfList } from "../question/listed-domain.js";
import type { Question, QuestionInput } from "../question/question.js";
import { readableLoss } from "./loss-text.js";
import {
  EPSILON_SOURCES,
  type EpsilonFrom,
  GROUPS_SCHEMA,
  RELEASE_SCHEMA,
  type Release,
  type ReleaseAnswer,
  type ReleaseBits,
  type ReleaseCharge,
  type ReleaseLoss,
} from "./release-document.js";

const RELEASE_FIELDS = [
  "schema",
  "id",
  "dataset",
  "analyst?",
  "time",
  "software",
  "question",
  "mechanism",
  "loss",
  "charge?",
  "answer",
  "source",
  "bits?",
  "ledger?",
  "epsilonFrom?",
  "notes",
];

/** Reads a release document of any version, or refuses it. */
export function readRelease(text: string): Release {
  const json = parse(text);
  const schema = schemaOf(json);
  const fields = fieldsOf(json, "release", RELEASE_FIELDS);
  const question = questionIn(fields);
  const mechanism = mechanismIn(fields, question);
  if ((schema === GROUPS_SCHEMA) !== isGrouped(question))
    throw invalidParameter("release.schema", `"${GROUPS_SCHEMA}" for a release in groups, and for no other`);
  return {
    schema,
    id: nonEmpty(fields, "id"),
    dataset: nonEmpty(fields, "dataset"),
    ...(fields.analyst !== undefined && { analyst: analystIn(fields) }),
    time: timeIn(fields),
    software: softwareIn(fields),
    question,
    mechanism,
    loss: lossIn(fields, "loss", "release"),
    ...(fields.charge !== undefined && { charge: chargeIn(fields) }),
    answer: isGrouped(question)
      ? readGroups(fields.answer, question, mechanism)
      : readAnswer(fields.answer, { question, mechanism }),
    source: sourceIn(fields),
    ...(fields.bits !== undefined && { bits: bitsIn(fields) }),
    ...(fields.ledger !== undefined && { ledger: ledgerIn(fields) }),
    ...(fields.epsilonFrom !== undefined && { epsilonFrom: epsilonFromIn(fields) }),
    notes: notesIn(fields),
  };
}

/** Said first: a later version may have other fields. */
function schemaOf(json: unknown): Release["schema"] {
  const schema = typeof json === "object" && json !== null && "schema" in json ? json.schema : undefined;
  const known = [GROUPS_SCHEMA, RELEASE_SCHEMA] as const;
  const found = known.find((each) => each === schema);
  if (found === undefined && schema !== undefined)
    throw invalidParameter("release.schema", `"${GROUPS_SCHEMA}" or "${RELEASE_SCHEMA}"`);
  return found ?? RELEASE_SCHEMA;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw invalidParameter("release", "JSON text");
  }
}

function nonEmpty(fields: Fields, name: string): string {
  const text = textAt(fields, "release", name);
  if (text === "") throw invalidParameter(`release.${name}`, "a text that is not empty");
  return text;
}

function analystIn(fields: Fields): string {
  const analyst = textAt(fields, "release", "analyst");
  if (!isAnalyst(analyst)) throw invalidParameter("release.analyst", ANALYST_RULE);
  return analyst;
}

function timeIn(fields: Fields): string {
  const time = textAt(fields, "release", "time");
  const date = new Date(time);
  if (Number.isNaN(date.getTime()) || date.toISOString() !== time)
    throw invalidParameter("release.time", "a time such as 2026-01-31T12:00:00.000Z");
  return time;
}

function epsilonFromIn({ epsilonFrom }: Fields): EpsilonFrom {
  const found = EPSILON_SOURCES.find((source) => source === epsilonFrom);
  if (found === undefined)
    throw invalidParameter("release.epsilonFrom", `one of ${EPSILON_SOURCES.join(", ")}`);
  return found;
}

function softwareIn(fields: Fields): Release["software"] {
  const software = fieldsOf(fields.software, "release.software", ["name", "version", "packages"]);
  return {
    name: textAt(software, "release.software", "name"),
    version: textAt(software, "release.software", "version"),
    packages: textsAt(software, "release.software", "packages"),
  };
}

/** Must already be canonical: in canonical form and without fields of its own. */
function questionIn(fields: Fields): Question {
  const question = readQuestion(
    fieldsOf(fields.question, "release.question", QUESTION_FIELDS) as unknown as QuestionInput,
  );
  if (JSON.stringify(sorted(question)) !== JSON.stringify(sorted(fields.question)))
    throw invalidParameter("release.question", "a question in canonical form");
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
  "counts?",
  "maxItemsPerUser?",
  "quantiles?",
  "atMost?",
  "outsiderShare?",
  "groups?",
  "items?",
  "map?",
  "where?",
  "period?",
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
    throw invalidParameter("release.mechanism.name", `"${question.mechanism}", as in the question`);
  const parameters = textsAt(mechanism, "release.mechanism", "parameters");
  if (question.resolution !== undefined && parameters.scale !== undefined) recordedSize(parameters, "scale");
  return { name: question.mechanism, parameters };
}

/** The exact numbers count; the words must say the same. */
function lossIn(fields: Fields, name: string, path: string): ReleaseLoss {
  const at = `${path}.${name}`;
  const { readable, ...json } = fieldsOf(fields[name], at, [
    "measure",
    "epsilon?",
    "eta?",
    "rho?",
    "delta?",
    "readable",
  ]);
  const loss = lossFromJson(json, at);
  const exact = lossToJson(loss);
  if (Object.keys(json).length !== Object.keys(exact).length)
    throw invalidParameter(at, "an object with the numbers of its measure");
  if (readable !== readableLoss(loss)) throw invalidParameter(`${at}.readable`, "the loss in words");
  return { ...exact, readable };
}

function chargeIn(fields: Fields): ReleaseCharge {
  const charge = fieldsOf(fields.charge, "release.charge", ["reserved", "settled"]);
  const [reserved, settled] = ["reserved", "settled"].map((name) => lossIn(charge, name, "release.charge"));
  if (reserved.measure !== settled.measure)
    throw invalidParameter("release.charge.settled", "in the measure of what was reserved");
  return { reserved, settled };
}

function sourceIn(fields: Fields): Release["source"] {
  const source = fieldsOf(fields.source, "release.source", ["name?", "item", "user", "dialect"]);
  return {
    ...(source.name !== undefined && { name: textAt(source, "release.source", "name") }),
    item: textAt(source, "release.source", "item"),
    user: textAt(source, "release.source", "user"),
    dialect: textsAt(source, "release.source", "dialect"),
  };
}

function bitsIn(fields: Fields): ReleaseBits {
  const bits = fieldsOf(fields.bits, "release.bits", ["generator", "seed", "counts"]);
  const [generator, seed, counts] = ["generator", "seed", "counts"].map((name) =>
    textAt(bits, "release.bits", name),
  );
  if (![seed, counts].every((hash) => HASH.test(hash)))
    throw invalidParameter("release.bits", "hashes of 64 hexadecimal digits");
  return { generator, seed, counts };
}

const HASH = /^[\da-f]{64}$/;

function ledgerIn(fields: Fields): NonNullable<Release["ledger"]> {
  const ledger = fieldsOf(fields.ledger, "release.ledger", ["sequence", "head", "witnessed?"]);
  const head = textAt(ledger, "release.ledger", "head");
  if (!HASH.test(head)) throw invalidParameter("release.ledger.head", "64 hexadecimal digits");
  const place = { sequence: integerAt(ledger, "release.ledger", "sequence", 1), head };
  if (ledger.witnessed === undefined) return place;
  const witnessed = readWitnessedPlace(ledger.witnessed);
  if (witnessed === undefined)
    throw invalidParameter("release.ledger.witnessed", "a signed head, and how the entry leads to it");
  return { ...place, witnessed };
}

function notesIn(fields: Fields): readonly string[] {
  return listAt(fields, "release", "notes").map((note) => {
    if (typeof note !== "string") throw invalidParameter("release.notes", "a list of texts");
    return note;
  });
}

const ANSWER_PATH = "release.answer";

/** Every listed group in the order of the list, which its hash tells; or the selected ones in the order of their names. */
function readGroups(
  value: unknown,
  question: GroupedQuestion,
  { name: mechanism, parameters }: Release["mechanism"],
): ReleaseAnswer {
  const fields = fieldsOf(value, ANSWER_PATH, ["released", "k", "winners", "ordered", "groups", "counted"]);
  const { by, list } = question.groups;
  const path = `${ANSWER_PATH}.groups`;
  const groups = listAt(fields, ANSWER_PATH, "groups").map((group): GroupAnswer => {
    const { name, answer } = fieldsOf(group, path, ["name", "answer"]);
    const isName =
      Array.isArray(name) &&
      name.length === by.length &&
      name.every((part) => typeof part === "string" && part !== "");
    if (!isName)
      throw invalidParameter(`${path}.name`, by.length === 1 ? "a list of one text" : "a list of two texts");
    const own = { name: mechanism, parameters: parametersOfGroup(question, parameters, name) };
    return { name, answer: readAnswer(answer, { question: subQuestion(question, name), mechanism: own }) };
  });
  const texts = groups.map(({ name }) => groupText(name));
  if (list === "selected") {
    const isSorted = texts.every((text, i) => i === 0 || compareNames(texts[i - 1], text) < 0);
    if (!isSorted) throw invalidParameter(path, "in the order of their names");
  } else if (texts.length !== list.size || hashOfList(texts) !== list.hash)
    throw invalidParameter(path, "every group of the list once");
  const answer = {
    released: groups.some((group) => group.answer.released),
    k: question.k,
    winners: [],
    ordered: groups.every((group) => group.answer.ordered),
    groups,
    counted: countedInWords(question),
  };
  for (const [field, expected] of Object.entries(answer))
    if (field !== "groups" && JSON.stringify(fields[field]) !== JSON.stringify(expected))
      throw invalidParameter(`${ANSWER_PATH}.${field}`, JSON.stringify(expected));
  return answer;
}

function readAnswer(value: unknown, { question, mechanism }: Answered): ReleaseAnswer {
  const { fields: more } = mechanismFor(question).answer;
  const isCut = question.maxItemsPerUser !== undefined && groupsPerUser(question) === undefined;
  const names = ["released", "k", "winners", "ordered", ...more, ...(isCut ? ["counted"] : [])];
  const fields = fieldsOf(value, ANSWER_PATH, names);
  if (isCut && fields.counted !== countedInWords(question))
    throw invalidParameter(`${ANSWER_PATH}.counted`, `"${countedInWords(question)}"`);
  const unit = countsIn({ question, mechanism })?.factor ?? Rational.ONE;
  const answer = {
    released: trueOrFalse(fields, ANSWER_PATH, "released"),
    k: integerAt(fields, ANSWER_PATH, "k", 1),
    winners: listAt(fields, ANSWER_PATH, "winners").map((winner, i) =>
      readWinner(winner, question, { index: i, unit }),
    ),
    ordered: trueOrFalse(fields, ANSWER_PATH, "ordered"),
    ...(more.includes("stopped") && { stopped: trueOrFalse(fields, ANSWER_PATH, "stopped") }),
    ...(more.includes("frequencies") && {
      frequencies: listAt(fields, ANSWER_PATH, "frequencies").map(readFrequency),
    }),
    ...(isCut && { counted: countedInWords(question) }),
  };
  checkNumber(answer, question);
  checkOrder(answer, question);
  return answer;
}

/** Counts are multiples of 1/unit. */
function readWinner(
  value: unknown,
  question: Question,
  { index, unit }: { readonly index: number; readonly unit: Rational },
): Winner {
  const { resolution, counts } = question;
  const path = `${ANSWER_PATH}.winners`;
  if (kindOf(question).shape === "values")
    return readQuantile(fieldsOf(value, path, ["item", "quantile"]), question, index);
  const names = ["item", ...(resolution === undefined ? [] : ["gap"]), ...(counts ? ["count"] : [])];
  const fields = fieldsOf(value, path, names);
  return {
    item: textAt(fields, path, "item"),
    ...(resolution !== undefined && { gap: readGap(textAt(fields, path, "gap"), resolution) }),
    ...(counts && { count: readCount(textAt(fields, path, "count"), unit) }),
  };
}

/** A point of the grid, for the share at this place of the question. */
function readQuantile(fields: Fields, { domain, quantiles = [] }: Question, index: number): Winner {
  const path = `${ANSWER_PATH}.winners`;
  const [text, quantile] = ["item", "quantile"].map((name) => textAt(fields, path, name));
  if (quantile !== quantiles[index]) throw invalidParameter(`${path}.quantile`, "as in the question");
  const { lower, upper, step } = domain as GridDomain;
  const value = rational(text, `${path}.item`);
  const isInside = value.compare(lower) >= 0 && value.compare(upper) <= 0;
  if (!isInside || !value.minus(lower).dividedBy(step).isInteger() || String(value) !== text)
    throw invalidParameter(`${path}.item`, "a point of the grid");
  return { item: text, quantile };
}

function readFrequency(value: unknown, index: number, all: readonly unknown[]): Frequency {
  const path = `${ANSWER_PATH}.frequencies`;
  const fields = fieldsOf(value, path, ["users", "items"]);
  const [users, items] = ["users", "items"].map((name) => integerAt(fields, path, name, 1));
  const before = index === 0 ? Infinity : integerAt(all[index - 1] as Fields, path, "users", 1);
  if (users >= before) throw invalidParameter(path, "a list that falls");
  return { users, items };
}

function readCount(text: string, unit: Rational): string {
  const path = `${ANSWER_PATH}.winners.count`;
  const count = rational(text, path);
  if (!count.times(unit).isInteger() || String(count) !== text)
    throw invalidParameter(path, unit.equals(1n) ? "a whole number" : `a multiple of 1/${unit}`);
  return text;
}

function readGap(text: string, resolution: string): string {
  const gap = rational(text, `${ANSWER_PATH}.winners.gap`);
  if (gap.numerator < 0n || !gap.dividedBy(resolution).isInteger() || String(gap) !== text)
    throw invalidParameter(`${ANSWER_PATH}.winners.gap`, `a multiple >= 0 of the resolution ${resolution}`);
  return text;
}

/** Over public candidates all k are named; otherwise at most k, and perhaps none. */
function checkNumber({ released, k, winners, stopped }: ReleaseAnswer, question: Question): void {
  const kind = kindOf(question);
  if (kind.k === "most" ? k > question.k : k !== question.k)
    throw invalidParameter(
      `${ANSWER_PATH}.k`,
      kind.k === "most" ? `at most ${question.k}` : String(question.k),
    );
  const isList = kind.shape === "frequencies";
  if (winners.length > k) throw invalidParameter(`${ANSWER_PATH}.winners`, `a list of at most ${k}`);
  if (released !== (winners.length > 0 || isList))
    throw invalidParameter(`${ANSWER_PATH}.released`, "true if anything is told, and else false");
  if (isList && winners.length > 0)
    throw invalidParameter(`${ANSWER_PATH}.winners`, "an empty list, because no item is named");
  if (stopped !== undefined && stopped !== winners.length < k)
    throw invalidParameter(`${ANSWER_PATH}.stopped`, `true if fewer than ${k} are named, and else false`);
  const isComplete = kind.isComplete && question.domain.kind !== "unknown";
  if (isComplete && winners.length !== k) throw invalidParameter(`${ANSWER_PATH}.winners`, `a list of ${k}`);
  if (kind.shape === "winners" && new Set(winners.map(({ item }) => item)).size !== winners.length)
    throw invalidParameter(`${ANSWER_PATH}.winners`, "a list in which every item occurs once");
}

/** A set comes by name; everything else best first, so counts above a threshold fall. */
function checkOrder({ ordered, winners }: ReleaseAnswer, question: Question): void {
  const { order: by } = mechanismFor(question).answer;
  const order = typeof by === "function" ? by(question) : by;
  const values = order === "value" ? winners.map(({ item }) => rational(item)) : [];
  if (values.some((value, i) => i > 0 && value.compare(values[i - 1]) < 0))
    throw invalidParameter(`${ANSWER_PATH}.winners`, "in the order of their values");
  const byName = order === "name";
  if (ordered === byName) throw invalidParameter(`${ANSWER_PATH}.ordered`, String(!byName));
  const isSorted = winners.every(({ item }, i) => i === 0 || compareNames(winners[i - 1].item, item) < 0);
  if (byName && !isSorted) throw invalidParameter(`${ANSWER_PATH}.winners`, "in the order of their names");
  const counts = winners.map(({ count }) => rational(count ?? 0n));
  const falls = counts.every((count, i) => i === 0 || count.compare(counts[i - 1]) <= 0);
  if (order === "count" && !falls)
    throw invalidParameter(`${ANSWER_PATH}.winners`, "in the order of their counts");
}

type Fields = Readonly<Record<string, unknown>>;

/** An object with these fields and no others; those that end in "?" may be absent. */
function fieldsOf(value: unknown, path: string, names: readonly string[]): Fields {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw invalidParameter(path, "an object");
  const fields: Fields = { ...value };
  const known = new Set(names.map((name) => name.replace(/\?$/, "")));
  const missing = names.find((name) => !name.endsWith("?") && fields[name] === undefined);
  if (missing !== undefined) throw invalidParameter(path, `an object with the field "${missing}"`);
  if (Object.keys(fields).some((name) => !known.has(name)))
    throw invalidParameter(path, `an object without fields other than ${[...known].join(", ")}`);
  return fields;
}

function textAt(fields: Fields, path: string, name: string): string {
  const value = fields[name];
  if (typeof value !== "string") throw invalidParameter(`${path}.${name}`, "a text");
  return value;
}

function trueOrFalse(fields: Fields, path: string, name: string): boolean {
  const value = fields[name];
  if (typeof value !== "boolean") throw invalidParameter(`${path}.${name}`, "true or false");
  return value;
}

function integerAt(fields: Fields, path: string, name: string, least: number): number {
  const value = fields[name];
  if (typeof value !== "number" || !Number.isSafeInteger(value) || value < least)
    throw invalidParameter(`${path}.${name}`, `an integer >= ${least}`);
  return value;
}

function listAt(fields: Fields, path: string, name: string): readonly unknown[] {
  const value = fields[name];
  if (!Array.isArray(value)) throw invalidParameter(`${path}.${name}`, "a list");
  return value;
}

/** An object whose fields, of any name, are texts; in the order of the names, so that it has one form. */
function textsAt(fields: Fields, path: string, name: string): Readonly<Record<string, string>> {
  const value = fields[name];
  const at = `${path}.${name}`;
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw invalidParameter(at, "an object");
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  if (!entries.every(([, text]) => typeof text === "string"))
    throw invalidParameter(at, "an object of texts");
  return Object.fromEntries(entries) as Record<string, string>;
}
