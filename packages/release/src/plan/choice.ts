/**
 * Which mechanism answers a question: every one that may is compared, from public numbers only. `PublicFacts` has no room for a row, so
 * the choice is the same for all data, and costs nothing.
 *
 *   the question alone         the usual one (`isUsual`, by which noise is smaller); the others are told with what holds for them
 *   public counts              each is run on them with seeded bits; another is taken only if it is right more often by more than
 *                              four standard errors
 *   a set                      on public counts, the set if all of it is right in nine runs of ten; otherwise the best of all, orders
 *                              included, because a set that isn't sure has random names
 *
 * Public counts are a public twin or a guess (`countsOfGuess`). A mechanism that the asker names is taken.
 * @module
 */
import { invalidParameter } from "winnow-dp";
import { seededEntropy } from "winnow-dp/testing";
import { canAnswer, NOTHING_OPEN } from "../ask/can-answer.js";
import type { PublicCounts } from "../ask/guess.js";
import { readQuestion } from "../ask/read-question.js";
import type { Mechanism, Speaker } from "../mechanisms/mechanism.js";
import { MECHANISMS } from "../mechanisms/mechanisms.js";
import { mechanismFor } from "../mechanisms/of-question.js";
import type { Near, NeededUsers } from "../question/answer.js";
import { sizeOf } from "../question/domain.js";
import type { Question, QuestionInput } from "../question/question.js";
import { numberOf } from "../words/sentences.js";
import { questionsAt, questionsAtRho } from "./plan.js";
import { prepareRun } from "./prepare-run.js";
import { type Estimate, RankedScores, RunningMean, Truth } from "./simulate.js";

/** All that a choice may know besides the question. */
export interface PublicFacts {
  readonly guess?: PublicCounts | undefined;
  /** The limits on the items of a person to compare with, where the question has none. Default: those of the public counts, or 10. */
  readonly limits?: readonly number[] | undefined;
}

/**
 * What a mechanism would give.
 *
 * @inline
 */
export interface Expectation extends Partial<Near> {
  /** What an item needs to be named, where there is no public list. */
  readonly needs?: NeededUsers;
  /** On the public counts: the share of the k best that is named, and how often all of them are. */
  readonly right?: Estimate;
  readonly complete?: number;
}

/**
 * A mechanism that may answer, and what to expect of it.
 *
 * @inline
 */
export interface Considered {
  readonly question: Question;
  readonly expects: Expectation;
}

/** The mechanism that was chosen, and what the others would give. */
export interface Choice {
  readonly chosen: Considered;
  /** The best of each other mechanism, most often right first; without public counts in the order of the list. */
  readonly others: readonly Considered[];
  readonly by: "name" | "rule" | "counts";
  /** Where the public counts come from. */
  readonly origin?: string;
}

/** The question with the mechanism that answers it, and what the others would give. Throws what is wrong with the question. */
export function choose(
  input: QuestionInput,
  facts: PublicFacts = {},
  mayBe: (mechanism: Mechanism) => boolean = () => true,
): Choice {
  const { guess } = facts;
  // A set needs no δ; the orders that may take its place on public counts may spend one.
  const isSpared = input.set === true && guess !== undefined && input.mechanism === undefined;
  const usual = consider(readQuestion(isSpared ? { ...input, delta: undefined } : input), guess);
  const all = [usual, ...alternatives(input, usual.question, facts, mayBe)];
  const chosen =
    input.mechanism !== undefined || guess === undefined ? usual : bestOf(all, input.set === true, usual);
  return {
    chosen,
    others: bestOfEach(all, chosen),
    by: input.mechanism !== undefined ? "name" : guess === undefined ? "rule" : "counts",
    ...(guess !== undefined && { origin: guess.origin }),
  };
}

/** The question as every mechanism that may answer it would be asked, the usual one first. */
export function waysToAnswer(input: QuestionInput, facts: PublicFacts = {}): readonly Considered[] {
  const usual = consider(readQuestion(input), facts.guess);
  return [usual, ...alternatives(input, usual.question, facts, () => true)];
}

/** Each other mechanism that may answer, and where public counts say what a limit leaves, with several limits. */
function* alternatives(
  { mechanism: _, ...input }: QuestionInput,
  usual: Question,
  facts: PublicFacts,
  mayBe: (mechanism: Mechanism) => boolean,
): Generator<Considered> {
  const known = new Set([JSON.stringify(usual)]);
  for (const mechanism of MECHANISMS) {
    if (!mayBe(mechanism) || !gives(mechanism, input)) continue;
    for (const variant of variantsOf(mechanism, input, usual, facts)) {
      const key = JSON.stringify(variant);
      if (known.has(key)) continue;
      known.add(key);
      yield consider(variant, facts.guess);
    }
  }
}

/** Whether its answer has all that was asked for; an order answers a question about a set, and not the other way round. */
function gives(
  { rules }: Mechanism,
  { set = false, counts = false, resolution }: Omit<QuestionInput, "mechanism">,
) {
  return (
    (set || !rules.isSet) &&
    (!counts || rules.counts !== undefined) &&
    (resolution === undefined || rules.gaps !== undefined)
  );
}

function variantsOf(
  { name, rules }: Mechanism,
  input: Omit<QuestionInput, "mechanism">,
  usual: Question,
  { guess, limits: tried }: PublicFacts,
): Question[] {
  const given = input.maxItemsPerUser;
  const limits =
    rules.bound === undefined ? [undefined] : limitsFor(rules.bound, given, tried ?? guess?.limits);
  const shares = rules.isSet
    ? [input.outsiderShare, guess && input.outsiderShare === undefined ? 1n : undefined]
    : [undefined];
  return limits.flatMap((maxItemsPerUser) =>
    shares.flatMap((outsiderShare) => questionOf({ ...input, maxItemsPerUser, outsiderShare }, name, usual)),
  );
}

/** A limit to compare with, where none is given and nothing is known. */
const USUAL_LIMIT = 10;

function limitsFor(
  bound: "needed" | "possible",
  given: number | undefined,
  known: readonly number[] | undefined,
): readonly (number | undefined)[] {
  const limits = given === undefined ? (known ?? [USUAL_LIMIT]) : [given];
  const isOpen = given === undefined && known === undefined;
  return bound === "needed" ? limits : [undefined, ...(isOpen ? [] : limits)];
}

/** At the price that was asked for; none if the mechanism can't answer at it. */
function questionOf(input: QuestionInput, mechanism: string, { kind, domain }: Question): Question[] {
  const { epsilon, rho, maxItemsPerUser } = input;
  const { rules } = mechanismFor({ mechanism });
  const paid = rho === undefined ? { epsilon: String(epsilon) } : { rho: String(rho) };
  const delta = input.delta === undefined ? undefined : String(input.delta);
  const draft = {
    kind,
    k: input.k,
    domain: domain.kind,
    size: sizeOf(domain),
    ...paid,
    maxItemsPerUser,
  } as const;
  const spends = rules.delta === "needed" ? { delta } : {};
  if (canAnswer({ ...mechanismFor({ mechanism }) }, { ...draft, ...spends, ...NOTHING_OPEN }) !== true)
    return [];
  const found =
    rho === undefined
      ? questionsAt(input, epsilon as NonNullable<typeof epsilon>, [mechanism])
      : questionsAtRho(input, rho, [mechanism]);
  if (maxItemsPerUser === undefined || rules.bound === "needed") return found;
  return found.map((question) => readQuestion({ ...question, maxItemsPerUser })); // which it may, once it is named
}

/** On public counts: enough to tell a fifth from a half for sure. */
const RUNS = 40;

function consider(question: Question, guess: PublicCounts | undefined): Considered {
  const mechanism = mechanismFor(question);
  const [near, needs] = [mechanism.expect?.(question), mechanism.needs?.(question)];
  return {
    question,
    expects: {
      ...near,
      ...(needs !== undefined && { needs }),
      ...(guess !== undefined && onCounts(question, guess)),
    },
  };
}

/** The mechanism itself on the public counts, with seeded bits, so that the choice is always the same. */
function onCounts(
  question: Question,
  { counts, bounded }: PublicCounts,
): Pick<Expectation, "right" | "complete"> {
  const { maxItemsPerUser, k, domain } = question;
  const cut = maxItemsPerUser === undefined ? undefined : bounded(maxItemsPerUser);
  if ((maxItemsPerUser !== undefined && cut === undefined) || mechanismFor(question).prepare === undefined)
    return {};
  const size = sizeOf(domain);
  if (size !== undefined && counts.length > size)
    throw invalidParameter("guess", `counts of at most the ${size} candidates`, counts.length);
  const ranked = new RankedScores(counts, cut);
  const run = prepareRun(question, ranked.sorted, ranked.bounded);
  const truth = new Truth(ranked.sorted, k, size);
  const entropy = seededEntropy("choice");
  const right = new RunningMean();
  let complete = 0;
  for (let i = 0; i < RUNS; i++) {
    const share = truth.recall(run(entropy));
    right.add(share);
    if (share === 1) complete++;
  }
  return { right: right.estimate, complete: complete / RUNS };
}

const SURE = 0.9;

function bestOf(all: readonly Considered[], isSet: boolean, usual: Considered): Considered {
  if (isSet) {
    const isSure = usual.expects.complete !== undefined && usual.expects.complete >= SURE;
    return isSure ? usual : all.reduce((best, each) => (meanOf(each) > meanOf(best) ? each : best));
  }
  const better = all.filter((each) => isBetter(each.expects.right, usual.expects.right));
  return better.reduce((best, each) => (meanOf(each) > meanOf(best) ? each : best), usual);
}

/** By four standard errors, so that chance doesn't decide between several that are alike, and by more than a rounding. */
function isBetter(one: Estimate | undefined, other: Estimate | undefined): boolean {
  if (one === undefined || other === undefined) return false;
  const error = Math.hypot(one.standardError, other.standardError);
  return one.mean - other.mean > Math.max(4 * error, 0.01);
}

function meanOf({ expects: { right } }: Considered): number {
  return right?.mean ?? -1;
}

/** Without that of the chosen one. */
function bestOfEach(all: readonly Considered[], chosen: Considered): Considered[] {
  const best = new Map<string, Considered>();
  for (const each of all) {
    const { mechanism } = each.question;
    const known = best.get(mechanism);
    if (mechanism !== chosen.question.mechanism && (known === undefined || meanOf(each) > meanOf(known)))
      best.set(mechanism, each);
  }
  return [...best.values()].sort((a, b) => meanOf(b) - meanOf(a));
}

/** One line: the mechanism that is taken, and what the others would give. */
export function choiceInWords({ chosen, others, by, origin }: Choice, say: Speaker): string | undefined {
  if (others.length === 0) return undefined;
  const verb = by === "name" ? "As asked" : "Winnow takes";
  const told = others.flatMap((each) => {
    const what = expectedInWords(each, false);
    return what === undefined ? [] : [`${wayInWords(each.question)} ${what}`];
  });
  const own = expectedInWords(chosen, true);
  const source = origin === undefined ? "" : ` on ${origin}`;
  const first = `${verb} ${wayInWords(chosen.question)}${own === undefined ? "" : `: ${own}${source}`}.`;
  const rest = told.length === 0 ? "" : ` Otherwise ${told.join("; ")}.`;
  return `${first}${rest}${openInWords({ chosen, by }, say)}`;
}

/** What no public number of the question decides. */
function openInWords({ chosen, by }: Pick<Choice, "chosen" | "by">, say: Speaker): string {
  if (by !== "rule" || chosen.question.domain.kind !== "unknown") return "";
  return ` Which names more depends on how many people there are and how many items each has: ${say.option("guess", "people=4000,items-per-person=13")} compares.`;
}

/** "threshold-top-k with at most 10 items a person". */
export function wayInWords({
  mechanism,
  maxItemsPerUser,
  outsiderShare,
}: Pick<Question, "mechanism" | "maxItemsPerUser" | "outsiderShare">): string {
  const limit =
    maxItemsPerUser === undefined ? "" : ` with at most ${numberOf(maxItemsPerUser, "item")} a person`;
  return `${mechanism}${outsiderShare === undefined || outsiderShare === "0.5" ? "" : ` (outsider share ${outsiderShare})`}${limit}`;
}

/** In full, or as short as a comparison can be. */
function expectedInWords({ question, expects }: Considered, isFull: boolean): string | undefined {
  const { right, needs, within } = expects;
  const { k } = question;
  if (right !== undefined) {
    const number = (right.mean * k).toLocaleString("en", { maximumFractionDigits: k < 10 ? 1 : 0 });
    return isFull ? `about ${number} of ${k} right` : `${number} of ${k}`;
  }
  if (needs !== undefined) return neededInWords(needs, isFull);
  if (within === undefined) return undefined;
  const near = within.toLocaleString("en");
  return isFull ? `no winner is more than ${near} users below place ${k}, 95 times out of 100` : near;
}

function neededInWords({ users, ...need }: NeededUsers, isFull: boolean): string {
  const many = users.toLocaleString("en");
  const more =
    need.over === "outsiders"
      ? ` more than the best item outside the first ${need.candidates.toLocaleString("en")}`
      : need.over === "next"
        ? " more than the next item"
        : " in all";
  return isFull ? `an item needs about ${many} users${more} to be named` : `${many}${more}`;
}
