/**
 * The law of `renewList` with exponential budgets, by its formula in doubles: a sum over the noise of the tolerance, with the
 * exponential mechanism over sets for each list. Tests compare draws with it, and neighbours with each other.
 * @module
 */

/** The parameters of a horizon. */
export interface RenewalWorld {
  readonly k: number;
  readonly renewals: number;
  readonly tolerance: number;
  /** b₁ and b₂. */
  readonly threshold: number;
  readonly query: number;
  /** τ of the lists. */
  readonly listScale: number;
}

/** Each transcript with its probability: `"0|.|2"` is list 0, no change, list 2. */
export type Transcripts = Map<string, number>;

/** How the law may be wrong. */
export interface Wrong {
  /** A fresh Z for each week. */
  readonly freshNoise?: boolean;
  /** Counts are summed over the weeks. */
  readonly sums?: boolean;
  /** The wrongness of an unchanged list is printed. */
  readonly margin?: boolean;
  /** No noise on the tolerance. */
  readonly sharpTolerance?: boolean;
}

const MOST_NOISE = 120;

/** All transcripts of a first week and the weeks after it. `first` fixes the first list, and leaves its price out. */
export function renewalLaw(
  weeks: readonly (readonly number[])[],
  world: RenewalWorld,
  wrong: Wrong = {},
  first?: readonly number[],
): Transcripts {
  const counts = wrong.sums ? weeks.map((_, t) => summed(weeks.slice(0, t + 1))) : weeks;
  const law: Transcripts = new Map();
  const ratio = Math.exp(-1 / world.threshold);
  const starts = first === undefined ? lists(counts[0], world) : new Map([[String(first), 1]]);
  for (const [list, prob] of starts) {
    const noises = wrong.freshNoise || wrong.sharpTolerance ? 1 : MOST_NOISE;
    for (let z = 0; z < noises; z++) {
      const weight = noises === 1 ? 1 : (1 - ratio) * ratio ** z;
      follow(list, prob * weight, z, 1, 0, list);
    }
  }
  return law;

  function follow(list: string, prob: number, z: number, week: number, renewed: number, said: string): void {
    if (week === counts.length || renewed === world.renewals) {
      const rest = ".".repeat(counts.length - week).replace(/\./g, "|.");
      law.set(said + rest, (law.get(said + rest) ?? 0) + prob);
      return;
    }
    const q = wrongness(counts[week], list);
    const above = aboveChance(q, z);
    if (above > 0)
      for (const [next, chance] of lists(counts[week], world))
        follow(next, prob * above * chance, z, week + 1, renewed + 1, `${said}|${next}`);
    const kept = wrong.margin ? `|.${q}` : "|.";
    if (above < 1) follow(list, prob * (1 - above), z, week + 1, renewed, said + kept);
  }

  function aboveChance(q: number, z: number): number {
    const at = (noise: number) => Math.min(1, Math.exp(-(world.tolerance + noise - q) / world.query));
    if (!wrong.freshNoise) return at(z);
    let sum = 0;
    for (let noise = 0; noise < MOST_NOISE; noise++) sum += (1 - ratio) * ratio ** noise * at(noise);
    return sum;
  }
}

function summed(weeks: readonly (readonly number[])[]): number[] {
  return weeks[0].map((_, i) => weeks.reduce((sum, week) => sum + week[i], 0));
}

function wrongness(counts: readonly number[], list: string): number {
  const inside = new Set(list.split(",").map(Number));
  const [ins, outs] = [true, false].map((isIn) => counts.filter((_, i) => inside.has(i) === isIn));
  return Math.max(...outs) - Math.min(...ins);
}

/** e^((min inside − max outside)/2τ) over all sets of k. */
function lists(counts: readonly number[], { k, listScale }: RenewalWorld): Map<string, number> {
  const sets = subsets(counts.length, k).map(String);
  const weights = sets.map((set) => Math.exp(-wrongness(counts, set) / (2 * listScale)));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return new Map(sets.map((set, i) => [set, weights[i] / total]));
}

function subsets(n: number, k: number, from = 0): number[][] {
  if (k === 0) return [[]];
  const all: number[][] = [];
  for (let i = from; i <= n - k; i++) for (const rest of subsets(n, k - 1, i + 1)) all.push([i, ...rest]);
  return all;
}

/** The largest |ln p/p′| over transcripts, and the transcript. */
export function largestRatio(one: Transcripts, other: Transcripts): number {
  let largest = 0;
  for (const key of new Set([...one.keys(), ...other.keys()])) {
    const [p, q] = [one.get(key) ?? 0, other.get(key) ?? 0];
    if (p === 0 && q === 0) continue;
    largest = Math.max(largest, Math.abs(Math.log(p / q)));
  }
  return largest;
}
