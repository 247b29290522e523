/**
 * Logistic regression for many labels at once, by stochastic gradient descent: a weight for each feature and label, and one for each
 * label's own. The average of all steps' weights is kept, which needs no tuning of the rate. For experiments only, in doubles.
 * @module
 */

/** Features of all examples, one example after the other. */
export interface Examples {
  readonly features: Float64Array;
  /** How many features an example has. */
  readonly width: number;
  readonly length: number;
}

/** A label is set if the sum of its weights times the features, and its own weight at the end, is above 0. */
export interface LabelModel {
  readonly weights: Float64Array;
  readonly width: number;
  readonly labels: number;
}

/** The examples from `first` up to `end`, without copying. */
export function someOf({ features, width }: Examples, first: number, end: number): Examples {
  return { features: features.subarray(first * width, end * width), width, length: end - first };
}

/** Learns labels, 0 or 1, which stand as the features do: those of one example after those of the one before. */
export function learn(examples: Examples, truth: Uint8Array, epochs: number): LabelModel {
  const { features, width, length } = examples;
  const labels = truth.length / length;
  const size = width + 1;
  const [weights, sums] = [new Float64Array(labels * size), new Float64Array(labels * size)];
  let steps = 0;
  for (let epoch = 0; epoch < epochs; epoch++)
    for (let i = 0; i < length; i++) {
      const rate = 1 / (4 + Math.sqrt(++steps));
      for (let label = 0; label < labels; label++) {
        const at = label * size;
        const margin = marginOf(weights, at, features, i * width, width);
        const step = rate * (truth[i * labels + label] - 1 / (1 + Math.exp(-margin)));
        for (let j = 0; j < width; j++) weights[at + j] += step * features[i * width + j];
        weights[at + width] += step;
      }
      // The first epoch finds the place; averages of it would only remember the way.
      if (epoch > 0 || epochs === 1) for (let j = 0; j < weights.length; j++) sums[j] += weights[j];
    }
  return { weights: sums, width, labels };
}

/** What the model says of one example: 0 or 1 for each label. */
export function predict(
  { weights, width, labels }: LabelModel,
  { features }: Examples,
  i: number,
): Uint8Array {
  return Uint8Array.from({ length: labels }, (_, label) =>
    Number(marginOf(weights, label * (width + 1), features, i * width, width) > 0),
  );
}

/** The part of all labels that the model gets right. */
export function accuracyOf(model: LabelModel, examples: Examples, truth: Uint8Array): number {
  let right = 0;
  for (let i = 0; i < examples.length; i++) {
    const said = predict(model, examples, i);
    for (let label = 0; label < model.labels; label++)
      right += Number(said[label] === truth[i * model.labels + label]);
  }
  return right / truth.length;
}

function marginOf(
  weights: Float64Array,
  at: number,
  features: Float64Array,
  from: number,
  width: number,
): number {
  let margin = weights[at + width];
  for (let j = 0; j < width; j++) margin += weights[at + j] * features[from + j];
  return margin;
}
