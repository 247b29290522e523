/**
 * The smooth sensitivity of the top k as a 0/1 vector [NRS07], which [ZW22, §3.2] says can be computed and can't be used.
 *
 * Let h fall, and let d_j = h_(k−j+1) − h_(k+j) be how far the j last members are above the j first others. A person changes
 * each count by at most 1, all in one direction, so it takes at least d_j − 1 people to come to a histogram in which one
 * more can exchange j members, and that moves the vector by √(2j). So
 *
 *   S_β(h) = max over j of √(2j)·e^(−β·max(0, d_j − 1))
 *
 * is an upper bound on the sensitivity at every histogram that is smooth: it changes by a factor of e^β at most from one
 * neighbour to the next. Laplace noise of scale S·2/ε in each of m coordinates needs β = ε/(4(m + ln(2/δ))): the gap must
 * grow with the number m of candidates until the noise is below 1/2. A stability test needs no such thing, because it
 * releases the vector without noise. In doubles, for comparison only.
 * @module
 */

/** max over j of √(2j)·e^(−β·max(0, d_j − 1)), for counts that fall. */
export function smoothSensitivity(falling: ArrayLike<number>, k: number, beta: number): number {
  let largest = 0;
  for (let j = 1; j <= Math.min(k, falling.length - k); j++) {
    const distance = falling[k - j] - falling[k + j - 1];
    largest = Math.max(largest, Math.sqrt(2 * j) * Math.exp(-beta * Math.max(0, distance - 1)));
  }
  return largest;
}

/** The smoothness that Laplace noise in this number of coordinates needs [NRS07, Lemma 2.9]. */
export function smoothnessFor(coordinates: number, epsilon: number, delta: number): number {
  return epsilon / (4 * (coordinates + Math.log(2 / delta)));
}

/** The least gap of a histogram with two levels at which noise is below 1/2 in all coordinates except with probability δ/2. */
export function smoothGap({
  k,
  candidates,
  rho,
  delta,
}: {
  readonly k: number;
  readonly candidates: number;
  readonly rho: string;
  readonly delta: string;
}): number {
  const [epsilon, half] = [Math.sqrt(2 * Number(rho)), Number(delta) / 2];
  const beta = smoothnessFor(candidates, epsilon, half);
  // P(|Laplace(b)| ≥ 1/2) = e^(−1/(2b)) for each of m coordinates: b ≤ 1/(2·ln(m/half)), and b = S·2/ε.
  const sensitivity = epsilon / (4 * Math.log(candidates / half));
  const swapped = Math.min(k, candidates - k);
  return Math.max(1, Math.ceil(1 + Math.log(Math.sqrt(2 * swapped) / sensitivity) / beta));
}
