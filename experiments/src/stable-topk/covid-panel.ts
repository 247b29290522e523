/**
 * The 15 states with the most new cases, on each of ten days, within (0.1, 10⁻⁶) for all ten [ZW22, Figure 1a].
 * @module
 */
import { makeStableTopKFixed, rhoAtMost, topK } from "winnow-dp";
import { seededEntropy } from "winnow-dp/testing";
import { casesByDay } from "../datasets.js";
import type { Section, Settings } from "../experiment.js";
import { lineChart, type Series } from "../line-chart.js";
import { largest, recall, spreadOf } from "../statistics.js";
import { table } from "../table.js";

const [K, DAYS, EPSILON, DELTA] = [15, 10, "0.1", "1e-6"];
const STARTS = [0, 10, 20, 30];

type Answer = (counts: Float64Array, seed: string) => readonly number[];

/** Each day gets a tenth of ρ, and of δ where a test may fail. */
function methods(): Readonly<Record<string, Answer>> {
  const whole = rhoAtMost({ epsilon: EPSILON, delta: DELTA }).dividedBy(DAYS);
  const half = rhoAtMost({ epsilon: EPSILON, delta: "5e-7" }).dividedBy(DAYS);
  const stable = makeStableTopKFixed({
    k: K,
    domain: "public",
    choose: { noise: "gumbel", rho: half.dividedBy(4) },
    test: { rho: half.dividedBy(4) },
    rounds: { rho: half.dividedBy(2) },
    delta: "5e-8",
    monotone: true,
  });
  return {
    "exponential mechanism": (counts, seed) =>
      topK(counts, { k: K, rho: whole, monotone: true, entropy: seededEntropy(seed) }).winners.map(
        ({ index }) => index,
      ),
    "stable top k": (counts, seed) => stable.invoke(counts, seededEntropy(seed)).indices,
  };
}

export function covidPanel({ trials, data }: Settings): Section {
  const days = casesByDay(data);
  const title = `The ${K} states with the most new cases, ${DAYS} days within (${EPSILON}, ${DELTA})`;
  if (days === undefined) return { title, notes: "The data are not here.", table: "" };
  const labels = STARTS.map((start) => `day ${start + 1}–${start + DAYS}`);
  const series = Object.entries(methods()).map(([name, answer]): Series => {
    console.error(`new cases: ${name}`);
    const points = STARTS.map((start) =>
      spreadOf(trials, (trial) =>
        meanRecall(days.slice(start, start + DAYS), answer, `${name} ${start} ${trial}`),
      ),
    );
    return { name, points };
  });
  return {
    title,
    notes: `Mean recall of ${trials} trials, ± standard deviation. Gaps between states are small in the first weeks and grow with the epidemic. The paper has no table; its Figure 1a finds the exponential mechanism best in all four intervals, and stable top k slightly worse even in the last, as it is here.`,
    table: table(
      ["method", ...labels],
      series.map(({ name, points }) => [
        name,
        ...points.map((p) => `${p.mean.toFixed(2)} ± ${p.deviation.toFixed(2)}`),
      ]),
    ),
    chart: {
      name: "covid",
      svg: lineChart({ title, x: "days of the outbreak", y: "recall" }, labels, series),
    },
  };
}

function meanRecall(days: readonly Float64Array[], answer: Answer, seed: string): number {
  const recalls = days.map((counts, day) => recall(answer(counts, `${seed} ${day}`), largest(counts, K)));
  return recalls.reduce((sum, value) => sum + value, 0) / days.length;
}
