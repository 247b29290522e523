/**
 * Top-k selection against the unsafe float mechanisms and against the best scan without any noise.
 * @module
 */
import { systemEntropy, TopKStream, topK, topKWithGap } from "winnow-dp";
import { type Contender, contender } from "../race.js";
import { floatGumbelTopK } from "../rivals/float-gumbel-top-k.js";
import { FloatTopKStream } from "../rivals/float-top-k-stream.js";
import { coarseFloatTopKWithGap, floatTopKWithGap } from "../rivals/float-top-k-with-gap.js";
import { scanTopK } from "../rivals/scan-top-k.js";
import { OTHER_SHAPES, type Shape, zipf, zipfAscending, zipfDescending } from "../shapes.js";
import type { Suite, Work } from "../suite.js";

const RESOLUTION = 0.1;
/** As many items as the click stream has that noisy top-k is usually measured on. */
export const ITEMS = 41_270;
/** For the growth curves. */
export const SIZES = [1, 10, 25, 100, 400, 800];
export const CANDIDATES = [1e3, 1e4, 1e5, 1e6, 1e7];

/** What the subjects are called in the report. */
const NAMES = new Map<Entrant, string>([
  [withGap, "topKWithGap"],
  [byGumbel, "topK by Gumbel noise"],
  [stream, "TopKStream"],
  [batch, "TopKStream.pushScores"],
]);

/** Against float code, by the number of candidates, for k = 100. */
const GOALS = new Map([
  [1e3, 0.8],
  [1e4, 0.4],
]);

export const select: Suite = {
  name: "select",
  works: [
    work(withGap, "Zipf shuffled", zipf, ITEMS, 25, [floatGap(0.2), coarseFloatGap, scan()]),
    work(withGap, "Zipf ascending", zipfAscending, ITEMS, 25, [floatGap(0.35)]),
    work(withGap, "Zipf descending", zipfDescending, ITEMS, 25, [floatGap(0.35)]),
    work(withGap, "Zipf shuffled", zipf, ITEMS, 800, [floatGap(0.3), coarseFloatGap, scan()]),
    work(withGap, "Zipf ascending", zipfAscending, ITEMS, 800, [floatGap(0.3)]),
    work(withGap, "Zipf descending", zipfDescending, ITEMS, 800, [floatGap(0.3)]),
    ...[1, 10, 100, 400].map((k) => work(withGap, "Zipf shuffled", zipf, ITEMS, k, [floatGap(), scan()])),
    ...CANDIDATES.slice(0, -1).map((n) =>
      work(withGap, "Zipf shuffled", zipf, n, 100, [floatGap(GOALS.get(n)), scan()]),
    ),
    work(withGap, "Zipf shuffled", zipf, 1e7, 100, [scan(1.05), floatGap()]),
    ...Object.entries(OTHER_SHAPES).map(([name, shape]) =>
      work(withGap, name, shape, 1e6, 100, [scan(2.5), floatGap(0.25)]),
    ),
    work(byGumbel, "Zipf shuffled", zipf, 1e6, 100, [scan(1.6), floatGumbel]),
    work(stream, "Zipf shuffled", zipf, ITEMS, 25, [floatStream(0.2)]),
    work(stream, "Zipf shuffled", zipf, ITEMS, 800, [floatStream(0.35)]),
    work(batch, "Zipf shuffled", zipf, ITEMS, 25, [floatStream(0.2)]),
    work(batch, "Zipf shuffled", zipf, ITEMS, 800, [floatStream(0.35)]),
  ],
};

/** What a selection is called in the report. */
export function selectionName(
  n: number,
  k: number,
  shape = "Zipf shuffled",
  subject = "topKWithGap",
): string {
  return `${subject}, ${shape}, n = ${n.toLocaleString("en")}, k = ${k}`;
}

type Entrant = (scores: Float64Array, k: number) => Contender;

function work(
  subject: Entrant,
  shapeName: string,
  shape: Shape,
  n: number,
  k: number,
  rivals: Entrant[],
): Work {
  return {
    name: selectionName(n, k, shapeName, NAMES.get(subject)),
    prepare() {
      const scores = shape(n);
      return {
        unit: "candidate",
        operations: n,
        subject: subject(scores, k),
        rivals: rivals.map((rival) => rival(scores, k)),
      };
    },
  };
}

function withGap(scores: Float64Array, k: number): Contender {
  const entropy = systemEntropy();
  return contender(
    "topKWithGap",
    () => topKWithGap(scores, { k, epsilon: 1, resolution: "0.1", entropy }),
    ({ winners }) =>
      isSelection(
        winners.map(({ candidate }) => candidate),
        k,
        scores,
      ),
  );
}

function byGumbel(scores: Float64Array, k: number): Contender {
  const entropy = systemEntropy();
  return contender(
    "topK",
    () => topK(scores, { k, rho: "0.05", entropy }),
    ({ winners }) =>
      isSelection(
        winners.map(({ candidate }) => candidate),
        k,
        scores,
      ),
  );
}

function stream(scores: Float64Array, k: number): Contender {
  return streamed("TopKStream", scores, k, (open) => {
    for (let i = 0; i < scores.length; i++) open.push(i, scores[i]);
  });
}

function batch(scores: Float64Array, k: number): Contender {
  return streamed("TopKStream.pushScores", scores, k, (open) => open.pushScores(scores));
}

function streamed(
  name: string,
  scores: Float64Array,
  k: number,
  push: (open: TopKStream) => unknown,
): Contender {
  const entropy = systemEntropy();
  return contender(
    name,
    () => {
      const open: TopKStream = new TopKStream({ k, epsilon: 1, resolution: "0.1", entropy });
      push(open);
      return open.finish();
    },
    ({ winners }) =>
      isSelection(
        winners.map(({ candidate }) => candidate),
        k,
        scores,
      ),
  );
}

function scan(goal?: number): Entrant {
  return (scores, k) =>
    contender(
      "scan without noise",
      () => scanTopK(scores, k),
      (indices) => isSelection(indices, k, scores) && isTop(indices, scores),
      goal,
    );
}

function floatGap(goal?: number): Entrant {
  const entropy = systemEntropy();
  return (scores, k) =>
    contender(
      "float top-k with gap, 53 bits",
      () => floatTopKWithGap(scores, k, noiseScale(k), RESOLUTION, entropy),
      ({ indices }) => isSelection(indices, k, scores),
      goal,
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

function floatStream(goal: number): Entrant {
  const entropy = systemEntropy();
  return (scores, k) =>
    contender(
      "float stream with gap, 53 bits",
      () => {
        const open = new FloatTopKStream(k, noiseScale(k), RESOLUTION, entropy);
        for (let i = 0; i < scores.length; i++) open.push(i, scores[i]);
        return open.finish();
      },
      ({ indices }) => isSelection(indices, k, scores),
      goal,
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
function isSelection(indices: ArrayLike<number>, k: number, scores: Float64Array): boolean {
  const different = new Set(Array.from(indices));
  return different.size === k && [...different].every((index) => index in scores);
}

/** Whether fewer scores than there are winners exceed the last winner's. */
function isTop(winners: Int32Array, scores: Float64Array): boolean {
  const least = scores[winners[winners.length - 1]];
  return scores.reduce((count, score) => (score > least ? count + 1 : count), 0) < winners.length;
}
