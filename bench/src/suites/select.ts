/**
 * Top-k selection: what a scan without any noise costs beside the float mechanisms, which is the room that an
 * exact mechanism has.
 * @module
 */
import { systemEntropy } from "winnow-dp";
import { type Contender, contender } from "../race.js";
import { floatGumbelTopK } from "../rivals/float-gumbel-top-k.js";
import { FloatTopKStream } from "../rivals/float-top-k-stream.js";
import { coarseFloatTopKWithGap, floatTopKWithGap } from "../rivals/float-top-k-with-gap.js";
import { scanTopK } from "../rivals/scan-top-k.js";
import { OTHER_SHAPES, type Shape, zipf, zipfAscending, zipfDescending } from "../shapes.js";
import type { Suite, Work } from "../suite.js";

const RESOLUTION = 0.1;
/** As many items as the click stream has that noisy top-k is usually measured on. */
const ITEMS = 41_270;

export const select: Suite = {
  name: "select",
  works: [
    ...[25, 800].flatMap((k) => [
      work("Zipf shuffled", zipf, ITEMS, k, [floatGap, coarseFloatGap, floatStream, floatGumbel]),
      work("Zipf ascending", zipfAscending, ITEMS, k, [floatGap]),
      work("Zipf descending", zipfDescending, ITEMS, k, [floatGap]),
    ]),
    ...[1e3, 1e4, 1e5, 1e6, 1e7].map((n) => work("Zipf shuffled", zipf, n, 100, [floatGap])),
    ...Object.entries(OTHER_SHAPES).map(([name, shape]) => work(name, shape, 1e6, 100, [floatGap])),
  ],
};

type Rival = (scores: Float64Array, k: number) => Contender;

function work(shapeName: string, shape: Shape, n: number, k: number, rivals: readonly Rival[]): Work {
  return {
    name: `scan, ${shapeName}, n = ${n.toLocaleString("en")}, k = ${k}`,
    prepare() {
      const scores = shape(n);
      return {
        unit: "candidate",
        operations: n,
        subject: scan(scores, k),
        rivals: rivals.map((rival) => rival(scores, k)),
      };
    },
  };
}

function scan(scores: Float64Array, k: number): Contender {
  return contender(
    "scan",
    () => scanTopK(scores, k),
    (indices) => isSelection(indices, k, scores) && isTop(indices, scores),
  );
}

function floatGap(scores: Float64Array, k: number): Contender {
  const entropy = systemEntropy();
  return contender(
    "float top-k with gap, 53 bits",
    () => floatTopKWithGap(scores, k, noiseScale(k), RESOLUTION, entropy),
    ({ indices }) => isSelection(indices, k, scores),
  );
}

function coarseFloatGap(scores: Float64Array, k: number): Contender {
  const entropy = systemEntropy();
  return contender(
    "float top-k with gap, 32 bits",
    () => coarseFloatTopKWithGap(scores, k, noiseScale(k), RESOLUTION, entropy),
    ({ indices }) => isSelection(indices, k, scores),
  );
}

function floatStream(scores: Float64Array, k: number): Contender {
  const entropy = systemEntropy();
  return contender(
    "float stream with gap, 53 bits",
    () => {
      const stream = new FloatTopKStream(k, noiseScale(k), RESOLUTION, entropy);
      for (let i = 0; i < scores.length; i++) stream.push(i, scores[i]);
      return stream.finish();
    },
    ({ indices }) => isSelection(indices, k, scores),
  );
}

function floatGumbel(scores: Float64Array, k: number): Contender {
  const entropy = systemEntropy();
  return contender(
    "float Gumbel top-k, 53 bits",
    () => floatGumbelTopK(scores, k, noiseScale(k), entropy),
    (indices) => isSelection(indices, k, scores),
  );
}

/** The scale of the noise for ε = 1 and sensitivity 1. */
function noiseScale(k: number): number {
  return 2 * k;
}

/** Whether there are k different candidates. */
function isSelection(indices: Int32Array, k: number, scores: Float64Array): boolean {
  return new Set(indices).size === k && indices.every((index) => index in scores);
}

/** Whether fewer scores than there are winners exceed the last winner's. */
function isTop(winners: Int32Array, scores: Float64Array): boolean {
  const least = scores[winners[winners.length - 1]];
  return scores.reduce((count, score) => (score > least ? count + 1 : count), 0) < winners.length;
}
