/**
 * What a plan says in words: how good an answer is to be expected, and what would do better. A release starts with this
 * verdict. It comes from runs on the true counts, so it is for the curator's eyes only.
 *
 * The verdict on names is one rule for all kinds of question: it looks at the names that come out, how many of them are right, and
 * whether they are enough. So the same names never get a good verdict from one kind and a bad one from another.
 * @module
 */
import type {
  Alternative,
  Asked,
  LimitPoint,
  Mechanism,
  NumberPlan,
  NumberPoint,
  PlanPoint,
} from "../../worker/api.js";
import { about, counted, percent, short, whole } from "../parts/in-words.js";
import { asksBest, asksValues } from "./kinds.js";
import { wordsOf } from "./mechanisms.js";

type Verdict = "check" | "useless" | "usable" | "short" | "good";

export const VERDICTS: Readonly<Record<Verdict, string>> = {
  check: "Check your data first",
  useless: "Likely useless",
  usable: "Usable",
  short: "A short list",
  good: "Good",
};

/** The share of right names from which on a list is good, and below which it is useless. */
export const GOAL = 0.8;
const LEAST = 0.5;
const MOSTLY_NOTHING = 0.5;
const RARELY_NOTHING = 0.1;
/** Fewer names are a short list, where no one asked for a number of them. */
const FEW = 4;
/** Below this share of people's items, counts are no longer those of people. */
const MOST_KEPT = 0.8;

/** The share of the named that are right; 0 where nothing is named. */
function rightShare({ right, length }: PlanPoint): number {
  return length > 0 ? Math.min(right / length, 1) : 0;
}

/** What a point reaches of the goal: right names of those asked for; otherwise of those named, and 0 where nothing is. */
export function successOf(point: PlanPoint, { kind, k = 1 }: Pick<Asked, "kind" | "k">): number {
  return asksBest(kind) ? Math.min(point.right / k, 1) : rightShare(point) * (1 - point.nothing);
}

/** What the height in the picture is. */
export function successInWords(kind: Asked["kind"]): string {
  return asksBest(kind) ? "Right names, of those you ask for" : "Right names, of those that come out";
}

export function verdictOf(point: PlanPoint, { kind, k = 0 }: Pick<Asked, "kind" | "k">): Verdict {
  const right = rightShare(point);
  if (point.nothing >= MOSTLY_NOTHING || right < LEAST) return "useless";
  if (right < GOAL || point.nothing > RARELY_NOTHING) return "usable";
  if (point.right < (asksBest(kind) ? GOAL * k : Math.min(FEW, k || FEW))) return "short";
  return point.countError !== undefined && (point.kept ?? 1) < MOST_KEPT ? "usable" : "good";
}

/** `a list of about 5 names, all of them in the true top 20`. */
export function expectedInWords(point: PlanPoint, question: Pick<Asked, "kind" | "k">): string {
  const { kind, k = 0 } = question;
  const length = namesExpected(point);
  const where = asksBest(kind) ? `in the true top ${k}` : "right";
  const names = `a list of about ${counted(length, "name", "names")}`;
  return [
    length === 0 ? "" : `${names}, ${sharesInWords(point, length)} ${where}`,
    nothingInWords(point),
    realInWords(point, question),
    keptInWords(point),
  ]
    .filter((part) => part !== "")
    .join("; ");
}

/** How many names to expect; 0 where hardly any run names one. */
function namesExpected({ length, nothing }: PlanPoint): number {
  return Math.max(Math.round(length), nothing >= 0.99 ? 0 : 1);
}

function sharesInWords(point: PlanPoint, length: number): string {
  const share = rightShare(point);
  if (length === 1) return share >= 0.95 ? "which is" : `which is in ${percent(share)} of runs`;
  if (share >= 0.995) return "all of them";
  if (share >= 0.95) return "nearly all of them";
  return share < 0.005 ? "none of them" : `about ${Number(point.right.toFixed(1))} of them`;
}

/** Whether a list has enough candidates with people. */
function realInWords({ real }: PlanPoint, { k = 0 }: Pick<Asked, "k">): string {
  if (real === undefined || real >= k) return "";
  const who = real === 0 ? "no candidate has" : `only ${counted(real, "candidate has", "candidates have")}`;
  return `${who} people in your rows, and the other places are filled at random`;
}

function keptInWords({ kept, countError }: PlanPoint): string {
  if (kept === undefined || countError === undefined || kept >= 0.995) return "";
  return `counts leave out ${percent(1 - kept)} of people’s items`;
}

/** Empty where nearly every run names an item. */
export function nothingInWords({ nothing }: PlanPoint): string {
  const runs = Math.round(100 * nothing);
  if (runs === 0) return "";
  if (runs === 100) return "every run names no item";
  return `${runs} of 100 runs ${runs === 1 ? "names" : "name"} no item`;
}

/** Errors of counts and leads, and the charge on average; empty if there are none. */
export function detailsInWords(point: PlanPoint, epsilon: string): string {
  const { charged } = point;
  const { countError, gapError } = point.nothing < 0.9 ? point : {}; // few runs name anything then, so their error says little
  const size = about(epsilon);
  const isCheaper = charged !== undefined && charged < 0.995 && size !== undefined;
  const truth = point.kept === undefined ? "" : " from the true number";
  return [
    ...(countError === undefined ? [] : [`A count is off by about ${people(countError)}${truth}.`]),
    ...(gapError === undefined ? [] : [`A lead is off by about ${people(gapError)}.`]),
    ...(isCheaper
      ? [`On average ε = ${short(charged * size)} is charged (${percent(charged)}), at most all of it.`]
      : []),
  ].join(" ");
}

function people(count: number): string {
  const size = count < 10 ? Number(count.toPrecision(1)) : Number(count.toPrecision(2));
  return counted(size < 1 ? 1 : Math.round(size), "person", "people");
}

/** Something that would do better, and how much better. */
export interface Better {
  readonly label: string;
  readonly change:
    | { readonly epsilon: string }
    | { readonly mechanism: Mechanism }
    | { readonly k: number }
    | { readonly maxItemsPerUser: number; readonly mechanism?: Mechanism }
    | { readonly domain: "listed" };
}

/** The smallest ε of the plan at which a mechanism reaches the goal. */
export function epsilonForGoal(
  points: readonly PlanPoint[],
  mechanism: Mechanism,
  question: Pick<Asked, "kind" | "k">,
): PlanPoint | undefined {
  return points
    .filter((point) => point.mechanism === mechanism && verdictOf(point, question) === "good")
    .sort((a, b) => (about(a.epsilon) ?? 0) - (about(b.epsilon) ?? 0))[0];
}

/** Whether a curve falls as ε rises, by more than chance. */
export function fallsIn(points: readonly { readonly epsilon: string; readonly height: number }[]): boolean {
  const inOrder = [...points].sort((a, b) => (about(a.epsilon) ?? 0) - (about(b.epsilon) ?? 0));
  let highest = 0;
  return inOrder.some(({ height }) => {
    highest = Math.max(highest, height);
    return height < highest - MOST_CHANCE;
  });
}

const MOST_CHANCE = 0.03;

const CLEARLY_BETTER = 0.1;
const MOST_CHOICES = 5;

type Question = Pick<Asked, "kind" | "k" | "domain">;

/** For an answer that is not good: other settings at the same ε first, because they cost nothing more; then more ε. */
export function betterChoices(
  points: readonly PlanPoint[],
  here: PlanPoint,
  question: Question,
  others: readonly Alternative[] = [],
): readonly Better[] {
  if (verdictOf(here, question) === "good") return [];
  const more = epsilonForGoal(points, here.mechanism, question);
  const choices = [
    ...limitChoices(others, here, question),
    ...otherMechanisms(points, here, question),
    ...listChoices(others, here, question),
    ...fewerChoices(others, question),
    ...(more === undefined
      ? []
      : [
          {
            label: `Use ε = ${more.epsilon}: ${expectedInWords(more, question)}`,
            change: { epsilon: more.epsilon },
          },
        ]),
  ];
  return choices.slice(0, MOST_CHOICES);
}

function isBetter(point: PlanPoint, here: PlanPoint, question: Question): boolean {
  return successOf(point, question) > successOf(here, question) + CLEARLY_BETTER;
}

/** The limit per person that names the most right items. */
function limitChoices(others: readonly Alternative[], here: PlanPoint, question: Question): Better[] {
  const [best] = others
    .filter(({ change, point }) => "maxItemsPerUser" in change && isBetter(point, here, question))
    .sort((a, b) => b.point.right - a.point.right);
  if (best === undefined || !("maxItemsPerUser" in best.change)) return [];
  const { maxItemsPerUser: most } = best.change;
  const label = `Count each person for at most ${counted(most, "item", "items")}: ${expectedInWords(best.point, question)}`;
  return [{ label, change: best.change }];
}

function otherMechanisms(points: readonly PlanPoint[], here: PlanPoint, question: Question): Better[] {
  const [other] = points
    .filter((point) => point.mechanism !== here.mechanism && point.epsilon === here.epsilon)
    .filter((point) => isBetter(point, here, question))
    .sort((a, b) => successOf(b, question) - successOf(a, question));
  if (other === undefined) return [];
  const label = `Use ${wordsOf(other.mechanism).title}: ${expectedInWords(other, question)}`;
  return [{ label, change: { mechanism: other.mechanism } }];
}

/** A list of exactly the items in the rows is the best that any list could be. */
function listChoices(others: readonly Alternative[], here: PlanPoint, question: Question): Better[] {
  const listed = others.find(({ change }) => "domain" in change);
  if (listed === undefined || !isBetter(listed.point, here, question)) return [];
  const label = `Give a public list of candidates, if there is one: at best ${expectedInWords(listed.point, question)}`;
  return [{ label, change: { domain: "listed" } }];
}

/** The largest number of names that comes out well. */
function fewerChoices(others: readonly Alternative[], { kind }: Question): Better[] {
  const [good] = others.flatMap(({ change, point }) =>
    "k" in change && verdictOf(point, { kind, k: change.k }) === "good" ? [{ change, point }] : [],
  );
  if (good === undefined) return [];
  const { k } = good.change;
  return [{ label: `Ask for ${k}: ${expectedInWords(good.point, { kind, k })}`, change: { k } }];
}

/** What to expect, for a sentence; the verdict once it is known how much data there is. */
export interface Outlook {
  readonly verdict?: Verdict;
  readonly words: string;
  /** Whether the words begin with a list to expect. */
  readonly isList?: boolean;
}

export function nameOutlook(point: PlanPoint, question: Pick<Asked, "kind" | "k">): Outlook {
  const words = expectedInWords(point, question);
  return { verdict: verdictOf(point, question), words, isList: namesExpected(point) > 0 };
}

/** The largest error of numbers, as a share of all that count, that is good; and the largest that is usable. */
const GOOD_SHARE = 0.02;
const USABLE_SHARE = 0.1;
/** The share of people's items from which on frequencies may be good, and below which they say little about people. */
const GOOD_PART = 0.8;
const LEAST_PART = 0.2;

/** How far off numbers can be, as a share of all that count; undefined before people are counted. */
export function errorShare({ error, share }: NumberPoint, { counted }: NumberPlan): number | undefined {
  return counted === undefined ? undefined : error / Math.max(counted, 1) + share;
}

export function numberOutlook(point: NumberPoint, plan: NumberPlan, kind: Asked["kind"]): Outlook {
  const size = errorShare(point, plan);
  if (size === undefined) return { words: point.words };
  const byError = size <= GOOD_SHARE ? "good" : size <= USABLE_SHARE ? "usable" : "useless";
  if (asksValues(kind)) {
    const beside = `at most ${percent(size, size < 0.1 ? 1 : 0)} of your ${whole(plan.counted ?? 0)} values`;
    return { verdict: byError, words: `${point.words}; ${beside}${unitsInWords(point)}` };
  }
  const part = countedPart(plan);
  const verdict = part < LEAST_PART ? "useless" : part < GOOD_PART && byError === "good" ? "usable" : byError;
  const cut = `${percent(part, part < 0.1 ? 1 : 0)} of your ${whole(plan.all ?? 0)} pairs of a person and an item are counted`;
  const low = part < GOOD_PART ? ", so true numbers are higher" : "";
  return { verdict, words: `${cut}${low}; ${point.words}` };
}

function countedPart({ counted = 0, all = counted }: NumberPlan): number {
  return all === 0 ? 1 : counted / all;
}

/** Where each quantile comes out, in the unit of the column. */
function unitsInWords({ inUnits = [] }: NumberPoint): string {
  const ends = inUnits.map(({ quantile, low, high }) => `${quantile} between ${nice(low)} and ${nice(high)}`);
  return ends.length === 0 ? "" : `; in your data, ${ends.join(", ")}`;
}

function nice(value: string): string {
  return Number(value).toLocaleString("en", { maximumSignificantDigits: 6 });
}

/** Where numbers are not good: another limit per person, or the smallest ε of the plan at which they are. */
export function betterNumbers(here: NumberPoint, plan: NumberPlan, kind: Asked["kind"]): readonly Better[] {
  const isGood = (point: NumberPoint) => numberOutlook(point, plan, kind).verdict === "good";
  if (plan.counted === undefined || isGood(here)) return [];
  const limit = betterLimit(plan, here);
  const [more] = plan.points
    .filter(isGood)
    .sort((a, b) => a.error - b.error)
    .reverse();
  return [
    ...(limit === undefined ? [] : [limit]),
    ...(more === undefined
      ? []
      : [
          {
            label: `Use ε = ${more.epsilon}: ${numberOutlook(more, plan, kind).words}`,
            change: { epsilon: more.epsilon },
          },
        ]),
  ];
}

/** The smallest limit that counts most pairs, if its noise is a small part of them. */
function betterLimit({ all = 0, counted: own = 0 }: NumberPlan, here: NumberPoint): Better | undefined {
  const { limits = [] } = here;
  const isFine = ({ counted, error }: LimitPoint) => error <= USABLE_SHARE * counted;
  const found =
    limits.find((point) => point.counted >= GOOD_PART * all && isFine(point)) ??
    limits.findLast((point) => point.counted > 1.2 * own && isFine(point));
  if (found === undefined || found.counted <= own || here.share > 0) return undefined;
  const share = percent(found.counted / Math.max(all, 1));
  const label = `Count each person for at most ${counted(found.limit, "item", "items")}: ${share} of the pairs, and noise adds about ${whole(Math.ceil(found.error))}`;
  return { label, change: { maxItemsPerUser: found.limit } };
}
