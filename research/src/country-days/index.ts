/**
 * The ten most read pages of each country on each day, at ε = 1 a day: how many of the lists are right, against counts with noise above
 * a threshold, as Wikimedia publishes them. The data are generated in the shape of Wikipedia's: 200 countries whose people fall
 * as 1/rank, 10⁵ pages whose readers fall as 1/rank^0.75 in an order that differs by country, and people who read a few pages a day, some
 * of them many. A person is in one country on a day, so all countries together cost what one does.
 * @module
 */
import { rational, topK, topKApprox, topKSet } from "winnow-dp";
import { DiscreteGaussian } from "winnow-dp/sample";
import { seededEntropy } from "winnow-dp/testing";
import type { Experiment, Section } from "../experiment.js";
import { table } from "../table.js";

export interface World {
  readonly countries: number;
  readonly pages: number;
  readonly days: number;
  /** On one day, in all countries. */
  readonly people: number;
}

const WHOLE: World = { countries: 200, pages: 100_000, days: 30, people: 5_000_000 };

const K = 10;
const EXPONENT = 0.75;
/** Different pages of a person and day: one more with this probability each. */
const ONE_MORE = 0.8;
/** The most pages that a person counts for where counts get noise. */
const MOST_PAGES = 10;
const RHO = 0.015;
const THRESHOLD = 90;
/** Beyond these no page of the model comes near a list. */
const DRAWN = 2000;

export const countryDays: Experiment = function* ({ trials }) {
  yield listsOf({
    ...WHOLE,
    days: Math.min(WHOLE.days, Math.max(1, Math.round((WHOLE.days * trials) / 100))),
  });
};

const METHODS = [
  "selection, ε = 1",
  "selection, (1, 10⁻⁷)",
  "selection of a set, ε = 1",
  "threshold",
] as const;

/** The lists with at least 8 of 10 right, by size of country. */
export function listsOf(world: World): Section {
  const bands = bandsOf(world);
  const right = bands.map(() => METHODS.map(() => 0));
  const lists = bands.map(() => 0);
  const noise = new DiscreteGaussian(rational(MOST_PAGES).dividedBy(rational(RHO).times(2n)));
  for (let country = 0; country < world.countries; country++) {
    const band = bands.findIndex(({ below }) => country < below);
    const expected = readersOf(world, country);
    for (let day = 0; day < world.days; day++) {
      const seed = `${country} ${day}`;
      const { counts, cut } = dayOf(expected, seed);
      const best = largest(counts);
      const entropy = seededEntropy(`answers ${seed}`);
      const names = (answer: { winners: readonly { candidate: number }[] }) =>
        answer.winners.map(({ candidate }) => candidate);
      const answers = [
        names(topK(counts, { k: K, epsilon: 1, monotone: true, entropy })),
        names(topKApprox(counts, { k: K, epsilon: 1, delta: "1e-7", monotone: true, entropy })),
        [...topKSet(counts, { k: K, epsilon: 1, monotone: true, entropy }).candidates],
        aboveThreshold(cut, (i) => noise.sample(entropy) + cut[i]!),
      ];
      lists[band] = (lists[band] ?? 0) + 1;
      for (const [method, named] of answers.entries())
        if (named.filter((page) => best.has(page)).length >= 8) right[band]![method]!++;
    }
  }
  const total = (method: number) => right.reduce((sum, band) => sum + band[method]!, 0);
  const all = lists.reduce((sum, count) => sum + count, 0);
  const share = (found: number, of: number) => `${found} of ${of} (${Math.round((100 * found) / of)} %)`;
  const rows = METHODS.map((method, i) => [
    method,
    ...bands.map((_, band) => share(right[band]![i]!, lists[band]!)),
    share(total(i), all),
  ]);
  return {
    title: `Top ten of ${world.countries} countries on ${world.days} days at ε = 1 a day`,
    notes: `Lists of a country and day with at least 8 of the true ten most read pages. Generated: ${world.pages.toLocaleString("en")} pages, ${world.people.toLocaleString("en")} people a day. Selection counts every page of a person (\`topK\`, \`topKSet\`). The threshold counts at most ${MOST_PAGES} pages of a person, adds Gaussian noise of ρ = ${RHO} (about ε = 1 with δ = 10⁻⁷), and publishes counts from ${THRESHOLD} on, of which the ten largest are taken.`,
    table: table(["method", ...bands.map(({ title }) => title), "all"], rows),
  };
}

interface Band {
  readonly title: string;
  readonly below: number;
}

/** The largest tenth of the countries, the next three tenths, and the rest. */
function bandsOf({ countries }: World): readonly Band[] {
  const [first, second] = [Math.max(1, Math.round(countries / 10)), Math.max(2, Math.round(countries * 0.4))];
  return [
    { title: `largest ${first}`, below: first },
    { title: `next ${second - first}`, below: second },
    { title: `smallest ${countries - second}`, below: countries },
  ];
}

/** How many people of a country read each page on a day, on average. */
function readersOf({ countries, pages, people }: World, country: number): Float64Array {
  const weight = (n: number, exponent: number) => {
    let sum = 0;
    for (let i = 1; i <= n; i++) sum += i ** -exponent;
    return sum;
  };
  const own = people / (weight(countries, 1) * (country + 1));
  const reads = own / (1 - ONE_MORE) / weight(pages, EXPONENT);
  const expected = new Float64Array(pages);
  // A prime step that doesn't divide the number of pages visits each of them once.
  const step = 7919;
  for (let rank = 0; rank < pages; rank++)
    expected[(country * 104_729 + rank * step) % pages] = Math.min(own, reads * (rank + 1) ** -EXPONENT);
  return expected;
}

/** The readers of each page on one day: all of them, and those left where each person counts for a few pages. */
function dayOf(expected: Float64Array, seed: string) {
  const random = generator(seed);
  const counts = new Float64Array(expected.length);
  const cut = new Float64Array(expected.length);
  const kept = 1 - ONE_MORE ** MOST_PAGES; // of a geometric number of pages, the share below the limit
  const least = Math.max(...expected) * DRAWN ** -EXPONENT;
  for (const [page, mean] of expected.entries()) {
    // Far from every list, chance doesn't matter.
    const count = mean < least ? Math.floor(mean + random()) : poisson(mean, random);
    counts[page] = count;
    cut[page] = mean < least ? Math.floor(count * kept) : binomial(count, kept, random);
  }
  return { counts, cut };
}

function largest(counts: Float64Array): ReadonlySet<number> {
  return new Set(
    firstOf(
      [...counts.keys()].filter((page) => counts[page]! > 0),
      (page) => counts[page]!,
    ),
  );
}

function firstOf(pages: readonly number[], size: (page: number) => number): number[] {
  return pages.toSorted((a, b) => size(b) - size(a)).slice(0, K);
}

/** The ten largest noisy counts that are published. Pages far below the threshold are left out, which favours it. */
function aboveThreshold(cut: Float64Array, noisy: (page: number) => number): number[] {
  const near = [...cut.keys()].filter((page) => cut[page]! > THRESHOLD / 4);
  const counts = new Map(near.map((page) => [page, noisy(page)]));
  return firstOf(
    near.filter((page) => counts.get(page)! >= THRESHOLD),
    (page) => counts.get(page)!,
  );
}

/** A seeded generator of numbers below 1, for data only. */
function generator(seed: string): () => number {
  let state = 2_166_136_261;
  for (const letter of seed) state = Math.imul(state ^ letter.codePointAt(0)!, 16_777_619);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

function normal(random: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}

function poisson(mean: number, random: () => number): number {
  if (mean > 30) return Math.max(0, Math.round(mean + Math.sqrt(mean) * normal(random)));
  const floor = Math.exp(-mean);
  let count = 0;
  for (let product = random(); product > floor; product *= random()) count++;
  return count;
}

function binomial(count: number, share: number, random: () => number): number {
  const deviation = Math.sqrt(count * share * (1 - share));
  return Math.min(count, Math.max(0, Math.round(count * share + deviation * normal(random))));
}
