/**
 * The parameters of the mechanisms by name, as text from the command line, and which of them each mechanism takes.
 * The library refuses invalid values. An option that a mechanism doesn't take is refused here, because anyone who
 * compares frequencies with a distribution must know that Winnow sampled the one they asked for. A default from
 * the configuration is dropped instead.
 * @module
 */

import {
  type Base2Parameter,
  eta,
  type NoisyMaxNoise,
  type Rational,
  rational,
  type ThresholdRule,
  WinnowError,
} from "winnow-dp";
import { Refusal } from "winnow-release";
import { optionName } from "../command-options.js";
import type { SimulatedName } from "./mechanisms.js";

export interface Parameters {
  readonly k?: number;
  readonly maxK?: number;
  readonly epsilon?: string;
  readonly rho?: string;
  readonly scale?: string;
  readonly variance?: string;
  readonly eta?: string;
  readonly delta?: string;
  readonly noise?: NoisyMaxNoise["noise"];
  readonly method?: "one-shot" | "peel";
  readonly resolution?: string;
  /** Shares of values below, as typed. */
  readonly quantiles?: string;
  readonly maxCandidates?: number;
  readonly maxItemsPerUser?: number;
  readonly sensitivity?: string;
  readonly monotone?: boolean;
  readonly negate?: boolean;
  /** The ends of a public grid or of utilities, as typed. */
  readonly range?: string;
  readonly step?: string;
  readonly chooseScale?: string;
  readonly testVariance?: string;
  readonly roundsScale?: string;
  readonly thresholdRule?: ThresholdRule;
  readonly regulariser?: string;
  readonly penalty?: string;
  readonly gapCap?: number;
}

const THREE_INTEGERS = /^\s*(\d+)\s*,\s*(\d+)\s*,\s*(\d+)\s*$/;

/** η from "x,y,z": weights in powers of (x/2^y)^z. */
export function readEta(text: string): Base2Parameter {
  const [, ...integers] = THREE_INTEGERS.exec(text) ?? [];
  if (integers.length === 0) throw unreadable("eta", "three integers x,y,z", text);
  const [x, y, z] = integers.map(BigInt);
  return eta(x, y, z);
}

/** How much one individual can change a count, which is a whole number. */
export function readWholeSensitivity(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const sensitivity = Number(text);
  if (!Number.isSafeInteger(sensitivity) || sensitivity < 1)
    throw unreadable("sensitivity", "an integer >= 1, for counts", text);
  return sensitivity;
}

/** The scale of a noise that has no other size. */
export function readScale(text: string | undefined): Rational {
  if (text === undefined) throw new Refusal("usage", "The noise needs --scale.");
  const scale = rational(text, "scale");
  if (scale.compare(0n) <= 0) throw unreadable("scale", "a rational > 0", text);
  return scale;
}

function unreadable(field: string, expected: string, got: string): WinnowError {
  const sentence = `${field} must be ${expected}; got ${JSON.stringify(got)}`;
  return new WinnowError("invalid-parameter", sentence, { field, expected, got });
}

/** The terms r(1), r(2), … from "0,1/2,-3". */
export function readTerms(text: string | undefined): string[] | undefined {
  return text?.split(",").map((part) => part.trim());
}

type Name = keyof Parameters;

const SHARED: readonly Name[] = ["sensitivity", "monotone"];
const STABLE: readonly Name[] = [
  ...SHARED,
  ...(["maxK", "epsilon", "rho", "delta", "noise", "thresholdRule", "chooseScale", "testVariance"] as const),
];

const KNOWN: Readonly<Record<SimulatedName, readonly Name[]>> = {
  "permute-and-flip": [...SHARED, "epsilon", "scale", "negate"],
  "report-noisy-max": [...SHARED, "noise", "epsilon", "rho", "scale", "variance", "negate"],
  "base2-exponential": [...SHARED, "eta", "epsilon", "range", "negate"],
  "top-k": [...SHARED, "k", "noise", "epsilon", "rho", "scale", "method", "negate"],
  "top-k-with-gap": [...SHARED, "k", "epsilon", "scale", "resolution", "negate"],
  "limited-top-k": [
    ...SHARED,
    ...(["k", "epsilon", "rho", "scale", "delta", "noise", "resolution"] as const),
    ...(["maxCandidates", "maxItemsPerUser"] as const),
  ],
  "select-partitions": ["monotone", "epsilon", "rho", "delta", "maxItemsPerUser"],
  "largest-gap": [
    ...SHARED,
    ...(["maxK", "noise", "epsilon", "rho", "scale", "variance", "regulariser", "gapCap"] as const),
  ],
  quantiles: ["monotone", "quantiles", "epsilon", "rho", "scale"],
  "integer-partition": ["monotone", "epsilon", "eta", "maxItemsPerUser"],
  laplace: [...SHARED, "epsilon", "scale", "maxItemsPerUser"],
  geometric: ["scale"],
  "clamped-laplace": ["sensitivity", "eta", "epsilon", "range", "step"],
  "propose-test-release": [
    ...SHARED,
    ...(["k", "epsilon", "rho", "scale", "variance", "delta", "thresholdRule"] as const),
  ],
  "stable-top-k": [...STABLE, "regulariser"],
  "stable-top-k-fixed": [...STABLE, "k", "roundsScale", "penalty", "gapCap"],
};

/** The options that determine the noise: one of them on the command line overrides the defaults of the others. */
const SIZES: ReadonlySet<string> = new Set<Name>([
  ...(["epsilon", "rho", "scale", "variance", "eta"] as const),
  ...(["chooseScale", "testVariance", "roundsScale"] as const),
]);

/** The parameters without defaults that don't apply; options from the command line must apply to the mechanism. */
export function knownParameters(
  mechanism: SimulatedName,
  given: Parameters,
  defaults: readonly string[] = [],
): Parameters {
  const isTyped = (name: string) => !defaults.includes(name);
  const known: readonly string[] = KNOWN[mechanism];
  const names = Object.keys(given) as Name[];
  const idle = names.find((name) => isTyped(name) && !known.includes(name));
  if (idle !== undefined) throw meansNothing(idle, mechanism);
  const hasTypedSize = names.some((name) => isTyped(name) && SIZES.has(name));
  const kept = names.filter(
    (name) => known.includes(name) && (isTyped(name) || !(hasTypedSize && SIZES.has(name))),
  );
  return Object.fromEntries(kept.map((name) => [name, given[name]]));
}

function meansNothing(name: Name, mechanism: SimulatedName): Refusal {
  const known = KNOWN[mechanism].map(optionName).sort();
  return new Refusal(
    "usage",
    `${optionName(name)} doesn't apply to ${mechanism}, which takes ${known.join(", ")}.`,
  );
}
