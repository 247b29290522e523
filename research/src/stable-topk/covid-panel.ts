/**
 * The 15 states with the most new cases, on each of ten days, within (0.1, 10⁻⁶) for all ten [ZW22, Figure 1a]: on real cases where their
 * file is present, and else on generated ones.
 * @module
 */
import { limitedTopK, makeStableTopKFixed, type Rational, rhoAtMost, topK } from "winnow-dp";
import { seededEntropy } from "winnow-dp/testing";
import { casesByDay, generatedCases } from "../datasets.js";
import type { Section, Settings } from "../experiment.js";
import { lineChart, type Series } from "../line-chart.js";
import { largest, recall, type Spread, spreadOf } from "../statistics.js";
import { table } from "../table.js";
import { expectedRecall, topStable } from "./top-stable.js";

const [K, DAYS, EPSILON, DELTA] = [15, 10, "0.1", "1e-6"];
const STARTS = [0, 10, 20, 30];

type Answer = (counts: Float64Array, seed: string) => readonly number[];

/** What a day gets of a budget. */
interface Share {
  readonly epsilon: number;
  readonly delta: number;
}

/** A tenth of ε and δ each day: basic composition, which is the better of the two for ten days. */
const BASIC: Share = { epsilon: Number(EPSILON) / DAYS, delta: Number(DELTA) / DAYS };
/** What the paper gives its baselines: the largest ε₀ with √(2T·ln(1/δ′))·ε₀ + T·ε₀(e^ε₀ − 1) ≤ ε for T days, δ′ = δ/2. */
export const ADVANCED: Share = {
  epsilon: advancedShare(Number(EPSILON), Number(DELTA) / 2, DAYS),
  delta: Number(DELTA) / 2 / DAYS,
};

function advancedShare(epsilon: number, delta: number, times: number): number {
  const spent = (each: number) =>
    Math.sqrt(2 * times * Math.log(1 / delta)) * each + times * each * Math.expm1(each);
  let [low, high] = [0, epsilon];
  for (let i = 0; i < 60; i++) {
    const middle = (low + high) / 2;
    if (spent(middle) <= epsilon) low = middle;
    else high = middle;
  }
  return low;
}

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
  const { epsilon, delta } = ADVANCED;
  return {
    "EM-CDP": (counts, seed) => exponential(counts, { rho: whole }, seed),
    "stable top k": (counts, seed) => stable.invoke(counts, seededEntropy(seed)).candidates,
    "LD, advanced composition": (counts, seed) =>
      limited(counts, rhoAtMost({ epsilon, delta: delta / 2 }), delta / 2, seed),
    "LD, composed in zCDP": (counts, seed) => limited(counts, half, 5e-8, seed),
  };
}

function limited(counts: Float64Array, rho: Rational, delta: number, seed: string): number[] {
  const named = new Map(Array.from(counts, (count, state) => [String(state), count]));
  const options = { k: K, rho, delta, noise: "gumbel", entropy: seededEntropy(seed) } as const;
  return limitedTopK(named, options).winners.map(({ candidate }) => Number(candidate));
}

function exponential(
  counts: Float64Array,
  budget: { rho: Rational } | { epsilon: number },
  seed: string,
): number[] {
  const { winners } = topK(counts, { k: K, ...budget, monotone: true, entropy: seededEntropy(seed) });
  return winners.map(({ candidate }) => candidate);
}

/** TS by its law, with all of a day's share, or with half of it, the exponential mechanism answering where it does not. */
function topStableSeries(
  days: readonly Float64Array[],
  trials: number,
  { epsilon, delta }: Share,
  withFallback: boolean,
): Spread[] {
  const part = withFallback ? 2 : 1;
  const run = topStable(K, epsilon / part, delta / part);
  const perDay = days.map((counts, day) => {
    const { recall: passed, none } = expectedRecall(
      counts.toSorted((a, b) => b - a),
      K,
      run,
    );
    if (!withFallback) return passed;
    const truth = largest(counts, K);
    const answers = spreadOf(trials, (trial) =>
      recall(exponential(counts, { epsilon: epsilon / 2 }, `fallback ${day} ${trial}`), truth),
    );
    return passed + none * answers.mean;
  });
  return STARTS.map((start) => ({
    mean: perDay.slice(start, start + DAYS).reduce((sum, day) => sum + day, 0) / DAYS,
    deviation: 0,
  }));
}

/** The four of the paper's figure. */
const PUBLISHED = [
  "EM-CDP",
  "stable top k",
  "LD, advanced composition",
  "TS, advanced composition, half, then EM",
];

export function covidPanel({ trials, data }: Settings): Section {
  const present = casesByDay(data);
  const days = present ?? generatedCases();
  const source =
    present === undefined
      ? "The data are not here: cases are generated, a stand-in with as many days and jurisdictions and the same rise."
      : "The data are real.";
  const title = `[ZW22, Figure 1a] The ${K} states with the most new cases, ${DAYS} days within (${EPSILON}, ${DELTA})${present === undefined ? ", generated" : ""}`;
  const labels = STARTS.map((start) => `day ${start + 1}–${start + DAYS}`);
  const drawn = Object.entries(methods()).map(([name, answer]): Series => {
    console.error(`new cases: ${name}`);
    const points = STARTS.map((start) =>
      spreadOf(trials, (trial) =>
        meanRecall(days.slice(start, start + DAYS), answer, `${name} ${start} ${trial}`),
      ),
    );
    return { name, points };
  });
  const tested = (
    [
      [PUBLISHED[3], ADVANCED, true],
      ["TS, basic composition", BASIC, false],
      ["TS, basic composition, half, then EM", BASIC, true],
    ] as const
  ).map(([name, share, withFallback]): Series => {
    return { name, points: topStableSeries(days, trials, share, withFallback) };
  });
  const series = [...drawn, ...tested];
  const means = (name: string) => series.find((one) => one.name === name)!.points.map(({ mean }) => mean);
  const rivals = PUBLISHED.slice(1).map(means);
  const best = means(PUBLISHED[0]).filter((mean, i) => rivals.every((rival) => mean >= rival[i])).length;
  const worst = means(PUBLISHED[2]).filter((mean, i) => rivals.every((rival) => mean <= rival[i])).length;
  const bare = means("TS, basic composition");
  const below = bare.filter((mean, i) => mean <= means("LD, composed in zCDP")[i]).length;
  return {
    title,
    notes: `${source} Mean recall of ${trials} trials, ± standard deviation; TS by its law. The chart has the paper's four: EM-CDP and stable top k composed in zCDP, LD (limitedTopK with Gumbel noise) and TS with the exponential mechanism as its fallback by advanced composition, which leaves them ε = ${ADVANCED.epsilon.toFixed(5)} a day. A tenth of ε each day is more than that, and LD may be composed in zCDP; the other rows do so. The paper has no table; its Figure 1a finds EM-CDP best in all four intervals and LD worst. Here, of the paper's four, EM-CDP is the best in ${best} and LD the worst in ${worst} of ${STARTS.length}; TS without a fallback, which the paper doesn't show, is no better than LD composed in zCDP in ${below}.`,
    table: table(
      ["method", ...labels],
      series.map(({ name, points }) => [
        name,
        ...points.map((p) => `${p.mean.toFixed(2)} ± ${p.deviation.toFixed(2)}`),
      ]),
    ),
    chart: {
      name: "covid",
      svg: lineChart(
        { title, x: "days of the outbreak", y: "recall" },
        labels,
        series.filter(({ name }) => PUBLISHED.includes(name)),
      ),
    },
  };
}

function meanRecall(days: readonly Float64Array[], answer: Answer, seed: string): number {
  const recalls = days.map((counts, day) => recall(answer(counts, `${seed} ${day}`), largest(counts, K)));
  return recalls.reduce((sum, value) => sum + value, 0) / days.length;
}
