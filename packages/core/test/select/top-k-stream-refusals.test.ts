import { getEventListeners } from "node:events";
import { inspect } from "node:util";
import { describe, expect, it } from "vitest";
import type { LooseOptions } from "../../src/accounting/spend.js";
import { Entropy } from "../../src/entropy.js";
import { TopKStream, type TopKStreamOptions } from "../../src/select/top-k-stream.js";
import { seededEntropy } from "../../src/testing/seeded-entropy.js";
import { expectBadScore, expectRefused, untouched } from "./refusals.js";

function open(options: Partial<LooseOptions<TopKStreamOptions>> = {}): TopKStream {
  const all = { k: 1, scale: "1e-6", entropy: seededEntropy("stream"), ...options };
  return new TopKStream(all as TopKStreamOptions);
}

describe("A stream is used once:", () => {
  const used = expect.objectContaining({
    code: "stream-finished",
    message: "this stream is used up: its answer was taken, or it was merged into another",
  });

  function finished(): TopKStream {
    const stream = open({ k: 1, scale: 1 }).pushScores(Float64Array.from({ length: 5000 }, (_, i) => i));
    stream.finish();
    return stream;
  }

  function mergedAway(): TopKStream {
    const stream = open({ k: 1, scale: 1 }).pushScores(Float64Array.from({ length: 5000 }, (_, i) => i));
    open({ k: 1, scale: 1 }).merge(stream);
    return stream;
  }

  it.each([
    ["its answer was taken", finished],
    ["it was merged into another", mergedAway],
  ])("after %s, whatever is asked of it is refused", (_, usedUp) => {
    for (const score of [-1e9, 0, 1e9, 5n, -(10n ** 30n)]) {
      const stream = usedUp();
      for (let push = 0; push < 50; push++) expect(() => stream.push(push, score)).toThrow(used);
    }
    expect(() => usedUp().pushScores([1])).toThrow(used);
    expect(() => usedUp().pushAll([[1, 1]])).toThrow(used);
    expect(() => usedUp().finish()).toThrow(used);
    expect(() => usedUp().merge(open())).toThrow(used);
    expect(() => open({ k: 1, scale: 1 }).merge(usedUp())).toThrow(used);
  });

  it("after a refused merge, both streams go on", () => {
    const [one, other] = [open({ k: 1 }).push(0, 1), open({ k: 2 }).push(1, 5).push(2, 6)];
    expect(() => one.merge(other)).toThrow();
    expect(one.finish().winners).toEqual([{ candidate: 0 }]);
    expect(other.finish().winners).toEqual([{ candidate: 2 }, { candidate: 1 }]);
  });

  it("after a finish that was refused for want of candidates, it goes on", () => {
    const stream = open({ k: 2 }).push(0, 1);
    expectRefused(() => stream.finish(), "k must be so small that 1 candidates fill 2 places; got 2");
    expect(stream.push(1, 2).finish().winners.length).toBe(2);
  });
});

describe("A stream that failed", () => {
  /** An entropy that fails after so many words. */
  function failing(words: number): Entropy {
    let left = words;
    return new Entropy({
      poolWords: 1,
      fill(pool) {
        if (left-- <= 0) throw new Error("no more bits");
        pool[0] = 0x1234_5678;
      },
    });
  }

  const failed = expect.objectContaining({
    code: "stream-finished",
    message:
      "this stream failed while it took candidates or drew noise, and released nothing: start a new one",
  });

  function expectClosed(stream: TopKStream): void {
    for (const score of [-1e9, 0, 1e9]) expect(() => stream.push(1, score)).toThrow(failed);
    expect(() => stream.pushScores([1])).toThrow(failed);
    expect(() => stream.pushAll([[1, 1]])).toThrow(failed);
    expect(() => stream.merge(open())).toThrow(failed);
    expect(() => stream.detach()).toThrow(failed);
    expect(() => stream.finish()).toThrow(failed);
  }

  const broken = new Error("the source broke");
  function* breaking(): Generator<readonly [number, number]> {
    yield [1, 5];
    throw broken;
  }
  async function* breakingLater(): AsyncGenerator<readonly [number, number]> {
    yield [1, 5];
    throw broken;
  }

  it("while a candidate entered is closed: it would have lost that one", () => {
    const stream = open({ scale: 1, entropy: failing(2) })
      .push(0, 1)
      .push(1, 2);
    expect(() => stream.push(2, 1e6)).toThrow("no more bits");
    expectClosed(stream);
  });

  it("while a batch was pushed is closed", async () => {
    const scores = open({ scale: 1, entropy: failing(2) });
    expect(() => scores.pushScores([1, 2, 3])).toThrow("no more bits");
    expectClosed(scores);
    const all = open({ scale: 1 });
    expect(() => all.pushAll(breaking())).toThrow(broken);
    expectClosed(all);
    const bad = open({ scale: 1 });
    expectBadScore(() =>
      bad.pushAll([
        [1, 5],
        [2, Number.NaN],
      ]),
    );
    expectClosed(bad);
    const later = open({ scale: 1 });
    await expect(later.pushFrom(breakingLater())).rejects.toThrow(broken);
    expectClosed(later);
  });

  it("or was aborted while candidates arrived is closed, and throws the reason", async () => {
    const reason = new Error("enough");
    const early = open();
    await expect(early.pushFrom([[1, 5]], { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    expectClosed(early);

    const controller = new AbortController();
    let isReturned = false;
    async function* endless(): AsyncGenerator<readonly [number, number]> {
      try {
        for (let id = 0; ; id++) {
          yield [id, id];
          if (id === 3) controller.abort(reason);
        }
      } finally {
        isReturned = true;
      }
    }
    const { signal } = controller;
    const late = open();
    await expect(late.pushFrom(endless(), { signal })).rejects.toBe(reason);
    expectClosed(late);
    expect(isReturned).toBe(true);
  });

  it("or waited in vain when it was aborted is closed", async () => {
    const controller = new AbortController();
    const hanging = { [Symbol.asyncIterator]: () => ({ next: () => new Promise<never>(() => {}) }) };
    const stream = open();
    const pushed = stream.pushFrom(hanging, { signal: controller.signal });
    controller.abort("no more");
    await expect(pushed).rejects.toBe("no more");
    expectClosed(stream);
  });

  it("while it waited for the first candidate gives the source back, and keeps no listener", async () => {
    const controller = new AbortController();
    const { signal } = controller;
    let returned = 0;
    const source = (next: () => Promise<IteratorResult<readonly [number, number]>>) => ({
      [Symbol.asyncIterator]: () => ({
        next,
        return: () => Promise.reject(new Error(`the source was given back ${++returned} times`)),
      }),
    });
    await open().pushFrom(
      source(async () => ({ done: true, value: undefined })),
      { signal },
    );
    expect(returned).toBe(0); // it had ended by itself
    const pushed = open().pushFrom(
      source(() => new Promise<never>(() => {})),
      { signal },
    );
    expect(getEventListeners(signal, "abort").length).toBe(1);
    controller.abort("no more");
    await expect(pushed).rejects.toBe("no more");
    expect(returned).toBe(1);
    expect(getEventListeners(signal, "abort").length).toBe(0);
  });

  it("while it finished is closed, whatever failed", () => {
    const domain = open({ scale: 1, domain: { size: 1000 }, entropy: failing(1) }).push(0, 1);
    expect(() => domain.finish({ isPushed: () => false })).toThrow("no more bits");
    expectClosed(domain);
    const named = open({ scale: 1, domain: { size: 1000 } }).push(0, -1e9);
    expect(() =>
      named.finish({
        isPushed() {
          throw broken;
        },
      }),
    ).toThrow(broken);
    expectClosed(named);
    const wrong = open({ scale: 1, domain: { size: 1000 } }).push(0, -1e9);
    expect(() => wrong.finish({ isPushed: () => true })).toThrow(
      "isPushed must be true for the candidates that were pushed and no others",
    );
    expectClosed(wrong);
    const equal = open({ scale: 1, entropy: failing(2) })
      .push(0, 1)
      .push(1, 1);
    expect(() => equal.finish()).toThrow("no more bits"); // both have the same digits: more are needed
    expectClosed(equal);
  });

  it("is not one whose answer was taken while candidates were still coming", async () => {
    const stream = open({ scale: 1 }).push(0, 1);
    async function* late(): AsyncGenerator<readonly [number, number]> {
      stream.finish();
      yield [1, 5];
    }
    await expect(stream.pushFrom(late())).rejects.toMatchObject({ code: "stream-finished" });
    expect(() => stream.finish()).toThrow("its answer was taken");
  });
});

describe("A stream refuses", () => {
  it.each([
    [null, "null"],
    [{ aborted: false }, "a value of type object"],
    [{ addEventListener() {} }, "a value of type object"],
  ])("%o as a signal", async (signal, got) => {
    await expect(open().pushFrom([], { signal: signal as never })).rejects.toThrow(
      `signal must be an AbortSignal; got ${got}`,
    );
  });

  it("an id that is undefined, near the cut or far below it", () => {
    const stream = new TopKStream<number | undefined | null>({ k: 1, scale: "1e-6" });
    for (let index = 0; index < 5000; index++) stream.push(index, index);
    for (const score of [0, 1e6])
      for (let turn = 0; turn < 50; turn++)
        expectRefused(
          () => stream.push(undefined, score),
          "candidate must be anything but undefined; got undefined",
        );
    expect(stream.push(null, 1e6).finish().winners).toEqual([{ candidate: null }]);
  });

  it("to merge with what is not a stream", () => {
    for (const other of [{}, new Map(), open]) {
      expect(() => open().merge(other as unknown as TopKStream)).toThrow("other must be a TopKStream");
    }
  });

  it("to merge with itself or with one of other parameters", () => {
    const like: Partial<LooseOptions<TopKStreamOptions>> = {
      k: 2,
      scale: 3,
      resolution: "1/2",
      sensitivity: 2,
    };
    const stream = open(like);
    expectRefused(() => stream.merge(stream), "other must be another stream; got a value of type object");
    const others: Partial<LooseOptions<TopKStreamOptions>>[] = [
      { k: 3 },
      { scale: "3.1" },
      { resolution: "1/3" },
      { resolution: undefined },
      { sensitivity: 1 },
      { monotone: true },
      { negate: true },
      { domain: { size: 5 } },
      { scale: undefined, rho: 1, resolution: undefined },
    ];
    for (const other of others)
      expectRefused(
        () => stream.merge(open({ ...like, ...other })),
        "other must be a stream with the same parameters",
      );
    expect(() => stream.merge(open({ ...like, resolution: "2/4" }))).not.toThrow();
  });

  it("a score that is not finite or no number, whatever came before", () => {
    for (const before of [0, 2000]) {
      const stream = open({ k: 1, scale: 1 }).pushScores(Float64Array.from({ length: before }, (_, i) => i));
      for (const score of [
        Number.NaN,
        Infinity,
        -Infinity,
        10n ** 400n,
        -(10n ** 400n),
        undefined,
        null,
        "5",
        true,
      ])
        for (let turn = 0; turn < 20; turn++) expectBadScore(() => stream.push(1, score as number));
      expect(stream.push(9999, 1e6).finish().winners).toEqual([{ candidate: 9999 }]);
    }
  });

  it("an array with a bad score as a whole", () => {
    const stream = open({ entropy: untouched() });
    expectBadScore(() => stream.pushScores([1, 2, Number.NaN]));
    expectRefused(() => stream.finish(), "k must be so small that 0 candidates fill 1 places; got 1");
  });

  it("parameters that are none, before a bit is drawn", () => {
    const refuse = (options: Partial<Record<keyof TopKStreamOptions, unknown>>, message: string) =>
      expectRefused(
        () => new TopKStream({ k: 1, entropy: untouched(), ...options } as TopKStreamOptions),
        message,
      );
    refuse({ k: 0, epsilon: 1 }, "k must be an integer >= 1; got 0");
    refuse({}, 'budget must be exactly one of epsilon, rho and scale; got "none"');
    refuse(
      { epsilon: 1, rho: 1 },
      'budget must be exactly one of epsilon, rho and scale; got "epsilon and rho"',
    );
    refuse({ epsilon: "-1/2" }, 'epsilon must be a rational > 0; got "-1/2"');
    for (const scale of [0, "0", 0n])
      refuse(
        { scale },
        `scale must be a rational > 0; got ${typeof scale === "string" ? '"0"' : typeof scale === "bigint" ? "0n" : 0}`,
      );
    refuse({ epsilon: 1, resolution: 0 }, "resolution must be a rational > 0; got 0");
    refuse({ epsilon: 1, sensitivity: 0 }, "sensitivity must be a rational > 0; got 0");
    refuse({ epsilon: 1, domain: { size: 0 } }, "size must be an integer >= 1; got 0");
    refuse(
      { rho: 1, resolution: 1 },
      'resolution must be absent with measure "zcdp", because only exponential noise covers gaps; got 1',
    );
  });
});

describe("The state of a stream", () => {
  const full = () =>
    open({ k: 3, scale: 1, resolution: 1 }).pushScores([987_654.25, 12, 31_415_926n]).push(77, 5);

  it("is not shown by JSON, by the console or by a copy", () => {
    const stream = full();
    expect(JSON.stringify(stream)).toBe("{}");
    expect(JSON.stringify({ stream, list: [stream] })).toBe('{"stream":{},"list":[{}]}');
    for (const showHidden of [false, true])
      expect(inspect(stream, { showHidden, depth: 20, getters: true })).toBe("TopKStream {}");
    expect(structuredClone(stream)).toEqual({});
    expect({ ...stream }).toEqual({});
    expect(Reflect.ownKeys(stream)).toEqual([]);
    expect(String(stream)).toBe("[object Object]");
  });

  it("is not shown by errors", () => {
    const stream = full();
    const texts: string[] = [];
    const other = open({ k: 3, scale: 2, resolution: 1 });
    for (const call of [
      () => stream.merge(other),
      () => stream.merge(stream),
      () => stream.push(1, Number.NaN),
      () => open({ k: 9 }).push(987_654, 31_415_926).finish(),
    ]) {
      try {
        call();
      } catch (error) {
        texts.push(inspect(error, { showHidden: true, depth: 20 }), JSON.stringify(error));
      }
    }
    expect(texts.length).toBe(8);
    for (const text of texts) expect(text).not.toMatch(/987654|31415926/);
  });
});
