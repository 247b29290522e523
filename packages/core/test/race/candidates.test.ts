import { runInNewContext } from "node:vm";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import * as core from "../../src/index.js";
import { byBytes, nameChoice, nameSet, readCandidates, readNamedCounts } from "../../src/race/candidates.js";
import { seededEntropy } from "../../src/testing/seeded-entropy.js";
import { untouched } from "../select/refusals.js";

const quiet = { scale: "1e-6" } as const;
const PAIRS: [string, number][] = [
  ["weather", 12],
  ["news", 412],
  ["sport", 300],
];

describe("Names that come in go out:", () => {
  it.each([
    ["a Map", new Map(PAIRS)],
    ["a record", Object.fromEntries(PAIRS)],
    ["a record without a prototype", Object.assign(Object.create(null), Object.fromEntries(PAIRS))],
    ["a record of another realm", runInNewContext("({ weather: 12, news: 412, sport: 300 })")],
    ["a Map of another realm", runInNewContext('new Map([["weather", 12], ["news", 412], ["sport", 300]])')],
    ["pairs", PAIRS],
    ["a generator of pairs", undefined],
  ] as [string, core.NamedScores | undefined][])("%s", (_, listed) => {
    const scores = () => listed ?? PAIRS.values();
    const won = [{ candidate: "news" }, { candidate: "sport" }];
    expect(core.topK(scores(), { k: 2, ...quiet }).winners).toEqual(won);
    expect(core.topK(scores(), { k: 2, ...quiet, method: "peel" }).winners).toEqual(won);
    expect(core.topK(scores(), { k: 2, rho: "1e12" }).winners).toEqual(won);
    expect(core.topK(scores(), { k: 3, scale: 0 }).winners.at(-1)).toEqual({ candidate: "weather" });
    expect(core.topK(scores(), { k: 1, ...quiet, negate: true }).winners).toEqual([{ candidate: "weather" }]);
    expect(core.topKWithGap(scores(), { k: 1, ...quiet, resolution: 100 }).winners).toEqual([
      { candidate: "news", gap: core.rational(100) },
    ]);
    expect(core.permuteAndFlip(scores(), quiet)).toMatchObject({ candidate: "news" });
    for (const size of [
      { noise: "gumbel", scale: "1e-6" },
      { noise: "gaussian", variance: "1e-9" },
    ] as const)
      expect(core.reportNoisyMax(scores(), size)).toMatchObject({ candidate: "news" });
    const measurement = core.makeNoisyTopK({ k: 2, measure: "pure", scale: "1e-6" });
    expect(measurement.invoke(scores()).winners).toEqual(won);
  });

  it("of any kind, in a selection", () => {
    const [first, second] = [{}, Symbol("second")];
    const scores = new Map<unknown, number | bigint>([
      [first, 10n ** 30n],
      [second, 1.5],
      [Number.NaN, -3],
    ]);
    const { winners } = core.topK(scores, { k: 3, ...quiet });
    expect(winners[0].candidate).toBe(first);
    expect(winners[1].candidate).toBe(second);
    expect(winners[2].candidate).toBe(Number.NaN);
  });

  it("with the bits that positions would take", () => {
    fc.assert(
      fc.property(fc.array(fc.integer(), { minLength: 3 }), fc.nat(), (scores, seed) => {
        const named = scores.map((score, place): [string, number] => [`no. ${place}`, score]);
        const options = { k: 2, epsilon: 1, resolution: "1/2" };
        const { winners } = core.topKWithGap(scores, { ...options, entropy: seededEntropy(seed) });
        const byName = core.topKWithGap(named, { ...options, entropy: seededEntropy(seed) });
        expect(byName.winners).toEqual(
          winners.map(({ candidate: index, gap }) => ({ candidate: `no. ${index}`, gap })),
        );
      }),
    );
  });
});

describe("A set by names", () => {
  const counts = { flu: 9000, cold: 8700, "😀": 8600, "\uffee": 8650, cough: 3 };
  const byName = ["cold", "flu", "\uffee", "😀"];
  const stable = { monotone: true, delta: "1e-6" } as const;

  it("is sorted by code points, never by count or by how it came", () => {
    for (const histogram of [counts, new Map(Object.entries(counts).reverse()), Object.entries(counts)]) {
      expect(core.stableTopK(histogram, { ...stable, maxK: 5, rho: 5 })).toMatchObject({
        ...{ k: 4, released: true, candidates: byName },
      });
      expect(
        core.stableTopKFixed(histogram, {
          ...stable,
          k: 4,
          domain: "public",
          epsilon: 9,
          entropy: seededEntropy("set"),
        }),
      ).toMatchObject({ candidates: byName, stable: { k: 4, released: true } });
      expect(core.proposeTestRelease(histogram, { ...stable, k: 4, epsilon: 1 })).toMatchObject({
        ...{ released: true, candidates: byName },
      });
      expect(core.largestGap(histogram, { maxK: 5, epsilon: 5 }).k).toBe(4);
    }
  });

  it("has nobody where nothing is released", () => {
    const answer = core.proposeTestRelease({ a: 5, b: 5 }, { ...stable, k: 1, epsilon: "1/10" });
    expect(Object.keys(answer).sort()).toEqual(["privacy", "released"]);
    expect(core.stableTopKFixed({}, { ...stable, k: 2, domain: "unknown", rho: 1 })).toMatchObject({
      candidates: [],
    });
  });

  it("does not depend on the order of insertion, not even in ties and bit for bit", () => {
    const tied = fc.uniqueArray(fc.tuple(fc.string({ unit: "binary" }), fc.nat(3)), {
      selector: ([name]) => name,
      minLength: 1,
    });
    const shuffled = tied.chain((pairs) =>
      fc.tuple(
        fc.constant(pairs),
        fc.shuffledSubarray(pairs, { minLength: pairs.length, maxLength: pairs.length }),
      ),
    );
    fc.assert(
      fc.property(shuffled, fc.nat(), ([one, other], seed) => {
        const [a, b] = [one, other].map((pairs) => {
          const entropy = () => seededEntropy(seed);
          const options = { monotone: true, delta: "9/10", thresholdRule: "smallest" } as const;
          return [
            core.stableTopK(pairs, { ...options, maxK: 3, rho: 1, entropy: entropy() }),
            core.stableTopKFixed(pairs, {
              ...{ ...options, k: 1, domain: "public", maxK: 3 },
              ...{ epsilon: 1, entropy: entropy() },
            }),
            core.proposeTestRelease(new Map(pairs), { ...options, k: 1, rho: 1, entropy: entropy() }),
          ];
        });
        expect(a).toEqual(b);
      }),
    );
  });

  it("has strings as names", () => {
    const numbered = new Map([[1, 5]]) as never;
    for (const call of [
      () => core.stableTopK(numbered, { ...stable, maxK: 1, rho: 1, entropy: untouched() }),
      () => core.proposeTestRelease(numbered, { ...stable, k: 1, rho: 1, entropy: untouched() }),
    ])
      expect(call).toThrow("histogram must be a list with strings as names, by which ties are broken");
  });
});

describe("Code points", () => {
  it("order names, of which the surrogates stand for the last", () => {
    const ascending = ["", "a", "a\u0000", "ab", "b", "\ud7ff", "\ue000", "\uffff"];
    ascending.push("\ud800", "\ud800a", "\ud800\udc00", "\udfff"); // unpaired, too
    ascending.forEach((a, i) => {
      ascending.forEach((b, j) => {
        expect(Math.sign(byBytes(a, b))).toBe(Math.sign(i - j));
      });
    });
    const counts = { "😀": 1, b: 2, "\uffff": 3, a: 4n };
    const names = ["a", "b", "\uffff", "😀"];
    expect(readNamedCounts(counts)).toEqual({ scores: [4n, 2, 3, 1], names });
    expect(nameSet([3, 0], names)).toEqual({ candidates: ["😀", "a"] });
    expect(nameSet([3, 0], undefined)).toEqual({ candidates: [3, 0] });
    expect([nameChoice(1, names), nameChoice(1, undefined)]).toEqual(["b", 1]);
  });

  it("order as the points do, and not as their units", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.string({ unit: "binary" }), (a, b) => {
        const [left, right] = [a, b].map((text) => Array.from(text, (point) => point.codePointAt(0)!));
        const at = left.findIndex((point, place) => point !== right[place]);
        const expected = at < 0 ? left.length - right.length : left[at] - (right[at] ?? -1);
        expect(Math.sign(byBytes(a, b))).toBe(Math.sign(expected));
      }),
      { numRuns: 2000 },
    );
    expect(byBytes("\uffff", "😀")).toBeLessThan(0);
    expect("\uffff" < "😀").toBe(false);
  });
});

describe("What cannot be told apart is refused, without a name in the message:", () => {
  const refusal = (scores: unknown) => () =>
    core.topK(scores as number[], { k: 1, epsilon: 1, entropy: untouched() });

  it.each([
    [
      "a name that occurs twice",
      [
        ["ada", 1],
        ["bob", 2],
        ["ada", 3],
      ],
      "a list in which no name occurs twice",
    ],
    ["pairs and numbers", [["ada", 1], 7], "pairs of a name and a number throughout"],
    ["a pair with too much in it", [["ada", 1, 2]], "pairs of a name and a number throughout"],
    ["a pair with too little", new Set([["ada"]]), "pairs of a name and a number throughout"],
    ["an iterable of numbers", new Set([1, 2]), "pairs of a name and a number throughout"],
    ["numbers and pairs", [7, ["ada", 1]], "finite numbers or bigints (up to 1.79e308) throughout"],
    ["a record with a text", { ada: "1" }, "finite numbers or bigints (up to 1.79e308) throughout"],
    ["a Map with a number that isn't finite", new Map([["ada", Number.NaN]]), "finite numbers"],
    ["a candidate called length", { ada: 1, length: 3 }, 'a Map or pairs if a candidate is named "length"'],
    ["a length and the wrong positions", { length: 2, 0: 1, 2: 5 }, "a Map or pairs if a candidate"],
    ["only a length", { length: 2 }, "a Map or pairs if a candidate"],
    ["a date", new Date(), "an array, a typed array, a Map, a record, or pairs of a name and a number"],
  ])("%s", (_, scores, expected) => {
    expect(refusal(scores)).toThrow(`scores must be ${expected}`);
    expect(refusal(scores)).not.toThrow("ada");
  });

  it.each([undefined, null, 5, "abc", true, () => 1, Symbol("a"), new DataView(new ArrayBuffer(8))])(
    "what isn't a list at all",
    (given) => {
      const expected = "an array, a typed array, a Map, a record, or pairs of a name and a number";
      expect(() => readCandidates(given as never, "votes")).toThrow(
        expect.objectContaining({ code: "invalid-parameter", field: "votes", expected }),
      );
    },
  );

  it("with a code, a field and what is expected", () => {
    const expected = "a list in which no name occurs twice";
    const twice: [string, number][] = [
      ["ada", 1],
      ["ada", 2],
    ];
    expect(() => readCandidates(twice, "votes")).toThrow(
      expect.objectContaining({
        ...{ code: "invalid-parameter", field: "votes", expected },
        message: `votes must be ${expected}`,
      }),
    );
  });

  it("what just looks like an array is one", () => {
    const both = { length: 1, 0: 5, *[Symbol.iterator]() {} };
    expect(readCandidates(both)).toEqual({ scores: both, names: undefined });
    expect(readCandidates({ length: 2, 0: 5, 1: 6 }).names).toBeUndefined();
    expect(readCandidates([]).names).toBeUndefined();
    expect(readCandidates({}).names).toEqual([]);
    expect(readCandidates(new Map()).names).toEqual([]);
  });

  it("arrays are not copied", () => {
    for (const scores of [[1, 2], new Float64Array(2), new BigInt64Array(2)]) {
      expect(readCandidates(scores).scores).toBe(scores);
      expect(readNamedCounts(scores).scores).toBe(scores);
    }
  });

  it("nobody", () => {
    expect(refusal(new Map())).toThrow("scores must be a list of 1 or more candidates; got 0");
    expect(refusal({})).toThrow("scores must be a list of 1 or more candidates; got 0");
  });

  it("a domain beyond the names", () => {
    for (const call of [
      () => core.topK({ a: 1 }, { k: 1, epsilon: 1, domain: { size: 9 }, entropy: untouched() }),
      () =>
        core.permuteAndFlip(new Map([["a", 1]]), { epsilon: 1, domain: { size: 9 }, entropy: untouched() }),
    ])
      expect(call).toThrow("size must be absent with names, which unlisted candidates lack; got 9");
  });
});
