/**
 * Scores to select from: the same ones in every run, in the shapes that make a selection easy or hard.
 * @module
 */
import type { Entropy } from "winnow-dp";
import { shuffle } from "winnow-dp/sample";
import { seededEntropy } from "winnow-dp/testing";
import { uniform53 } from "./rivals/uniform.js";

/** Makes n scores. */
export type Shape = (n: number) => Float64Array;

/** Zipf's law, as item counts tend to follow it: the candidate of rank r scores 15n/r. Shuffled. */
export function zipf(n: number): Float64Array {
  return shuffle(zipfDescending(n), seededEntropy(`zipf ${n}`));
}

export function zipfDescending(n: number): Float64Array {
  return Float64Array.from({ length: n }, (_, i) => Math.round((15 * n) / (i + 1)));
}

export function zipfAscending(n: number): Float64Array {
  return zipfDescending(n).reverse();
}

/** The other shapes, by name. */
export const OTHER_SHAPES: Readonly<Record<string, Shape>> = {
  "all equal": (n) => new Float64Array(n).fill(1000),
  "two levels": (n) => random(n, "two levels", (u) => (u < 0.5 ? 0 : 100)),
  uniform: (n) => random(n, "uniform", (u) => Math.floor(u * 1e6)),
  geometric: (n) => random(n, "geometric", (u) => Math.floor(-20 * Math.log1p(-u))),
  "one giant": (n) => random(n, "one giant", (u) => Math.floor(u * 10)).fill(1e9, n >>> 1, (n >>> 1) + 1),
  ascending: (n) => Float64Array.from({ length: n }, (_, i) => i),
  descending: (n) => Float64Array.from({ length: n }, (_, i) => n - i),
  negative: (n) => zipf(n).map((score) => -score),
};

/** n scores, each a function of its own uniform number. */
function random(n: number, seed: string, score: (u: number) => number): Float64Array {
  const entropy: Entropy = seededEntropy(`${seed} ${n}`);
  return Float64Array.from({ length: n }, () => score(uniform53(entropy)));
}
