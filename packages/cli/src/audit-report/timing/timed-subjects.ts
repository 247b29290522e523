/**
 * What is timed: the modes that promise constant work, a control that must be flagged, and the fast mode, which promises nothing.
 * Utilities are those of the published exploit: 256 outcomes of utility 1 have a total weight of 128, and one of utility 0
 * among them makes it 128.5, so that every second draw is rejected.
 * @module
 */
import { base2Exponential, type Entropy, eta, systemEntropy } from "winnow-dp";
import { fixedPrecisionBase2 } from "winnow-dp/audit";
import type { TimedRun } from "./measure-worlds.js";

export interface TimedSubject {
  readonly name: string;
  /** Whether a difference must not be seen, must be seen, or may be. */
  readonly expected: "same" | "different" | "not promised";
  readonly prepare: () => TimedRun;
}

const HALF = eta(1, 1, 1);

/**
 * Utilities without the person and with them, in memory of one kind: an engine reads a list of small integers faster than one
 * of fractions, which is the time of the caller's list and not that of the mechanism.
 */
type Worlds = readonly [Float64Array, Float64Array];

/** All alike, or one outcome better than the others. */
function rejectionWorlds(outcomes: number): Worlds {
  const alike = Float64Array.from({ length: outcomes }, () => 1);
  return [alike, alike.map((utility, index) => (index === 0 ? 0 : utility))];
}

/** Weight on few levels, or spread over all. */
function concentrationWorlds(outcomes: number, levels: number): Worlds {
  const spread = Float64Array.from({ length: outcomes }, (_, index) => index % levels);
  return [spread.map(() => 0), spread];
}

/** Integers, or fractions that have to be rounded. */
function roundingWorlds(outcomes: number): Worlds {
  const integers = Float64Array.from({ length: outcomes }, () => 1);
  return [integers, integers.map((utility) => utility + 0.5)];
}

function base2Run(worlds: Worlds, mode: "constant-work" | "optimised"): TimedRun {
  const entropy: Entropy = systemEntropy();
  const utilityMax = Math.ceil(Math.max(...worlds[0], ...worlds[1]));
  const options = { eta: HALF, utilityMin: 0, utilityMax, maxOutcomes: worlds[0].length, mode, entropy };
  return (world) => {
    base2Exponential(worlds[world], (utility) => utility, options);
  };
}

export const TIMED_SUBJECTS: readonly TimedSubject[] = [
  {
    name: "base2Exponential, constant work: totals 128 and 128.5",
    expected: "same",
    prepare: () => base2Run(rejectionWorlds(256), "constant-work"),
  },
  {
    name: "base2Exponential, constant work: weight on one level or on eight",
    expected: "same",
    prepare: () => base2Run(concentrationWorlds(256, 8), "constant-work"),
  },
  {
    name: "base2Exponential, constant work: integers or fractions",
    expected: "same",
    prepare: () => base2Run(roundingWorlds(256), "constant-work"),
  },
  {
    name: "control: the published sampler without a minimum of retries",
    expected: "different",
    prepare: () => {
      const worlds = rejectionWorlds(16).map((utilities) => [...utilities]);
      const options = { eta: HALF, precision: 128, minRetries: 1, entropy: systemEntropy() };
      return (world) => {
        fixedPrecisionBase2(worlds[world], options);
      };
    },
  },
  {
    name: "base2Exponential, optimised: weight on one level or on eight",
    expected: "not promised",
    prepare: () => base2Run(concentrationWorlds(256, 8), "optimised"),
  },
];
