import { describe, expect, it } from "vitest";
import type { LooseOptions } from "../../src/accounting/spend.js";
import type { LimitedTopKOptions } from "../../src/discover/limited-top-k.js";
import { LimitedTopKStream } from "../../src/discover/limited-top-k-stream.js";
import { agreement, Turn } from "../../src/select/stream-rules.js";
import { TopKStream, type TopKStreamOptions } from "../../src/select/top-k-stream.js";
import { seededEntropy } from "../../src/testing/seeded-entropy.js";

/**
 * For an option, settings beside which it is looked at, values that mean the same there, and values that don't. The type
 * asks for every option, so one that is new must be listed here.
 */
interface Trial {
  readonly beside: Readonly<Record<string, unknown>>;
  readonly same: readonly unknown[];
  readonly other: readonly unknown[];
}

const ABSENT = undefined;

const TOP_K: Readonly<Record<keyof Required<LooseOptions<TopKStreamOptions>>, Trial>> = {
  k: { beside: { scale: 5 }, same: [2], other: [1, 3] },
  epsilon: { beside: { k: 2 }, same: [1, "1", 1n, "2/2"], other: [2, "1.0000000001"] },
  rho: { beside: { k: 2 }, same: ["1/8", 0.125], other: ["1/9"] },
  scale: { beside: { k: 2 }, same: [4, "4.0"], other: [5] },
  sensitivity: { beside: { k: 2, scale: 5 }, same: [ABSENT, 1, "1"], other: [100, "1/2"] },
  monotone: { beside: { k: 2, scale: 5 }, same: [ABSENT, false], other: [true] },
  negate: { beside: { k: 2, scale: 5 }, same: [ABSENT, false], other: [true] },
  resolution: { beside: { k: 2, scale: 5 }, same: ["1/2", 0.5], other: [ABSENT, 1] },
  domain: { beside: { k: 2, scale: 5 }, same: [{ size: 10 }], other: [ABSENT, { size: 11 }] },
  entropy: { beside: { k: 2, scale: 5 }, same: [ABSENT, seededEntropy("a"), seededEntropy("b")], other: [] },
};

const LIMITED: Readonly<Record<keyof Required<LooseOptions<LimitedTopKOptions>>, Trial>> = {
  k: { beside: { scale: 5, delta: "1e-6", maxCandidates: 50 }, same: [2], other: [1, 3] },
  epsilon: { beside: { k: 2, delta: "1e-6" }, same: [1, "1"], other: [2] },
  rho: { beside: { k: 2, delta: "1e-6" }, same: ["1/8", 0.125], other: ["1/9"] },
  scale: { beside: { k: 2, delta: "1e-6" }, same: [4, "4.0"], other: [5] },
  delta: { beside: { k: 2, epsilon: 1, noise: "gumbel" }, same: ["1e-6", 1e-6], other: ["1e-3", "1.01e-6"] },
  noise: { beside: { k: 2, scale: 5, delta: "1e-6" }, same: [ABSENT, "exponential"], other: ["gumbel"] },
  sensitivity: { beside: { k: 1, scale: 5, delta: "1e-6" }, same: [ABSENT, 1, "1"], other: [100] },
  neighbours: {
    beside: { k: 1, scale: 5, delta: "1e-6" },
    same: [ABSENT, "add-remove"],
    other: ["replace"],
  },
  maxItemsPerUser: { beside: { k: 1, scale: 5, delta: "1e-6" }, same: [7], other: [ABSENT, 1, 1000] },
  maxCandidates: { beside: { k: 2, scale: 5, delta: "1e-6" }, same: [ABSENT, 1000], other: [999] },
  resolution: { beside: { k: 2, scale: 5, delta: "1e-6" }, same: ["1/2", 0.5], other: [ABSENT, 1] },
  entropy: {
    beside: { k: 2, scale: 5, delta: "1e-6" },
    same: [ABSENT, seededEntropy("a"), seededEntropy("b")],
    other: [],
  },
};

/** Every pair of values of an option, with whether they mean the same. */
function pairsOf(trials: Readonly<Record<string, Trial>>): [string, object, object, boolean][] {
  return Object.entries(trials).flatMap(([option, { beside, same, other }]) =>
    [...same, ...other].flatMap((there, place) =>
      same.map((here): [string, object, object, boolean] => [
        option,
        { ...beside, [option]: here },
        { ...beside, [option]: there },
        place < same.length,
      ]),
    ),
  );
}

const ROUTES: readonly (readonly [
  string,
  Readonly<Record<string, Trial>>,
  (a: never, b: never) => unknown,
])[] = [
  [
    "TopKStream.merge",
    TOP_K,
    (a: TopKStreamOptions, b: TopKStreamOptions) => new TopKStream(a).merge(new TopKStream(b)),
  ],
  [
    "TopKStream.attach",
    TOP_K,
    (a: TopKStreamOptions, b: TopKStreamOptions) => new TopKStream(a).attach(new TopKStream(b).detach()),
  ],
  [
    "LimitedTopKStream.merge",
    LIMITED,
    (a: LimitedTopKOptions, b: LimitedTopKOptions) =>
      new LimitedTopKStream(a).merge(new LimitedTopKStream(b)),
  ],
];

describe("Streams are merged", () => {
  it.each(ROUTES)("by %s only if no option differs in what it means", (_, trials, join) => {
    for (const [option, here, there, isSame] of pairsOf(trials)) {
      const said = `${option}: ${JSON.stringify([here, there], (_, value) => (typeof value === "bigint" ? `${value}n` : value))}`;
      if (isSame) expect(() => join(here as never, there as never), said).not.toThrow();
      else expect(() => join(here as never, there as never), said).toThrow(/must be .* with the same/);
    }
  });

  it("not if another bound on a person leads to the same threshold", () => {
    const common = { k: 1, scale: 5, noise: "gumbel", delta: "1e-6" } as const;
    const here = new LimitedTopKStream({ ...common, sensitivity: 1 });
    const there = new LimitedTopKStream({ ...common, sensitivity: 100 });
    expect(() => here.merge(there)).toThrow("other must be a stream with the same options");
  });

  it("not if values that look alike when they are written together stand for different options", () => {
    expect(agreement({ a: 1, b: undefined }, {})).not.toBe(agreement({ a: undefined, b: 1 }, {}));
    expect(agreement({ a: "1,2" }, {})).not.toBe(agreement({ a: "1" }, { b: "2" }));
    expect(agreement({ a: "1,b,2" }, {})).not.toBe(agreement({ a: "1" }, { b: "2" }));
    expect(agreement({ a: Infinity }, {})).not.toBe(agreement({ a: null }, {}));
    expect(agreement({ b: 2, a: 1 }, {})).toBe(agreement({ a: 1 }, { b: 2 }));
  });
});

describe("A turn", () => {
  it("is taken once at a time", () => {
    const turn = new Turn();
    turn.begin();
    const message =
      "this stream is busy with another call: its source of bits, its iterator or a getter called it again";
    const busy = expect.objectContaining({ code: "stream-busy", message });
    expect(() => turn.begin()).toThrow(busy);
    expect(() => turn.refuseWhileTaken()).toThrow(busy);
    turn.end();
    expect(() => turn.begin()).not.toThrow();
  });
});
