/**
 * Promises on instances that are too large for an exact law, checked by runs. Beside each is the same mechanism with a
 * fault that real programs have; the same check with the same number of runs must find it.
 * @module
 */
import {
  base2Exponential,
  type Entropy,
  eta,
  makeNoisyTopK,
  makeStableTopK,
  Rational,
  type RationalLike,
} from "winnow-dp";
import { roundSwapped } from "../attacks/base2-attacks.js";
import { auditByRuns, type RunsAudit } from "../statistics/audit-by-runs.js";

/**
 * How many runs to judge by, how sure to be, and with which bits.
 *
 * @inline
 */
export interface RunClaimOptions {
  /** How many runs on each of two inputs. */
  readonly runs: number;
  /** The share of all such checks whose statement is true. */
  readonly confidence: RationalLike;
  /** Where the fair bits come from. Default: the system's cryptographic generator. */
  readonly entropy?: Entropy | undefined;
}

/**
 * A promise on an instance that is too large for an exact law, and the same mechanism with a fault that the same check
 * must find.
 */
export interface RunClaim {
  /** The function of the library. */
  readonly mechanism: string;
  /** What it runs on. */
  readonly instance: string;
  /** The promised ε. */
  readonly epsilon: RationalLike;
  /** The promised δ. */
  readonly delta: RationalLike;
  /** The fault of the other one. */
  readonly fault: string;
  /** Audits Winnow's mechanism by runs. */
  ours(options: RunClaimOptions): RunsAudit;
  /** Audits the one with the fault. */
  faulty(options: RunClaimOptions): RunsAudit;
}

interface Subject {
  readonly mechanism: (input: readonly number[], entropy: Entropy) => string;
  readonly inputs: readonly [readonly number[], readonly number[]];
}

const K = 5;
const CANDIDATES = 200;

/** Ten leaders; the first five have one more with Alice. What matters is how many of them win. */
function noisyTop(scale: number): Subject {
  const measurement = makeNoisyTopK({ k: K, measure: "pure", scale, monotone: true, resolution: 1 });
  const counts = (leaders: number) =>
    Array.from({ length: CANDIDATES }, (_, index) =>
      index < K ? leaders : index < 2 * K ? 100 : index % 50,
    );
  return {
    inputs: [counts(100), counts(101)],
    mechanism: (scores, entropy) => {
      const { winners } = measurement.invoke(scores, entropy);
      return `${winners.filter(({ candidate }) => candidate < K).length} of the five`;
    },
  };
}

/** An unknown domain, and a place that only Alice has been to. */
function stableTop(delta: RationalLike): Subject {
  const choose = { noise: "gumbel", scale: 2 } as const;
  const measurement = makeStableTopK({ maxK: 3, monotone: true, choose, test: { variance: 2 }, delta });
  return {
    inputs: [
      [0, 0, 0],
      [0, 1, 0],
    ],
    mechanism: (histogram, entropy) => {
      const release = measurement.invoke(histogram, entropy);
      const isShown = release.released && release.candidates.some((index) => index === 1 && histogram[1] > 0);
      return isShown ? "shows Alice's place" : "does not";
    },
  };
}

const OUTCOMES = 9;

/** No one moves a utility by more than 0.002. */
function base2(round: (utility: number, entropy: Entropy) => number): Subject {
  const options = {
    eta: eta(1, 1, 1),
    lower: 0,
    upper: 2,
    maxCandidates: OUTCOMES,
    mode: "optimised",
  } as const;
  const utilities = (first: number) =>
    Array.from({ length: OUTCOMES }, (_, index) => (index === 0 ? first : 2 - first));
  return {
    inputs: [utilities(0.999), utilities(1.001)],
    mechanism: (input, entropy) => {
      const rounded = input.map((utility) => round(utility, entropy));
      return String(base2Exponential(rounded, (utility) => utility, { ...options, entropy }).candidate);
    },
  };
}

function claim(
  texts: Pick<RunClaim, "mechanism" | "instance" | "fault" | "epsilon"> & { readonly delta?: RationalLike },
  ours: () => Subject,
  faulty: () => Subject,
): RunClaim {
  const delta = texts.delta ?? Rational.ZERO;
  const audit = (subject: Subject, options: RunClaimOptions) =>
    auditByRuns({ ...subject, ...options, delta });
  return {
    ...texts,
    delta,
    ours: (options) => audit(ours(), options),
    faulty: (options) => audit(faulty(), options),
  };
}

/**
 * The promises that are checked by runs.
 *
 * @example
 * ```ts
 * import { runClaims } from "winnow-audit";
 * import { seededEntropy } from "winnow-dp/testing";
 *
 * const [claim] = runClaims();
 * claim.ours({ runs: 2000, confidence: "0.999", entropy: seededEntropy("runs") }).epsilon.compare(claim.epsilon) <= 0; // → true
 * ```
 */
export function runClaims(): readonly RunClaim[] {
  return [
    claim(
      {
        mechanism: "topKWithGap",
        instance: "200 candidates, k = 5",
        epsilon: 1,
        fault: "the scale forgets that there are k winners",
      },
      () => noisyTop(K),
      () => noisyTop(1),
    ),
    claim(
      {
        mechanism: "stableTopK",
        instance: "an unknown domain with a place of one person",
        epsilon: 2,
        delta: "1e-6",
        fault: "the threshold of the test is made for a δ of 1/4",
      },
      () => stableTop("1e-6"),
      () => stableTop("1/4"),
    ),
    claim(
      {
        mechanism: "base2Exponential",
        instance: "9 utilities on both sides of 1",
        epsilon: "1.3863",
        fault: "the rounding as printed in the paper",
      },
      () => base2((utility) => utility),
      () => base2(roundSwapped),
    ),
  ];
}
