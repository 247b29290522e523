import { describe, expect, it } from "vitest";
import type { LimitedTopKOptions } from "../../src/discover/limited-top-k.js";
import { LimitedTopKStream } from "../../src/discover/limited-top-k-stream.js";
import { Entropy } from "../../src/entropy.js";
import { approx, limitedTopK, makeLimitedTopK, rational, WinnowError, zcdp } from "../../src/index.js";
import { seededEntropy } from "../../src/testing/seeded-entropy.js";

/** Bits that nobody may ask for. */
const NO_BITS = new Entropy({
  fill() {
    throw new Error("a bit was drawn");
  },
});

const FAR = { ant: 9000, bee: 8000, cat: 7000, dog: 5 };
const USUAL = { k: 3, epsilon: 1, delta: "1e-6" } as const;

describe("limitedTopK", () => {
  it("names what stands out, best first, and says what that costs", () => {
    const { winners, stopped, rounds, privacy, charge } = limitedTopK(FAR, USUAL);
    expect(winners).toEqual([{ candidate: "ant" }, { candidate: "bee" }, { candidate: "cat" }]);
    expect([stopped, rounds]).toEqual([false, 3]);
    expect(privacy).toEqual(approx(1, "7.384401900239363e-7"));
    expect(charge.approx).toEqual(privacy);
  });

  it("stops where the next name cannot be published safely", () => {
    const { winners, stopped, rounds, privacy, charge } = limitedTopK(FAR, { ...USUAL, k: 9 });
    expect(winners.map(({ candidate }) => candidate)).toEqual(["ant", "bee", "cat"]);
    expect([stopped, rounds]).toEqual([true, 4]);
    expect(rational(privacy.delta ?? 0).compare("1e-6")).toBe(-1);
    expect(charge.zcdp.delta?.compare("7e-7")).toBe(-1); // the failure of ⊥ alone
  });

  it.each([[{}], [{ ant: 0 }], [new Map()], [[]]])("names nobody where nobody is (%o)", (histogram) => {
    const { winners, stopped, rounds } = limitedTopK(histogram, USUAL);
    expect([winners, stopped, rounds]).toEqual([[], true, 1]);
  });

  it("gives gaps with exponential noise: between names, and for the last one over ⊥ or the runner-up", () => {
    const stopped = limitedTopK(FAR, { ...USUAL, k: 5, resolution: 100 }).winners;
    expect(stopped.map(({ gap }) => gap?.toNumber())).toEqual([
      expect.closeTo(1000, -3),
      expect.closeTo(1000, -3),
      expect.closeTo(6900, -3),
    ]);
    const full = limitedTopK(FAR, { ...USUAL, k: 1, resolution: 100 }).winners;
    expect(full[0].gap?.toNumber()).toBeCloseTo(1000, -3);
    expect(() => limitedTopK(FAR, { ...USUAL, noise: "gumbel", resolution: 1 })).toThrow(
      "resolution must be absent with Gumbel noise, because only exponential noise covers gaps; got",
    );
  });

  it("cuts ties by the bytes of the names, whatever the order of the rows", () => {
    // U+FF5E is before U+1F600 in UTF-8 and after it in UTF-16.
    const names = ["b", "a", "\u{1f600}", "～", "é", "z"];
    const terms = { k: 1, maxCandidates: 5, noise: "exponential", scale: "1e-9", threshold: 0 } as const;
    const measurement = makeLimitedTopK({ ...terms, sensitivity: "1e-9" });
    for (const rows of [names, [...names].reverse()]) {
      const seen = new Set<string>();
      for (let seed = 0; seed < 200; seed++)
        for (const { candidate } of measurement.invoke(
          rows.map((name) => [name, 3] as const),
          seededEntropy(seed),
        ).winners)
          seen.add(candidate);
      expect([...seen].sort()).toEqual(["a", "b", "z", "é", "～"].sort()); // all but the last in bytes
    }
  });

  it("keeps the first rows of a long histogram, however it is ordered", () => {
    const rows = Array.from({ length: 5000 }, (_, i) => [`n${i}`, 1 + (i % 50)] as const);
    const expected = rows
      .toSorted(([a, x], [b, y]) => y - x || (a < b ? -1 : 1))
      .slice(0, 151)
      .map(([name, count]) => [name, count] as const);
    const terms = { k: 150, maxCandidates: 150, noise: "exponential", scale: "1e-9" } as const;
    const measurement = makeLimitedTopK({ ...terms, threshold: 0, sensitivity: "1e-9" });
    const told = (seed: string, pairs: Iterable<readonly [string, number]>) =>
      measurement.invoke(pairs, seededEntropy(seed)).winners.map(({ candidate }) => candidate);
    const orders = {
      rising: rows.toReversed(),
      falling: rows.toSorted(([, x], [, y]) => y - x),
      mixed: rows,
    };
    for (const [name, order] of Object.entries(orders)) {
      const winners = told(name, order);
      expect(winners.length).toBeGreaterThan(90);
      expect(expected.slice(0, 150).map(([winner]) => winner)).toEqual(expect.arrayContaining(winners));
    }
  });

  it("takes the first rows of an engine, in their order only", () => {
    const measurement = makeLimitedTopK({
      k: 1,
      maxCandidates: 2,
      noise: "gumbel",
      scale: 1,
      delta: "1/100",
    });
    const rows = [
      ["ant", 900],
      ["bee", 800],
      ["cat", 800],
    ] as const;
    expect(measurement.invokeRows(rows).winners).toEqual([{ candidate: "ant" }]);
    for (const wrong of [
      [rows[1], rows[0]],
      [rows[0], rows[2], rows[1]],
      [rows[0], rows[0]],
      [...rows, ["dog", 1]] as const,
      [["ant", 0]] as const,
    ])
      expect(() => measurement.invokeRows(wrong, NO_BITS)).toThrow("rows must be at most maxCandidates + 1");
  });

  it("is a measurement: map and check", () => {
    const gumbel = makeLimitedTopK({ k: 8, noise: "gumbel", scale: 2, delta: "1e-6" });
    expect(gumbel.map(1)).toEqual(zcdp("1/4", gumbel.failure));
    expect(gumbel.check(1, zcdp("1/4", "1e-6"))).toBe(true);
    expect(gumbel.check(1, zcdp("0.2499", "1e-6"))).toBe(false);
    expect(gumbel.check(1, zcdp("1/4", "5e-7"))).toBe(false);
    expect(gumbel.check(1, approx(4, "1e-6"))).toBe(true);
    expect(gumbel.check(1, approx("3.9", gumbel.failure))).toBe(false);
    expect(gumbel.check(1, approx("3.9", "1e-4"))).toBe(true); // through zCDP
    expect(gumbel.map(0)).toEqual(zcdp(0));
    expect(gumbel.map(2).delta?.compare(gumbel.failure)).toBe(1);
    expect(gumbel.map("1/2").delta?.compare(gumbel.failure)).toBe(-1);
    expect(gumbel.map(100)).toEqual(zcdp(Infinity, 1));
    const exponential = makeLimitedTopK({
      ...{ k: 2, noise: "exponential", scale: 8, delta: "1e-6", neighbours: "replace" },
    });
    expect(exponential.map(1)).toEqual(approx("1/2", exponential.failure));
    expect(exponential.reservation.zcdp).toEqual(zcdp("1/8", exponential.failure));
    expect(exponential.chargeFor(1).approx).toEqual(approx("1/4", exponential.failure));
    expect(exponential.chargeFor(1).zcdp).toEqual(exponential.reservation.zcdp); // less is not proven
  });

  it("needs a lower threshold where one individual has few names", () => {
    const terms = { k: 5, noise: "gumbel", scale: 10, delta: "1e-6" } as const;
    const [any, few] = [makeLimitedTopK(terms), makeLimitedTopK({ ...terms, maxItemsPerUser: 3 })];
    expect(few.threshold.compare(any.threshold)).toBe(-1);
    expect(makeLimitedTopK({ ...terms, maxItemsPerUser: 10 ** 9 }).threshold).toEqual(any.threshold);
    expect(any.maxCandidates).toBe(1000);
    expect(makeLimitedTopK({ ...terms, k: 200 }).maxCandidates).toBe(2000);
  });

  const refused: [unknown, LimitedTopKOptions, string][] = [
    [FAR, { ...USUAL, k: 0 }, "k must be an integer >= 1; got 0"],
    [FAR, { ...USUAL, maxCandidates: 2 }, "maxCandidates must be an integer >= 3; got 2"],
    [FAR, { ...USUAL, rho: 1 as never }, "budget must be exactly one of epsilon, rho and scale"],
    [
      FAR,
      { k: 1, delta: "1e-6" } as LimitedTopKOptions,
      "budget must be exactly one of epsilon, rho and scale",
    ],
    [FAR, { ...USUAL, delta: 0 }, "delta must be a rational > 0 and < 1; got 0"],
    [FAR, { ...USUAL, neighbours: "both" as never }, 'neighbours must be "add-remove" or "replace"; got'],
    [[["ant", -1]], USUAL, "histogram must be a Map"],
    [[["ant", 1.5]], USUAL, "histogram must be a Map"],
    [[["ant", Number.NaN]], USUAL, "histogram must be a Map"],
    [
      [
        ["ant", 2],
        ["ant", 3],
      ],
      USUAL,
      "histogram must be a Map",
    ],
    [[[7, 2]], USUAL, "histogram must be a Map"],
    [[3, 2, 1], USUAL, "histogram must be a Map"],
    ["ant", USUAL, "histogram must be a Map"],
    [null, USUAL, "histogram must be a Map"],
    [new Date(0), USUAL, "histogram must be a Map"],
  ];

  it.each(refused)(
    "refuses %o with %o before a bit is drawn, and says nothing private",
    (histogram, options, message) => {
      const call = () => limitedTopK(histogram as never, { ...options, entropy: NO_BITS });
      expect(call).toThrow(WinnowError);
      expect(call).toThrow(message);
      expect(call).not.toThrow(/ant|1\.5/);
    },
  );

  it("shows nothing of the race in its answer", () => {
    const answer = limitedTopK(FAR, { ...USUAL, k: 2 });
    expect(Object.keys(answer).sort()).toEqual([
      "charge",
      "measurement",
      "privacy",
      "rounds",
      "stopped",
      "winners",
    ]);
    expect(JSON.stringify({ ...answer, charge: undefined })).not.toMatch(/7000|dog|cat/);
  });
});

describe("LimitedTopKStream", () => {
  const options = { k: 2, scale: 3, delta: "1/100", noise: "exponential", maxCandidates: 4 } as const;
  const rows = Array.from({ length: 300 }, (_, i) => [`n${i}`, (i * 37) % 90] as const);
  const sorted = rows
    .toSorted(([a, x], [b, y]) => y - x || (a < b ? -1 : 1))
    .filter(([, count]) => count > 0);

  it("answers as the function does, with the same bits", async () => {
    for (let seed = 0; seed < 50; seed++) {
      const entropy = () => seededEntropy(seed);
      const expected = limitedTopK(sorted, { ...options, entropy: entropy() });
      const stream = new LimitedTopKStream({ ...options, entropy: entropy() });
      expect(stream.pushAll(sorted).finish()).toEqual(expected);
      const late = new LimitedTopKStream({ ...options, entropy: entropy() });
      await late.pushFrom(
        (async function* () {
          yield* sorted;
        })(),
      );
      expect(late.finish()).toEqual(expected);
      const [left, right] = [0, 150].map((start) =>
        new LimitedTopKStream({ ...options, entropy: entropy() }).pushAll(sorted.slice(start, start + 150)),
      );
      expect(left.merge(right).finish()).toEqual(expected);
    }
  });

  it("is used once, and closed by a failure", () => {
    const stream = new LimitedTopKStream(options).push("ant", 3);
    stream.finish();
    expect(() => stream.push("bee", 1)).toThrow("this stream is used up");
    const failed = new LimitedTopKStream(options);
    expect(() => failed.pushAll([["ant", -1]])).toThrow("histogram must be");
    expect(() => failed.finish()).toThrow("this stream is used up");
    const other = new LimitedTopKStream({ ...options, k: 3 });
    expect(() => new LimitedTopKStream(options).merge(other)).toThrow(
      "other must be a stream with the same options",
    );
    const twice = new LimitedTopKStream(options).push("ant", 3).push("ant", 4);
    expect(() => twice.finish()).toThrow("each name once");
  });
});

describe("what makeLimitedTopK takes, and how it compares", () => {
  const terms = { k: 2, noise: "exponential", scale: 2, delta: "1e-6" } as const;
  const { domain, metric } = makeLimitedTopK(terms);

  it.each([
    [{ ant: 2, bee: 0 }, true],
    [new Map([["ant", 2n ** 60n]]), true],
    [[], true],
    [{ ant: -1 }, false],
    [{ ant: 0.5 }, false],
    [{ ant: Number.NaN }, false],
    [{ ant: 2 ** 53 }, false],
    [
      [
        ["ant", 1],
        ["ant", 2],
      ],
      false,
    ],
    [[[1, 2]], false],
    ["ant", false],
    [null, false],
  ] as const)("is a domain of complete counts: %o is a member: %s", (input, isTaken) => {
    expect(domain.contains(input as never)).toBe(isTaken);
    if (!isTaken) expect(() => metric.distance({}, input as never)).toThrow(WinnowError);
  });

  it("is the largest change of a count, for changes that one individual can make", () => {
    const replaced = makeLimitedTopK({ ...terms, neighbours: "replace" }).metric;
    const bounded = makeLimitedTopK({ ...terms, neighbours: "replace", maxItemsPerUser: 1 }).metric;
    const [first, more, other] = [
      { ant: 3, bee: 1 },
      { ant: 5, bee: 1, cat: 1 },
      { ant: 2, bee: 1, cat: 1 },
    ];
    expect([domain.name, metric.name]).toEqual(["complete counts of any names", "largest change of a count"]);
    expect([metric, replaced, bounded].map(({ neighbours }) => neighbours)).toEqual([
      "add-remove",
      "replace",
      "replace",
    ]);
    expect([metric, replaced, bounded].map((each) => String(each.distance(first, more)))).toEqual([
      "2",
      "2",
      "Infinity", // two counts rise
    ]);
    expect([metric, replaced, bounded].map((each) => String(each.distance(first, other)))).toEqual([
      "Infinity", // one rises and one falls
      "1",
      "1",
    ]);
    expect(String(metric.distance(first, { ...first, cat: 0 }))).toBe("0");
  });
});
