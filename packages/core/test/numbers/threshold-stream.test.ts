import { describe, expect, it, vi } from "vitest";
import { Rational, rational } from "../../src/exact/rational.js";
import { makeAboveThreshold } from "../../src/index.js";
import type { Above } from "../../src/numbers/comparison.js";
import { type StreamParts, ThresholdStream } from "../../src/numbers/threshold-stream.js";
import { Skips } from "../../src/sample/skips.js";
import { seededEntropy } from "../../src/testing/seeded-entropy.js";

/** Values below this are far below every threshold of a stream that only listens. */
const FAR = -10;

interface Heard {
  readonly value: number | bigint;
  readonly threshold: string;
  readonly zeros: number;
}

/** A stream whose comparisons are written down: what is above, they say. */
function listening(
  above: (value: number | bigint) => Above | undefined = () => undefined,
  parts: Partial<StreamParts> = {},
): { stream: ThresholdStream; heard: Heard[] } {
  const heard: Heard[] = [];
  const stream = new ThresholdStream({
    comparison: {
      farBelow: (threshold) => threshold.plus(FAR).toNumber(),
      compare(value, threshold, zeros) {
        heard.push({ value, threshold: String(threshold), zeros });
        return above(value);
      },
    },
    entropy: seededEntropy("listening"),
    ownsEntropy: false,
    threshold: Rational.ZERO,
    maxAbove: 3,
    shares: [Rational.ONE],
    ...parts,
  });
  return { stream, heard };
}

const typed = (values: readonly number[]) => Float64Array.from(values);
const plain = (values: readonly number[]) => [...values];

describe("a value that isn't far is compared, wherever it is in a list", () => {
  it.each([["typed array", typed] as const, ["array", plain] as const])("%s", (_, listOf) => {
    for (let place = 0; place < 40; place++)
      for (const value of [FAR, FAR + 1, 1e6]) {
        const values = Array<number>(40).fill(-100);
        values[place] = value;
        const { stream, heard } = listening();
        stream.push(-100); // draws how many far ones pass
        expect(stream.pushAll(listOf(values))).toEqual({ above: [], answered: 40 });
        expect(heard).toEqual([{ value, threshold: "0", zeros: 0 }]);
      }
  });
});

describe("a value that isn't finite closes the stream, wherever it is in a list", () => {
  const refusal = expect.objectContaining({
    code: "invalid-score",
    field: "values",
    expected: "finite numbers or bigints (up to 1.79e308) throughout",
    message:
      "values must be finite numbers or bigints (up to 1.79e308) throughout; the stream is closed and was charged",
  });

  it.each([-Infinity, Number.NaN, Infinity])("%d", (bad) => {
    for (const listOf of [typed, plain])
      for (let place = 0; place < 40; place++) {
        const values = Array<number>(40).fill(-100);
        values[place] = bad;
        const { stream } = listening();
        stream.push(-100);
        expect(() => stream.pushAll(listOf(values))).toThrow(refusal);
        expect(stream.remaining).toBe(0);
        expect(() => stream.push(-100)).toThrow("the stream has ended: a failure closed it");
      }
  });

  it("and so does one that isn't a number, in lists and one by one, also where far ones pass", () => {
    for (const bad of ["-100", null, {}, -Infinity])
      for (const push of [
        (stream: ThresholdStream) => stream.push(bad as number),
        (stream: ThresholdStream) => stream.pushAll([bad as number]),
      ]) {
        const { stream } = listening();
        stream.push(-100); // draws how many far ones pass
        expect(() => push(stream)).toThrow(refusal);
        expect(() => stream.push(-100)).toThrow(
          expect.objectContaining({
            code: "stream-finished",
            message: "the stream has ended: a failure closed it; start a new one and charge it",
          }),
        );
      }
  });

  it("but a threshold that isn't a number leaves it open", () => {
    const { stream } = listening();
    expect(() => stream.push(3, "x")).toThrow(/^threshold must be/);
    expect(stream.push(3)).toEqual({ above: false });
  });

  it("but very large ones are finite", () => {
    const { stream, heard } = listening();
    const values = new Float64Array(64).fill(-Number.MAX_VALUE);
    expect(stream.pushAll(values).answered).toBe(64);
    expect(stream.pushAll(values).answered).toBe(64);
    expect(heard).toEqual([]);
  });

  it("and so does what isn't a list", () => {
    const { stream } = listening();
    expect(() => stream.pushAll(7 as never)).toThrow(/^values must be/);
  });
});

describe("far values", () => {
  const COUNT = 300_000;

  /** Those that draw 16 zeros: the first after each geometric number of passes. */
  function expected(): number[] {
    const [skips, entropy] = [new Skips(Rational.of(1n, 1n << 16n)), seededEntropy("listening")];
    const places: number[] = [];
    for (let place = skips.draw(entropy); place < COUNT; place += 1 + skips.draw(entropy)) places.push(place);
    return places;
  }

  it("are compared as rarely as 16 zeros come, with those zeros drawn, in lists and one by one", () => {
    const values = Float64Array.from({ length: COUNT }, (_, i) => -COUNT - 100 + i);
    const places = expected();
    expect(places.length).toBeGreaterThan(1);
    const all = places.map((place) => ({ value: values[place], threshold: "0", zeros: 16 }));

    const list = listening();
    expect(list.stream.pushAll(values).answered).toBe(COUNT);
    expect(list.heard).toEqual(all);

    const parts = listening();
    for (let start = 0; start < COUNT; start += 7777)
      parts.stream.pushAll(values.subarray(start, start + 7777));
    expect(parts.heard).toEqual(all);

    const single = listening();
    for (const value of values) single.stream.push(value);
    expect(single.heard).toEqual(all);
  });

  it("are told from others wherever these are after a pass has run out", () => {
    const [first] = expected();
    for (let ahead = 1; ahead <= 9; ahead++) {
      const values = new Float64Array(first + 40).fill(-100);
      values[first + ahead] = 5;
      const { stream, heard } = listening();
      expect(stream.pushAll(values).answered).toBe(values.length);
      expect(heard.map(({ value }) => value)).toEqual([-100, 5]);
    }
  });

  it("of both kinds in one list are compared as rarely", () => {
    const { stream, heard } = listening();
    stream.push(-100);
    const mixed = Array.from({ length: 40 }, (_, i) => (i % 3 === 0 ? -1000n : -1000));
    expect(stream.pushAll(mixed).answered).toBe(40);
    expect(heard).toEqual([]);
  });

  it("are below the border, not at it, one by one as in lists", () => {
    const { stream, heard } = listening();
    for (const value of [-100, FAR, FAR - 1]) stream.push(value);
    expect(heard).toEqual([{ value: FAR, threshold: "0", zeros: 0 }]);
  });

  it("do not pass while the stream is busy with another", () => {
    let answer: unknown;
    const { stream } = listening(() => {
      try {
        answer = stream.push(-100);
      } catch (error) {
        answer = error;
      }
      return undefined;
    });
    stream.push(-100); // draws how many far ones pass
    stream.push(5);
    expect(answer).toEqual(expect.objectContaining({ code: "stream-busy" }));
  });

  it("take one look at a threshold that stays the same", () => {
    const farBelow = vi.fn(() => FAR);
    const { stream } = listening(undefined, { comparison: { farBelow, compare: () => undefined } });
    for (let i = 0; i < 5; i++) stream.push(3);
    expect(farBelow).toHaveBeenCalledTimes(1);
    for (let i = 0; i < 5; i++) stream.push(3, "1/2");
    expect(farBelow).toHaveBeenCalledTimes(2);
  });

  it("as bigints are compared as rarely", () => {
    const { stream, heard } = listening();
    for (let i = 0; i < 1000; i++) expect(stream.push(-1000n)).toEqual({ above: false });
    expect(stream.pushAll(Array<bigint>(1000).fill(-1000n)).answered).toBe(1000);
    expect(heard.length).toBeLessThan(3);
  });

  it("share the passes of all thresholds, and are far from their own", () => {
    const { stream, heard } = listening();
    stream.push(-100);
    expect(stream.push(-100, -95).above).toBe(false); // only 5 below it
    expect(stream.push(-100, -50).above).toBe(false);
    expect(stream.push(-100).above).toBe(false);
    expect(stream.pushAll(typed([-100, -200]), -95).answered).toBe(2);
    expect(stream.pushAll(typed([-100, -200])).answered).toBe(2);
    expect(heard).toEqual([
      { value: -100, threshold: "-95", zeros: 0 },
      { value: -100, threshold: "-95", zeros: 0 },
    ]);
  });
});

describe("answers above", () => {
  const positive = (value: number | bigint) => (value > 0 ? { level: 0, gap: undefined } : undefined);

  it("end the stream when all were given, and a list at the one that ends it", () => {
    const { stream } = listening(positive);
    expect(stream.remaining).toBe(3);
    expect(stream.pushAll([-1, 5, -1, -100, 6])).toEqual({
      above: [
        { index: 1, above: true },
        { index: 4, above: true },
      ],
      answered: 5,
    });
    expect(stream.remaining).toBe(1);
    expect(stream.pushAll([])).toEqual({ above: [], answered: 0 });
    expect(stream.pushAll([-1, 7, 8, 9])).toEqual({ above: [{ index: 1, above: true }], answered: 2 });
    expect(stream.remaining).toBe(0);
    expect(() => stream.push(-100)).toThrow(
      "the stream has ended: all of its answers above were given; start a new one and charge it",
    );
  });

  it("say the gap if there is one, also of 0, and the level if there are several", () => {
    const gap = (size: number) => ({ level: 1, gap: rational(size) });
    const withGap = listening((value) => gap(Number(value)), { shares: [rational("1/2"), rational(1)] });
    expect(withGap.stream.push(0)).toEqual({ above: true, gap: rational(0), level: 1 });
    const single = listening(() => ({ level: 0, gap: rational(2) }));
    expect(single.stream.push(0)).toEqual({ above: true, gap: rational(2) });
    expect(Object.keys(listening(positive).stream.push(1))).toEqual(["above"]);
  });

  it("cost the share of their level, and the stream ends when a full one could not be paid", () => {
    const shares = [rational("1/4"), rational(1)];
    const { stream } = listening((value) => ({ level: Number(value), gap: undefined }), {
      shares,
      maxAbove: 2,
    });
    const left = [0, 0, 0, 0].map((level) => {
      stream.push(level);
      return stream.remaining;
    });
    expect(left).toEqual([1, 1, 1, 1]);
    stream.push(0);
    expect(stream.remaining).toBe(0);
    expect(() => stream.push(0)).toThrow("all of its answers above were given");
  });
});

describe("a failure inside a comparison", () => {
  it("closes the stream and goes on to the caller", () => {
    const { stream } = listening(() => {
      throw new RangeError("no more bits");
    });
    expect(() => stream.push(1)).toThrow(new RangeError("no more bits"));
    expect(stream.remaining).toBe(0);
    expect(() => stream.push(1)).toThrow("the stream has ended: a failure closed it");
  });
});

describe("the bits of a stream", () => {
  it("are wiped at its end if they were fetched for it, and not if they were given", () => {
    for (const ownsEntropy of [true, false]) {
      let wiped = 0;
      const entropy = Object.assign(seededEntropy("wiped"), { wipe: () => wiped++ });
      const above = () => ({ level: 0, gap: undefined });
      const { stream } = listening(above, { ownsEntropy, entropy: entropy as never, maxAbove: 2 });
      stream.push(1);
      expect(wiped).toBe(0);
      stream.push(1);
      expect(wiped).toBe(ownsEntropy ? 1 : 0);
    }
  });

  it("of a measurement are its own only if none are given", () => {
    const measurement = makeAboveThreshold({ thresholdScale: 1, queryScale: 1 });
    expect(measurement.begin().ownsEntropy).toBe(true);
    expect(measurement.begin(seededEntropy("given")).ownsEntropy).toBe(false);
  });
});
