/**
 * The probabilities of the exponential mechanism in base 2 with randomised rounding, in doubles: what the bounds of [Ilv20,
 * Lemma A.2] enclose. With W the sum of all rounded weights, 1/W = ∫ e^(−sW) ds over s > 0, and under the integral the
 * independent weights come apart:
 *
 *     P(o) = E[w_o/W] = ∫ E[w_o·e^(−s·w_o)] · ∏_{i ≠ o} E[e^(−s·w_i)] ds.
 * @module
 */

const RATE = Math.LN2;
/** Upper end of the integral, in units of one over the sum: the rest is below e^−50. */
const END = 50;
const PANELS = 2000;

/** What a utility is rounded to, as weights with their probabilities. */
interface RoundedWeight {
  readonly down: number;
  readonly up: number;
  /** The probability of rounding up: the fraction. */
  readonly fraction: number;
}

/** P(outcome) for each utility, to eight digits. */
export function roundedLaw(utilities: readonly number[]): number[] {
  const weights = utilities.map(roundedWeight);
  const mean = weights.reduce((sum, { down, up, fraction }) => sum + down + fraction * (up - down), 0);
  const step = END / mean / PANELS;
  const law = new Array<number>(utilities.length).fill(0);
  for (let node = 0; node <= PANELS; node++) {
    const s = node * step;
    const transforms = weights.map((weight) => transformOf(weight, s));
    const product = Math.exp(transforms.reduce((sum, { value }) => sum + Math.log(value), 0));
    const share = (simpson(node) * step * product) / 3;
    for (const [i, { value, slope }] of transforms.entries()) law[i] += (share * slope) / value;
  }
  return law;
}

function roundedWeight(utility: number): RoundedWeight {
  const floor = Math.floor(utility);
  return {
    down: Math.exp(-RATE * floor),
    up: Math.exp(-RATE * Math.ceil(utility)),
    fraction: utility - floor,
  };
}

/** E[e^(−sw)] and E[w·e^(−sw)]. */
function transformOf({ down, up, fraction }: RoundedWeight, s: number): { value: number; slope: number } {
  const [low, high] = [(1 - fraction) * Math.exp(-s * down), fraction * Math.exp(-s * up)];
  return { value: low + high, slope: low * down + high * up };
}

/** The factor of a node in Simpson's rule. */
function simpson(node: number): number {
  if (node === 0 || node === PANELS) return 1;
  return node % 2 === 1 ? 4 : 2;
}
