import { describe, expect, it, vi } from "vitest";
import type { LooseOptions } from "../../src/accounting/spend.js";
import { Entropy } from "../../src/entropy.js";
import { WinnowError } from "../../src/errors.js";
import { rational } from "../../src/exact/rational.js";
import { exponential } from "../../src/race/noise.js";
import { farScore, Race } from "../../src/race/race.js";
import { TopKStream, type TopKStreamOptions } from "../../src/select/top-k-stream.js";
import { replayEntropy } from "../../src/testing/replay-entropy.js";
import { seededEntropy } from "../../src/testing/seeded-entropy.js";
import { at, skip, wordsOf } from "../race/words.js";
import { expectBadScore, expectRefused } from "./refusals.js";

function open(options: Partial<LooseOptions<TopKStreamOptions>> = {}): TopKStream {
  const all = { k: 1, scale: 1, entropy: seededEntropy("stream"), ...options };
  return new TopKStream(all as TopKStreamOptions);
}

/** Who can still win, what is drawn of them, and how many were pushed. */
function left(stream: TopKStream) {
  const { ids, words, bits, pushed } = stream.detach();
  return { contenders: ids.map((id, i) => [id, words[i], bits[i]]), pushed };
}

/** A word that is enough for a key above all others here, behind whatever zeros. */
const HIGH = 1;
/** A word whose noise is about 0.1, or 2.9 behind four zeros. */
const LOW = at(0.9);

describe("A stream, word by word:", () => {
  /** A stream with a cut of about 10.7, and words for what comes then. Scores below 7.9 share coins of four zeros. */
  function withCut(words: number[], options: Partial<LooseOptions<TopKStreamOptions>> = {}) {
    const entropy = wordsOf(at(0.5), ...words);
    const stream = open({ ...options, entropy });
    stream.pushScores([options.negate ? -10 : 10], 1000);
    return { stream, entropy };
  }

  it("coins pass candidates by, and choose the next, who enters with its zeros", () => {
    const { stream, entropy } = withCut([skip(2, 4), HIGH, skip(0, 4), LOW, skip(5, 4)]);
    for (let id = 1; id <= 5; id++) stream.push(id, 0);
    expect(entropy.bitsUsed).toBe(6 * 32);
    expect(left(stream)).toEqual({ contenders: [[3, HIGH, 36]], pushed: 6 });
  });

  it("a candidate that is not far below the cut enters with a word of its own, also where the coins pass others by", () => {
    const race = new Race(1, { noise: exponential, scale: rational(1) }, replayEntropy(""));
    race.consider(0, 10, at(0.5), 32);
    race.settle();
    const far = farScore(race, 4);
    for (const score of [far, 100, 8n]) {
      const { stream, entropy } = withCut([skip(9, 4), HIGH]);
      stream.push(1, 0).push(2, score);
      expect(entropy.bitsUsed).toBe(3 * 32);
      expect(left(stream)).toEqual({ contenders: [[2, HIGH, 32]], pushed: 3 });
    }
    const { stream, entropy } = withCut([skip(9, 4)]);
    stream
      .push(1, far - 1e-9)
      .push(2, far - 1e-9)
      .push(3, 7n);
    expect(entropy.bitsUsed).toBe(2 * 32);
    expect(left(stream)).toEqual({ contenders: [[1000, at(0.5), 32]], pushed: 4 });
  });

  it("what is refused is refused also where the coins pass others by, and takes nobody's place", () => {
    const { stream } = withCut([skip(2, 4), HIGH]);
    stream.push(1, 0);
    for (const score of [-Infinity, Number.NaN, -(10n ** 400n), "-5"])
      expectBadScore(() => stream.push(2, score as number));
    expectRefused(
      () => stream.push(undefined as never, 0),
      "candidate must be anything but undefined; got undefined",
    );
    stream.push(2, 0).push(3, 0);
    expect(left(stream)).toEqual({ contenders: [[3, HIGH, 36]], pushed: 4 });
    expect(() => stream.push(4, 0)).toThrow("used up");
    const { stream: passing } = withCut([skip(9, 4)]);
    passing.push(1, 0).detach();
    expect(() => passing.push(2, 0)).toThrow("used up");
  });

  it("the smallest are far from nobody, if they are wanted", () => {
    const { stream } = withCut([skip(9, 4), HIGH], { negate: true });
    stream.push(1, 0).push(2, -100);
    expect(left(stream)).toEqual({ contenders: [[2, HIGH, 32]], pushed: 3 });
  });

  it("candidates outside the domain take nobody's place", () => {
    const { stream } = withCut([skip(2, 4), HIGH], { domain: { size: 2000 } });
    stream.push(1, 0).push(-1, 0).push(2000, 0).push(0.5, 0).push(2, 0).push(1999, 0);
    expect(left(stream)).toEqual({ contenders: [[1999, HIGH, 36]], pushed: 4 });
  });

  /** Near candidates, then far ones that coins of so many zeros choose, all of whom lose. */
  function taught(lessons: [near: number, far: number, zeros: number][], ...words: number[]) {
    const drawn = lessons.flatMap(([near, far, zeros]) => [
      ...Array.from({ length: near }, () => LOW),
      ...Array.from({ length: far }, () => [skip(0, zeros), LOW]).flat(),
    ]);
    const stream = open({ entropy: wordsOf(at(0.5), ...drawn.slice(1), ...words) });
    let id = 0;
    for (const [near, far] of lessons) {
      for (let i = 0; i < near; i++) stream.push(id++, 0);
      for (let i = 0; i < far; i++) stream.push(id++, -20);
    }
    return { stream, id };
  }

  it("the coins are there as soon as there is a cut", () => {
    const { stream } = taught([[17, 0, 4]], skip(0, 4), HIGH);
    expect(left(stream.push(99, -20)).contenders).toEqual([[99, HIGH, 36]]);
    expect(left(taught([[16, 0, 4]], HIGH).stream.push(99, -5)).contenders).toEqual([[99, HIGH, 32]]);
  });

  it.each([
    { near: 64, far: 0, zeros: 3 },
    { near: 33, far: 31, zeros: 3 },
    { near: 32, far: 32, zeros: 5 },
    { near: 33, far: 30, zeros: 4 },
  ])(
    "after $near near candidates and $far far ones, coins stand for $zeros zeros",
    ({ near, far, zeros }) => {
      const { stream } = taught([[near, far, 4]], skip(0, zeros), HIGH);
      expect(left(stream.push(99, -20))).toEqual({
        contenders: [[99, HIGH, 32 + zeros]],
        pushed: near + far + 1,
      });
    },
  );

  it("each lesson starts anew, and coins that were left are tossed again", () => {
    const { stream } = taught(
      [
        [64, 0, 4],
        [32, 32, 3],
      ],
      skip(0, 4),
      HIGH,
    );
    expect(left(stream.push(99, -20)).contenders).toEqual([[99, HIGH, 36]]);
    const { stream: other } = taught([[63, 0, 4]], skip(5, 4), LOW, skip(0, 3), HIGH);
    other.push(97, -20).push(98, 0).push(99, -20);
    expect(left(other).contenders).toEqual([[99, HIGH, 35]]);
  });

  it("whoever is far below for four zeros is near for five, once they are five", () => {
    const between = 0.69 - 4.5 * Math.LN2;
    const { stream } = taught([[32, 31, 4]], skip(0, 4), LOW, HIGH);
    stream.push(98, between).push(99, between);
    expect(left(stream).contenders).toEqual([[99, HIGH, 32]]);
  });
});

describe("A stream that takes arrays", () => {
  const BATCH = new Float64Array(600);
  BATCH[599] = 1e6;

  it("draws next to nothing for those far below, of the array or of what came before", () => {
    for (const domain of [undefined, { size: 600 }]) {
      const entropy = seededEntropy("arrays");
      open({ entropy, domain }).pushScores(BATCH);
      expect(entropy.bitsUsed).toBeLessThan(8 * 32);
    }
    const entropy = seededEntropy("after");
    open({ entropy }).pushScores([1e6]).pushScores(new Float64Array(1000), 1);
    expect(entropy.bitsUsed).toBeLessThan(8 * 32);
  });

  it("takes better ones of any size after those that it counts from an origin", () => {
    const stream = open();
    for (let id = 0; id < 40; id++) stream.push(id, -1e30);
    stream.pushScores([-1e31, -1e29], 100).pushScores([5], 200);
    expect(stream.finish().winners).toEqual([{ candidate: 200 }]);
    const other = open();
    for (let id = 0; id < 40; id++) other.push(id, -1e30);
    expect(other.pushScores([-1e31, -1e29], 100).finish().winners).toEqual([{ candidate: 101 }]);
  });

  it("takes those in its domain one by one where it ends among them, and all or none", () => {
    const before = open({ domain: { size: 10 } }).pushScores([5, 7], -1);
    expect(left(before)).toMatchObject({ contenders: [[0, expect.any(Number), 32]], pushed: 1 });
    const after = open({ domain: { size: 10 } });
    expectBadScore(() => after.pushScores([5, Number.NaN], 9));
    expect(left(after).pushed).toBe(0);
  });

  it("is closed by a failure that isn't of a score", () => {
    const entropy = new Entropy({
      fill() {
        throw new WinnowError("entropy-unavailable", "no bits today");
      },
    });
    const stream = open({ entropy });
    expect(() => stream.pushScores([1, 2])).toThrow("no bits today");
    expect(() => stream.finish()).toThrow("start a new one");
  });

  it("has taken what was there already, before anybody waits", async () => {
    const stream = open();
    const pushed = stream.pushFrom([
      [0, 3],
      [1, 8],
    ]);
    expect(left(stream).pushed).toBe(2);
    await pushed;
  });
});

describe("Streams", () => {
  it("count whoever was pushed in either", () => {
    expect(left(open().push(0, 1).merge(open().push(1, 2).push(2, 3))).pushed).toBe(3);
  });

  it("whose parameters only look alike when they are written together are not merged", () => {
    const one = open({ scale: 1, sensitivity: 12 });
    expect(() => one.merge(open({ scale: 11, sensitivity: 2 }))).toThrow("with the same parameters");
  });

  it("release gaps where a resolution is given, and none where it isn't", () => {
    const winners = (resolution?: number) =>
      open({ scale: "1e-6", resolution }).pushScores([10.5, 3.25]).finish().winners;
    expect(winners(1)).toEqual([{ candidate: 0, gap: rational(7) }]);
    expect(winners()).toEqual([{ candidate: 0 }]);
  });
});

describe("The bits of a stream", () => {
  const ends: [string, (stream: TopKStream) => unknown][] = [
    ["its answer is taken", (stream) => stream.finish()],
    ["it is detached", (stream) => stream.detach()],
    ["it fails", (stream) => expect(() => stream.pushAll([[2, Number.NaN]])).toThrow()],
  ];

  it.each(ends)("are wiped when %s, if they are the system's", (_, end) => {
    const pools: Uint32Array[] = [];
    const { crypto } = globalThis;
    const draw = crypto.getRandomValues.bind(crypto);
    const spy = vi.spyOn(crypto, "getRandomValues").mockImplementation((pool) => {
      pools.push(pool as unknown as Uint32Array);
      return draw(pool);
    });
    try {
      const stream = new TopKStream({ k: 1, scale: 1 }).pushScores([1, 2]);
      expect(pools.length).toBe(1);
      expect(pools[0].some((word) => word > 0)).toBe(true);
      end(stream);
      expect(pools.every((pool) => pool.every((word) => word === 0))).toBe(true);
    } finally {
      spy.mockRestore();
    }
  });

  it.each(ends)("are left as they are when %s, if they were given", (_, end) => {
    let fills = 0;
    const entropy = new Entropy({
      fill(pool) {
        fills++;
        for (let i = 0; i < pool.length; i++) pool[i] = 0x1234_5678 + i * 0x0101_0101;
      },
    });
    end(open({ entropy }).pushScores([1, 2]));
    entropy.word();
    expect(fills).toBe(1);
  });
});
