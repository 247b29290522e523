/**
 * The parameters of the mechanisms by name, as text from the command line: each mechanism takes those that it knows and the
 * library refuses what cannot be meant.
 * @module
 */
import { type Base2Parameter, eta, type NoisyMaxNoise, type ThresholdRule, WinnowError } from "winnow-dp";

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
  readonly sensitivity?: string;
  readonly monotone?: boolean;
  readonly negate?: boolean;
  readonly utilityMin?: number;
  readonly utilityMax?: number;
  readonly chooseScale?: string;
  readonly testVariance?: string;
  readonly roundsScale?: string;
  readonly threshold?: ThresholdRule;
  readonly regulariser?: string;
  readonly penalty?: string;
  readonly cap?: number;
}

const THREE_INTEGERS = /^\s*(\d+)\s*,\s*(\d+)\s*,\s*(\d+)\s*$/;

/** η from "x,y,z": weights in powers of (x/2^y)^z. */
export function readEta(text: string): Base2Parameter {
  const [, ...integers] = THREE_INTEGERS.exec(text) ?? [];
  if (integers.length === 0) throw unreadable("eta", "three integers x,y,z", text);
  const [x, y, z] = integers.map(BigInt);
  return eta(x, y, z);
}

/** How much one individual changes a count: counts move by whole numbers. */
export function readWholeSensitivity(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const sensitivity = Number(text);
  if (!Number.isSafeInteger(sensitivity) || sensitivity < 1)
    throw unreadable("sensitivity", "an integer >= 1, for counts", text);
  return sensitivity;
}

function unreadable(field: string, expected: string, got: string): WinnowError {
  const sentence = `${field} must be ${expected}; got ${JSON.stringify(got)}`;
  return new WinnowError("invalid-parameter", sentence, { field, expected, got });
}

/** The terms r(1), r(2), … from "0,1/2,-3". */
export function readTerms(text: string | undefined): string[] | undefined {
  return text?.split(",").map((part) => part.trim());
}
