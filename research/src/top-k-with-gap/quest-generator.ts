/**
 * Market baskets by the generator of IBM's Quest group, which made T10I4D100K and T40I10D100K [AS94, §2.4.3]: baskets are put together
 * from patterns, sets of items that tend to be bought together, of which a basket gets a part.
 *
 * The names say the parameters: T is the mean size of a basket, I that of a pattern, D how many baskets there are. The files that are
 * passed around come with no others. 1000 items and 2000 patterns are those of [AS94]. Two things differ from the paper and agree with the
 * program: items have exponential weights, for with equal ones nearly all 1000 items would be in some basket, where the public
 * T10I4D100K has 870 and T40I10D100K 942; and a quarter of a pattern comes from the one before, for with half of it there are too few.
 *
 * The seed is ours, so counts are those of another draw from the same distribution. For study only: doubles, and logarithms of them.
 * @module
 */
import { seededEntropy } from "winnow-dp/testing";

export interface QuestParameters {
  /** T: the mean number of items in a basket. */
  readonly basketSize: number;
  /** I: the mean number of items in a pattern. */
  readonly patternSize: number;
  /** D. */
  readonly baskets: number;
}

/** N and |L|. */
const [ITEMS, PATTERNS] = [1000, 2000];
/** The mean part of a pattern that comes from the one before. */
const CORRELATION = 0.25;
/** The mean and the variance of how much of a pattern is left out. */
const CORRUPTION = { mean: 0.5, variance: 0.1 };

/** How many baskets have each item, of those that are in any. */
export function questCounts(parameters: QuestParameters, seed: string): Float64Array {
  const counts = new Float64Array(ITEMS);
  for (const basket of questBaskets(parameters, seed)) for (const item of basket) counts[item]++;
  return counts.filter((count) => count > 0);
}

/** The baskets, one after the other. */
export function* questBaskets(
  { basketSize, patternSize, baskets }: QuestParameters,
  seed: string,
): Generator<ReadonlySet<number>> {
  const random = new Random(seed);
  const drawItem = random.weighted(Array.from({ length: ITEMS }, () => random.exponential()));
  const sets = patternsOf(patternSize, drawItem, random);
  const drawPattern = random.weighted(sets.map(() => random.exponential()));
  const corruption = sets.map(() => random.normal(CORRUPTION));
  let waiting: readonly number[] | undefined;
  for (let made = 0; made < baskets; ) {
    const basket = new Set<number>();
    const size = random.sizeAround(basketSize);
    for (;;) {
      const part = waiting ?? drawPart();
      waiting = undefined;
      // What doesn't fit goes into this basket in half of all cases, and into the next one in the others.
      const fits = basket.size + part.length <= size;
      if (fits || random.uniform() < 0.5) for (const item of part) basket.add(item);
      else waiting = part;
      if (!fits || basket.size >= size) break;
    }
    if (basket.size === 0) continue;
    made++;
    yield basket;
  }

  function drawPart(): readonly number[] {
    const which = drawPattern();
    const part = [...sets[which]];
    while (part.length > 0 && random.uniform() < corruption[which]) {
      const left = random.below(part.length);
      part[left] = part[part.length - 1];
      part.pop();
    }
    return part;
  }
}

/** Each pattern has a part of the one before, and else items drawn by their weights. */
function patternsOf(patternSize: number, drawItem: () => number, random: Random): number[][] {
  const sets: number[][] = [];
  for (let i = 0; i < PATTERNS; i++) {
    const size = random.sizeAround(patternSize);
    const before = sets.at(-1) ?? [];
    const shared = Math.min(
      before.length,
      Math.round(size * Math.min(1, CORRELATION * random.exponential())),
    );
    const pattern = new Set<number>();
    while (pattern.size < shared) pattern.add(before[random.below(before.length)]);
    while (pattern.size < size) pattern.add(drawItem());
    sets.push([...pattern]);
  }
  return sets;
}

/** Doubles from seeded bits: good enough for data. */
class Random {
  readonly #bits;

  constructor(seed: string) {
    this.#bits = seededEntropy(seed);
  }

  /** In (0, 1). */
  uniform(): number {
    return (this.#bits.bits(32) + 0.5) / 2 ** 32;
  }

  below(n: number): number {
    return Math.floor(this.uniform() * n);
  }

  /** With mean 1. */
  exponential(): number {
    return -Math.log(this.uniform());
  }

  normal({ mean, variance }: { mean: number; variance: number }): number {
    const angle = 2 * Math.PI * this.uniform();
    return mean + Math.sqrt(2 * variance * this.exponential()) * Math.cos(angle);
  }

  /** One more than a Poisson variate with mean − 1: arrivals of a unit rate before that time. */
  sizeAround(mean: number): number {
    let size = 1;
    for (let time = this.exponential(); time < mean - 1; time += this.exponential()) size++;
    return size;
  }

  /** Draws an index with probability proportional to its weight. */
  weighted(weights: readonly number[]): () => number {
    let sum = 0;
    const sums = Float64Array.from(weights, (weight) => (sum += weight));
    return () => {
      const wanted = this.uniform() * sum;
      let [first, last] = [0, sums.length - 1];
      while (first < last) {
        const middle = (first + last) >>> 1;
        if (sums[middle] > wanted) last = middle;
        else first = middle + 1;
      }
      return first;
    };
  }
}
