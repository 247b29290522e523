/**
 * The answer of a release document, checked against its question: as many winners as it can have, each once, with gaps where
 * gaps are released, in an order that is safe.
 * @module
 */
import { rational } from "winnow-dp";
import type { Question } from "../question/question.js";
import { refused } from "../refused.js";
import type { Winner } from "../select/answer.js";
import { compareNames } from "../select/largest-items.js";
import { fieldsOf, integerAt, listAt, textAt, trueOrFalse } from "./fields.js";
import type { ReleaseAnswer } from "./release-document.js";

const PATH = "release.answer";

export function readAnswer(value: unknown, question: Question): ReleaseAnswer {
  const fields = fieldsOf(value, PATH, ["released", "k", "winners", "ordered"]);
  const answer = {
    released: trueOrFalse(fields, PATH, "released"),
    k: integerAt(fields, PATH, "k", 1),
    winners: listAt(fields, PATH, "winners").map((winner) => readWinner(winner, question)),
    ordered: trueOrFalse(fields, PATH, "ordered"),
  };
  checkNumber(answer, question);
  checkOrder(answer, question);
  return answer;
}

function readWinner(value: unknown, { resolution }: Question): Winner {
  const path = `${PATH}.winners`;
  const fields = fieldsOf(value, path, resolution === undefined ? ["item"] : ["item", "gap"]);
  const item = textAt(fields, path, "item");
  return resolution === undefined
    ? { item }
    : { item, gap: readGap(textAt(fields, path, "gap"), resolution) };
}

function readGap(text: string, resolution: string): string {
  const gap = rational(text, `${PATH}.winners.gap`);
  if (gap.numerator < 0n || !gap.dividedBy(resolution).isInteger() || String(gap) !== text)
    throw refused(`${PATH}.winners.gap`, `a multiple >= 0 of the resolution ${resolution}`);
  return text;
}

/** Over public candidates all k are named; otherwise at most k, and perhaps none. */
function checkNumber({ released, k, winners }: ReleaseAnswer, question: Question): void {
  if (question.kind === "adaptive" ? k > question.k : k !== question.k)
    throw refused(`${PATH}.k`, question.kind === "adaptive" ? `at most ${question.k}` : String(question.k));
  if (winners.length > k) throw refused(`${PATH}.winners`, `a list of at most ${k}`);
  if (released !== winners.length > 0)
    throw refused(`${PATH}.released`, "true if anybody is named, and else false");
  if (question.kind === "top" && question.domain.kind !== "unknown" && winners.length !== k)
    throw refused(`${PATH}.winners`, `a list of ${k}`);
  if (new Set(winners.map(({ item }) => item)).size !== winners.length)
    throw refused(`${PATH}.winners`, "a list in which every item occurs once");
}

/** A stable set comes by name; everything else best first. */
function checkOrder({ ordered, winners }: ReleaseAnswer, { mechanism }: Question): void {
  const byName = mechanism.startsWith("stable");
  if (ordered === byName) throw refused(`${PATH}.ordered`, String(!byName));
  const isSorted = winners.every(({ item }, i) => i === 0 || compareNames(winners[i - 1].item, item) < 0);
  if (byName && !isSorted) throw refused(`${PATH}.winners`, "in the order of their names");
}
