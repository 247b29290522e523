import { Rational } from "winnow-dp";

/** A thousandth above what any engine gives for the logarithm, to three decimals. Numbers are public, so rounding reveals nothing. */
export function lnAtLeast(value: number): Rational {
  return roundedLn(Math.log(value));
}

/** A thousandth above the logarithm of the number of sets of k among n. */
export function lnOfSetsAtLeast(n: number, k: number): Rational {
  const few = Math.min(k, n - k);
  let sum = 0;
  for (let i = 1; i <= few; i++) sum += Math.log((n - few + i) / i);
  return roundedLn(sum);
}

function roundedLn(ln: number): Rational {
  return Rational.ofNumbers(Math.ceil(ln * 1000) + 1, 1000);
}
