import { describe, expect, it } from "vitest";
import type { LooseOptions, Spend } from "../../src/accounting/spend.js";
import type { Entropy } from "../../src/entropy.js";
import { rational } from "../../src/exact/rational.js";
import { TopKStream, type TopKStreamOptions } from "../../src/select/top-k-stream.js";
import { bitTree } from "../../src/testing/bit-tree.js";
import { seededEntropy } from "../../src/testing/seeded-entropy.js";
import { real } from "../sample/binary-digits.js";
import { expectLaw } from "../support/expect-law.js";
import { expectRefused } from "./refusals.js";

function open(options: Partial<LooseOptions<TopKStreamOptions>> = {}): TopKStream {
  const all = { k: 1, scale: "1e-6", entropy: seededEntropy("stream"), ...options };
  return new TopKStream(all as TopKStreamOptions);
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
      const sample = (entropy: Entropy) =>
        route(() => open({ scale: 1, entropy })).finish().winners[0].candidate;
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
    expect(stream.finish().winners.map(({ candidate }) => candidate)).toEqual(["d", "a"]);
  });

  it("takes numbers and bigints, arrays with consecutive ids, and the smallest if asked to", () => {
    const stream = open({ k: 3, negate: true })
      .push(9, 10n ** 30n)
      .pushScores([5, -(10n ** 20n)], 100)
      .push(1, -3.5);
    expect(stream.finish().winners.map(({ candidate }) => candidate)).toEqual([101, 1, 100]);
  });

  it("takes typed arrays of scores, of consecutive candidates, there already or arriving", async () => {
    const chunks = [Float64Array.of(3, 9), Int32Array.of(7), BigInt64Array.of(1n, 8n)];
    const winners = [{ candidate: 1 }, { candidate: 4 }];
    expect(open({ k: 2 }).pushAll(chunks).finish().winners).toEqual(winners);
    const arriving = async function* () {
      yield* chunks;
    };
    const { signal } = new AbortController();
    for (const source of [chunks, arriving()])
      expect((await open({ k: 2 }).pushFrom(source)).finish().winners).toEqual(winners);
    expect((await open({ k: 2 }).pushFrom(chunks, { signal })).finish().winners).toEqual(winners);
    const bad = open({ k: 1 });
    expect(() => bad.pushAll([Float64Array.of(1), Float64Array.of(Number.NaN)])).toThrow("finite");
    expect(() => bad.push(9, 9)).toThrow("start a new one");
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
    expect(stream.finish().winners).toEqual([{ candidate: 1 }, { candidate: 2 }]);
  });

  it("takes them from what is not async too, until a signal that may never come", async () => {
    const { signal } = new AbortController();
    const stream = await open({ k: 2 }).pushFrom([[0, 3]]);
    await stream.pushFrom(new Map([[1, 8]]), { signal });
    expect(stream.finish().winners).toEqual([{ candidate: 1 }, { candidate: 0 }]);
    await expect(open().pushFrom([], { signal: true as never })).rejects.toThrow(
      "signal must be an AbortSignal; got a value of type boolean",
    );
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
      expect(winners.map(({ candidate }) => scores[candidate])).toEqual(best.map(([value]) => value));
      if (score(1) < score(0)) expect(entropy.bitsUsed).toBeLessThan(100_000); // the best come first
    }
  });

  it("reports the loss of a measurement with its parameters", () => {
    const loss = (options: Spend<"epsilon" | "rho" | "scale"> & Partial<LooseOptions<TopKStreamOptions>>) => {
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
      epsilon: rational("0.25"),
    });
    expect(loss({ rho: "1/4" })).toEqual({ measure: "zcdp", rho: rational("1/4") });
  });

  it("takes the system's bits by default", () => {
    expect(new TopKStream({ k: 1, scale: "1e-6" }).pushScores([1, 5, 2]).finish().winners).toEqual([
      { candidate: 1 },
    ]);
  });
});

describe("A stream over a public domain", () => {
  const isPushed = (id: number) => id < 2;

  it("counts whoever is not pushed as a zero, and names the winners among them", () => {
    const stream = open({ k: 3, domain: { size: 1000 } })
      .push(0, -5)
      .push(1, 5);
    const indices = stream.finish({ isPushed }).winners.map(({ candidate }) => candidate);
    expect(indices[0]).toBe(1);
    expect(new Set(indices).size).toBe(3);
    for (const index of indices.slice(1)) expect(index).toSatisfy((id: number) => id >= 2 && id < 1000);
  });

  it("drops ids that are not in the domain, without a word", () => {
    const stream = open({ k: 1, domain: { size: 10 } })
      .push(50, 100)
      .push(-1, 100)
      .push(0.5, 100)
      .push(10, 100)
      .push(1, 1);
    expect(stream.finish({ isPushed }).winners).toEqual([{ candidate: 1 }]);
  });

  it("needs to know who was pushed", () => {
    expectRefused(
      () =>
        open({ domain: { size: 10 } })
          .push(1, 1)
          .finish(),
      "isPushed must be a function that tells which ids were pushed; got undefined",
    );
  });

  it("counts candidates of merged streams once", () => {
    const stream = open({ k: 2, domain: { size: 2 } })
      .push(0, 1)
      .merge(open({ k: 2, domain: { size: 2 } }).push(1, 5));
    expect(stream.finish({ isPushed }).winners).toEqual([{ candidate: 1 }, { candidate: 0 }]);
  });

  it("cannot hold more candidates than it has", () => {
    const stream = open({ domain: { size: 2 } })
      .push(0, 1)
      .push(1, 1)
      .push(1, 1);
    expectRefused(() => stream.finish({ isPushed }), "size must be at least the number of candidates; got 2");
  });
});
