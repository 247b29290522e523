/**
 * Which quantiles are asked for: shares of the values that lie below them.
 * @module
 */
import { invalidParameter, type RationalLike, rational } from "winnow-dp";

const MOST_QUANTILES = 1000;

/** The shares, rising, as canonical texts. */
export function readShares(given: readonly RationalLike[] | undefined): string[] {
  if (!Array.isArray(given) || given.length === 0)
    throw invalidParameter("quantiles", "a list of rationals from 0 to 1, such as 0.5,0.9", given ?? "none");
  if (given.length > MOST_QUANTILES)
    throw invalidParameter("quantiles", `a list of at most ${MOST_QUANTILES}`, given.length);
  const shares = given.map((each: RationalLike) => {
    const share = rational(each, "quantiles");
    if (share.compare(0n) < 0 || share.compare(1n) > 0)
      throw invalidParameter("quantiles", "from 0 to 1", each);
    return share;
  });
  shares.sort((a, b) => a.compare(b));
  const repeated = shares.find((share, i) => i > 0 && share.equals(shares[i - 1]));
  if (repeated !== undefined)
    throw invalidParameter("quantiles", "a list with every quantile once", String(repeated));
  return shares.map(String);
}
