import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Entropy, TopKStream, topK } from "winnow-dp";
import { topKParallel } from "winnow-dp/parallel";
import { bitTree } from "winnow-dp/testing";
import { exponentialTopKLaw } from "../../packages/audit/src/index.js";
import { Fuzzer } from "./fuzzer.js";

/** Scores, how many win, and where they are cut into parts. */
interface Race {
  readonly scores: readonly number[];
  readonly k: number;
  readonly cuts: readonly number[];
}

/** Few different numbers, so that there are ties; whole and broken, small and large. */
const values = fc.constantFrom(0, 0, 1, 1, 2, -1, 0.5, -0, 1e9, 2 ** 53, 2 ** -40, -1e300, 1e300);

const races: fc.Arbitrary<Race> = fc.array(values, { minLength: 1, maxLength: 60 }).chain((scores) =>
  fc.record({
    scores: fc.constant(scores),
    k: fc.integer({ min: 1, max: scores.length }),
    cuts: fc.array(fc.nat(scores.length), { maxLength: 4 }).map((cuts) => cuts.sort((a, b) => a - b)),
  }),
);

/** The parts between the cuts, with where each begins. */
function partsOf({ scores, cuts }: Race): (readonly [first: number, part: readonly number[]])[] {
  const ends = [...cuts, scores.length];
  return ends.map(
    (end, i) => [i === 0 ? 0 : ends[i - 1]!, scores.slice(i === 0 ? 0 : ends[i - 1], end)] as const,
  );
}

type Way = (race: Race) => readonly number[] | Promise<readonly number[]>;

const indicesOf = ({ winners }: { winners: readonly { candidate?: number; index?: number }[] }) =>
  winners.map(({ candidate, index }) => (candidate ?? index)!);

/** Far below the distance of two different scores: noise decides among equals only. */
const TINY = "1e-200";

const WAYS: Readonly<Record<string, Way>> = {
  "a list": ({ scores, k }) => indicesOf(topK(scores, { k, scale: TINY })),
  "a list without noise": ({ scores, k }) => indicesOf(topK(scores, { k, scale: 0 })),
  "a typed array": ({ scores, k }) => indicesOf(topK(Float64Array.from(scores), { k, scale: TINY })),
  "a stream, one by one": ({ scores, k }) => streamed(scores, k),
  "a stream in batches": (race) => {
    const stream = new TopKStream({ k: race.k, scale: TINY });
    for (const [first, part] of partsOf(race)) stream.pushScores(Float64Array.from(part), first);
    return indicesOf(stream.finish());
  },
  "merged shards": (race) => {
    const [stream, ...others] = shards(race, TINY);
    for (const other of others) stream!.merge(other);
    return indicesOf(stream!.finish());
  },
  "shards that travelled": (race) => {
    const stream = new TopKStream({ k: race.k, scale: TINY });
    for (const shard of shards(race, TINY)) stream.attach(structuredClone(shard.detach()));
    return indicesOf(stream.finish());
  },
  topKParallel: async (race) => {
    const parts = partsOf(race).map(([, part]) => Float64Array.from(part));
    return indicesOf(await topKParallel(parts, { k: race.k, scale: TINY, workers: 0 }));
  },
};

/** Those that `isPushed` lets through. */
function streamed(scores: readonly number[], k: number, isPushed = (_: number) => true): number[] {
  const stream = new TopKStream({ k, scale: TINY });
  for (const [i, score] of scores.entries()) if (isPushed(i)) stream.push(i, score);
  return indicesOf(stream.finish());
}

function shards(race: Race, scale: string, entropy?: Entropy): TopKStream[] {
  return partsOf(race).map(([first, part]) => {
    const stream = new TopKStream({ k: race.k, scale, ...(entropy && { entropy }) });
    stream.pushScores(Float64Array.from(part), first);
    return stream;
  });
}

/** k different candidates with the k largest scores, best first: a plain sort. */
async function expectLargest(way: Way, race: Race): Promise<void> {
  const { scores, k } = race;
  const winners = await way(race);
  expect(new Set(winners).size).toBe(k);
  const sorted = scores.toSorted((a, b) => b - a).slice(0, k);
  expect(winners.map((winner) => scores[winner]! + 0)).toEqual(sorted.map((score) => score + 0)); // −0 is 0
}

describe("with next to no noise", () => {
  const fuzzer = new Fuzzer("races", races, 100);

  it.each(Object.entries(WAYS))("%s gives the largest in their order", (_, way) =>
    fuzzer.holds((race) => expectLargest(way, race)),
  );

  it("a stream that loses a tie is noticed", async () => {
    const lossy: Way = ({ scores, k }) => streamed(scores, k, (i) => i < k || scores[i] !== scores[i - 1]);
    expect(await fuzzer.refutes((race) => expectLargest(lossy, race))).toBe(true);
  });

  it("a merge that forgets its last shard is noticed", async () => {
    const forgetful: Way = (race) => {
      const [stream, ...others] = shards(race, TINY);
      for (const other of others.slice(0, -1)) stream!.merge(other);
      return indicesOf(stream!.finish());
    };
    expect(await fuzzer.refutes((race) => expectLargest(forgetful, race))).toBe(true);
  });
});

/** Two or three scores that are close at a scale of about 1. */
const close = fc.array(fc.constantFrom(0, 1, 1, 2), { minLength: 2, maxLength: 3 }).chain((scores) =>
  fc.record({
    scores: fc.constant(scores),
    k: fc.integer({ min: 1, max: 2 }),
    cuts: fc.tuple(fc.nat(scores.length)),
    scale: fc.constantFrom("1/2", "1", "3/2"),
  }),
);

type Noisy = (race: Race & { readonly scale: string }, entropy: Entropy) => readonly number[];

const NOISY: Readonly<Record<string, Noisy>> = {
  array: ({ scores, k, scale }, entropy) => indicesOf(topK(scores, { k, scale, entropy })),
  stream: ({ scores, k, scale }, entropy) => {
    const stream = new TopKStream({ k, scale, entropy });
    for (const [i, score] of scores.entries()) stream.push(i, score);
    return indicesOf(stream.finish());
  },
  shards: (race, entropy) => {
    const [stream, ...others] = shards(race, race.scale, entropy);
    for (const other of others) stream!.merge(other);
    return indicesOf(stream!.finish());
  },
};

function expectLaw(way: Noisy, race: Race & { readonly scale: string }): void {
  const { mass, undecided } = bitTree((entropy) => way(race, entropy).join(), { depth: 11 });
  const law = exponentialTopKLaw(race.scores, { k: race.k, scale: race.scale });
  for (const [outcome, found] of mass) {
    const exact = law.get(outcome);
    expect(exact, outcome).toBeDefined();
    expect(exact!.isBelow(found), `P(${outcome}) is at least ${found}`).toBe(false);
    expect(exact!.isAbove(found.plus(undecided)), `P(${outcome}) is at most that and the rest`).toBe(false);
  }
}

describe("with noise, on every string of 11 bits", () => {
  const fuzzer = new Fuzzer("noisy races", close, 4);

  it.each(Object.entries(NOISY))("%s has the exact distribution", (_, way) =>
    fuzzer.holds((race) => expectLaw(way, race)),
  );

  it("noise of another scale is noticed", async () => {
    const wrong: Noisy = (race, entropy) => NOISY.stream!({ ...race, scale: "4" }, entropy);
    expect(await fuzzer.refutes((race) => expectLaw(wrong, race))).toBe(true);
  });
});
