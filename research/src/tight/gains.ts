/**
 * Tables of gains: rounds in (ε, δ) against pure noise and against zCDP, counts that share noise, noise on a histogram against
 * selection, sets against orders.
 * @module
 */
import {
  approx,
  countNoise,
  rational,
  rhoAtMost,
  scaleAtLeast,
  topK,
  topKApprox,
  topKSet,
  varianceAtLeast,
} from "winnow-dp";
import { seededEntropy } from "winnow-dp/testing";
import type { Section } from "../experiment.js";
import { largest, recall, spreadOf } from "../statistics.js";
import { table } from "../table.js";

/** The largest range η of a round in (ε, δ), and the scale against exponential noise for ε alone. */
export function roundGains(): Section {
  const budgets = [
    [1, "1e-6"],
    [0.3, "1e-6"],
    [1, "1e-9"],
  ] as const;
  const rows = budgets.flatMap(([epsilon, delta]) =>
    [1, 3, 10, 25, 100].map((k) => {
      const scale = scaleAtLeast(approx(epsilon, delta), { distance: 1n, rounds: k, class: "bounded-range" });
      const eta = 1 / scale.toNumber();
      const byZcdp = Math.sqrt((8 * rhoAtMost({ epsilon, delta }).toNumber()) / k);
      const deviation = (1.2826 * scale.toNumber()) / (k / epsilon);
      return [
        ...[`(${epsilon}, ${delta})`, String(k), (epsilon / k).toPrecision(4), byZcdp.toPrecision(4)],
        ...[
          eta.toPrecision(5),
          `${Math.round(100 * (scale.toNumber() / (k / epsilon) - 1))} %`,
          deviation.toFixed(2),
        ],
      ];
    }),
  );
  return {
    title: "k rounds in (ε, δ): the largest range of one",
    notes:
      "Before: ε/k for ε alone, or what the best conversion of zCDP allows. Now: what is certified for k rounds (`scaleAtLeast`). The change of the scale is against exponential noise for ε alone; the deviation is that of Gumbel noise in units of that of exponential noise, so below 1 Gumbel noise is taken.",
    table: table(["(ε, δ)", "k", "pure", "zCDP", "certified", "scale", "deviation"], rows),
  };
}

/** The width of intervals of k counts, and of their differences. */
export function countGains(): Section {
  const rows = [1, 2, 3, 4, 5, 7, 10, 15, 25, 50, 100].map((k) => {
    const [gaussian, laplace] = [{ rho: "1/100" }, { epsilon: 1 }].map((budget) => {
      const options = { k, ...budget } as const;
      const [shared, own] = [
        countNoise(options as never),
        countNoise({ ...options, sharing: "independent" } as never),
      ];
      return { shared, own, part: deviationOf(shared) / deviationOf(own) };
    });
    const pool = ({ shared, size }: typeof gaussian.shared) =>
      shared === undefined ? "–" : size.dividedBy(shared.size).toNumber().toFixed(0);
    const width = ({ shared, own }: typeof gaussian) =>
      [own, shared]
        .map((noise) => Number(noise.halfWidth(LEVEL)) / Number(noise.factor))
        .map((w) => w.toFixed(1))
        .join(" → ");
    return [
      String(k),
      pool(gaussian.shared),
      gaussian.part.toFixed(3),
      width(gaussian),
      laplace.part.toFixed(3),
      width(laplace),
    ];
  });
  return {
    title: "Counts that share noise",
    notes:
      "Standard deviation of a count in units of that of noise of its own, at the same price, and half widths of 95 % intervals at ρ = 1/100 and ε = 1 for all k counts.",
    table: table(["k", "u", "Gaussian", "half width", "Laplace", "half width"], rows),
  };
}

const LEVEL = rational("0.05");

/** The standard deviation of a count, whose noise is the sum of its own and the shared one. */
function deviationOf({ law, size, shared, factor }: ReturnType<typeof countNoise>): number {
  const variance = (x: number) => {
    if (law === "gaussian") return x;
    const a = Math.exp(-1 / x);
    return (2 * a) / (1 - a) ** 2;
  };
  const all = variance(size.toNumber()) + (shared === undefined ? 0 : variance(shared.size.toNumber()));
  return Math.sqrt(all) / Number(factor);
}

/** The variance of Gaussian noise on m counts in (ε, δ): through zCDP, and by the exact sum. */
export function varianceGains(): Section {
  const settings = [
    [1, "1e-6", 1],
    [1, "1e-6", 10],
    [1, "1e-6", 100],
    [0.3, "1e-6", 1],
    [1, "1e-9", 1],
  ] as const;
  const rows = settings.map(([epsilon, delta, k]) => {
    const before = varianceAtLeast(approx(epsilon, delta), { rounds: k }).toNumber();
    const now = countNoise({ k, epsilon, delta, sharing: "independent" }).size.toNumber();
    const part = `${Math.round(100 * (now / before - 1))} %`;
    return [`(${epsilon}, ${delta})`, String(k), before.toPrecision(5), now.toPrecision(5), part];
  });
  return {
    title: "Counts in (ε, δ): the variance of their noise",
    notes:
      "Noise of its own for each of m counts that one person may move. Before: the best conversion of zCDP. Now: by the exact sum.",
    table: table(["(ε, δ)", "m", "before", "now", "change"], rows),
  };
}

/** The least k from which noise on all d counts bounds the error better than selection, if each person has at most m items. */
export function histogramGains(): Section {
  const limits = [1, 3, 10, 30, 100];
  const rows = [100, 1_000, 10_000, 100_000].map((d) => [
    d.toLocaleString("en"),
    ...limits.map((m) => String(leastK(d, m) ?? "–")),
  ]);
  return {
    title: "A public list and at most m items a person: the least k for noise on the histogram",
    notes:
      "In ρ, people added or removed: from this k on, twice the bound that holds for all d noisy counts is below the bound for k rounds of Gumbel noise, both with probability 95 % and with normal tails; it doesn't depend on ρ.",
    table: table(["d", ...limits.map((m) => `m = ${m}`)], rows),
  };
}

function leastK(d: number, m: number): number | undefined {
  const z = normalQuantile((1 - 0.95 ** (1 / d)) / 2);
  for (let k = 1; k < d; k++)
    if (2 * z * Math.sqrt(m / 2) <= Math.sqrt(k / 8) * Math.log((d * k) / 0.05)) return k;
  return undefined;
}

/** The x with P(N > x) = p, by bisection over a continued fraction; to five digits. */
function normalQuantile(p: number): number {
  let [low, high] = [0, 40];
  for (let step = 0; step < 60; step++) {
    const middle = (low + high) / 2;
    if (upperTail(middle) > p) low = middle;
    else high = middle;
  }
  return low;
}

function upperTail(x: number): number {
  let fraction = 0;
  for (let i = 400; i >= 1; i--) fraction = i / (x + fraction);
  return x < 1e-9 ? 0.5 : Math.exp((-x * x) / 2) / Math.sqrt(2 * Math.PI) / (x + fraction);
}

/** The settings of the table of sets: counts that fall by a power of the rank. */
const FALLING = [
  {
    first: 5_000,
    power: 1,
    items: 2_000,
    asked: [
      [10, 0.1],
      [25, 1],
      [25, 0.3],
      [100, 1],
    ],
  },
  {
    first: 20_000,
    power: 1.2,
    items: 3_000,
    asked: [
      [25, 0.3],
      [50, 1],
    ],
  },
  { first: 5_000, power: 0.7, items: 3_000, asked: [[25, 0.3]] },
  {
    first: 50_000,
    power: 1,
    items: 5_000,
    asked: [
      [50, 0.3],
      [100, 1],
      [100, 0.3],
    ],
  },
] as const;

/** Recall of the true k: one shot for ε alone, Gumbel noise in (ε, δ), and sets for ε alone. */
export function setGains(trials: number): Section {
  const rows = FALLING.flatMap(({ first, power, items, asked }) => {
    const counts = Float64Array.from({ length: items }, (_, rank) => Math.round(first / (rank + 1) ** power));
    return asked.map(([k, epsilon]) => {
      const truth = largest(counts, k);
      const found = (name: string, draw: (seed: string) => readonly number[]) =>
        spreadOf(trials, (trial) => recall(draw(`${name} ${first} ${power} ${k} ${epsilon} ${trial}`), truth))
          .mean;
      const pure = (seed: string) =>
        topK(counts, { k, epsilon, monotone: true, entropy: seededEntropy(seed) }).winners.map(
          ({ candidate }) => candidate,
        );
      const gumbel = (seed: string) =>
        topKApprox(counts, {
          ...({ k, epsilon, delta: "1e-6", noise: "gumbel", monotone: true } as const),
          entropy: seededEntropy(seed),
        }).winners.map(({ candidate }) => candidate);
      const set = (outsiderShare: string) => (seed: string) =>
        topKSet(counts, {
          k,
          epsilon,
          monotone: true,
          outsiderShare,
          entropy: seededEntropy(seed),
        }).candidates;
      console.error(`sets: ${first}/j^${power}, k = ${k}, ε = ${epsilon}`);
      return [
        `${first.toLocaleString("en")}/j${power === 1 ? "" : `^${power}`}, n = ${items.toLocaleString("en")}`,
        ...[String(k), String(epsilon), found("pure", pure).toFixed(2)],
        ...[
          found("approx", gumbel).toFixed(2),
          found("half", set("1/2")).toFixed(3),
          found("one", set("1")).toFixed(2),
        ],
      ];
    });
  });
  return {
    title: "The k largest as a set: recall",
    notes: `Mean of ${trials} trials each. One shot: exponential noise for ε alone. Gumbel: k rounds in (ε, 10^−6). λ is the share of outsiders; a set costs ε alone, whatever k.`,
    table: table(["counts", "k", "ε", "one shot", "Gumbel (ε, δ)", "set, λ = 1/2", "set, λ = 1"], rows),
  };
}
