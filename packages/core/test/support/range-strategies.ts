/**
 * Adversaries against rounds of bounded range, in doubles: what they win is a lower bound of δ, up to the rounding of doubles.
 * And the recursion of profile/bounded-range.ts with one of its precautions taken away, which is none.
 * @module
 */

/** P(loss t) of the two-point law with losses t and t − η. */
export function upperShare(t: number, range: number): number {
  return Math.expm1(t - range) / Math.expm1(-range);
}

/**
 * The most that an adversary wins who picks t from the multiples of η/M and may stop after any round, when j rounds are counted
 * as `counted(j)`: sup of Σ(P − e^counted Q)₊.
 */
export function bestStrategy(
  range: number,
  rounds: number,
  grid: number,
  counted: (used: number) => number,
): number {
  const h = range / grid;
  const reach = rounds * grid;
  const stopped = (used: number, n: number) => Math.max(0, -Math.expm1(counted(used) - n * h));
  const shares = Array.from({ length: grid + 1 }, (_, m) => upperShare(m * h, range));
  let values = Array.from({ length: 2 * reach + 1 }, (_, i) => stopped(rounds, i - reach));
  for (let used = rounds - 1; used >= 0; used--) {
    const next = values;
    values = next.map((_, i) => {
      const n = i - reach;
      if (Math.abs(n) > used * grid) return 0;
      let best = used === 0 ? 0 : stopped(used, n);
      for (let m = 0; m <= grid; m++)
        best = Math.max(best, shares[m] * next[i + m] + (1 - shares[m]) * next[i + m - grid]);
      return best;
    });
  }
  return values[reach];
}

/** The most that an adversary wins who picks t from M multiples of the range of each round, in the order of the rounds. */
export function bestOfRanges(epsilon: number, ranges: readonly number[], grid: number): number {
  const value = (round: number, loss: number): number => {
    const range = ranges[round];
    if (range === undefined) return Math.max(0, -Math.expm1(epsilon - loss));
    let best = 0;
    const fine = round === ranges.length - 1 ? grid : Math.ceil(grid / 3);
    for (let m = 0; m <= fine; m++) {
      const t = (m * range) / fine;
      const p = upperShare(t, range);
      best = Math.max(best, p * value(round + 1, loss + t) + (1 - p) * value(round + 1, loss + t - range));
    }
    return best;
  };
  return value(0, 0);
}

/** The most that an adversary wins whose queries are exponential mechanisms over so many candidates. */
export function bestOfCandidates(epsilon: number, range: number, rounds: number, candidates: number): number {
  const choices = Array.from({ length: candidates - 1 }, (_, i) => {
    const p = (i + 1) / candidates; // of those that stay
    return { p, t: range + Math.log1p(p * Math.expm1(-range)) };
  });
  const value = (left: number, loss: number): number => {
    if (left === 0) return Math.max(0, -Math.expm1(epsilon - loss));
    return Math.max(
      ...choices.map(
        ({ p, t }) => p * value(left - 1, loss + t) + (1 - p) * value(left - 1, loss + t - range),
      ),
    );
  };
  return value(rounds, 0);
}

/** The best strategy that plays the same t in every round, from its list of candidates [DDR20]. */
export function bestConstant(epsilon: number, range: number, rounds: number): number {
  const won = Array.from({ length: rounds + 1 }, (_, l) => {
    const t = Math.min(range, (epsilon + (l + 1) * range) / (rounds + 1));
    const p = upperShare(t, range);
    let [sum, weight] = [0, (1 - p) ** rounds];
    for (let i = 0; i <= rounds; i++) {
      sum += weight * Math.max(0, -Math.expm1(epsilon - rounds * t + (rounds - i) * range));
      weight *= ((rounds - i) / (i + 1)) * (p / (1 - p));
    }
    return sum;
  });
  return Math.max(...won.filter((value) => value <= 1));
}

/** The recursion without one precaution. */
export type Mistake = "no excess" | "V in s" | "window cleared" | "range rounded down";

export function mistakenDelta(
  epsilon: number,
  given: number,
  rounds: number,
  grid: number,
  mistake: Mistake,
): number {
  const range = mistake === "range rounded down" ? given * 0.99 : given;
  const h = range / grid;
  const zero = Math.floor(-epsilon / h);
  const spread = (n: number) => Math.min(n * grid, Math.ceil(4 * Math.sqrt(n) * grid) + 2 * grid);
  const isCleared = mistake === "window cleared";
  let stored = new Map<number, number>();
  const first = (n: number) => (n <= 0 ? 0 : -Math.expm1(-n * h));
  for (let round = 1; round <= rounds; round++) {
    const before = stored;
    const at = (n: number) => {
      if (round === 1) return first(n);
      return before.get(n) ?? (isCleared || n <= -(round - 1) * grid ? 0 : -Math.expm1(-n * h));
    };
    const between = (x: number) => {
      const n = Math.floor(x);
      return at(n) + (x - n) * (at(n + 1) - at(n));
    };
    const from = isCleared ? Math.max(-spread(round), zero - spread(rounds - round) - 1) : -round * grid;
    const to = isCleared ? Math.min(spread(round), zero + spread(rounds - round) + 2) : round * grid;
    stored = new Map();
    for (let i = from; i <= to; i++) {
      let best = 0;
      const parts = mistake === "V in s" ? 32 : 1;
      for (let m = 0; m <= grid * parts; m++) {
        const p = upperShare((m * h) / parts, range);
        best = Math.max(best, p * between(i + m / parts) + (1 - p) * between(i + m / parts - grid));
      }
      stored.set(i, best);
    }
  }
  const [low, high] = [stored.get(zero) ?? 0, stored.get(zero + 1) ?? 0];
  if (mistake === "V in s") return low + (-epsilon / h - zero) * (high - low);
  const [x, next] = [Math.exp(epsilon + zero * h), Math.exp(epsilon + (zero + 1) * h)];
  const share = (1 - x) / (next - x);
  return (1 - share) * x * low + share * next * high;
}
