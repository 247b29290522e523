import { describe, it } from "vitest";
import type { LooseOptions } from "../../src/accounting/spend.js";
import type { Entropy } from "../../src/entropy.js";
import { rational } from "../../src/exact/rational.js";
import { TopKStream, type TopKStreamOptions } from "../../src/select/top-k-stream.js";
import { seededEntropy } from "../../src/testing/seeded-entropy.js";
import { patternsOfRounds, twoLevels, winOfHigh } from "../race/two-levels.js";
import { expectAccepts, expectRejects, tally } from "../support/tally.js";
import { GUMBEL, ONE_SHOT, orderOf, orderWithGaps, type Selection, WITH_GAP } from "./selection-laws.js";

const RUNS = 1500;

/** Puts all scores into a stream, or into several that are merged, and gives the stream that has them all. */
type Route = (open: () => TopKStream, scores: readonly number[]) => TopKStream;

const ROUTES: Readonly<Record<string, Route>> = {
  "pushed one by one": (open, scores) =>
    scores.reduce((stream, score, index) => stream.push(index, score), open()),
  "pushed in reverse order": (open, scores) =>
    scores.reduceRight((stream, score, index) => stream.push(index, score), open()),
  "pushed as an array": (open, scores) => open().pushScores(Float64Array.from(scores)),
  "pushed as two arrays": (open, scores) =>
    open().pushScores(scores.slice(0, 1)).pushScores(scores.slice(1), 1),
  "pushed as pairs": (open, scores) => open().pushAll(scores.entries()),
  "merged from a small and a large shard": (open, scores) => merged(open, shards(scores, [0])),
  "merged from three shards, one empty": (open, scores) => merged(open, shards(scores, [1, 2])),
  "merged from three shards, then pushed on": (open, scores) => {
    const [last, ...others] = [...scores.entries()].reverse();
    return merged(open, [others.slice(0, 1), [], others.slice(1)]).push(...last);
  },
};

type Candidates = (readonly [id: number, score: number])[];

/** The candidates with these indices, those with an index above, and nobody. */
function shards(scores: readonly number[], first: readonly number[]): Candidates[] {
  const candidates = [...scores.entries()];
  return [
    candidates.filter(([index]) => first.includes(index)),
    candidates.filter(([index]) => !first.includes(index)),
    [],
  ];
}

/** One stream for each shard; the later ones are merged first. */
function merged(open: () => TopKStream, parts: readonly Candidates[]): TopKStream {
  return parts.map((part) => open().pushAll(part)).reduceRight((later, earlier) => earlier.merge(later));
}

interface Case {
  readonly name: string;
  readonly selection: Selection;
  readonly options: LooseOptions<TopKStreamOptions>;
  readonly key: (winners: Parameters<typeof orderOf>[0]) => string;
}

const CASES: readonly Case[] = [
  ...ONE_SHOT.map((selection) => ({
    name: `exponential noise, k = ${selection.k}`,
    selection,
    options: { k: selection.k, scale: selection.scale },
    key: orderOf,
  })),
  ...GUMBEL.map((selection) => ({
    name: `Gumbel noise, k = ${selection.k}`,
    selection,
    // ρ = k·(2/τ)²/8
    options: { k: selection.k, rho: rational(selection.k).dividedBy(2).dividedBy(square(selection.scale)) },
    key: orderOf,
  })),
  ...WITH_GAP.map((selection) => ({
    name: `gaps, ${selection.name}`,
    selection,
    options: { k: selection.k, scale: selection.scale, resolution: selection.resolution },
    key: orderWithGaps(selection),
  })),
];

function square(value: string) {
  return rational(value).times(value);
}

function draw({ name, selection, options, key }: Case, routeName: string, runs = RUNS) {
  const route = ROUTES[routeName];
  return tally({
    seed: `${routeName}: ${name}`,
    runs,
    key,
    sample: (entropy: Entropy) =>
      route(() => new TopKStream({ ...options, entropy } as TopKStreamOptions), selection.scores).finish()
        .winners,
  });
}

describe.each(Object.keys(ROUTES))("A stream %s", (routeName) => {
  it.each(CASES)("has the law of the whole: $name", (each) => {
    expectAccepts(draw(each, routeName), each.selection.law);
  });
});

describe("A stream", () => {
  it("has the law of the whole when candidates arrive over time", async () => {
    for (const { name, selection, options, key } of [CASES[0], CASES[3], CASES[6]]) {
      const entropy = seededEntropy(`over time: ${name}`);
      const outcomes: string[] = [];
      for (let run = 0; run < RUNS; run++) {
        const stream = await new TopKStream({ ...options, entropy } as TopKStreamOptions).pushFrom(
          arriving(selection.scores),
        );
        outcomes.push(key(stream.finish().winners));
      }
      expectAccepts(counted(outcomes), selection.law);
    }
  });

  it.each([CASES[0], CASES[3], CASES[6]])("has another law when the scale is 10 % off: $name", (each) => {
    const { rho, scale } = each.options;
    const wrong =
      scale === undefined
        ? { rho: rational(rho!).dividedBy("1.21") }
        : { scale: rational(scale).times("1.1") };
    const off = { ...each, options: { ...each.options, ...wrong } };
    expectRejects(draw(off, "pushed one by one", 15_000), each.selection.law);
  });
});

describe("On the verge of being far", () => {
  it("candidates win as often as they should", () => {
    // After one of score 0 and enough others to set a cut, eight come that are about three or four zeros below it.
    const [behind, rivals] = [2.2, 8];
    const c = Math.exp(-behind);
    const win = -Math.expm1((rivals + 1) * Math.log1p(-c)) / (c * (rivals + 1)); // ∫(1 − c·t)^8 dt
    const sample = (entropy: Entropy) => {
      const stream = new TopKStream<string>({ k: 1, scale: 1, entropy }).push("first", 0);
      for (let other = 0; other < 20; other++) stream.push("other", -1000);
      for (let rival = 0; rival < rivals; rival++) stream.push("rival", -behind);
      return stream.finish().winners[0].candidate;
    };
    const draws = tally({ seed: "on the verge", runs: 20_000, sample });
    expectAccepts(draws, { first: win, rival: 1 - win });
    expectRejects(draws, { first: win + 0.02, rival: 0.98 - win });
  });
});

describe("Over thousands of scores of two levels", () => {
  const [length, high, level] = [1500, 40, 4];
  const scattered = [...twoLevels(length, high, level).entries()];
  const orders: Readonly<Record<string, Candidates>> = {
    scattered: scattered,
    "the high ones first": scattered.toSorted(([, a], [, b]) => b - a),
    "the high ones last": scattered.toSorted(([, a], [, b]) => a - b),
  };
  const levels = (stream: TopKStream) =>
    stream
      .finish()
      .winners.map(({ candidate }) => (scattered[candidate][1] > 0 ? "H" : "L"))
      .join("");

  it.each(Object.entries(orders))("a stream has the law of exponential noise: %s", (name, candidates) => {
    const win = winOfHigh(high, length - high, Math.exp(level));
    const sample = (entropy: Entropy) =>
      levels(new TopKStream({ k: 1, scale: 1, entropy }).pushAll(candidates));
    const draws = tally({ seed: `stream, ${name}`, runs: 1500, sample });
    expectAccepts(draws, { H: win, L: 1 - win });
    expectRejects(draws, { H: win - 0.08, L: 1.08 - win });
  });

  it.each(Object.entries(orders))(
    "a stream merged of three has the law of rounds: %s",
    (name, candidates) => {
      const sample = (entropy: Entropy) => {
        const parts = [0, 1, 2].map((part) => candidates.filter((_, place) => place % 3 === part));
        return levels(merged(() => new TopKStream({ k: 2, rho: 1, entropy }), parts));
      };
      const draws = tally({ seed: `merged, ${name}`, runs: 1500, sample });
      expectAccepts(draws, patternsOfRounds(high, length - high, Math.exp(level), 2)); // scale √(2·4/8) = 1
    },
  );

  it("the smallest have the same law", () => {
    const win = winOfHigh(high, length - high, Math.exp(level));
    const sample = (entropy: Entropy) => {
      const stream = new TopKStream({ k: 1, scale: 1, negate: true, entropy });
      for (const [id, score] of scattered) stream.push(id, -score);
      return levels(stream);
    };
    expectAccepts(tally({ seed: "smallest", runs: 1000, sample }), { H: win, L: 1 - win });
  });
});

async function* arriving(scores: readonly number[]): AsyncGenerator<readonly [number, number]> {
  for (const candidate of scores.entries()) {
    await undefined;
    yield candidate;
  }
}

/** Outcomes that were drawn already, as a tally. */
function counted(outcomes: readonly string[]) {
  const drawn = outcomes.values();
  return tally({ seed: "drawn before", runs: outcomes.length, sample: () => drawn.next().value as string });
}
