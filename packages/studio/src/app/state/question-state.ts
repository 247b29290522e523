/**
 * The question in the form. Every value here is public, and is kept as the text that was typed, because ε = 1/3 is meant
 * exactly. Problems are shown beside their fields.
 * @module
 */
import { batch, computed, effect, signal } from "@preact/signals";
import { type EpsilonFrom, KIND_NAMES } from "winnow-release";
import type { Asked, Candidates, Mechanism } from "../../worker/api.js";
import { type Problem, problemOf } from "../../worker/studio-refusal.js";
import { about, counted } from "../parts/in-words.js";
import { studio } from "./connect-studio.js";
import { groupColumns, shape, unitAsked, view, where, whereProblem } from "./data-state.js";
import { asksBest, asksNumbers, asksValues, mustLimitItems, takes, takesK } from "./kinds.js";
import { latest } from "./latest.js";
import {
  alwaysLeads,
  canCount,
  canLead,
  maySpendDelta,
  mechanismsFor,
  needsDelta,
  type Publishes,
} from "./mechanisms.js";
import { type NumberField, numberParts, style, wrongNumbers } from "./number-state.js";

/** Milliseconds without a keystroke after which a list is read. */
const REST = 150;

export const kind = signal<Asked["kind"]>(KIND_NAMES[0]);
export const winners = signal("10");
export const mostWinners = signal("30");
export const domain = signal<"listed" | "unknown">("unknown");
export const publishes = signal<Publishes>("counts");
export const epsilon = signal("1");
export const delta = signal("1e-6");
/** How ε was chosen, for the statement: on this page it is by looking, unless someone says otherwise. */
export const epsilonFrom = signal<EpsilonFrom>("private-rows");
/** With a public list, where none is needed; empty for ε alone. */
export const spareDelta = signal("");
export const neighbours = signal<Asked["neighbours"]>("add-remove");
export const mechanism = signal<Mechanism | "automatic">("automatic");
export const resolution = signal("1");
/** How many items a person is counted for; empty for all. */
export const mostItems = signal("");
const ITEMS_FOR_NAMES = 10;
/** In how many groups a person is counted. */
export const mostGroups = signal("1");
/** The public list of groups as it was typed, empty for those that enough people are in; and as the worker read it. */
export const groupText = signal("");
export const groups = signal<Candidates>();
/** Why the list of groups can't be read. */
const groupsProblem = signal<string>();

/** The public list as it was typed or loaded, and as the worker read it. */
export const listText = signal("");
export const listFile = signal("");
export const candidates = signal<Candidates>();
export const candidatesProblem = signal<Problem>();

/** All names come from an unknown domain, because a list would name too many. A frequency list has no names. */
const domainAsked = computed<Asked["domain"]>(() => {
  if (asksNumbers(kind.value)) return numberParts(kind.value).domain;
  return takes("domain", kind.value) ? domain.value : "unknown";
});

const bound = computed(() => {
  if (domainAsked.value === "listed" || !takes("maxItemsPerUser", kind.value)) return undefined;
  if (mostItems.value.trim() === "") return mustLimitItems(kind.value) ? ITEMS_FOR_NAMES : undefined;
  return isCount(mostItems.value) ? Number(mostItems.value) : undefined;
});

export const applicable = computed(() =>
  mechanismsFor({
    kind: kind.value,
    domain: domainAsked.value,
    k: Number(kOf()),
    size: domainAsked.value === "listed" ? candidates.value?.size : undefined,
    bound: bound.value,
    publishes: publishes.value,
    neighbours: neighbours.value,
    price:
      spentDelta.value === undefined ? undefined : { epsilon: epsilon.value.trim(), delta: spentDelta.value },
  }),
);

/** The δ that may be spent with a public list, if it is a number. */
const spentDelta = computed<string | undefined>(() => {
  const isGiven =
    asksBest(kind.value) &&
    domainAsked.value === "listed" &&
    !selectsGroups.value &&
    spareDelta.value.trim() !== "";
  const isFine = isGiven && problemWithDelta(spareDelta.value) === undefined;
  return isFine && about(epsilon.value) !== undefined ? spareDelta.value.trim() : undefined;
});

/** The mechanism that was chosen, unless the rest of the question rules it out. */
export const chosenMechanism = computed<Mechanism | "automatic">(() =>
  applicable.value.some((name) => name === mechanism.value) ? mechanism.value : "automatic",
);

export const named = computed<Mechanism>(() =>
  chosenMechanism.value === "automatic" ? applicable.value[0] : chosenMechanism.value,
);

/** Whether there may be one answer for each group. */
export const canGroup = computed(() => takes("by", kind.value));
const isGrouped = computed(() => canGroup.value && groupColumns.value.length > 0);
export const selectsGroups = computed(() => isGrouped.value && groupText.value.trim() === "");

export const paysDelta = computed(() => needsDelta(named.value) || selectsGroups.value);
/** Over a public list: whether the noise is that of (ε, δ). */
export const spendsDelta = computed(() => spentDelta.value !== undefined && maySpendDelta(named.value));
const givesCounts = computed(() => publishes.value === "counts" && canCount(named.value));
export const givesGaps = computed(
  () => alwaysLeads(named.value) || (publishes.value === "leads" && canLead(named.value)),
);

/** The fields that something can be wrong with. */
type Field =
  | (
      | "k"
      | "list"
      | "groups"
      | "mostGroups"
      | "where"
      | "epsilon"
      | "delta"
      | "spareDelta"
      | "resolution"
      | "mostItems"
    )
  | "column"
  | NumberField;

type Wrong = Readonly<Partial<Record<Field, string>>>;

const EPSILON_PROBLEM = "Enter a number greater than 0: 1, 0.5 or 1/3.";

/** The problem of each field, in the order of the form. */
export const wrong = computed<Wrong>(() => ({
  ...(whereProblem.value !== undefined && { where: whereProblem.value }),
  ...(asksNumbers(kind.value) ? wrongWithNumbers() : wrongWithNames()),
  ...wrongWithGroups(),
  ...(paysDelta.value && deltaProblem.value !== undefined && { delta: deltaProblem.value }),
}));

function wrongWithGroups(): Wrong {
  if (!isGrouped.value) return {};
  const isMissing = !selectsGroups.value && groups.value === undefined;
  return {
    ...(isMissing && { groups: groupsProblem.value ?? "Reading the list of groups…" }),
    ...(!isCount(mostGroups.value) && { mostGroups: "Enter a whole number from 1." }),
  };
}

function wrongWithNumbers(): Wrong {
  const isWordsOnly = asksValues(kind.value) && view.value?.numbers[style.value] === 0;
  return {
    ...(isWordsOnly && { column: wordsOnly() }),
    ...(about(epsilon.value) === undefined
      ? { epsilon: EPSILON_PROBLEM }
      : wrongNumbers(asked.value, { groups: groups.value })),
  };
}

function wordsOnly(): string {
  const written = view.peek()?.written;
  return (written?.comma ?? 0) + (written?.point ?? 0) > 0
    ? "No value in this column is a number as it is read. Choose how numbers are written."
    : "No value in this column is a number. Choose a column of numbers.";
}

const wrongWithNames = (): Wrong => ({
  ...(kProblem.value !== undefined && { k: kProblem.value }),
  ...(domainAsked.value === "listed" &&
    candidates.value === undefined && { list: "Give the public list of candidates." }),
  ...(mostItems.value.trim() !== "" &&
    !isCount(mostItems.value) && { mostItems: "Enter a whole number from 1, or leave it empty." }),
  ...(about(epsilon.value) === undefined && { epsilon: EPSILON_PROBLEM }),
  ...(spareDeltaProblem.value !== undefined && { spareDelta: spareDeltaProblem.value }),
  ...(givesGaps.value &&
    about(resolution.value) === undefined && { resolution: "Enter a number greater than 0." }),
});

export const missing = computed<string | undefined>(() => Object.values(wrong.value)[0]);

const LARGEST_K = 100_000;

const kProblem = computed<string | undefined>(() => {
  if (!takesK(kind.value)) return undefined;
  if (!isCount(kOf()) || Number(kOf()) > LARGEST_K) return "Enter a whole number from 1 to 100,000.";
  const size = domainAsked.value === "listed" ? candidates.value?.size : view.value?.items;
  if (takes("maxK", kind.value) || size === undefined || size === 0 || Number(kOf()) <= size)
    return undefined;
  return domainAsked.value === "listed"
    ? `The list has ${counted(size, "candidate", "candidates")}: ask for at most ${size}.`
    : `Your data has ${counted(size, "item", "items")}, so a top ${kOf()} does not exist. Check the item column, or ask for fewer.`;
});

/** A round number of winners that there are enough items for, if the question asks for too many. */
export const fewerWinners = computed<string | undefined>(() => {
  const items = view.value?.items ?? 0;
  const isTooMany = domainAsked.value === "unknown" && asksBest(kind.value) && Number(kOf()) > items;
  return isTooMany
    ? ["100", "50", "20", "10", "5", "3", "2", "1"].find((k) => Number(k) <= items)
    : undefined;
});

const SMALLEST_DELTA = 1e-30;

const deltaProblem = computed(() => problemWithDelta(delta.value));
const spareDeltaProblem = computed(() => {
  const isAsked = asksBest(kind.value) && domainAsked.value === "listed" && spareDelta.value.trim() !== "";
  return isAsked ? problemWithDelta(spareDelta.value) : undefined;
});

function problemWithDelta(text: string): string | undefined {
  const size = about(text);
  if (size === undefined || size >= 1) return "Enter a number between 0 and 1, such as 1e-6.";
  return size < SMALLEST_DELTA ? "Enter at least 1e-30; 1e-6 to 1e-12 is usual." : undefined;
}

function isCount(text: string): boolean {
  return /^[1-9]\d{0,6}$/.test(text.trim());
}

export const asked = computed<Asked>(() => ({
  kind: kind.value,
  domain: domainAsked.value,
  neighbours: neighbours.value,
  mechanism: named.value,
  epsilon: epsilon.value.trim(),
  unit: unitAsked.value,
  ...(asksNumbers(kind.value) ? numberParts(kind.value) : nameParts()),
  ...(paysDelta.value && { delta: delta.value.trim() }),
  ...(where.value !== "" && { where: where.value }),
  ...(isGrouped.value && {
    groups: {
      by: groupColumns.value,
      list: selectsGroups.value ? ("selected" as const) : ("listed" as const),
      maxGroupsPerUser: Number(mostGroups.value),
    },
  }),
}));

const nameParts = (): Partial<Asked> => ({
  ...(takesK(kind.value) && { k: Number(kOf()) }),
  ...(spendsDelta.value && { delta: spareDelta.value.trim() }),
  ...(givesCounts.value && { counts: true }),
  ...(givesGaps.value && { resolution: resolution.value.trim() }),
  ...(bound.value !== undefined && { maxItemsPerUser: bound.value }),
});

function kOf(): string {
  return (takes("k", kind.value) ? winners.value : mostWinners.value).trim();
}

/** A text this long is kept by the worker alone: a field with it would be slow. */
const LONGEST_TEXT = 20_000;

/** Takes over a list of one candidate per line; an empty one isn't a list. */
export function giveList(list: File | string): void {
  const isShort = typeof list === "string" && list.length <= LONGEST_TEXT;
  const file = typeof list === "string" && !isShort ? new File([list], "pasted list") : list;
  batch(() => {
    candidates.value = undefined;
    candidatesProblem.value = undefined;
    listFile.value = typeof file === "string" ? "" : file.name;
    listText.value = typeof file === "string" ? file : "";
  });
  reading.ask(file);
}

const reading = latest<File | string>(REST, async (list, { current }) => {
  const lines = typeof list === "string" ? list.split(/\r?\n/).filter((line) => line !== "") : list;
  if (Array.isArray(lines) && lines.length === 0) return;
  try {
    const read = await studio.setCandidates(lines);
    if (current()) candidates.value = read;
  } catch (error) {
    if (current()) candidatesProblem.value = problemOf(error);
  }
});

/** Takes over a list of one group per line; without one, groups that enough people are in are answered. */
export function giveGroups(text: string): void {
  batch(() => {
    groups.value = undefined;
    groupsProblem.value = undefined;
    groupText.value = text;
  });
  readingGroups.ask(text);
}

const readingGroups = latest<string>(REST, async (text, { current }) => {
  const lines = text.split(/\r?\n/).filter((line) => line !== "");
  if (lines.length === 0) return;
  try {
    const read = await studio.setGroups(lines, groupColumns.peek().length);
    if (current()) groups.value = read;
  } catch (error) {
    if (current()) groupsProblem.value = problemOf(error).sentence;
  }
});

/** From now on the list of groups is read again where groups have another number of columns. */
export function followGroupColumns(): void {
  let columns = 0;
  effect(() => {
    if (groupColumns.value.length === columns) return;
    columns = groupColumns.value.length;
    if (columns > 0 && groupText.peek() !== "") giveGroups(groupText.peek());
  });
}

/** From now on the example comes with its public list, and takes it away again: other data never inherit it. */
export function followExample(): void {
  let given: string | undefined;
  effect(() => {
    const list = shape.value?.candidates?.join("\n");
    if (list !== undefined) {
      given = list;
      giveList(list);
    } else if (shape.value !== undefined && given !== undefined && listText.peek() === given) {
      domain.value = "unknown";
      giveList("");
      given = undefined;
    }
  });
}
