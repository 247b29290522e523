/**
 * Figures of the stream, the measurement and its privacy map, and of what gaps are worth afterwards.
 * @module
 */
import { combineGaps, makeNoisyTopK, Rational, TopKStream } from "winnow-dp";
import { shuffle } from "winnow-dp/sample";
import { seededEntropy } from "winnow-dp/testing";
import { fromZero } from "../chart-frame.js";
import { lineChart, powersOfTen } from "../line-chart.js";

const SIZES = [1, 2, 5, 10, 20, 50];

/** Random bits for each candidate, as the stream goes on. */
export function topKStreamFigure(): string {
  const lengths = [100, 1000, 10_000, 100_000];
  const series = [10, 100].map((k) => ({
    name: `k = ${k}`,
    points: lengths.map((n) => {
      const entropy = seededEntropy(`stream ${k} ${n}`);
      const scores = shuffle(
        Float64Array.from({ length: n }, (_, i) => Math.floor((15 * n) / (i + 1))),
        entropy,
      );
      const before = entropy.bitsUsed;
      const stream = new TopKStream({ k: Math.min(k, n), epsilon: 1, monotone: true, entropy });
      for (const [i, score] of scores.entries()) stream.push(i, score);
      stream.finish();
      return { mean: (entropy.bitsUsed - before) / n, deviation: 0 };
    }),
  }));
  const text = { title: "Random bits drawn for each candidate of a stream", x: "candidates", y: "bits" };
  const axis = powersOfTen(series.flatMap(({ points }) => points.map(({ mean }) => mean)));
  return lineChart(
    text,
    lengths.map((n) => n.toLocaleString("en")),
    series,
    axis,
  );
}

/** The privacy map at one scale. */
export function noisyTopKFigure(): string {
  const series = [
    { name: "pure ε, monotone", measure: "pure", monotone: true },
    { name: "pure ε", measure: "pure", monotone: false },
    { name: "ρ by Gumbel noise, monotone", measure: "zcdp", monotone: true },
  ].map(({ name, measure, monotone }) => ({
    name,
    points: SIZES.map((k) => {
      const loss = makeNoisyTopK({
        k,
        measure: measure as "pure" | "zcdp",
        scale: 20,
        monotone,
        negate: false,
      }).map(1);
      const size = loss.measure === "pure" ? loss.epsilon : loss.rho;
      return { mean: size instanceof Rational ? size.toNumber("up") : size, deviation: 0 };
    }),
  }));
  const axis = powersOfTen(series.flatMap(({ points }) => points.map(({ mean }) => mean)));
  const text = { title: "What k winners cost at noise of scale 20", x: "k", y: "loss" };
  return lineChart(text, SIZES.map(String), series, axis);
}

/** The error of an estimate with gaps, in units of that without. */
export function combineGapsFigure(): string {
  const series = [1, 4].map((ratio) => ({
    name: `selection noise ${ratio} × as variable`,
    points: SIZES.map((k) => {
      const zeros = new Array<number>(k).fill(0);
      const { relativeVariance } = combineGaps(zeros, zeros, { varianceRatio: ratio });
      return { mean: Math.sqrt(relativeVariance.toNumber("up")), deviation: 0 };
    }),
  }));
  const text = {
    title: "Error of a winner's count, with gaps against without",
    x: "k",
    y: "ratio of standard errors",
  };
  return lineChart(text, SIZES.map(String), series, fromZero([1]));
}
