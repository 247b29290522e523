/**
 * Cold calls, as most programs make them: `topKWithGap` and float code, each in fresh processes of its own, by processor time.
 * Both have their scores and Web Crypto before the time begins. The rival's code is a file of a few dozen lines; ours is
 * the package as it is published.
 *
 *     npm run bench -- cold
 *     BENCH_NODE=/path/to/another/node npm run bench -- cold
 * @module
 */
import { fileURLToPath } from "node:url";
import { runFresh } from "../fresh-process.js";
import { quartiles } from "../quartiles.js";
import type { Outcome } from "../race.js";
import type { Suite, Work } from "../suite.js";

const [ROUNDS, QUICK_ROUNDS] = [31, 5];
const CHILD = fileURLToPath(new URL("../cold-call.js", import.meta.url));

interface ColdTimes {
  /** The first call, with the import before it. */
  readonly first: number;
  readonly import: number;
  readonly tenth: number;
}

export const cold: Suite = {
  name: "cold",
  works: [
    work("import and first call", 1000, 10, "first", 1.5),
    work("import and first call", 41_270, 25, "first", 1),
    work("import and first call", 41_270, 800, "first", 1),
    work("tenth call", 1000, 10, "tenth"),
    work("tenth call", 41_270, 25, "tenth", 0.7),
    work("tenth call", 41_270, 800, "tenth", 0.9),
  ],
};

function work(what: string, n: number, k: number, part: keyof ColdTimes, goal?: number): Work {
  return {
    name: `${what} of topKWithGap in a fresh process, n = ${n.toLocaleString("en")}, k = ${k}`,
    measure: async (isQuick) => measure(n, k, part, goal, isQuick ? QUICK_ROUNDS : ROUNDS),
  };
}

function measure(
  n: number,
  k: number,
  part: keyof ColdTimes,
  goal: number | undefined,
  rounds: number,
): Outcome {
  const times = Array.from({ length: rounds }, () =>
    ["winnow", "float"].map(
      (contender) => runFresh<ColdTimes>([CHILD, contender, String(n), String(k)])[part],
    ),
  );
  const time = (name: string, which: number) => {
    const { median } = quartiles(times.map((round) => round[which]));
    return { name, nanoseconds: median * 1e6, milliseconds: median, bytes: Number.NaN };
  };
  const ratio = quartiles(times.map(([ours, theirs]) => ours / theirs));
  return {
    unit: "call",
    subject: time("topKWithGap", 0),
    rivals: [{ ...time("float top-k with gap, 53 bits", 1), goal, ratio }],
  };
}
