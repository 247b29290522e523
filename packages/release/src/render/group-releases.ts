/**
 * A release in groups as one release for each: with the question of that group and its answer, so that tables and pictures of one
 * answer show it. All else is that of the whole release, the loss too.
 * @module
 */
import type { NewRelease, Release } from "../document/release-document.js";
import { isGrouped, parametersOfGroup, subQuestion } from "../mechanisms/in-groups.js";
import { type GroupName, type Groups, groupLabel } from "../question/groups.js";
import { countedInWords } from "../question/labels.js";
import type { Question } from "../question/question.js";
import { visible } from "../words/neutralise.js";
import { joined, numberOf } from "../words/sentences.js";

/** The release of one group. */
export interface GroupRelease<R> {
  readonly name: GroupName;
  /** "DE", or "2026-10 · DE". */
  readonly label: string;
  readonly release: R;
}

/** In the order of the answer; undefined for a release that isn't in groups. */
export function groupReleases<R extends Release | NewRelease>(
  release: R,
): readonly GroupRelease<R>[] | undefined {
  const { question, answer } = release;
  if (!isGrouped(question)) return undefined;
  return (answer.groups ?? []).map((group) => {
    const asked = subQuestion(question, group.name);
    const counted = countedInWords(asked);
    const { name, parameters } = release.mechanism;
    const mechanism = { name, parameters: parametersOfGroup(question, parameters, group.name) };
    const one = { ...release, question: asked, mechanism, answer: { ...group.answer, counted } };
    return { name: group.name, label: groupLabel(group.name), release: one };
  });
}

/** The release of a group without a budget of its own, without its answer: it tells how near answers are to the truth. */
export function releaseOfOne<R extends Release | NewRelease>(release: R): R {
  const { question, mechanism } = release;
  if (!isGrouped(question)) return release;
  const parameters = parametersOfGroup(question, mechanism.parameters);
  return { ...release, question: subQuestion(question), mechanism: { name: mechanism.name, parameters } };
}

/** The question that tells how near an answer is to the truth: of a question in groups, that of a group without a budget of its own. */
export function questionOfOne(question: Question): Question {
  return isGrouped(question) ? subQuestion(question) : question;
}

/** "country", or "month and country". */
export function groupColumns({ by }: Pick<Groups, "by">): string {
  return joined(by.map(visible));
}

/** Which groups there are: "a public list of 200 groups", or how they are chosen. */
export function groupsInWords({ list }: Groups): string {
  return list === "selected"
    ? "the groups that enough people are in, selected first for a quarter of the budget"
    : `a public list of ${numberOf(list.size, "group")}`;
}

/** Who counts where: "each person counts in at most 2 groups". */
export function groupLimitInWords({ maxGroupsPerUser }: Groups): string {
  return `each person counts in at most ${numberOf(maxGroupsPerUser, "group")}`;
}

/** What the groups get of the whole: "all: 0.75, each other group: 0.125". */
export function groupBudgetsInWords(question: Question): string | undefined {
  const { groups } = question;
  if (groups?.budgets === undefined || !isGrouped(question)) return undefined;
  const { epsilon, rho } = subQuestion(question);
  const own = groups.budgets.map(({ group, part }) => `${visible(groupLabel(group))}: ${part}`);
  return `${[...own, `each other group: ${epsilon ?? rho}`].join(", ")} (${epsilon === undefined ? "ρ" : "ε"})`;
}
