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

/** η from "x,y,z": weights in powers of (x/2^y)^z. */
export function readEta(text: string): Base2Parameter {
  const [x, y, z, ...more] = text.split(",").map((part) => Number(part.trim()));
  if (z === undefined || more.length > 0)
    throw new WinnowError(
      "invalid-parameter",
      `"eta" expected three integers x,y,z, got ${JSON.stringify(text)}`,
      {
        field: "eta",
      },
    );
  return eta(x, y, z);
}

/** The terms r(1), r(2), … from "0,1/2,-3". */
export function readTerms(text: string | undefined): string[] | undefined {
  return text?.split(",").map((part) => part.trim());
}
