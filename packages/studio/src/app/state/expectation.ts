/**
 * What a plan says in words: how good an answer is to be expected, and what would do better. A release starts with this
 * verdict. It comes from runs on the true counts, so it is for the curator's eyes only.
 * @module
 */
import type { Asked, Mechanism, NumberPlan, NumberPoint, PlanPoint } from "../../worker/api.js";
import { about, atMost, counted, percent, short, whole } from "../parts/in-words.js";
import { asksBest, asksValues } from "./kinds.js";
import { wordsOf } from "./mechanisms.js";

type Verdict = "useless" | "usable" | "good";

export const VERDICTS: Readonly<Record<Verdict, string>> = {
  useless: "Likely useless",
  usable: "Usable",
  good: "Good",
};

/** The share of the true winners from which an answer is good, and below which it is useless. */
export const GOAL = 0.8;
const LEAST = 0.3;
const MOSTLY_NOTHING = 0.5;
const RARELY_NOTHING = 0.1;

/** What a point reaches of the goal: true winners for a top k; otherwise how often anything is named. */
export function successOf({ recall, nothing }: PlanPoint, kind: Asked["kind"]): number {
  return asksBest(kind) ? recall : 1 - nothing;
}

export function verdictOf(point: PlanPoint, kind: Asked["kind"]): Verdict {
  if (point.nothing >= MOSTLY_NOTHING) return "useless";
  if (!asksBest(kind)) return point.nothing <= RARELY_NOTHING ? "good" : "usable";
  if (point.recall < LEAST) return "useless";
  return point.recall >= GOAL ? "good" : "usable";
}

/** `9.1 of the true top 10; 1 of 100 runs names no item`. */
export function expectedInWords(point: PlanPoint, { kind, k = 0 }: Pick<Asked, "kind" | "k">): string {
  const names = asksBest(kind)
    ? `about ${Number((point.recall * k).toFixed(1))} of the true top ${k}`
    : `a list of about ${counted(Math.round(point.length), "name", "names")}`;
  return [names, nothingInWords(point)].filter((part) => part !== "").join("; ");
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
  return [
    ...(countError === undefined ? [] : [`A count is off by about ${people(countError)}.`]),
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
    | { readonly domain: "listed" };
}

/** The smallest ε of the plan at which a mechanism reaches the goal. */
export function epsilonForGoal(
  points: readonly PlanPoint[],
  mechanism: Mechanism,
  kind: Asked["kind"],
): PlanPoint | undefined {
  const goal = asksBest(kind) ? GOAL : 1 - RARELY_NOTHING;
  return points
    .filter((point) => point.mechanism === mechanism && successOf(point, kind) >= goal)
    .sort((a, b) => (about(a.epsilon) ?? 0) - (about(b.epsilon) ?? 0))[0];
}

const CLEARLY_BETTER = 0.05;

/** At most three, for an answer that is not good: more ε, another mechanism, a public list. */
export function betterChoices(
  points: readonly PlanPoint[],
  here: PlanPoint,
  question: Pick<Asked, "kind" | "k" | "domain">,
): readonly Better[] {
  const { kind, domain } = question;
  if (verdictOf(here, kind) === "good") return [];
  const more = epsilonForGoal(points, here.mechanism, kind);
  const [other] = points
    .filter((point) => point.mechanism !== here.mechanism && point.epsilon === here.epsilon)
    .filter((point) => successOf(point, kind) > successOf(here, kind) + CLEARLY_BETTER)
    .sort((a, b) => successOf(b, kind) - successOf(a, kind));
  return [
    ...(more === undefined
      ? []
      : [
          {
            label: `Use ε = ${more.epsilon}: ${expectedInWords(more, question)}`,
            change: { epsilon: more.epsilon },
          },
        ]),
    ...(other === undefined
      ? []
      : [
          {
            label: `Use ${wordsOf(other.mechanism).title}: ${expectedInWords(other, question)}`,
            change: { mechanism: other.mechanism },
          },
        ]),
    ...(domain === "unknown" && asksBest(kind)
      ? [
          {
            label: "Give a public list of candidates, if there is one",
            change: { domain: "listed" as const },
          },
        ]
      : []),
  ];
}

/** What to expect, for the bar and for a sentence; the verdict once it is known how much data there is. */
export interface Outlook {
  readonly verdict?: Verdict;
  readonly short: string;
  readonly words: string;
}

/** The largest error of numbers, as a share of all that count, that is good; and the largest that is usable. */
const GOOD_SHARE = 0.02;
const USABLE_SHARE = 0.1;

/** How far off numbers can be, as a share of all that count; undefined before people are counted. */
export function errorShare({ error, share }: NumberPoint, { counted }: NumberPlan): number | undefined {
  return counted === undefined ? undefined : error / Math.max(counted, 1) + share;
}

export function numberOutlook(point: NumberPoint, plan: NumberPlan, kind: Asked["kind"]): Outlook {
  const size = errorShare(point, plan);
  const isQuantile = asksValues(kind);
  const brief = isQuantile
    ? `± ${atMost(Math.ceil(point.error))} ranks${point.share > 0 ? ` + ${percent(point.share, 1)}` : ""}`
    : `${whole(Math.ceil(point.error))} people added`;
  if (size === undefined) return { short: brief, words: point.words };
  const all = whole(plan.counted ?? 0);
  const beside = isQuantile
    ? `at most ${percent(size, size < 0.1 ? 1 : 0)} of your ${all} values`
    : `your list adds up to ${all}`;
  const verdict = size <= GOOD_SHARE ? "good" : size <= USABLE_SHARE ? "usable" : "useless";
  return { verdict, short: `${VERDICTS[verdict]}: ${brief}`, words: `${point.words}; ${beside}` };
}

/** The smallest ε of the plan at which numbers are good, where they are not. */
export function betterNumbers(here: NumberPoint, plan: NumberPlan, kind: Asked["kind"]): readonly Better[] {
  const isGood = (point: NumberPoint) => numberOutlook(point, plan, kind).verdict === "good";
  if (plan.counted === undefined || isGood(here)) return [];
  const [more] = plan.points
    .filter(isGood)
    .sort((a, b) => a.error - b.error)
    .reverse();
  if (more === undefined) return [];
  const label = `Use ε = ${more.epsilon}: ${numberOutlook(more, plan, kind).words}`;
  return [{ label, change: { epsilon: more.epsilon } }];
}
