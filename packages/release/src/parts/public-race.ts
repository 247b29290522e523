/**
 * A race over public candidates: every count gets exponential noise of scale k·r/ε or Gumbel noise of scale r·√(k/8ρ), with
 * r = 1 where people are added or removed and r = 2 where they are replaced; in (ε, δ), the least Gumbel noise whose k rounds are
 * certified (approx-rounds.ts). Mechanisms differ in the leads and counts that come with the names; the rest is here.
 *
 * Candidates stream through core's `TopKStream`, so memory is O(k): over a public list every candidate once, those without a
 * row as zeros; over the whole numbers below N, the numbers that have rows, with the others drawn as zeros, plus one bit for each
 * number (see `numberSet`). Permute-and-flip is the race for one place.
 *
 * Counts beside the names take a quarter of the budget, a fifth where they share noise: in (ε, δ), of the ρ that it pays for. Their
 * noise is fixed for k names beforehand.
 * @module
 */
import {
  approx,
  compose,
  type Entropy,
  type Loss,
  type LossOf,
  makeNoisyTopK,
  pure,
  type Ranked,
  type Rational,
  rational,
  scaleAtLeast,
  TopKStream,
  type TopKStreamOptions,
  zcdp,
} from "winnow-dp";
import type { Answer, Batches, CandidatesWanted, Near, Run } from "../question/answer.js";
import { sizeOf } from "../question/domain.js";
import type { Question } from "../question/question.js";
import { gumbelRho } from "./approx-rounds.js";
import { countedPeople, distanceOf, isMonotone, rhoOf } from "./budget.js";
import { checkComplete, forEachRow, wholeNumber } from "./counted-rows.js";
import { type CountPlan, countParameters, countPlan, countShare, measure, prepareCounts } from "./counts.js";
import { lnAtLeast } from "./ln-at-least.js";
import { numberSet } from "./number-set.js";
import { winner } from "./winner.js";

/** All of a mechanism that is the same for every public race. */
export const PUBLIC_RACE = {
  parameters(question: Question): Record<string, string> {
    const { k, resolution } = question;
    const counts = countsOfRace(question);
    const scale = noiseScale(question);
    return {
      ...countedPeople(question),
      noise: isGumbel(question) ? "gumbel" : "exponential",
      scale: String(scale),
      ...(isByRounds(question) && {
        range: String(distanceOf(question).dividedBy(scale)),
        rounds: String(k),
      }),
      ...(resolution !== undefined && { resolution }),
      ...(counts !== undefined && countParameters(counts)),
    };
  },
  price: (question: Question) => ({ loss: lossOfNoise(question), also: otherLosses(question) }),
  counts: countsOfRace,
  leads: (question: Question) => ({
    candidates: sizeOf(question.domain) as number, // the rules see to it that candidates are public
    scale: noiseScale(question),
  }),
  /** Gumbel noise: d·e^(−x/τ) a round; exponential noise is never below 0, so d·e^(−x/b) for all. */
  expect(question: Question): Near | undefined {
    const size = sizeOf(question.domain);
    if (size === undefined) return undefined;
    const chances = isGumbel(question) ? size * question.k : size;
    return {
      within: Number(
        noiseScale(question)
          .times(lnAtLeast(ONE_IN * chances))
          .ceil(),
      ),
    };
  },
  wants({ domain }: Question): CandidatesWanted {
    return domain.kind === "integers"
      ? { kind: "integers", below: domain.below }
      : { kind: "listed", size: sizeOf(domain) as number };
  },
  draw: (question: Question, batches: Batches, entropy?: Entropy): Promise<Answer> =>
    question.domain.kind === "integers"
      ? raceIntegers(question, batches, entropy)
      : raceListed(question, batches, entropy),
  prepare(question: Question, scores: Float64Array): Run {
    const { k, resolution } = question;
    const size = sizeOf(question.domain);
    const measurement = makeNoisyTopK({
      k,
      measure: isGumbel(question) ? "zcdp" : "pure",
      scale: noiseScale(question),
      monotone: isMonotone(question),
      resolution,
      domain: size === undefined ? undefined : { size },
    });
    const counts = prepareCounts(countsOfRace(question), scores);
    return (entropy) => {
      const { winners } = measurement.invoke(scores, entropy);
      const indices = winners.map(({ candidate }) => candidate);
      return {
        winners: indices,
        ...(resolution !== undefined && { gaps: winners.map(({ gap }) => gap?.toNumber() ?? 0) }),
        ...counts(indices, entropy),
      };
    };
  },
};

/** A bound for all data fails once in 20 releases. */
const ONE_IN = 20;

/** With ε alone the noise is exponential. */
function isGumbel({ rho, delta }: Question): boolean {
  return rho !== undefined || delta !== undefined;
}

/** Whether (ε, δ) is that of the rounds, and not of the ρ that names and counts share. */
function isByRounds({ delta, counts }: Question): boolean {
  return delta !== undefined && counts === undefined;
}

/** The part of the budget that chooses the names: all of it, or all but the share of counts that are measured too. */
function namesBudget(
  question: Question,
): { readonly epsilon: Rational; readonly rho?: undefined } | { readonly rho: Rational } {
  const { epsilon = "", rho, delta, counts } = question;
  if (isByRounds(question)) return { rho: gumbelRho(question) };
  const law = isGumbel(question) ? "rho" : "epsilon";
  const part = counts ? rational(1n).minus(countShare(question, law)) : rational(1n);
  const share = (size: Rational | string) => rational(size).times(part);
  if (rho !== undefined) return { rho: share(rho) };
  return delta === undefined ? { epsilon: share(epsilon) } : { rho: share(rhoOf({ epsilon, delta })) };
}

function noiseScale(question: Question): Rational {
  const { k } = question;
  const distance = distanceOf(question);
  const budget = namesBudget(question);
  if (budget.rho !== undefined)
    return scaleAtLeast(zcdp(budget.rho), { distance, rounds: k, class: "bounded-range" });
  return scaleAtLeast(pure(budget.epsilon), { distance, rounds: k });
}

/** Exponential noise is pure, Gumbel noise concentrated; an (ε, δ) is stated as it was asked. */
function lossOfNoise(question: Question): Loss {
  const { epsilon, delta } = question;
  if (epsilon !== undefined && delta !== undefined) return approx(epsilon, delta);
  const counts = countsOfRace(question);
  const names = lossOfNames(question);
  return counts === undefined ? names : compose(names, counts.lossOf(question.k));
}

function lossOfNames(question: Question): Loss {
  const measure = isGumbel(question) ? "zcdp" : "pure";
  const { k } = question;
  const scale = noiseScale(question);
  return makeNoisyTopK({ k, measure, scale, monotone: isMonotone(question) }).map(1n);
}

/** What an (ε, δ) costs in ρ and, without counts, in ε alone. */
function otherLosses(question: Question): readonly Loss[] | undefined {
  if (question.delta === undefined) return undefined;
  const { k } = question;
  const names = lossOfNames(question) as LossOf["zcdp"];
  const counts = countsOfRace(question);
  if (counts !== undefined) return [compose(names, counts.lossOf(k))];
  return [names, pure(distanceOf(question).times(k).dividedBy(noiseScale(question)))];
}

function countsOfRace(question: Question): CountPlan | undefined {
  const { epsilon = "", rho, delta, counts } = question;
  if (!counts) return undefined;
  const law = isGumbel(question) ? "rho" : "epsilon";
  const whole = law === "epsilon" ? epsilon : (rho ?? rhoOf({ epsilon, delta: delta as string }));
  const part = rational(whole).times(countShare(question, law));
  return countPlan(question, law === "rho" ? { rho: part } : { epsilon: part });
}

/** Over a public list, of which every candidate must come once. */
async function raceListed(question: Question, batches: Batches, entropy?: Entropy): Promise<Answer> {
  const stream = new TopKStream<string>(streamOptions(question, entropy));
  const kept = new KeptCounts(question);
  let candidates = 0;
  await forEachRow(batches, (item, users) => {
    stream.push(item, users);
    kept.take(item, users);
    candidates++;
  });
  checkComplete(candidates, question);
  return rankedAnswer(stream.finish(), question, kept, entropy);
}

/** Over the whole numbers below a bound; a number that doesn't occur has no users. */
async function raceIntegers(question: Question, batches: Batches, entropy?: Entropy): Promise<Answer> {
  const below = sizeOf(question.domain) ?? 0;
  const stream = new TopKStream<number>({ ...streamOptions(question, entropy), domain: { size: below } });
  const pushed = numberSet(below);
  const kept = new KeptCounts(question);
  await forEachRow(batches, (item, users) => {
    const number = wholeNumber(item, below);
    if (number === undefined) return;
    stream.push(number, users);
    kept.take(item, users);
    pushed.add(number);
  });
  return rankedAnswer(stream.finish({ isPushed: (id) => pushed.has(id) }), question, kept, entropy);
}

function streamOptions(question: Question, entropy: Entropy | undefined): TopKStreamOptions {
  const { k, resolution } = question;
  return { ...namesBudget(question), k, resolution, monotone: isMonotone(question), entropy };
}

/** The counts that may be measured after the names are known, where counts were asked for. */
class KeptCounts {
  readonly #counts = new Map<string, number>();
  readonly #isWanted: boolean;

  constructor({ counts }: Question) {
    this.#isWanted = counts === true;
  }

  take(item: string, users: number): void {
    if (this.#isWanted && users > 0) this.#counts.set(item, users);
  }

  get all(): ReadonlyMap<string, number> {
    return this.#counts;
  }
}

function rankedAnswer(
  { winners }: Ranked<string | number>,
  question: Question,
  kept: KeptCounts,
  entropy: Entropy | undefined,
): Answer {
  const names = winners.map(({ candidate }) => String(candidate));
  const plan = countsOfRace(question);
  const counts = plan === undefined ? [] : measure(kept.all, names, plan, entropy);
  return {
    released: true,
    k: question.k,
    winners: winners.map(({ gap }, i) => winner(names[i], gap, counts[i])),
    ordered: true,
    loss: lossOfNoise(question),
  };
}
