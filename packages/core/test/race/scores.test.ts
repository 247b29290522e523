import { runInNewContext } from "node:vm";
import { describe, expect, it } from "vitest";
import { WinnowError } from "../../src/errors.js";
import { rational } from "../../src/exact/rational.js";
import {
  areShared,
  exactScore,
  heldStill,
  invalidScore,
  nearestDouble,
  Origin,
  ScoreReader,
  type Scores,
  SharedScores,
  toDouble,
} from "../../src/race/scores.js";
import { reportNoisyMax } from "../../src/select/report-noisy-max.js";
import { topK } from "../../src/select/top-k.js";
import { TopKStream } from "../../src/select/top-k-stream.js";
import { topKWithGap } from "../../src/select/top-k-with-gap.js";
import { largestGap } from "../../src/standout/largest-gap.js";
import { seededEntropy } from "../../src/testing/seeded-entropy.js";
import { expectBadScore, untouched } from "../select/refusals.js";

/** All scores of a reader as its blocks have them. */
function scanned(reader: ScoreReader): number[] {
  const all: number[] = [];
  while (all.length < reader.length) for (const score of reader.block(all.length)) all.push(score);
  return all;
}

const SMALL = [3, 0, 255, 17];
const CONTAINERS: readonly (readonly [kind: string, scores: Scores])[] = [
  ["Float64Array", Float64Array.from(SMALL)],
  ["Float32Array", Float32Array.from(SMALL)],
  ["Int32Array", Int32Array.from(SMALL)],
  ["Uint32Array", Uint32Array.from(SMALL)],
  ["Int16Array", Int16Array.from(SMALL)],
  ["Uint16Array", Uint16Array.from(SMALL)],
  ["Uint8Array", Uint8Array.from(SMALL)],
  ["Uint8ClampedArray", Uint8ClampedArray.from(SMALL)],
  ["BigInt64Array", BigInt64Array.from(SMALL.map(BigInt))],
  ["BigUint64Array", BigUint64Array.from(SMALL.map(BigInt))],
  ["Array of numbers", SMALL],
  ["Array of bigints", SMALL.map(BigInt)],
  ["array-like object", { length: 4, 0: 3, 1: 0n, 2: 255, 3: 17n }],
];

describe("A reader of scores", () => {
  it.each(CONTAINERS)("reads a %s", (_, scores) => {
    const reader = new ScoreReader(scores);
    expect(reader.length).toBe(4);
    expect(scanned(reader)).toEqual(SMALL);
    expect(SMALL.map((_, index) => reader.at(index))).toEqual(SMALL);
    expect(SMALL.map((_, index) => reader.exact(index))).toEqual(SMALL);
  });

  it.each(CONTAINERS)("negates a %s and leaves it as it is", (_, scores) => {
    const reader = new ScoreReader(scores, { negate: true });
    expect(scanned(reader).map((score) => 0 - score)).toEqual(SMALL);
    expect(SMALL.map((_, index) => 0 - reader.at(index))).toEqual(SMALL);
    expect(SMALL.map((_, index) => 0 - Number(reader.exact(index)))).toEqual(SMALL);
    expect([...Array.from(scores, Number)]).toEqual(SMALL);
  });

  it("reads arrays that are longer than a block, the same way by block and by index", () => {
    const scores = Array.from({ length: 200_001 }, (_, index) => (index * 7919) % 100_003);
    for (const container of [scores, Float64Array.from(scores), Int32Array.from(scores)]) {
      const reader = new ScoreReader(container);
      expect(scanned(reader)).toEqual(scores);
      expect(reader.at(150_000)).toBe(scores[150_000]);
    }
  });

  it("reads as many at once as it says, and the rest then", () => {
    const scores = Array.from({ length: 4100 }, (_, index) => (index * 7919) % 101);
    for (const container of [Int32Array.from(scores), scores.map(BigInt)]) {
      const reader = new ScoreReader(container);
      expect([0, 4096].map((start) => reader.block(start).length)).toEqual([4096, 4]);
      expect(scanned(reader)).toEqual(scores);
    }
    expect(new ScoreReader(Float64Array.from(scores)).block(0).length).toBe(4100);
  });

  it("leaves it to the scan to look at a block, and refuses what isn't a list", () => {
    expect([...new ScoreReader([1, Number.NaN]).block(0)]).toEqual([1, Number.NaN]);
    expect(() => new ScoreReader(5 as never)).toThrow(
      "scores must be an array or a typed array; got a value of type number",
    );
  });

  it("rounds a bigint to the nearest double to scan by, and knows it exactly", () => {
    const score = 10n ** 30n + 1n;
    const reader = new ScoreReader([score, -score]);
    expect(scanned(reader)).toEqual([1e30, -1e30]);
    expect(reader.exact(0)).toEqual(rational(score));
    expect(reader.exact(1)).toEqual(rational(-score));
  });
});

describe("An exact score", () => {
  it("is the number itself, never floored: the decimal that it prints as", () => {
    for (const score of [0.1, -2.5, 1.5e300, 5e-324, 1 / 3, -0.35, 1e15 + 0.5])
      expect(exactScore(score)).toBe(score);
  });

  it("is a number for a bigint that is a safe integer, and else a rational", () => {
    expect(exactScore(2n ** 53n - 1n)).toBe(Number.MAX_SAFE_INTEGER);
    expect(exactScore(2n ** 53n + 1n)).toEqual(rational(2n ** 53n + 1n));
    expect(exactScore(-(2n ** 53n) - 1n)).toEqual(rational(-(2n ** 53n) - 1n));
  });
});

describe("Doubles", () => {
  it("are nearest to a score", () => {
    expect(nearestDouble(0.1)).toBe(0.1);
    expect(nearestDouble(rational("1/3"))).toBe(1 / 3);
    expect(toDouble(10n ** 30n)).toBe(1e30);
  });

  it.each(["5", true, null, undefined, {}, [5], Infinity, Number.NaN, 10n ** 400n])(
    "are refused: %s",
    (bad) => {
      expectBadScore(() => toDouble(bad));
      expect(invalidScore()).toMatchObject({
        field: "scores",
        expected: "finite numbers or bigints (up to 1.79e308) throughout",
      });
    },
  );
});

describe("Doubles that count from an origin", () => {
  it("are of decimals, where doubles would be wrong in the last place", () => {
    expect(new Origin(0.1).to(0.3)).toBe(0.2);
    expect(new Origin(0.9).to(1)).toBe(0.1);
    expect(new Origin(1).to(0.9)).toBe(-0.1);
    expect(new Origin(3).to(8)).toBe(5);
    expect(new Origin(0.1).to(0.1)).toBe(0);
  });

  it("leave the scores as they are", () => {
    const given = Float64Array.of(3, 1, 2);
    const reader = new ScoreReader(given);
    expect(scanned(reader.from(new Origin(1)))).toEqual([2, 0, 1]);
    expect([...given]).toEqual([3, 1, 2]);
    expect(reader.from(undefined)).toBe(reader);
  });

  const scores = [
    1e15 + 0.5,
    1e15,
    -1e300,
    10n ** 30n + 1n,
    0.1,
    5e-324,
    Number.MAX_VALUE,
    -Number.MAX_VALUE,
  ];
  const origins = [1e15, 0.1, rational(10n ** 30n), -Number.MAX_VALUE, rational("1/3")];

  it("are the exact differences, rounded once, by block and by index", () => {
    for (const negate of [false, true])
      for (const origin of origins) {
        const reader = new ScoreReader(scores, { negate }).from(new Origin(origin));
        const expected = scores.map((score) => {
          const difference = rational(negate ? -score : score)
            .minus(origin)
            .toNumber();
          return Math.max(Math.min(difference, Number.MAX_VALUE), -Number.MAX_VALUE);
        });
        expect(scanned(reader)).toEqual(expected);
        expect(scores.map((_, index) => reader.at(index))).toEqual(expected);
        expect(rational(reader.exact(0))).toEqual(rational(negate ? -scores[0] : scores[0]));
      }
  });

  it("refuse what is not finite without a word on it", () => {
    for (const bad of [Number.NaN, Infinity, 10n ** 400n])
      expectBadScore(() => new ScoreReader([1, bad]).from(new Origin(5)).block(0));
  });
});

describe("Scores that may change while they are read", () => {
  const select = (scores: Scores) =>
    topKWithGap(scores, { k: 1, scale: "1e-6", entropy: seededEntropy("held still") }).winners[0].candidate;

  /** Large where `best` says, at the first read; something else at the next. */
  function fickle(length: number, best: number): { scores: Scores; reads: number[] } {
    const reads = Array<number>(length).fill(0);
    const scores = new Proxy(
      new (class {
        length = length;
      })() as unknown as Scores,
      {
        get(target, key) {
          if (typeof key !== "string" || !/^\d+$/.test(key)) return Reflect.get(target, key);
          const index = Number(key);
          return reads[index]++ === 0 ? (index === best ? 10 : 0) : index === 0 ? 1e9 : Number.NaN;
        },
      },
    );
    return { scores, reads };
  }

  it.each([3, 1000, 100_000])("are read once each where %d elements are computed", (length) => {
    const { scores, reads } = fickle(length, 2);
    expect(select(scores)).toBe(2);
    expect(new Set(reads)).toEqual(new Set([1]));
    const again = fickle(length, 2);
    new TopKStream({ k: 1, scale: "1e-6" }).pushScores(again.scores);
    expect(new Set(again.reads)).toEqual(new Set([1]));
    const counts = fickle(length, 1);
    largestGap(counts.scores, { maxK: 2, scale: "1e-6" });
    expect(new Set(counts.reads)).toEqual(new Set([1]));
  });

  it("are none where a typed array was sent away", () => {
    class Own extends Float64Array {}
    const sent = new Own([1, 2]);
    structuredClone(sent.buffer, { transfer: [sent.buffer] });
    expect(heldStill(sent, "scores", invalidScore)).toEqual([]);
  });

  it("are used where they are in a plain typed array, and else copied", () => {
    const held = (scores: Scores) => heldStill(scores, "scores", invalidScore);
    const [plain, own] = [Float64Array.of(1, 2), new (class Own extends Int32Array {})([1, 2])];
    expect(held(plain)).toBe(plain);
    expect(Object.getPrototypeOf(held(own))).toBe(Int32Array.prototype);
    expect(held(own)).toEqual(Int32Array.of(1, 2));
    expect(held([1, 2])).toEqual(plain);
    expect(held([1, 2n])).toEqual([1, 2n]);
    expect(held([]).length).toBe(0);
  });

  it("are as many as there are, whatever a subclass or a property of an array says", () => {
    class Longer extends Float64Array {
      override get length() {
        return 2 ** 40;
      }
    }
    class Elsewhere extends Float64Array {
      override get byteOffset() {
        return 8;
      }
    }
    const said = Object.defineProperty(Float64Array.of(5, 9, 1), "length", { value: 2 ** 40 });
    for (const scores of [Longer.of(5, 9, 1), Elsewhere.of(5, 9, 1), said]) {
      expect(heldStill(scores, "scores", invalidScore)).toEqual(Float64Array.of(5, 9, 1));
      expect(select(scores)).toBe(1);
      expect(() => topK(scores, { k: 4, epsilon: 1 })).toThrow("k must be an integer from 1 to 3");
    }
  });

  it("are copied where memory is shared with other threads", () => {
    const shared = new Int32Array(new SharedArrayBuffer(4 * 2000)).fill(1);
    shared[7] = 100;
    const reader = new ScoreReader(shared);
    shared[7] = 0;
    expect(reader.at(7)).toBe(100);
    expect(scanned(reader)[7]).toBe(100);
  });

  it("of a getter in an array are read once", () => {
    const scores = [1, 2, 3];
    let reads = 0;
    Object.defineProperty(scores, 1, { get: () => (reads++ === 0 ? 50 : Number.NaN) });
    expect(select(scores)).toBe(1);
    expect(reads).toBe(1);
  });
});

describe("Typed arrays of another realm", () => {
  it.each([
    ["new Float64Array([1, 9, 3])", [1, 9, 3]],
    ["new Int32Array([1, 9, 3])", [1, 9, 3]],
    ["new BigInt64Array([1n, 9n, 3n])", [1, 9, 3]],
    ["new BigUint64Array([1n, 9n, 3n])", [1, 9, 3]],
    ["[1, 9n, 3]", [1, 9, 3]],
    ["new (class Own extends Float32Array {})([1, 9, 3])", [1, 9, 3]],
    ["new Float64Array(new Float64Array([7, 1, 9, 3]).buffer, 8)", [1, 9, 3]],
  ])("are read like ours: %s", (code, expected) => {
    const scores = runInNewContext(code) as Scores;
    const reader = new ScoreReader(scores);
    expect(scanned(reader)).toEqual(expected);
    expect(expected.map((_, index) => reader.exact(index))).toEqual(expected);
    expect(scanned(new ScoreReader(scores, { negate: true })).map((score) => -score)).toEqual(expected);
    expect(topKWithGap(scores, { k: 1, scale: "1e-6" }).winners[0].candidate).toBe(1);
    expect(largestGap(scores, { maxK: 2, scale: "1e-6" }).k).toBe(1);
  });
});

describe("A length that no array has", () => {
  it.each([2.5, -1, Number.NaN, Infinity, "3", undefined])("is refused: %s", (length) => {
    const scores = { length, 0: 1, 1: 2, 2: 3 } as unknown as Scores;
    const calls: ((scores: Scores) => unknown)[] = [
      (of) => topK(of, { k: 1, scale: 1, entropy: untouched() }),
      (of) => topK(of, { k: 1, scale: 1, method: "peel", entropy: untouched() }),
      (of) => reportNoisyMax(of, { noise: "gaussian", variance: 1, entropy: untouched() }),
      (of) => new TopKStream({ k: 1, scale: 1, entropy: untouched() }).pushScores(of),
      (of) => largestGap(of, { maxK: 1, scale: 1, entropy: untouched() }),
    ];
    for (const call of calls) expect(() => call(scores)).toThrow(/must be an array|named "length"/);
  });

  it("is refused by what is missing, and not by memory", () => {
    const endless = Object.assign(new (class {})(), { length: 2 ** 50 });
    expectBadScore(() => topK(endless as Scores, { k: 1, scale: 1, entropy: untouched() }));
  });
});

describe("Scores in shared memory, read in place", () => {
  const memory = new Float64Array(new SharedArrayBuffer(32));
  const found = { indices: Float64Array.of(1, 0), scores: Float64Array.of(9, 8), count: 1, threshold: 5 };

  it("are those that the scan read, whatever is written then", () => {
    memory.set([1, 9, 3, 4]);
    const reader = new SharedScores(memory, {});
    expect(scanned(reader)).toEqual([1, 9, 3, 4]);
    reader.keep(found);
    memory[1] = Number.NaN;
    memory[2] = -7;
    expect([0, 1, 2].map((index) => reader.exact(index))).toEqual([1, 9, -7]);
    for (const written of [5, 1e9, Infinity, Number.NaN, -Infinity]) {
      memory[3] = written;
      expect(() => reader.exact(3)).toThrow(WinnowError);
    }
    memory[3] = 6;
    expect(() => reader.exact(3)).toThrow(
      expect.objectContaining({
        code: "invalid-parameter",
        message: "scores must be left as they are while they are read",
      }),
    );
  });

  it("are negated and whole numbers, too", () => {
    const integers = new Int32Array(new SharedArrayBuffer(12));
    integers.set([4, -2, 7]);
    expect(scanned(new SharedScores(integers, { negate: true }))).toEqual([-4, 2, -7]);
  });

  it("are numbers in a plain typed array", () => {
    expect(areShared(memory)).toBe(true);
    expect(areShared(new Uint8Array(memory.buffer))).toBe(true);
    for (const other of [new Float64Array(2), new BigInt64Array(memory.buffer), [1], null, undefined, 5])
      expect(areShared(other)).toBe(false);
    expect(areShared(new (class Own extends Float64Array<SharedArrayBuffer> {})(memory.buffer))).toBe(false);
  });
});
