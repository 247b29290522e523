/**
 * Laws on the integers gathered into bins, for χ² tests at any scale. Doubles and `Math.exp` are good enough here:
 * the tests look for errors of a percent.
 * @module
 */
import type { Law } from "../support/law.js";

/** Bins of a quarter of the scale, at least one integer each, up to seven scales; zero and the rest are bins too. */
export class Bins {
  readonly #width: number;

  constructor(scale: number) {
    this.#width = Math.max(1, Math.round(scale / 4));
  }

  /** The name of the bin of x. */
  readonly nameOf = (x: number | bigint): string => {
    const size = Number(x) < 0 ? -Number(x) : Number(x);
    const bin = Math.ceil(size / this.#width);
    return bin === 0 ? "0" : bin > 28 ? "far" : `${x < 0 ? "-" : ""}${bin}`;
  };

  /** The law of the bins, where P(from ≤ x ≤ to) is `mass(from, to)` for from ≥ 0, and the same for −x if signed. */
  lawOf({ mass, signed }: IntegerLaw): Law {
    const bins = Array.from({ length: 28 }, (_, bin) => [
      String(bin + 1),
      mass(bin * this.#width + 1, (bin + 1) * this.#width),
    ]);
    const mirrored = signed ? bins.map(([name, p]) => [`-${name}`, p]) : [];
    return Object.fromEntries([["0", mass(0, 0)], ...bins, ...mirrored]);
  }
}

export interface IntegerLaw {
  readonly mass: (from: number, to: number) => number;
  readonly signed: boolean;
}

export function geometricMass(rate: number): IntegerLaw {
  return { mass: (from, to) => Math.exp(-rate * from) * -Math.expm1(-rate * (to + 1 - from)), signed: false };
}

export function laplaceMass(scale: number): IntegerLaw {
  const { mass } = geometricMass(1 / scale);
  return { mass: (from, to) => mass(from, to) / (1 + Math.exp(-1 / scale)), signed: true };
}

export function gaussianMass(sigma: number): IntegerLaw {
  const sum = (from: number, to: number) => {
    let total = 0;
    for (let x = from; x <= to; x++) total += Math.exp((-x * x) / (2 * sigma * sigma));
    return total;
  };
  const all = 1 + 2 * sum(1, 10 * sigma + 10);
  return { mass: (from, to) => sum(from, to) / all, signed: true };
}
