/**
 * Bits, iterators, getters and callbacks are code of the caller's, which may call the stream that waits for them. Each call from inside
 * is refused, or is a call of its own that is paid for; no stream gives an answer more than it was made for.
 */
import { describe, expect, it } from "vitest";
import {
  AboveThreshold,
  Budget,
  base2Exponential,
  Entropy,
  eta,
  LimitedTopKStream,
  makeAboveThreshold,
  TeacherRun,
  TopKStream,
  topK,
  WinnowError,
  zcdp,
} from "../src/index.js";
import { seededEntropy } from "../src/testing/seeded-entropy.js";

type Call = () => unknown;

/** Bits of a seed that call back each time they are fetched, once they are armed. */
class Caller {
  readonly answers: unknown[] = [];
  #call: Call | undefined;
  readonly #seeded = seededEntropy("re-entrance");

  /** By the source of an `Entropy`, which is asked for a word at a time. */
  readonly source = new Entropy({
    poolWords: 1,
    fill: (words) => {
      this.#inside();
      for (let i = 0; i < words.length; i++) words[i] = this.#seeded.word();
    },
  });

  /** By an `Entropy` that calls back before each word. */
  readonly word = callingWords(() => this.#inside());

  arm(call: Call): void {
    this.#call = call;
  }

  #inside(): void {
    const call = this.#call;
    if (call === undefined) return;
    this.#call = undefined;
    try {
      this.answers.push(call());
    } catch (error) {
      this.answers.push(error instanceof WinnowError ? error.code : error);
    }
  }
}

function callingWords(inside: () => void): Entropy {
  const seeded = seededEntropy("re-entrance");
  class Calling extends Entropy {
    override word(): number {
      inside();
      return super.word();
    }
  }
  return new Calling({
    fill(words) {
      for (let i = 0; i < words.length; i++) words[i] = seeded.word();
    },
  });
}

const KINDS = ["source", "word"] as const;
const BUDGETS = {
  "exponential noise": { epsilon: 1 },
  "Gumbel noise": { rho: 1 },
  "geometric noise": { eta: eta(1, 1), resolution: 1 },
} as const;

describe.each(KINDS)("Bits that call back, by their %s,", (kind) => {
  it.each(Object.entries(BUDGETS))(
    "get one answer above from a stream that paid for one: %s",
    (_, budget) => {
      const calls: readonly ((stream: AboveThreshold) => unknown)[] = [
        (stream) => stream.push(1e6),
        (stream) => stream.push(1e6, 7),
        (stream) => stream.push(-1e6),
        (stream) => stream.pushAll([1e6, 1e6]),
      ];
      for (const call of calls) {
        const caller = new Caller();
        const stream = new AboveThreshold({ ...budget, threshold: 0, maxAbove: 1, entropy: caller[kind] });
        caller.arm(() => call(stream));
        expect(stream.push(1e6).above).toBe(true);
        expect(caller.answers).toEqual(["stream-busy"]);
        expect(stream.remaining).toBe(0);
      }
    },
  );

  it("get as many answers above as were paid for, whatever they ask in between", () => {
    const caller = new Caller();
    const entropy = caller[kind];
    const stream = makeAboveThreshold({ thresholdScale: 1, queryScale: 1, maxAbove: 3 }).start(entropy);
    let above = 0;
    for (let i = 0; stream.remaining > 0; i++) {
      caller.arm(() => {
        if (stream.push(1e6).above) above++;
      });
      if (stream.pushAll([-1e9, 1e6]).above.length > 0) above++;
      expect(i).toBeLessThan(4);
    }
    expect(above).toBe(3);
  });

  it("find a TopKStream busy that takes a candidate, scores, another stream or a state", () => {
    const inside: readonly ((stream: TopKStream) => unknown)[] = [
      (stream) => stream.push(9, 5),
      (stream) => stream.pushScores([5]),
      (stream) => stream.pushAll([[9, 5]]),
      (stream) => stream.merge(new TopKStream({ k: 1, scale: 1 })),
      (stream) => stream.detach(),
      (stream) => stream.finish(),
    ];
    const outside: readonly ((stream: TopKStream, entropy: Entropy) => unknown)[] = [
      (stream) => stream.push(0, 1),
      (stream) => stream.pushScores([1, 2, 3]),
      (stream) => stream.pushAll([[0, 1]]),
    ];
    for (const call of inside)
      for (const step of outside) {
        const caller = new Caller();
        const stream = new TopKStream({ k: 1, scale: 1, entropy: caller[kind] });
        caller.arm(() => call(stream));
        step(stream, caller[kind]);
        expect(caller.answers).toEqual(["stream-busy"]);
        expect(stream.finish().winners).toHaveLength(1);
      }
  });

  it("find a TopKStream closed that is about to answer", () => {
    const caller = new Caller();
    const stream = new TopKStream({ k: 1, scale: 1, domain: { size: 10 }, entropy: caller[kind] });
    caller.arm(() => stream.finish({ isPushed: () => false }));
    expect(stream.finish({ isPushed: () => false }).winners).toHaveLength(1);
    expect(caller.answers).toEqual(["stream-finished"]);
  });

  it("find a LimitedTopKStream closed that is about to answer", () => {
    const caller = new Caller();
    const stream = new LimitedTopKStream({ k: 1, epsilon: 1, delta: "1e-6", entropy: caller[kind] });
    stream.push("Alster", 900);
    caller.arm(() => stream.finish());
    expect(stream.finish().winners).toHaveLength(1);
    expect(caller.answers).toEqual(["stream-finished"]);
  });

  it("get no answer of a TeacherRun that isn't charged", () => {
    const caller = new Caller();
    const budget = new Budget(zcdp(1));
    const choose = { noise: "gumbel", scale: 1 } as const;
    const run = new TeacherRun({
      task: "multi-class",
      teachers: 3,
      labels: 2,
      choose,
      limit: budget,
      entropy: caller[kind],
    });
    const votes = [1, 1, 1];
    const answers: unknown[] = [];
    for (let i = 0; i < 5; i++) {
      caller.arm(() => {
        answers.push(run.answer(votes));
      });
      answers.push(run.answer(votes));
    }
    const given = answers.filter((answer) => answer !== undefined);
    expect(given.length).toBeLessThanOrEqual(run.report().queries);
    expect(run.report().queries).toBe(2); // ρ = 1/2 each
  });
});

describe("An entropy", () => {
  it("refuses to be drawn from by the source that fills it, and hands out each word once", () => {
    let isArmed = true;
    let next = 0;
    const entropy: Entropy = new Entropy({
      poolWords: 4,
      fill(words) {
        for (let i = 0; i < words.length; i++) words[i] = ++next;
        if (!isArmed) return;
        isArmed = false;
        expect(() => entropy.word()).toThrow("the source of bits drew from the entropy that it fills");
        expect(() => topK([1, 2], { k: 1, epsilon: 1, entropy })).toThrow("drew from the entropy");
      },
    });
    expect(Array.from({ length: 6 }, () => entropy.word())).toEqual([1, 2, 3, 4, 5, 6]);
  });

  it("goes on after a source that failed", () => {
    let isBroken = true;
    const entropy = new Entropy({
      fill(words) {
        if (isBroken) throw new Error("broken");
        words.fill(7);
      },
    });
    expect(() => entropy.word()).toThrow("broken");
    isBroken = false;
    expect(entropy.word()).toBe(7);
  });
});

describe("Data that call back", () => {
  it("get one answer above: an element of a list that pushes", () => {
    const stream = new AboveThreshold({ epsilon: 1, threshold: 0, maxAbove: 1 });
    const told: boolean[] = [];
    const list = {
      length: 2,
      get 0() {
        told.push(stream.push(1e6).above);
        return 1e6;
      },
      1: 1e6,
    };
    expect(() => stream.pushAll(list)).toThrow(expect.objectContaining({ code: "stream-finished" }));
    expect(told).toEqual([true]);
  });

  it("get one answer above: a threshold that pushes while it is read", () => {
    const stream = new AboveThreshold({ epsilon: 1, threshold: 0, maxAbove: 1 });
    const told: boolean[] = [];
    const threshold = {
      get numerator() {
        if (told.length === 0) told.push(stream.push(1e6).above);
        return 0n;
      },
      denominator: 1n,
    };
    const ended = expect.objectContaining({ code: "stream-finished" });
    expect(() => stream.push(1e6, threshold)).toThrow(ended);
    expect(told).toEqual([true]);
    for (let i = 0; i < 3; i++) expect(() => stream.push(-1e9, threshold)).toThrow(ended);
  });

  it("end a TopKStream once: an iterator that takes the answer", () => {
    const stream = new TopKStream<string>({ k: 1, scale: 1 });
    let answers = 0;
    function* pairs(): Generator<[string, number]> {
      yield ["a", 1];
      stream.finish();
      answers++;
      yield ["b", 2];
    }
    expect(() => stream.pushAll(pairs())).toThrow(expect.objectContaining({ code: "stream-finished" }));
    expect(() => stream.finish()).toThrow(expect.objectContaining({ code: "stream-finished" }));
    expect(answers).toBe(1);
  });

  it("end a TopKStream once: a state that takes the answer while it is read", () => {
    const stream = new TopKStream({ k: 1, scale: 1 }).push(0, 1);
    const state = new TopKStream({ k: 1, scale: 1 }).push(1, 1).detach();
    const hostile = {
      ...state,
      get pushed() {
        stream.finish();
        return 1;
      },
    };
    expect(() => stream.attach(hostile)).toThrow(expect.objectContaining({ code: "stream-finished" }));
  });

  it("find a LimitedTopKStream closed: an iterator that pushes, merges or takes the answer", async () => {
    const options = { k: 1, epsilon: 1, delta: "1e-6" } as const;
    const calls: readonly ((stream: LimitedTopKStream) => unknown)[] = [
      (stream) => stream.push("b", 2),
      (stream) => stream.merge(new LimitedTopKStream(options)),
      (stream) => stream.finish(),
    ];
    for (const call of calls) {
      const stream = new LimitedTopKStream(options);
      function* pairs(): Generator<[string, number]> {
        yield ["a", 1];
        expect(() => call(stream)).toThrow(expect.objectContaining({ code: "stream-finished" }));
      }
      stream.pushAll(pairs());
      async function* late() {
        for (const [name, count] of pairs()) yield [`${name}, late`, count] as const;
      }
      await stream.pushFrom(late());
      expect(stream.finish().rounds).toBe(1);
    }
  });

  it("find a TopKStream closed: a predicate that pushes or takes the answer", () => {
    const stream = new TopKStream({ k: 1, scale: 1, domain: { size: 4 } });
    const codes: unknown[] = [];
    const isPushed = () => {
      for (const call of [() => stream.push(0, 1), () => stream.finish({ isPushed: () => false })])
        try {
          call();
        } catch (error) {
          codes.push((error as WinnowError).code);
        }
      return false;
    };
    expect(stream.finish({ isPushed }).winners).toHaveLength(1);
    expect(codes).toEqual(["stream-finished", "stream-finished"]);
  });

  it("leave utilities as they were read: one that asks the same mechanism", () => {
    const options = { eta: eta(1, 1), lower: 0, upper: 40, maxCandidates: 64 };
    const outcomes = Array.from({ length: 64 }, (_, i) => i);
    let depth = 0;
    const utility = (outcome: number): number => {
      if (outcome === 20 && depth++ < 2) base2Exponential(outcomes, utility, options);
      return outcome === 3 ? 0 : 40;
    };
    const { outcome } = base2Exponential(outcomes, utility, { ...options, entropy: seededEntropy("nested") });
    expect(outcome).toBe(3);
  });

  it("settle a reservation once: a loss that settles it while it is read", () => {
    const budget = new Budget(zcdp(1));
    const reservation = budget.reserve(zcdp("1/2"));
    const loss = {
      measure: "zcdp",
      get rho() {
        budget.settle(reservation);
        return "1/4";
      },
    } as never;
    expect(() => budget.settle(reservation, loss)).toThrow(
      "reservation must be one of this budget that is not settled yet",
    );
    expect([budget.spent, budget.reserved, budget.history.length]).toEqual([zcdp("1/2"), zcdp(0), 1]);
  });
});
