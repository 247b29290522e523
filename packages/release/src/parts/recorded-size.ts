import { invalidParameter, type Rational, rational } from "winnow-dp";

/** A number among the parameters of a document, which someone else may have written: above 0, or with `least` 0 at least 0. */
export function recordedSize(
  parameters: Readonly<Record<string, string>>,
  field: string,
  least: 0n | 1n = 1n,
): Rational {
  const path = `release.mechanism.parameters.${field}`;
  const value = rational(parameters[field] ?? "none", path);
  if (value.numerator < least) throw invalidParameter(path, `a rational ${least === 0n ? ">=" : ">"} 0`);
  return value;
}
