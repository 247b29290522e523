/**
 * Answers that name a set as it is if it is stable, and nothing otherwise. Candidates enter by name and leave by name: no
 * position, count or order by count ever comes out. Core continues a short histogram with zeros, which have no names.
 * @module
 */
import { type Entropy, stableTopK, stableTopKFixed } from "winnow-dp";
import type { Question } from "../question/question.js";
import { fixedOptions, stableOptions } from "../question/stable-options.js";
import type { Answer } from "./answer.js";
import { type Batches, forEachRow } from "./counted-rows.js";
import { compareNames, LargestItems } from "./largest-items.js";
import { checkComplete } from "./race.js";
import { wholeNumber } from "./whole-number.js";

/** How many stand out, and who, in any domain: only the k̄ + 1 largest counts matter. */
export async function selectStable(question: Question, batches: Batches, entropy?: Entropy): Promise<Answer> {
  const { items, users } = await largest(question, batches);
  const answer = stableTopK(users, { ...stableOptions(question), entropy });
  const named = answer.released ? answer.indices.map((index) => items[index]) : [];
  return { ...answerOf(named), k: answer.k, loss: answer.privacy };
}

/** About k winners: at most k of an unknown domain, exactly k of a public list. */
export async function selectFixed(question: Question, batches: Batches, entropy?: Entropy): Promise<Answer> {
  const isUnknown = question.domain.kind === "unknown";
  const { items, users } = await (isUnknown ? largest(question, batches) : all(question, batches));
  const { indices, privacy } = stableTopKFixed(users, { ...fixedOptions(question), entropy });
  return { ...answerOf(indices.map((index) => items[index])), k: question.k, loss: privacy };
}

function answerOf(named: readonly string[]): Pick<Answer, "released" | "winners" | "ordered"> {
  const winners = named.toSorted(compareNames).map((item) => ({ item }));
  return { released: winners.length > 0, winners, ordered: false };
}

/** The k̄ + 1 largest counts, by name. */
async function largest(question: Question, batches: Batches) {
  const { domain, k } = question;
  const kept = new LargestItems(k + 1);
  let candidates = 0;
  await forEachRow(batches, (item, users) => {
    if (domain.kind === "integers" && wholeNumber(item, domain.below) === undefined) return;
    kept.take(item, users);
    candidates++;
  });
  if (domain.kind === "listed") checkComplete(candidates, question);
  return kept.byName();
}

/** Every candidate of the public list, by name. */
async function all(question: Question, batches: Batches) {
  const rows: { readonly item: string; readonly users: number }[] = [];
  await forEachRow(batches, (item, users) => rows.push({ item, users }));
  checkComplete(rows.length, question);
  rows.sort((a, b) => compareNames(a.item, b.item));
  return { items: rows.map(({ item }) => item), users: rows.map(({ users }) => users) };
}
