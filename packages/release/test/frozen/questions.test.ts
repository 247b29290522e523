/** What a question is read as, what it costs and what a ledger counts for its answers, for a grid of questions. */

import { describe } from "vitest";
import { type Loss, lossToJson } from "winnow-dp";
import { type FrozenCases, frozen } from "../../../core/test/support/frozen.js";
import {
  answerRows,
  candidatesWanted,
  countsOf,
  gapUncertainty,
  lossOf,
  mechanismInWords,
  mechanismOf,
  type Question,
  readQuestion,
} from "../../src/index.js";
import type { Counting } from "../../src/mechanisms/mechanism.js";
import { chargeOf, reservationOf } from "../../src/mechanisms/of-question.js";
import { GRID, type Point } from "./grid.js";
import { mark } from "./mark.js";

/** As it is read, or how it is refused. */
function read({ input }: Point): { question: Question } | { refused: string } {
  try {
    return { question: readQuestion(input) };
  } catch (error) {
    const { code, field, message } = error as { code?: string; field?: string; message: string };
    if (code === undefined) throw error;
    return { refused: `${code} ${field} ${message}` };
  }
}

const READ = GRID.map((point) => ({ ...point, ...read(point) }));
const MECHANISMS = [...new Set(GRID.map(({ mechanism }) => mechanism))];

/** All that are asked or refused under one name. */
const AS_READ: FrozenCases = Object.fromEntries(
  MECHANISMS.map((mechanism) => [
    mechanism,
    () => {
      const all = READ.filter((point) => point.mechanism === mechanism);
      const texts = all.map((each) =>
        "question" in each ? [each.name, JSON.stringify(each.question)] : [each.name, each.refused],
      );
      const answerable = all.filter((each) => "question" in each).length;
      return { questions: all.length, answerable, all: mark(texts) };
    },
  ]),
);

/** Which mechanism a question gets that names none. */
const DEFAULTS: FrozenCases = {
  defaults: () =>
    Object.fromEntries(
      READ.flatMap(({ mechanism, name, ...each }) =>
        mechanism === "usual" && "question" in each ? [[name, each.question.mechanism]] : [],
      ),
    ),
};

/** Distinct questions; of those that take a tenth of a second each, about one in three. */
const PRICED = [
  ...new Map(
    READ.flatMap((each) =>
      "question" in each ? [[JSON.stringify(each.question), each.question] as const] : [],
    ),
  ).values(),
].filter(({ k, domain, counts, resolution }, i) => {
  const isSlow = domain.kind === "unknown" && k > 1;
  return !isSlow || (counts === undefined && resolution === undefined) || i % 3 === 0;
});

const COUNTINGS: readonly Counting[] = [
  { measure: "pure", isAtOrder: false },
  { measure: "zcdp", isAtOrder: false },
  { measure: "renyi", isAtOrder: false },
  { measure: "approx", isAtOrder: false },
  { measure: "approx", isAtOrder: true },
];

const textOf = (loss: Loss) => JSON.stringify(lossToJson(loss));

function accounted(question: Question) {
  const { k } = question;
  const lengths = [...new Set([0, 1, k])].map((winners) => ({ winners, stopped: winners < k }));
  return COUNTINGS.map((counting) => [
    textOf(reservationOf(question, counting)),
    lengths.map((length) => {
      const charge = chargeOf(question, length, counting);
      return charge === undefined ? "in full" : [textOf(charge.reserved), textOf(charge.settled)];
    }),
  ]);
}

function noise(question: Question) {
  const [counts, leads] = [
    countsOf(question),
    gapUncertainty({ question, mechanism: mechanismOf(question) }),
  ];
  return {
    counts: counts && [
      counts.law,
      `${counts.size}`,
      `${counts.halfWidth}`,
      `${counts.factor} ${counts.shared}`,
      `${counts.simultaneous}`,
      textOf(counts.lossOf(1)),
    ],
    leads: leads && [leads.standardDeviation, `${leads.below}`, `${leads.above}`],
    rows: answerRows({ question, mechanism: mechanismOf(question), answer: { winners: [] } } as never),
  };
}

const PRICES: FrozenCases = Object.fromEntries(
  PRICED.map((question) => [
    nameOf(question),
    () => {
      const { name, parameters } = mechanismOf(question);
      const rest = [parameters, candidatesWanted(question), noise(question), accounted(question)];
      return [textOf(lossOf(question)), mark([...rest, mechanismInWords(name, parameters)])];
    },
  ]),
);

function nameOf({ unit: _, domain, ...question }: Question): string {
  const where = { listed: "size", integers: "below", grid: "step", unknown: "kind" } as const;
  const told = Object.entries({ [domain.kind]: domain[where[domain.kind] as never], ...question });
  return told.map(([name, value]) => `${name} ${value}`).join(", ");
}

describe("a question", () => frozen(new URL("questions.json", import.meta.url), { ...AS_READ, ...DEFAULTS }));
describe("a price", () => frozen(new URL("prices.json", import.meta.url), PRICES));
