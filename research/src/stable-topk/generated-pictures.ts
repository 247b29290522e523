/**
 * Pictures with 40 labels, generated: a stand-in for the faces of [ZW22, Table 2], which are not to be had. Labels are drawn first, some
 * rare and some frequent, about nine of forty set, and in groups that tend to be set together. A picture's features are the sum of a
 * direction for each label that is set, and noise; then some labels are written down wrong, as annotators do.
 * @module
 */
import { seededEntropy } from "winnow-dp/testing";
import type { Examples } from "./logistic-regression.js";

export const LABELS = 40;
const FEATURES = 64;
/** How strong the noise is beside a label's direction, and how often a label is written down wrong. */
const [NOISE, WRONG] = [0.12, 0.06];
/** Labels of a group share a coin. */
const GROUPS = 8;

export interface Pictures {
  readonly examples: Examples;
  /** 0 or 1 for each label of each picture, as annotated. */
  readonly truth: Uint8Array;
}

/** `count` pictures; all that are made with one `world` have the same directions. */
export function generatePictures(count: number, seed: string, world = "a world of pictures"): Pictures {
  const directions = directionsOf(new Normal(world));
  const random = new Normal(seed);
  const features = new Float64Array(count * FEATURES);
  const truth = new Uint8Array(count * LABELS);
  for (let i = 0; i < count; i++) {
    const moods = Array.from({ length: GROUPS }, () => random.uniform());
    for (let j = 0; j < FEATURES; j++) features[i * FEATURES + j] = NOISE * random.normal();
    for (let label = 0; label < LABELS; label++) {
      const rate = 0.05 + (0.35 * (label % 10)) / 9;
      const mood = moods[label % GROUPS] < rate ? 0.9 : (0.1 * rate) / (1 - rate); // the mean stays the rate
      const isSet = random.uniform() < mood;
      if (isSet)
        for (let j = 0; j < FEATURES; j++) features[i * FEATURES + j] += directions[label * FEATURES + j];
      truth[i * LABELS + label] = Number(isSet !== random.uniform() < WRONG);
    }
  }
  return { examples: { features, width: FEATURES, length: count }, truth };
}

/** A direction of length about 1 for each label. */
function directionsOf(random: Normal): Float64Array {
  return Float64Array.from({ length: LABELS * FEATURES }, () => random.normal() / Math.sqrt(FEATURES));
}

/** Doubles from seeded bits. */
class Normal {
  readonly #bits;

  constructor(seed: string) {
    this.#bits = seededEntropy(seed);
  }

  uniform(): number {
    return (this.#bits.bits(32) + 0.5) / 2 ** 32;
  }

  normal(): number {
    return Math.sqrt(-2 * Math.log(this.uniform())) * Math.cos(2 * Math.PI * this.uniform());
  }
}
