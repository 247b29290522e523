/**
 * The χ² distribution in doubles, for planning: the critical value of a significance, and the power against another
 * distribution. Twelve digits are plenty here, because nothing private is decided.
 * @module
 */

/** P(χ² > statistic), by the series of the lower incomplete gamma function. */
export function chiSquareTail(statistic: number, degrees: number): number {
  const [a, x] = [degrees / 2, statistic / 2];
  let term = 1 / a;
  let sum = term;
  for (let n = 1; term > sum * Number.EPSILON; n++) {
    term *= x / (a + n);
    sum += term;
  }
  return Math.max(0, 1 - sum * Math.exp(a * Math.log(x) - x - lnGammaOfHalf(degrees)));
}

/** ln Γ(twice/2), from Γ(1) = 1 and Γ(1/2) = √π. */
function lnGammaOfHalf(twice: number): number {
  let sum = twice % 2 === 0 ? 0 : Math.log(Math.PI) / 2;
  for (let a = twice / 2 - 1; a > 0; a--) sum += Math.log(a);
  return sum;
}

/** The statistic that is exceeded with this probability. */
export function criticalValue(degrees: number, significance: number): number {
  let [low, high] = [0, degrees + 200];
  for (let step = 0; step < 80; step++) {
    const middle = (low + high) / 2;
    if (chiSquareTail(middle, degrees) > significance) low = middle;
    else high = middle;
  }
  return high;
}

/** P(noncentral χ² > critical): a mixture of χ² with 2j more degrees, j from a Poisson distribution. */
export function powerOf(critical: number, degrees: number, noncentrality: number): number {
  const mean = noncentrality / 2;
  let weight = Math.exp(-mean);
  let power = 0;
  for (let j = 0, left = 1; left > 1e-9 && j < 5000; j++) {
    power += weight * chiSquareTail(critical, degrees + 2 * j);
    left -= weight;
    weight *= mean / (j + 1);
  }
  return power;
}
