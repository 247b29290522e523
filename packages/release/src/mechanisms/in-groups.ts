/**
 * A question in groups, answered by a mechanism that doesn't know of groups: each group has a question of its own, with its part of
 * the budget, and the answers together cost the g largest losses of a group (docs/guide/groups.md; the proof is
 * packages/core/src/discover/top-k-in-groups.proof.md).
 *
 *   listed groups     ε/g or ρ/g each, δ/g (δ/2g where one person is replaced by another); preferred groups have their own parts
 *   selected groups   a quarter of ε or ρ selects the groups that enough people are in; the rest is for the groups, as above.
 *                     δ is for the selection, and half of it for the groups where their mechanism pays one too
 *
 * Every listed group is answered, in the order of the list, also an empty one. What an account counts is settled after all groups
 * are done: the g largest of what they used, component by component.
 * @module
 */
import { compose, type Entropy, type Loss, rational } from "winnow-dp";
import { badCounts, forEachRow } from "../parts/counted-rows.js";
import { compareNames } from "../parts/names.js";
import type { Answer, CandidatesWanted, CountedItems, GroupAnswer, GroupedRows } from "../question/answer.js";
import {
  countedGroups,
  type GroupName,
  type Groups,
  groupDelta,
  groupOfText,
  groupParts,
  groupText,
  HALF,
  lossTogether,
  MOST_GROUPS,
  selectionSplit,
} from "../question/groups.js";
import type { Question } from "../question/question.js";
import type { Mechanism } from "./mechanism.js";
import { mechanismNamed } from "./mechanisms.js";
import { selectPartitions } from "./select-partitions.js";

/** A question with an answer for each group. */
export type GroupedQuestion = Question & { readonly groups: Groups };

/** Whether a question has an answer for each group. */
export function isGrouped(question: Question): question is GroupedQuestion {
  return question.groups !== undefined;
}

/** The question of one group, without groups; by default of a group without a budget of its own. */
export function subQuestion(question: GroupedQuestion, group?: GroupName): Question {
  const { groups, epsilon, rho, delta, ...rest } = question;
  const size = epsilon === undefined ? "rho" : "epsilon";
  const { answers } = budgetSplit(question);
  const { ofGroup, common } = groupParts(answers.size, groups);
  const part = (group && ofGroup.get(groupText(group))) ?? common ?? answers.size;
  const isFailing = answers.delta !== undefined;
  return {
    ...withoutUnit(rest),
    [size]: String(part),
    ...(isFailing && {
      delta: String(groupDelta(rational(answers.delta), groups, question.neighbours)),
    }),
    maxGroupsPerUser: groups.maxGroupsPerUser,
    unit: question.unit,
  };
}

function withoutUnit({ unit: _, ...rest }: Omit<Question, "groups" | "epsilon" | "rho" | "delta">) {
  return rest;
}

/** The question that selects the groups; undefined for a public list. */
export function selectionQuestion(question: GroupedQuestion): Question | undefined {
  const { groups, neighbours, unit } = question;
  if (groups.list !== "selected") return undefined;
  const { selection } = budgetSplit(question);
  return {
    ...{ kind: selectPartitions.rules.kind, k: MOST_GROUPS, domain: { kind: "unknown" }, neighbours },
    mechanism: selectPartitions.name,
    [question.epsilon === undefined ? "rho" : "epsilon"]: String(selection.size),
    delta: String(selection.delta),
    maxItemsPerUser: groups.maxGroupsPerUser,
    unit,
  };
}

interface Part {
  readonly size: ReturnType<typeof rational>;
  readonly delta?: ReturnType<typeof rational> | undefined;
}

/** Splits the budget between the selection of groups and the answers. */
function budgetSplit({ groups, mechanism, epsilon, rho, delta }: GroupedQuestion): {
  readonly selection: Part;
  readonly answers: Part;
} {
  const whole = rational((epsilon ?? rho) as string);
  const failure = delta === undefined ? undefined : rational(delta);
  if (groups.list !== "selected")
    return { selection: { size: rational(0n) }, answers: { size: whole, delta: failure } };
  const { selection, answers } = selectionSplit(whole);
  const isShared = answersPayDelta({ mechanism });
  const half = isShared ? failure?.times(HALF) : failure;
  return {
    selection: { size: selection, delta: half },
    answers: { size: answers, delta: isShared ? half : undefined },
  };
}

/** Whether the answers in selected groups pay a part of δ: where they must. */
export function answersPayDelta({ mechanism }: Pick<Question, "mechanism">): boolean {
  return mechanismNamed(mechanism)?.rules.delta === "needed";
}

/** The questions of preferred groups, in the order of their texts, and that of all others. */
export function questionsIn(question: GroupedQuestion): {
  readonly preferred: readonly Question[];
  readonly common: Question | undefined;
} {
  const { groups } = question;
  const preferred = (groups.budgets ?? []).map(({ group }) => subQuestion(question, group));
  const hasOthers = countedGroups(groups) > preferred.length;
  return { preferred, common: hasOthers ? subQuestion(question) : undefined };
}

/** The loss of one answer to the question, given that of the question of a group. */
export function lossInGroups(question: GroupedQuestion, lossOf: (question: Question) => Loss): Loss {
  const { preferred, common } = questionsIn(question);
  const answers = lossTogether(preferred.map(lossOf), common && lossOf(common), question);
  const selection = selectionQuestion(question);
  return selection === undefined ? answers : compose(lossOf(selection), answers);
}

/** As a release records them: those of a group without a budget of its own, then those of others and of the selection. */
export function parametersInGroups(
  question: GroupedQuestion,
  parametersOf: (question: Question) => Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const { preferred, common } = questionsIn(question);
  const selection = selectionQuestion(question);
  const prefixed = (prefix: string, asked: Question) =>
    Object.fromEntries(
      Object.entries(parametersOf(asked)).map(([name, text]) => [`${prefix}.${name}`, text]),
    );
  return {
    ...(common && parametersOf(common)),
    ...Object.assign({}, ...preferred.map((asked, i) => prefixed(`preferred ${i + 1}`, asked))),
    ...(selection && prefixed("selection", selection)),
  };
}

/** The recorded parameters of one group. */
export function parametersOfGroup(
  { groups }: GroupedQuestion,
  recorded: Readonly<Record<string, string>>,
  group?: GroupName,
): Readonly<Record<string, string>> {
  const text = group && groupText(group);
  const place = groups.budgets?.findIndex((each) => groupText(each.group) === text) ?? -1;
  const prefix = place < 0 ? "" : `preferred ${place + 1}.`;
  const own = Object.entries(recorded).filter(([name]) =>
    place < 0 ? !name.includes(".") : name.startsWith(prefix),
  );
  return Object.fromEntries(own.map(([name, value]) => [name.slice(prefix.length), value]));
}

/** What a source must count in each group. */
export function wantedInGroups(question: GroupedQuestion, mechanism: Mechanism): CandidatesWanted {
  const { preferred, common } = questionsIn(question);
  const all = [...preferred, ...(common === undefined ? [] : [common])].map((asked) =>
    mechanism.wants(asked),
  );
  const [first] = all;
  if (first.kind !== "largest") return first;
  return { kind: "largest", rows: Math.max(...all.map((each) => (each.kind === "largest" ? each.rows : 0))) };
}

/** The private answers. Nothing is charged here. */
export async function drawInGroups(
  question: GroupedQuestion,
  mechanism: Mechanism,
  rows: GroupedRows,
  entropy?: Entropy,
): Promise<Omit<Answer, "loss">> {
  const names = await groupsOf(question, rows, entropy);
  const known = new Map(names.map((name) => [groupText(name), name]));
  const answers = new Map<string, Omit<Answer, "loss">>();
  const answer = async (group: string, items: readonly string[], users: readonly number[]) => {
    const name = known.get(group);
    if (name === undefined || answers.has(group)) throw badCounts();
    const batch = rows.items === undefined ? { items, users } : allCandidates(rows.items, items, users);
    const { loss: _, ...said } = await mechanism.draw(subQuestion(question, name), [batch], entropy);
    answers.set(group, said);
  };
  for await (const { group, items, users } of oneByOne(
    rows.counts(question.groups.list === "selected" ? [...known.keys()] : undefined),
  ))
    await answer(group, items, users);
  for (const group of known.keys()) if (!answers.has(group)) await answer(group, [], []);
  const groups = names.map((name): GroupAnswer => ({ name, answer: answers.get(groupText(name))! }));
  const { k } = question;
  const ordered = groups.every(({ answer }) => answer.ordered);
  return { released: groups.some(({ answer }) => answer.released), k, winners: [], ordered, groups };
}

/** The public list in its order, or the selected groups by their texts. */
async function groupsOf(
  question: GroupedQuestion,
  rows: GroupedRows,
  entropy: Entropy | undefined,
): Promise<readonly GroupName[]> {
  const selection = selectionQuestion(question);
  if (selection === undefined) {
    if (rows.listed === undefined || rows.listed.length !== (question.groups.list as { size: number }).size)
      throw badCounts();
    return rows.listed;
  }
  const { winners } = await selectPartitions.draw(selection, rows.people(), entropy);
  return winners
    .map(({ item }) => item)
    .toSorted(compareNames)
    .map((text) => {
      const name = groupOfText(text, question.groups.by.length);
      if (name === undefined) throw badCounts();
      return name;
    });
}

/** All rows of each group together; a group that comes again is found by its name. */
async function* oneByOne(batches: AsyncIterable<CountedItems & { readonly group: string }>): AsyncGenerator<{
  readonly group: string;
  readonly items: readonly string[];
  readonly users: readonly number[];
}> {
  let current: { group: string; items: string[]; users: number[] } | undefined;
  for await (const batch of batches) {
    if (current !== undefined && current.group !== batch.group) yield current;
    if (current?.group !== batch.group) current = { group: batch.group, items: [], users: [] };
    const { items, users } = current!;
    await forEachRow([batch], (item, count) => {
      items.push(item);
      users.push(count);
    });
  }
  if (current !== undefined) yield current;
}

/** Each candidate of the list once, with 0 users if it has no row; other items are left out. */
function allCandidates(
  listed: readonly string[],
  items: readonly string[],
  users: readonly number[],
): CountedItems {
  const counts = new Map(items.map((item, i) => [item, users[i]]));
  return { items: listed, users: listed.map((item) => counts.get(item) ?? 0) };
}
