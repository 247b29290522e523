/**
 * Figures of mechanisms that count people: how long the list is, which names are kept, and how sure the counts are.
 * @module
 */
import { keepProbabilities, limitedTopKLaw } from "winnow-audit";
import { histogramTopK, makeLimitedTopK, type Rational, topKWithCounts } from "winnow-dp";
import { seededEntropy } from "winnow-dp/testing";
import { barChart } from "../bar-chart.js";
import { COLOURS, centreOf, framed, fromZero, heightOf, PLOT, PROPORTION } from "../chart-frame.js";
import { lineChart } from "../line-chart.js";

/** Six that race, and the largest that doesn't. */
const RACE = { ant: 120, bee: 100, cat: 90, dog: 80, eel: 60, fox: 45, gnu: 4 };

/** The exact law of the list's length, with ⊥ where each δ puts it. */
export function limitedTopKFigure(): string {
  const question = { k: 5, maxCandidates: 6, noise: "gumbel", scale: 5 } as const;
  const lengths = Array.from({ length: question.k + 1 }, (_, i) => i);
  const series = ["1e-6", "1e-3"].map((delta) => {
    const height = makeLimitedTopK({ ...question, delta }).threshold.plus(1); // r = 1: people are added or removed
    const values = lengths.map(() => 0);
    for (const [list, probability] of limitedTopKLaw(RACE, { ...question, height, precision: 64 })) {
      const names = list.replace(".", "").split(",").filter(Boolean);
      values[names.length] += probability.toNumber("down");
    }
    return { name: `δ = ${delta}, ⊥ at ${height.plus(RACE.gnu)}`, values };
  });
  const text = {
    title: "Counts 120, 100, 90, 80, 60, 45 race, 4 doesn't: k = 5, ρ = 0.025 (exact)",
    x: "names that come before ⊥, at most 5",
    y: "probability",
  };
  return barChart(text, lengths.map(String), series, PROPORTION);
}

/** The exact probabilities to be kept, which no private rule can exceed. */
export function selectPartitionsFigure(): string {
  const people = Array.from({ length: 26 }, (_, i) => 2 * i);
  const series = ["1", "1/2"].map((epsilon) => {
    const keep = keepProbabilities(epsilon, "1e-6");
    const points = people.map((n) => ({
      mean: keep[Math.min(n, keep.length - 1)].toNumber("down"),
      deviation: 0,
    }));
    return { name: `ε = ${epsilon}`, points };
  });
  const text = {
    title: "How often a name is kept, one name a person, δ = 10^−6 (exact)",
    x: "people who have the name",
    y: "probability",
  };
  return lineChart(text, people.map(String), series);
}

/** How far off winners may be, by the histogram and by a selection, from the plan that decides between them. */
export function histogramTopKFigure(): string {
  const sizes = [1, 2, 5, 10, 15, 20, 25, 30, 40, 50, 60, 80, 100];
  const plans = sizes.map((k) => histogramTopK.plan(1000, { k, maxItemsPerUser: 10, rho: "1/40" }));
  const points = (bounds: readonly Rational[]) =>
    bounds.map((bound) => ({ mean: bound.toNumber("up"), deviation: 0 }));
  const series = [
    { name: "histogram, 10 items each", points: points(plans.map((plan) => plan.errorBound)) },
    { name: "selection, no limit", points: points(plans.map((plan) => plan.selectionBound)) },
  ];
  const text = {
    title: "How far off a winner may be, 1,000 candidates, ρ = 1/40 (exact bounds, 95 %)",
    x: "winners (k)",
    y: "people",
  };
  const axis = fromZero(series.flatMap((one) => one.points.map(({ mean }) => mean)));
  return lineChart(text, sizes.map(String), series, axis);
}

/** One seeded release: true counts as bars, and over them what is published. */
export function topKWithCountsFigure(): string {
  const people = { coffee: 412, tea: 365, milk: 310, juice: 268, cocoa: 221, absinthe: 2 };
  const entropy = seededEntropy("an example");
  const { winners } = topKWithCounts(people, { k: 5, rho: "0.05", delta: "1e-6", entropy });
  const rows = winners.map(({ candidate, count, from, to }) => ({
    name: candidate,
    truth: people[candidate as keyof typeof people],
    measured: [from, count, to].map((value) => value.toNumber("down")),
  }));
  const axis = fromZero(rows.flatMap(({ truth, measured }) => [truth, ...measured]));
  const width = (0.5 * (PLOT.right - PLOT.left)) / rows.length;
  const drawn = rows.flatMap(({ truth, measured }, place) => {
    const x = centreOf(place, rows.length);
    const top = heightOf(axis, truth);
    const [low, middle, high] = measured.map((value) => heightOf(axis, value).toFixed(1));
    const size = `width="${width.toFixed(1)}" height="${(PLOT.bottom - top).toFixed(1)}"`;
    const ends = [low, high].map((y) => `M${(x - 8).toFixed(1)} ${y}h16`).join("");
    return [
      `<rect fill="${COLOURS[0]}" x="${(x - width / 2).toFixed(1)}" y="${top.toFixed(1)}" ${size}/>`,
      `<path stroke="${COLOURS[1]}" stroke-width="2.5" d="M${x.toFixed(1)} ${low}V${high}${ends}"/>`,
      `<circle fill="${COLOURS[1]}" cx="${x.toFixed(1)}" cy="${middle}" r="4.5"/>`,
    ];
  });
  const text = {
    title: "One release of names and counts (seeded), k = 5, ρ = 0.05, δ = 10^−6",
    x: "released names, in the released order",
    y: "people",
  };
  const legend = ["true count (private)", "released, with 95 % interval"];
  return framed(
    text,
    rows.map(({ name }) => name),
    legend,
    axis,
    drawn,
  );
}
