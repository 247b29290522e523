/**
 * The list of attacks. Each breaks textbook code and fails on Winnow's.
 * @module
 */
import type { Attack } from "./attack.js";
import { rejectionTiming, swappedRounding } from "./base2-attacks.js";
import { failingQuery } from "./failing-query.js";
import { inverseTransform, lowOrderBits, nonIdenticalSupports } from "./float-noise.js";
import { leakingShuffleAttack, setByCount, tiesByIndex } from "./leaking-order.js";
import { loggedTrials } from "./logged-trials.js";
import {
  truncatedAddition,
  truncatedAdditionInBase2,
  zeroRounding,
  zeroRoundingInBase2,
} from "./lost-weights.js";
import { roundingTooFine } from "./rounded-noise.js";
import { answersWithoutLimit, noiseWithoutCount, queriesWithoutNoise } from "./sparse-vector.js";
import { boundedNoise, roundedQueries } from "./sparse-vector-floats.js";
import { bareThreshold, deltaInPerCent, itemsWithoutLimit, unknownDomain } from "./unknown-domain.js";

/**
 * All of them, those on floating point first.
 *
 * @example
 * ```ts
 * import { attacks } from "winnow-audit";
 * import { seededEntropy } from "winnow-dp/testing";
 *
 * const { textbook, ours } = attacks[0].run({ rounds: 200, entropy: seededEntropy("an attack") });
 * textbook.isBroken; // → true
 * ours.isBroken; // → false
 * ```
 */
export const attacks: readonly Attack[] = [
  zeroRounding,
  zeroRoundingInBase2,
  truncatedAddition,
  truncatedAdditionInBase2,
  lowOrderBits,
  nonIdenticalSupports,
  roundingTooFine,
  inverseTransform,
  roundedQueries,
  boundedNoise,
  leakingShuffleAttack,
  tiesByIndex,
  setByCount,
  unknownDomain,
  bareThreshold,
  failingQuery,
  deltaInPerCent,
  itemsWithoutLimit,
  queriesWithoutNoise,
  noiseWithoutCount,
  answersWithoutLimit,
  loggedTrials,
  swappedRounding,
  rejectionTiming,
];
