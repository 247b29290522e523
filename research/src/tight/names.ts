/**
 * How many people a name needs to be kept half of the time, of which each has at most m: before, and now.
 * @module
 */
import {
  boundedRangeCurve,
  convert,
  makeLimitedTopK,
  rational,
  renyi,
  rhoAtMost,
  selectPartitions,
} from "winnow-dp";
import type { Section } from "../experiment.js";
import { table } from "../table.js";

const DELTA = "1e-6";
const LIMITS = [1, 2, 3, 4, 5, 10, 30, 100];

export function nameGains(): Section {
  const rows = [1, 0.3].flatMap((epsilon) =>
    LIMITS.map((m) => {
      const [coin, threshold] = [coinNeeds(epsilon, m), thresholdNeeds(epsilon, m)];
      const exact = Number(
        selectPartitions([], { epsilon, delta: DELTA, maxItemsPerUser: m, counts: true, method: "gaussian" })
          .threshold,
      );
      const now = namesNeed(epsilon, m) ?? coin;
      const before = Math.min(coin, threshold);
      return [
        String(epsilon),
        String(m),
        ...[coin, threshold, exact, now].map(String),
        (now / before).toFixed(3),
      ];
    }),
  );
  return {
    title: "Names only: people that a name needs to be kept half of the time",
    notes: `δ = ${DELTA}, one person more or less, each counted for at most m items. Before: the better of the optimal coin and the Gaussian threshold, each with half of δ for the conversion. The exact threshold comes with counts. Now: what \`selectPartitions\` takes. The last column is now over before.`,
    table: table(["ε", "m", "coin", "threshold", "exact threshold (counts)", "now", "ratio"], rows),
  };
}

/** How far above the counts outside an item must be for its name, in order and without a list: the range and the threshold. */
export function orderedNames(): Section {
  const rows = ["1e-6", "1e-9"].flatMap((delta) =>
    [3, 10, 25, 100].map((k) => {
      const gumbel = { k, noise: "gumbel" } as const;
      const { scale, threshold } = makeLimitedTopK({ ...gumbel, epsilon: 1, delta });
      const half = rational(delta).dividedBy(2n);
      const before = makeLimitedTopK({ ...gumbel, scale: scaleByCurve(k, half), delta: half }).threshold;
      const all = [before, threshold].map((each) => each.toNumber() + 1);
      const ratio = (all[1] as number) / (all[0] as number);
      return [delta, String(k), ...all.map(String), ratio.toFixed(3), scale.toNumber().toFixed(2)];
    }),
  );
  return {
    title: "Names in order without a list: users that a name needs beyond the counts outside",
    notes:
      "ε = 1, 1,000 candidates, Gumbel noise. Before: by the Rényi curve of the rounds, with half of δ. Now: certified for all rounds together, with the δ that the threshold leaves.",
    table: table(["δ", "k", "before", "now", "ratio", "scale"], rows),
  };
}

/** The least scale whose k rounds convert to ε = 1 by their Rényi curve, to five digits. */
function scaleByCurve(k: number, delta: ReturnType<typeof rational>): string {
  let [low, high] = [0.1 / k, 2 / Math.sqrt(k)];
  for (let step = 0; step < 20; step++) {
    const middle = (low + high) / 2;
    const curve = boundedRangeCurve(middle.toFixed(12)).times(k);
    const { epsilon } = convert(renyi(curve), { to: "approx", delta });
    if (rational(epsilon as never).compare(1n) <= 0) low = middle;
    else high = middle;
  }
  return (1 / low).toFixed(12);
}

/** The optimal coin for m items: each costs ε/m and δ/m. */
function coinNeeds(epsilon: number, m: number): number {
  const [each, failure] = [epsilon / m, Number(DELTA) / m];
  const factor = Math.exp(each);
  let [kept, people] = [0, 0];
  while (kept < 0.5) {
    kept = Math.min(factor * kept + failure, 1 - (1 - kept - failure) / factor);
    people++;
  }
  return people;
}

/** Half of δ for the conversion of zCDP, the other half for the threshold. */
function thresholdNeeds(epsilon: number, m: number): number {
  const delta = rational(DELTA).dividedBy(2n);
  const rho = rhoAtMost({ epsilon, delta });
  return Number(selectPartitions([], { rho, delta, maxItemsPerUser: m, method: "gaussian" }).threshold);
}

/** As it is chosen now; undefined where it is the coin. */
function namesNeed(epsilon: number, m: number): number | undefined {
  return selectPartitions([], { epsilon, delta: DELTA, maxItemsPerUser: m }).halfKeep;
}
