/**
 * Top Stable (TS), the baseline of [ZW22]: sparse vector with Laplace noise over the gaps after k̄, k̄ − 1, …, 1 candidates; the first
 * noisy gap above a noisy threshold T ends it, and the set of that many candidates is released. Its law is computed, not simulated: given
 * the noise of the threshold the tests are independent, and one integral is left. For comparison only, in doubles.
 *
 * (ε₁ + ε₂, δ)-DP for one person more or less with scales 1/ε₁ and 2/ε₂, where δ is the probability that one of k̄ tests at distance 0
 * passes. That is exactly tight, so the least T for it is below the published one, which bounds each test alone.
 * @module
 */

/** The noise of a run and what a noisy distance must exceed. */
export interface TopStable {
  readonly thresholdScale: number;
  readonly queryScale: number;
  readonly threshold: number;
}

/** The share of ε for the threshold in the published experiments. */
const SHARE = 0.37;
/** Nodes of the integral for each scale of noise, and how many scales it goes to either side. */
const [NODES, REACH] = [48, 45];

/** P(Laplace noise > x). */
function tail(x: number, scale: number): number {
  return x >= 0 ? Math.exp(-x / scale) / 2 : 1 - Math.exp(x / scale) / 2;
}

type Scales = Pick<TopStable, "thresholdScale" | "queryScale">;

export function scalesFor(epsilon: number, share = SHARE): Scales {
  return { thresholdScale: 1 / (share * epsilon), queryScale: 2 / ((1 - share) * epsilon) };
}

/** Visits the nodes of Simpson's rule over the threshold's noise, with their weights. */
function integrate(
  { thresholdScale, queryScale }: Scales,
  visit: (noise: number, weight: number) => void,
): void {
  const step = Math.min(thresholdScale, queryScale) / NODES;
  const half = Math.ceil((REACH * thresholdScale) / step / 2) * 2; // 0, where the density has its kink, is a node of the rule
  for (let i = -half; i <= half; i++) {
    const z = i * step;
    const isEnd = Math.abs(i) === half;
    const factor = isEnd ? 1 : i % 2 === 0 ? 2 : 4;
    visit(z, ((factor * step) / 3) * (Math.exp(-Math.abs(z) / thresholdScale) / (2 * thresholdScale)));
  }
}

/** P(the first test that passes is this one), in the order of the tests, and of none at the end. */
export function stopLaw(distances: readonly number[], { threshold, ...scales }: TopStable): number[] {
  const law = new Array<number>(distances.length + 1).fill(0);
  integrate(scales, (noise, weight) => {
    let left = weight;
    for (const [i, distance] of distances.entries()) {
      const passes = tail(threshold + noise - distance, scales.queryScale);
      law[i] += left * passes;
      left *= 1 - passes;
      if (left < 1e-300) return;
    }
    law[distances.length] += left;
  });
  return law;
}

/** The δ of `tests` tests. */
export function failureOf(tests: number, { threshold, ...scales }: TopStable): number {
  let delta = 0;
  integrate(scales, (noise, weight) => {
    delta -= weight * Math.expm1(tests * Math.log1p(-tail(threshold + noise, scales.queryScale)));
  });
  return delta;
}

/** The least T for this δ ("tight"), or the published one, which bounds each test alone and that loosely. */
export function thresholdFor(
  tests: number,
  delta: number,
  scales: Scales,
  rule: "tight" | "published",
): number {
  if (rule === "published") return scales.queryScale * Math.log(1 / publishedPart(tests, delta, scales));
  const isEnough = (threshold: number) => failureOf(tests, { ...scales, threshold }) <= delta;
  let [low, high] = [0, scales.queryScale];
  while (!isEnough(high)) high *= 2;
  for (let i = 0; i < 60; i++) {
    const middle = (low + high) / 2;
    if (isEnough(middle)) high = middle;
    else low = middle;
  }
  return high;
}

/** The largest δ_q with (2δ_q^c + δ_q − c(δ_q^c + 2δ_q))/(4(1 − c)) ≤ δ/k̄, c = 2ε₁/ε₂. */
function publishedPart(tests: number, delta: number, { thresholdScale, queryScale }: Scales): number {
  const c = queryScale / thresholdScale;
  const bound = (q: number) => (2 * q ** c + q - c * (q ** c + 2 * q)) / (4 * (1 - c));
  let [low, high] = [0, 1];
  for (let i = 0; i < 200; i++) {
    const middle = (low + high) / 2;
    if (bound(middle) <= delta / tests) low = middle;
    else high = middle;
  }
  return low;
}

/** The gaps after k, k − 1, …, 1 of counts that fall, less the 1 that a person can make of any gap. */
export function distancesOf(falling: ArrayLike<number>, k: number): number[] {
  return Array.from({ length: k }, (_, i) => {
    const [last, next] = [falling[k - 1 - i] ?? 0, falling[k - i] ?? 0];
    return Math.max(0, last - next - 1);
  });
}

/** The mean part of the true top k that is released, and how often nothing is. */
export function expectedRecall(
  falling: ArrayLike<number>,
  k: number,
  run: TopStable,
): { readonly recall: number; readonly none: number } {
  const law = stopLaw(distancesOf(falling, k), run);
  const recall = law.slice(0, k).reduce((sum, p, i) => sum + (p * (k - i)) / k, 0);
  return { recall, none: law[k] };
}

/** A run of TS for the top k within (ε, δ). */
export function topStable(
  k: number,
  epsilon: number,
  delta: number,
  rule: "tight" | "published" = "tight",
): TopStable {
  const scales = scalesFor(epsilon);
  return { ...scales, threshold: thresholdFor(k, delta, scales, rule) };
}
