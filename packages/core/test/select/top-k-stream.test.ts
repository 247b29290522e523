import { inspect } from "node:util";
import { describe, expect, it } from "vitest";
import type { Entropy } from "../../src/entropy/entropy.js";
import { rational } from "../../src/exact/rational.js";
import { TopKStream, type TopKStreamOptions } from "../../src/select/top-k-stream.js";
import { bitTree } from "../../src/testing/bit-tree.js";
import { seededEntropy } from "../../src/testing/seeded-entropy.js";
import { real } from "../sample/binary-digits.js";
import { expectLaw } from "../support/expect-law.js";
import { expectBadScore, expectRefused, untouched } from "./refusals.js";

function open(options: Partial<TopKStreamOptions> = {}): TopKStream {
  return new TopKStream({ k: 1, scale: "1e-6", entropy: seededEntropy("stream"), ...options });
}

describe("A stream", () => {
  it("has its law by exhaustion: 1 against 0, pushed or merged, in any order", () => {
    const win = real("1").minus(real("1/2").div(real("1").exp()));
    const law = { "0": win.toFixed(40), "1": real("1").minus(win).toFixed(40) };
    const routes: ((stream: () => TopKStream) => TopKStream)[] = [
      (stream) => stream().push(0, 1).push(1, 0),
      (stream) => stream().push(1, 0).push(0, 1),
      (stream) => stream().push(1, 0).merge(stream().push(0, 1)),
    ];
    for (const route of routes) {
      const sample = (entropy: Entropy) => route(() => open({ scale: 1, entropy })).finish().winners[0].index;
      const tree = bitTree(sample, { depth: 15 });
      expect(tree.undecided.toNumber()).toBeLessThan(0.1);
      expectLaw({ tree, probabilities: law });
    }
  });

  it("takes names of any kind and answers with them", () => {
    const stream = new TopKStream<string>({ k: 2, scale: "1e-6", entropy: seededEntropy("names") });
    stream
      .push("b", 5)
      .push("a", 7)
      .pushAll(
        new Map([
          ["c", 1],
          ["d", 9],
        ]),
      );
    expect(stream.finish().winners.map(({ index }) => index)).toEqual(["d", "a"]);
  });

  it("takes numbers and bigints, arrays with consecutive ids, and the smallest if asked to", () => {
    const stream = open({ k: 3, negate: true })
      .push(9, 10n ** 30n)
      .pushScores([5, -(10n ** 20n)], 100)
      .push(1, -3.5);
    expect(stream.finish().winners.map(({ index }) => index)).toEqual([101, 1, 100]);
  });

  it("takes candidates that arrive over time", async () => {
    async function* arriving() {
      for (const candidate of [
        [0, 3],
        [1, 8],
        [2, 5],
      ] as const) {
        await undefined;
        yield candidate;
      }
    }
    const stream = await open({ k: 2 }).pushFrom(arriving());
    expect(stream.finish().winners).toEqual([{ index: 1 }, { index: 2 }]);
  });

  it("finds the best of a hundred thousand in any order", () => {
    for (const score of [(i: number) => i, (i: number) => -i, (i: number) => (i * 48_271) % 65_537]) {
      const scores = Float64Array.from({ length: 100_000 }, (_, i) => score(i));
      const entropy = seededEntropy("many");
      const { winners } = open({ k: 5, entropy }).pushScores(scores).finish();
      const best = [...scores]
        .map((value, index) => [value, index])
        .sort(([a], [b]) => b - a)
        .slice(0, 5);
      expect(winners.map(({ index }) => scores[index])).toEqual(best.map(([value]) => value));
      if (score(1) < score(0)) expect(entropy.bitsUsed).toBeLessThan(100_000); // the best come first
    }
  });

  it("reports the loss of a measurement with its parameters", () => {
    const loss = (options: Omit<TopKStreamOptions, "k" | "entropy">) => {
      const stream = new TopKStream({ k: 2, entropy: seededEntropy(1), ...options });
      return stream.pushScores([1, 2, 3]).finish().privacy;
    };
    expect(loss({ epsilon: "1/3" })).toEqual({ measure: "pure", epsilon: rational("1/3") });
    expect(loss({ scale: 4, monotone: true, sensitivity: 3 })).toEqual({
      measure: "pure",
      epsilon: rational("3/2"),
    });
    expect(loss({ scale: 4, sensitivity: "0.25", resolution: "0.3" })).toEqual({
      measure: "pure",
      epsilon: rational("0.3"),
    });
    expect(loss({ rho: "1/4" })).toEqual({ measure: "zcdp", rho: rational("1/4") });
  });

  it("takes the system's bits by default", () => {
    expect(new TopKStream({ k: 1, scale: "1e-6" }).pushScores([1, 5, 2]).finish().winners).toEqual([
      { index: 1 },
    ]);
  });
});

describe("A stream over a public domain", () => {
  const isPushed = (id: number) => id < 2;

  it("counts whoever is not pushed as a zero, and names the winners among them", () => {
    const stream = open({ k: 3, domainSize: 1000 }).push(0, -5).push(1, 5);
    const indices = stream.finish({ isPushed }).winners.map(({ index }) => index);
    expect(indices[0]).toBe(1);
    expect(new Set(indices).size).toBe(3);
    for (const index of indices.slice(1)) expect(index).toSatisfy((id: number) => id >= 2 && id < 1000);
  });

  it("drops ids that are not in the domain, without a word", () => {
    const stream = open({ k: 1, domainSize: 10 })
      .push(50, 100)
      .push(-1, 100)
      .push(0.5, 100)
      .push(10, 100)
      .push(1, 1);
    expect(stream.finish({ isPushed }).winners).toEqual([{ index: 1 }]);
  });

  it("needs to know who was pushed", () => {
    expectRefused(
      () => open({ domainSize: 10 }).push(1, 1).finish(),
      '"isPushed" expected a function that tells which ids were pushed, got undefined',
    );
  });

  it("counts candidates of merged streams once", () => {
    const stream = open({ k: 2, domainSize: 2 })
      .push(0, 1)
      .merge(open({ k: 2, domainSize: 2 }).push(1, 5));
    expect(stream.finish({ isPushed }).winners).toEqual([{ index: 1 }, { index: 0 }]);
  });

  it("cannot hold more candidates than it has", () => {
    const stream = open({ domainSize: 2 }).push(0, 1).push(1, 1).push(1, 1);
    expectRefused(
      () => stream.finish({ isPushed }),
      '"domainSize" expected at least the number of candidates, got 2',
    );
  });
});

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
    expect(one.finish().winners).toEqual([{ index: 0 }]);
    expect(other.finish().winners).toEqual([{ index: 2 }, { index: 1 }]);
  });

  it("after a finish that was refused for want of candidates, it goes on", () => {
    const stream = open({ k: 2 }).push(0, 1);
    expectRefused(() => stream.finish(), '"k" expected candidates for 2 places, got 1');
    expect(stream.push(1, 2).finish().winners.length).toBe(2);
  });
});

describe("A stream refuses", () => {
  it("to merge with itself or with one of other parameters", () => {
    const like: Partial<TopKStreamOptions> = { k: 2, scale: 3, resolution: "1/2", sensitivity: 2 };
    const stream = open(like);
    expectRefused(() => stream.merge(stream), '"other" expected another stream, got a value of type object');
    const others: Partial<TopKStreamOptions>[] = [
      { k: 3 },
      { scale: "3.1" },
      { resolution: "1/3" },
      { resolution: undefined },
      { sensitivity: 1 },
      { monotone: true },
      { negate: true },
      { domainSize: 5 },
      { scale: undefined, rho: 1, resolution: undefined },
    ];
    for (const other of others)
      expectRefused(
        () => stream.merge(open({ ...like, ...other })),
        '"other" expected a stream with the same parameters, got a value of type object',
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
      expect(stream.push(9999, 1e6).finish().winners).toEqual([{ index: 9999 }]);
    }
  });

  it("an array with a bad score as a whole", () => {
    const stream = open({ entropy: untouched() });
    expectBadScore(() => stream.pushScores([1, 2, Number.NaN]));
    expectRefused(() => stream.finish(), '"k" expected candidates for 1 places, got 0');
  });

  it("parameters that are none, before a bit is drawn", () => {
    const refuse = (options: Partial<Record<keyof TopKStreamOptions, unknown>>, message: string) =>
      expectRefused(
        () => new TopKStream({ k: 1, entropy: untouched(), ...options } as TopKStreamOptions),
        message,
      );
    refuse({ k: 0, epsilon: 1 }, '"k" expected an integer >= 1, got 0');
    refuse({}, '"budget" expected exactly one of epsilon, rho and scale, got "none"');
    refuse(
      { epsilon: 1, rho: 1 },
      '"budget" expected exactly one of epsilon, rho and scale, got "epsilon and rho"',
    );
    refuse({ epsilon: "-1/2" }, '"epsilon" expected a rational > 0, got "-1/2"');
    for (const scale of [0, "0", 0n])
      refuse(
        { scale },
        `"scale" expected a rational > 0, got ${typeof scale === "string" ? '"0"' : typeof scale === "bigint" ? "0n" : 0}`,
      );
    refuse({ epsilon: 1, resolution: 0 }, '"resolution" expected a rational > 0, got 0');
    refuse({ epsilon: 1, sensitivity: 0 }, '"sensitivity" expected a rational > 0, got 0');
    refuse({ epsilon: 1, domainSize: 0 }, '"domainSize" expected an integer >= 1, got 0');
    refuse(
      { rho: 1, resolution: 1 },
      '"resolution" expected nothing with measure "zcdp": gaps are covered by exponential noise only, got 1',
    );
  });
});

describe("The state of a stream", () => {
  const stream = open({ k: 3, scale: 1, resolution: 1 })
    .pushScores([987_654.25, 12, 31_415_926n])
    .push(77, 5);

  it("is not shown by JSON, by the console or by a copy", () => {
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
