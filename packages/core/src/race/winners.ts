/**
 * What a selection releases: the indices of the winners and, where asked for, their gaps. Nothing else of the race
 * leaves: no noisy score, not the runner-up.
 * @module
 */
import type { Entropy } from "../entropy.js";
import { Rational, rational } from "../exact/rational.js";
import { Skips } from "../sample/geometric.js";
import { drawBigBelow } from "../sample/uniform-below.js";
import type { Winner } from "./candidates.js";
import { type Contender, gapInUnits, type Terms } from "./contender.js";
import type { Race } from "./race.js";
import type { ExactScores } from "./scores.js";

/** A contender that won. */
interface Placed<Id> {
  readonly index: Id;
  readonly gap?: Rational;
}

/** Candidates of a public domain that nobody listed, all of score 0. */
export interface Unlisted<Id> {
  readonly count: number;
  /** Their id in the race, which no listed one has. */
  readonly id: Id;
  /** They are named by integers from `from` to `to` − 1 that are not taken. */
  readonly names: { readonly from: number; readonly to: number };
  readonly isTaken: (name: number) => boolean;
}

/** Ends a race in which the listed candidates are: the unlisted enter, and the winners are named and measured. */
export function finishRace<Id>(
  race: Race<Id>,
  unlisted: Unlisted<Id>,
  resolution: Rational | undefined,
  entropy: Entropy,
): Placed<Id>[] {
  const { count, id, names, isTaken } = unlisted;
  if (count > 0) enterZeros(race, count, id, entropy);
  const order = race.finish();
  const name = namesForUnlisted(order, id, names, isTaken, entropy);
  return winnersOf(order, race.terms, resolution, name);
}

/**
 * The winners in their order; with a resolution, all but the last, which only measures the last gap. `name` gives the
 * id to release for that in the race.
 */
export function winnersOf<Id>(
  order: Contender<Id>[],
  terms: Terms,
  resolution: Rational | undefined,
  name: (id: Id) => Id,
): Placed<Id>[] {
  if (resolution === undefined) return order.map(({ id }) => ({ index: name(id) }));
  const unit = resolution.toNumber();
  const multiple = multiplesOf(resolution);
  const winners: Placed<Id>[] = [];
  for (let place = 0; place + 1 < order.length; place++) {
    const units = gapInUnits(terms, order[place], order[place + 1], resolution, unit);
    winners.push({ index: name(order[place].id), gap: multiple(units) });
  }
  return winners;
}

/** units·resolution, by numbers as long as they are safe: there may be hundreds of gaps. */
function multiplesOf(resolution: Rational): (units: number | bigint) => Rational {
  const [numerator, denominator] = [Number(resolution.numerator), Number(resolution.denominator)];
  return (units) => {
    const product = typeof units === "number" ? units * numerator : Number.NaN;
    return Number.isSafeInteger(product) && Number.isSafeInteger(denominator)
      ? Rational.ofNumbers(product, denominator)
      : resolution.times(BigInt(units));
  };
}

/*
 * The top k without noise, for a scale of 0: the largest scores, the earlier index first where they are equal. It
 * protects nobody; measurements have it because a map must be defined at scale 0, where it says so.
 */

/** The first `places` of `size` candidates, of which those beyond the scores have score 0. */
export function exactTopK(
  scores: ExactScores,
  size: number,
  places: number,
  resolution?: Rational,
): Winner[] {
  const order = Array.from({ length: Math.min(size, scores.length + places) }, (_, index) => ({
    index,
    score: index < scores.length ? checkedScore(scores, index) : Rational.ZERO,
  }))
    .sort((a, b) => b.score.compare(a.score) || a.index - b.index)
    .slice(0, places);
  if (resolution === undefined) return order.map(({ index }) => ({ index }));
  return order.slice(1).map((next, place) => {
    const { index, score } = order[place];
    return { index, gap: resolution.times(score.minus(next.score).dividedBy(resolution).floor()) };
  });
}

function checkedScore(scores: ExactScores, index: number): Rational {
  scores.at(index); // refuses what is not finite
  return rational(scores.exact(index));
}

/*
 * Candidates of a public domain that nobody listed: all have score 0 and there may be billions of them. They enter a
 * race without being visited one by one. Those whose uniforms start with at least `zeros` zero bits are drawn as skips
 * over the whole crowd; if others could still matter, those with exactly one zero less are drawn from the rest, and so on
 * down. They are alike, so the few that win are named afterwards.
 *
 * Cost: about four draws a place. Proof: docs/proofs/implicit-zeros.md.
 */

/** Enters `crowd` candidates of score 0 into the race, all under the id `unnamed`, which no other has. */
export function enterZeros<Id>(race: Race<Id>, crowd: number, unnamed: Id, entropy: Entropy): void {
  let zeros = zerosToStartWith(crowd, race.places);
  const first = new Skips(Rational.of(1n, 1n << BigInt(zeros)));
  let left = crowd - choose(crowd, first, entropy, () => race.enter(unnamed, 0, 0, zeros));
  race.settle();
  // Whoever is left has a one among its first `zeros` bits, so its noise is at most zeros·ln 2 scales.
  while (left > 0 && !(race.farBelow(zeros) > race.relative(0, 0))) {
    // It is the last of them with probability 2^−zeros/(1 − 2^−zeros).
    const next = new Skips(Rational.of(1n, (1n << BigInt(zeros)) - 1n));
    left -= choose(left, next, entropy, () => race.consider(unnamed, 0, 0, 1, zeros));
    race.settle();
    zeros--;
  }
}

/** Enough that about four times as many candidates as there are places are expected to have them. */
function zerosToStartWith(crowd: number, places: number): number {
  let zeros = 0;
  for (let expected = crowd; expected >= 8 * places && zeros < 48; expected /= 2) zeros++;
  return zeros;
}

/** Calls `enter` for each of `crowd` candidates that the skips do not pass by; how many these were. */
function choose(crowd: number, skips: Skips, entropy: Entropy, enter: () => void): number {
  let chosen = 0;
  for (let next = skips.draw(entropy); next < crowd; next += 1 + skips.draw(entropy)) {
    enter();
    chosen++;
  }
  return chosen;
}

/**
 * Names for the unlisted among the contenders: integers from `from` to `to` − 1 that are not taken, uniform without
 * replacement. Listed ones keep their names.
 */
export function namesForUnlisted<Id>(
  contenders: readonly { readonly id: Id }[],
  unnamed: Id,
  { from, to }: { from: number; to: number },
  isTaken: (id: number) => boolean,
  entropy: Entropy,
): (id: Id) => Id {
  const missing = contenders.filter(({ id }) => id === unnamed).length;
  const drawn = new Set<number>();
  while (drawn.size < missing) {
    const id = from + Number(drawBigBelow(BigInt(to - from), entropy));
    if (!isTaken(id)) drawn.add(id);
  }
  const names = drawn.values();
  return (id) => (id === unnamed ? (names.next().value as Id) : id);
}
