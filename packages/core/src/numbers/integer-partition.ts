/**
 * `integerPartition`: a private frequency list. How many people have the most frequent item, the next, and so on, without
 * names: a non-increasing list y is drawn with probability proportional to b^‖x − y‖₁ over **all** such lists, b = (x/2^y)^z
 * [BDB16]. No bound on the number of items, nothing is clamped, δ = 0.
 *
 * Guarantee: 2Δη in base 2, ε = 2Δ·z·ln(2^y/x), where Δ is the number of items of a person, and twice that where people are
 * replaced. Cost: about 4√n·t cells, t about 50/η: under a second for a million people at ε = 1. With small budgets the
 * table grows with 1/η², whatever the data, so those below ε = 1/20 for each item that an individual can move are refused,
 * and those above 1,000. Counts may be 2^52 together. Proof: integer-partition.proof.md.
 * @module
 */

import { type Base2Parameter, etaAtMost } from "../accounting/base2-parameter.js";
import { base2, type LossOf } from "../accounting/loss.js";
import type { LooseOptions, Spend } from "../accounting/spend.js";
import { anEntropy, type Entropy } from "../entropy.js";
import { invalidData, invalidParameter, type WinnowError } from "../errors.js";
import { Rational, type RationalLike, rational } from "../exact/rational.js";
import { exactlyOneOf, integer, oneOf, positiveRational, readOptions } from "../options.js";
import { heldStill, type Scores } from "../race/scores.js";
import { sortNumbers } from "../race/sort-numbers.js";
import { withEntropy } from "../system-entropy.js";
import { drawPartition } from "./partition-draw.js";
import { aParameter } from "./threshold-parameters.js";

/**
 * A budget (exactly one of `epsilon` and `eta`), and how one individual can change the list.
 *
 * @interface
 */
export type IntegerPartitionOptions = Spend<"epsilon" | "eta"> & {
  /** The most items that one individual has, if the data were bounded to that. Default 1. */
  readonly maxItemsPerUser?: number | undefined;
  /** Whether one individual is added or removed, or replaced by another. Default "add-remove". */
  readonly neighbours?: "add-remove" | "replace" | undefined;
  /** Where the fair bits come from. Default: the system's cryptographic generator. */
  readonly entropy?: Entropy | undefined;
};

/** A private frequency list, and what it cost. */
export interface IntegerPartition {
  /** How many people the most frequent item has, the next, …; without zeros. */
  readonly frequencies: readonly number[];
  /** The loss. */
  readonly privacy: LossOf<Rational>["base2"];
}

type Loose = LooseOptions<IntegerPartitionOptions>;

const OPTIONAL = {
  epsilon: positiveRational,
  eta: aParameter,
  maxItemsPerUser: integer,
  neighbours: /* @__PURE__ */ oneOf("add-remove", "replace"),
  entropy: anEntropy,
};

/**
 * How many people have the most frequent item, the next, and so on, without names and without any bound.
 *
 * See docs/mechanisms/integer-partition.md.
 *
 * @param counts How many people have each item, in any order; zeros count for nothing.
 * @param options The budget, and how one individual can change the list.
 *
 * @example
 * ```ts
 * import { integerPartition } from "winnow-dp";
 *
 * const { frequencies } = integerPartition([5000, 120, 7000], { epsilon: 2 });
 * Math.abs(frequencies[0] - 7000) < 50; // → true
 * ```
 */
export function integerPartition(counts: Scores, options: IntegerPartitionOptions): IntegerPartition {
  const read = readOptions(options as Loose, {}, OPTIONAL);
  const { epsilon, maxItemsPerUser = 1, neighbours } = read;
  exactlyOneOf({ epsilon, eta: read.eta });
  const distance = BigInt(maxItemsPerUser) * (neighbours === "replace" ? 2n : 1n);
  const eta = etaOf(read, distance);
  const held = readCounts(counts);
  const frequencies = withEntropy(read.entropy, (bits) => drawPartition(held, baseOf(eta), bits));
  return { frequencies, privacy: base2(eta.eta.times(2n * distance)) };
}

function baseOf({ x, y, z }: Base2Parameter): Rational {
  return Rational.of(x ** z, 1n << (y * z));
}

/** The parameter that is given or that an ε buys, within the limits. */
function etaOf({ epsilon, eta }: Loose, distance: bigint): Base2Parameter {
  if (eta !== undefined) return usualEta(eta);
  return etaAtMost(usualEpsilon(rational(epsilon as RationalLike), distance), { sensitivity: distance });
}

/** ε for each item by which one individual can move the list; below, the table takes too long. */
const LEAST_EPSILON = /* @__PURE__ */ Rational.of(1n, 20n);
/** The same above which no one is protected, and powers of the base have too many digits. */
const LARGEST_EPSILON = 1000n;

function usualEpsilon(epsilon: Rational, distance: bigint): Rational {
  const least = LEAST_EPSILON.times(distance);
  const why =
    "(1/20 for each item by which one individual can move the list, because the table grows with 1/ε²)";
  if (epsilon.compare(least) < 0) throw invalidParameter("epsilon", `a rational >= ${least} ${why}`, epsilon);
  const largest = LARGEST_EPSILON * distance;
  if (epsilon.compare(largest) > 0) throw invalidParameter("epsilon", `a rational <= ${largest}`, epsilon);
  return epsilon;
}

/** The η of ε = 1,000. */
const LARGEST_ETA = 722n;
/** The most digits of the base as a fraction: its powers are computed from it. */
const MOST_DIGITS = 65_536n;

function usualEta(eta: Base2Parameter): Base2Parameter {
  if (eta.eta.compare(LARGEST_ETA) > 0)
    throw invalidParameter("eta", `at most ${LARGEST_ETA}`, String(eta.eta));
  if (eta.y * eta.z > MOST_DIGITS)
    throw invalidParameter("eta", `a base of y·z <= ${MOST_DIGITS} binary digits`, String(eta.y * eta.z));
  const least = etaAtMost(LEAST_EPSILON);
  const written = ({ x, y, z }: Base2Parameter) => `eta(${x}, ${y}, ${z})`;
  if (baseOf(eta).compare(baseOf(least)) > 0)
    throw invalidParameter(
      "eta",
      `at least that of ${written(least)}, because the table grows with 1/η²`,
      written(eta),
    );
  return eta;
}

/** 2^52: sums of rows and the ends of windows stay exact. */
const LARGEST_TOTAL = 0x10_0000_0000_0000;

function readCounts(counts: Scores): Float64Array {
  const held = heldStill(counts, "counts", invalidCounts);
  const list = new Float64Array(held.length);
  let total = 0;
  for (let i = 0; i < held.length; i++) {
    const count = Number(held[i]);
    if (!Number.isSafeInteger(count) || count < 0) throw invalidCounts();
    total += count;
    if (total > LARGEST_TOTAL) throw invalidCounts();
    list[i] = count;
  }
  return sortNumbers(list).reverse();
}

function invalidCounts(): WinnowError {
  return invalidData("counts", "integers from 0 throughout, at most 2^52 together");
}
