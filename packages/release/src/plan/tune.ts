/**
 * Which mechanism answers a question without a list, chosen by looking at the rows for a stated share of the budget. Public numbers
 * don't say how many people there are and how many items each has, and no fixed rule serves both few and many.
 *
 * Each candidate is the question as one mechanism would be asked it with the rest of the budget. Its public need N is the number of
 * people with which an item is named half of the time, which is some times its noise. Its score says how far the k largest counts are
 * above that, up to ten times as far:
 *
 *   score = ⌊(w/(N·k))·Σ_{j ≤ k} min(max(h_j − o − N, −N), 9·N)⌋
 *
 * with h_j the j-th largest count after people are cut to the candidate's limit, o the largest count outside the race (or 0) and w the
 * smallest N of all candidates. One person moves each h_j − o by at most 1 (by 2 if people are replaced), so the mean of the k
 * terms too; w/N ≤ 1, and rounding down keeps a distance of whole numbers. `selectPrivateCandidate` takes the best of K runs; a run
 * draws a candidate and its score with discrete Laplace noise, which costs the ε of the run, a third of what the choice may cost.
 *
 * Winnow releases the candidate that won, and keeps the number of runs secret.
 * @module
 */
import {
  type Entropy,
  invalidParameter,
  type LossOf,
  pure,
  type Rational,
  type RationalLike,
  rational,
  scaleAtLeast,
  selectPrivateCandidate,
  zcdp,
} from "winnow-dp";
import { discreteLaplace, uniformBelow } from "winnow-dp/sample";
import { seededEntropy } from "winnow-dp/testing";
import type { NeededUsers } from "../question/answer.js";
import type { Neighbours, Question, QuestionInput } from "../question/question.js";
import { wayInWords, waysToAnswer } from "./choice.js";

/** A way to answer, with what is left of the budget. */
export interface TunedCandidate {
  readonly question: Question;
  readonly needs: Exclude<NeededUsers, { readonly over: "next" }>;
}

/** How a choice is made, before a row is read. */
export interface Tuning {
  /** The part of the budget that the choice may cost. */
  readonly share: string;
  readonly candidates: readonly TunedCandidate[];
  readonly price: TuningPrice;
}

/** What a choice costs, and its noise: it follows from the budget, the share and the neighbours alone. */
export interface TuningPrice {
  readonly loss: LossOf["pure"];
  /** The ε of one run, and the scale of the noise of its score. */
  readonly run: Rational;
  readonly scale: Rational;
  /** The law of the number of runs: geometric, 200 on average. */
  readonly runs: {
    readonly law: "truncated-negative-binomial";
    readonly eta: string;
    readonly gamma: string;
  };
}

/**
 * As much of a question as the price of a choice depends on.
 *
 * @inline
 */
export interface TunedBudget {
  readonly epsilon?: RationalLike | undefined;
  readonly rho?: RationalLike | undefined;
  readonly neighbours?: Neighbours | undefined;
}

/** With five candidates, each is drawn at least once in 98 of 100 choices. */
const RUNS = { law: "truncated-negative-binomial", eta: "1", gamma: "1/200" } as const;
/** The best of K runs costs less than 2 + η runs. */
const RUNS_PAID = 3n;

/** What a choice for this share of the budget costs. */
export function priceOfTuning(
  { epsilon, rho, neighbours = "add-remove" }: TunedBudget,
  share: RationalLike,
): TuningPrice {
  const part = readShare(share);
  const most =
    rho === undefined
      ? rational(epsilon ?? 0n, "epsilon").times(part)
      : rational(1n).dividedBy(scaleAtLeast(zcdp(rational(rho, "rho").times(part)), { distance: 1n }));
  const run = most.dividedBy(RUNS_PAID);
  const { privacy } = selectPrivateCandidate(() => ({ output: 0, score: 0 }), {
    ...{ loss: pure(run), runs: RUNS, entropy: seededEntropy("no rows") },
  });
  const distance = rational(neighbours === "replace" ? 2n : 1n);
  return { loss: privacy as LossOf["pure"], run, scale: distance.dividedBy(run), runs: RUNS };
}

function readShare(share: RationalLike): Rational {
  const part = rational(share, "tune");
  if (part.compare(0n) <= 0 || part.compare(1n) >= 0)
    throw invalidParameter("tune", "a rational above 0 and below 1, such as 1/10", share);
  return part;
}

/** Limits to try where none is given, as with a guess. */
const LIMITS = [3, 10, 30];

/** Throws where public numbers decide, or where there is nothing to choose from. */
export function tuningFor(input: QuestionInput, share: RationalLike): Tuning {
  if (input.domain.kind !== "unknown")
    throw invalidParameter("tune", "absent with a public list, where public numbers decide", share);
  if (input.mechanism !== undefined)
    throw invalidParameter("tune", "absent where a mechanism is named", input.mechanism);
  const price = priceOfTuning(input, share);
  const candidates = waysToAnswer(withRest(input, readShare(share)), { limits: LIMITS }).flatMap(
    ({ question, expects: { needs } }) => {
      if (needs === undefined || needs.over === "next") return [];
      const isCutInVain = needs.over === "outsiders" && question.maxItemsPerUser !== undefined;
      return isCutInVain ? [] : [{ question, needs }];
    },
  );
  if (candidates.length < 2)
    throw invalidParameter("tune", "absent where only one mechanism can answer", share);
  return { share: String(readShare(share)), candidates, price };
}

/** δ is for the answer: a choice has none. */
function withRest({ epsilon, rho, ...input }: QuestionInput, share: Rational): QuestionInput {
  const rest = rational(1n).minus(share);
  return {
    ...input,
    ...(epsilon !== undefined && { epsilon: rational(epsilon).times(rest) }),
    ...(rho !== undefined && { rho: rational(rho).times(rest) }),
  };
}

/** How many of the largest counts a score is computed from. */
export function countsWanted({ question, needs }: TunedCandidate): number {
  return needs.over === "outsiders" ? Math.max(question.k, needs.candidates + 1) : question.k;
}

/** Beyond this many needs above the need, more people don't make a name any surer. */
const FAR = 9n;

/** The private score of a candidate, from its largest counts in any order. */
export function scoreOf(
  { question: { k }, needs }: TunedCandidate,
  counts: Iterable<number>,
  { candidates }: Pick<Tuning, "candidates">,
): bigint {
  const falling = [...counts].sort((a, b) => b - a);
  const outside = needs.over === "outsiders" ? (falling[needs.candidates] ?? 0) : 0;
  const least = BigInt(Math.min(...candidates.map((each) => each.needs.users)));
  const need = BigInt(needs.users);
  const [lowest, highest] = [-need, FAR * need];
  let sum = 0n;
  for (let place = 0; place < k; place++) {
    const above = BigInt(falling[place] ?? 0) - BigInt(outside) - need;
    sum += above > highest ? highest : above < lowest ? lowest : above;
  }
  return rational(sum * least)
    .dividedBy(need * BigInt(k))
    .floor();
}

/** The candidate that wins; what it costs is the price of the tuning. Nothing is charged here. */
export function drawChoice(
  { candidates, price: { run, scale, runs } }: Tuning,
  scores: readonly bigint[],
  entropy?: Entropy,
): TunedCandidate {
  const choice = selectPrivateCandidate(
    (bits) => {
      const place = uniformBelow(candidates.length, bits);
      return { output: place, score: scores[place]! + discreteLaplace(scale, bits) };
    },
    { loss: pure(run), runs, entropy },
  );
  return candidates[choice.released ? choice.output : 0]!;
}

/** "limited-top-k, threshold-top-k with at most 3 items a person or …". */
export function waysInWords({ candidates }: Tuning): string {
  const names = candidates.map(({ question }) => wayInWords(question));
  return `${names.slice(0, -1).join(", ")} or ${names.at(-1)}`;
}
