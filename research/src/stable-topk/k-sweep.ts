/**
 * 15,000 bins of which k have a count of 700 and the others 0, for growing k, within (0.15, 10⁻⁶) [ZW22, Figure 1b].
 * The exponential mechanism pays for every one of the k; a gap is a gap, however many are above it.
 * @module
 */
import { rational, rhoAtMost, stableTopK, topK } from "winnow-dp";
import { seededEntropy } from "winnow-dp/testing";
import type { Section, Settings } from "../experiment.js";
import { lineChart, type Series } from "../line-chart.js";
import { largest, recall, spreadOf } from "../statistics.js";
import { table } from "../table.js";
import { expectedRecall, topStable } from "./top-stable.js";

const [BINS, COUNT, EPSILON, DELTA] = [15_000, 700, "0.15", "1e-6"];
const SIZES = [10, 50, 100, 200, 400, 700, 1000, 1500];
const MOST = 3000;

export function kSweep({ trials }: Settings): Section {
  const rho = rhoAtMost({ epsilon: EPSILON, delta: DELTA });
  const half = rational(DELTA).dividedBy(2);
  const tested = { rho: rhoAtMost({ epsilon: EPSILON, delta: half }), delta: half };
  const methods: Readonly<
    Record<string, (counts: Float64Array, k: number, seed: string) => readonly number[]>
  > = {
    "EM-CDP": (counts, k, seed) =>
      topK(counts, { k, rho, monotone: true, entropy: seededEntropy(seed) }).winners.map(
        ({ candidate }) => candidate,
      ),
    "stable top k": (counts, _k, seed) => {
      const options = { ...tested, maxK: MOST, monotone: true, entropy: seededEntropy(seed) };
      const answer = stableTopK(counts, options);
      return answer.released ? answer.candidates : [];
    },
  };
  const series = Object.entries(methods).map(([name, answer]): Series => {
    console.error(`k of ${BINS} bins: ${name}`);
    const points = SIZES.map((k) => {
      const counts = new Float64Array(BINS).fill(COUNT, 0, k);
      const truth = largest(counts, k);
      return spreadOf(trials, (trial) => recall(answer(counts, k, `${name} ${k} ${trial}`), truth));
    });
    return { name, points };
  });
  for (const [name, share] of Object.entries({ TS: 1, "TS, half": 2 })) {
    console.error(`k of ${BINS} bins: ${name}`);
    const points = SIZES.map((k) => {
      const run = topStable(k, Number(EPSILON) / share, Number(DELTA) / share);
      return { mean: expectedRecall(new Float64Array(k).fill(COUNT), k, run).recall, deviation: 0 };
    });
    series.push({ name, points });
  }
  const extreme = (name: string, of: (...values: number[]) => number) =>
    of(...series.find((one) => one.name === name)!.points.map(({ mean }) => mean)).toFixed(3);
  const title = `[ZW22, Figure 1b] ${BINS} bins, k of them with ${COUNT}, within (${EPSILON}, ${DELTA})`;
  return {
    title,
    notes: `Mean recall of ${trials} trials, ± standard deviation; TS by its law. Stable top k is not told k; it looks at gaps up to ${MOST}. The paper has no table; its Figure 1b finds stable top k best, "clearly better than TS when k is large". With all of the budget TS finds at least ${extreme("TS", Math.min)} of them here, whatever k; with half of it kept for a fallback, which is not counted, at most ${extreme("TS, half", Math.max)}.`,
    table: table(
      ["method", ...SIZES.map((k) => `k ${k}`)],
      series.map(({ name, points }) => [
        name,
        ...points.map((p) => `${p.mean.toFixed(2)} ± ${p.deviation.toFixed(2)}`),
      ]),
    ),
    chart: { name: "k-sweep", svg: lineChart({ title, x: "k", y: "recall" }, SIZES.map(String), series) },
  };
}
