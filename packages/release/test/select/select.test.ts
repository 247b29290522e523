import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { stableTopK, stableTopKFixed, TopKStream, topK, topKWithGap, WinnowError } from "winnow-dp";
import { seededEntropy } from "winnow-dp/testing";
import { type CountedItems, candidatesWanted, type Question, select } from "../../src/index.js";
import { ask, listed, numbered, UNKNOWN } from "../support/ask.js";

const NAMES = ["tea", "coffee", "cocoa", "chai", "mate", "water"];

async function itemsOf(
  question: Question,
  batches: Iterable<CountedItems>,
  seed = "select",
): Promise<string[]> {
  const { winners } = await select(question, batches, { entropy: seededEntropy(seed) });
  return winners.map(({ item }) => item);
}

const counts = fc.array(fc.integer({ min: 0, max: 60 }), { minLength: 5, maxLength: 12 });

describe("an answer is core's answer, bit for bit:", () => {
  it("with gaps", () =>
    fc.assert(
      fc.asyncProperty(counts, fc.string(), async (users, seed) => {
        const question = ask({ k: 3, domain: listed(users.length), epsilon: "1/2", resolution: "1/2" });
        const { winners } = await select(question, [numbered(users)], { entropy: seededEntropy(seed) });
        const options = { k: 3, epsilon: "1/2", resolution: "1/2", monotone: true };
        const stream = new TopKStream<string>({ ...options, entropy: seededEntropy(seed) });
        stream.pushAll(users.map((count, index) => [String(index), count]));
        expect(winners).toEqual(
          stream.finish().winners.map(({ candidate, gap }) => ({ item: candidate, gap: String(gap) })),
        );
      }),
      { numRuns: 100 },
    ));

  it("of a stable set", () =>
    fc.assert(
      fc.asyncProperty(counts, fc.string(), fc.boolean(), async (users, seed, monotone) => {
        const budget = { rho: 2, delta: "1/100" };
        const neighbours = monotone ? "add-remove" : "replace";
        const question = ask({ kind: "adaptive", k: 4, domain: UNKNOWN, ...budget, neighbours });
        const answer = await select(question, [numbered(users)], { entropy: seededEntropy(seed) });
        const core = stableTopK(users, { ...budget, maxK: 4, monotone, entropy: seededEntropy(seed) });
        expect([answer.k, answer.loss]).toEqual([core.k, core.privacy]);
        const positive = core.released ? core.candidates.filter((index) => users[index] > 0) : [];
        expect(answer.winners.map(({ item }) => item)).toEqual(positive.map(String).sort());
      }),
      { numRuns: 100 },
    ));

  it("of a fixed size of a public list", () =>
    fc.assert(
      fc.asyncProperty(counts, fc.string(), async (users, seed) => {
        const budget = { rho: 1, delta: "1/100" };
        const domain = listed(users.length);
        const question = ask({ k: 3, domain, ...budget, mechanism: "stable-top-k-fixed" });
        const items = users.map((_, index) => String.fromCharCode(97 + index));
        const answer = await select(question, [{ items, users }], { entropy: seededEntropy(seed) });
        const entropy = seededEntropy(seed);
        const { candidates: indices } = stableTopKFixed(users, {
          ...budget,
          k: 3,
          domain: "public",
          monotone: true,
          entropy,
        });
        expect(answer.winners).toEqual(indices.map((index) => ({ item: items[index] })));
        expect(answer).toMatchObject({ released: true, ordered: false, k: 3 });
      }),
      { numRuns: 30 },
    ));
});

describe("over a public list", () => {
  const question = ask({ k: 2, domain: listed(6), epsilon: 100 });

  it("takes batches of any size, at once or over time", async () => {
    const users = [90, 500, 10, 0, 0, 3000];
    const one = [{ items: NAMES, users }];
    const two = [
      { items: NAMES.slice(0, 2), users: users.slice(0, 2) },
      { items: [], users: [] },
      { items: NAMES.slice(2), users: users.slice(2) },
    ];
    async function* later() {
      for (const batch of two) yield await Promise.resolve(batch);
    }
    const answers = await Promise.all(
      [one, two, later()].map((batches) => select(question, batches, { entropy: seededEntropy(7) })),
    );
    expect(answers[0].winners.map(({ item }) => item)).toEqual(["water", "coffee"]);
    expect(answers[1]).toEqual(answers[0]);
    expect(answers[2]).toEqual(answers[0]);
  });

  it("gives a set that does not depend on the order in which its candidates came", () => {
    const fixed = ask({ k: 3, domain: listed(6), rho: 1, delta: "1/100", mechanism: "stable-top-k-fixed" });
    const users = [40, 39, 38, 37, 36, 35]; // close enough for the noise to choose
    return fc.assert(
      fc.asyncProperty(
        fc.shuffledSubarray([0, 1, 2, 3, 4, 5], { minLength: 6 }),
        fc.string(),
        async (order, seed) => {
          const shuffled = { items: order.map((i) => NAMES[i]), users: order.map((i) => users[i]) };
          const one = await itemsOf(fixed, [{ items: NAMES, users }], seed);
          expect(await itemsOf(fixed, [shuffled], seed)).toEqual(one);
          expect(one).toEqual(one.toSorted());
        },
      ),
      { numRuns: 50 },
    );
  });

  it.each([
    ["one is missing", NAMES.slice(1)],
    ["one too many came", [...NAMES, "milk"]],
  ])("refuses an answer where %s, without saying how many came", async (_, items) => {
    const batches = [{ items, users: items.map(() => 41_000_000) }];
    await expect(select(question, batches)).rejects.toThrow(
      /^the source did not give every candidate of the public list once$/,
    );
  });
});

describe("over whole numbers", () => {
  const question = ask({ k: 2, domain: { kind: "integers", below: 50 }, epsilon: 100 });

  it("counts plain decimals below the bound and nothing else", async () => {
    const items = ["7", "007", " 8", "9.0", "1e1", "0x10", "-1", "50", "49", "NaN", ""];
    const users = items.map((item) => (item === "7" ? 300 : item === "49" ? 200 : 5000));
    expect(await itemsOf(question, [{ items, users }])).toEqual(["7", "49"]);
  });

  it("does so for stable sets too", async () => {
    const stable = ask({
      kind: "adaptive",
      k: 3,
      domain: { kind: "integers", below: 50 },
      rho: 100,
      delta: "1e-3",
    });
    const items = ["7", "007", " 8", "50", "49", "x"];
    const users = items.map((item) => (item === "7" ? 300 : item === "49" ? 290 : 5000));
    expect(await itemsOf(stable, [{ items, users }])).toEqual(["49", "7"]);
  });

  it("names numbers that have no rows, each at most once and never one that has", async () => {
    const all = ask({ k: 6, domain: { kind: "integers", below: 6 }, epsilon: "1/100", mechanism: "top-k" });
    for (let seed = 0; seed < 50; seed++) {
      const items = await itemsOf(all, [{ items: ["1", "4"], users: [1, 2] }], `${seed}`);
      expect(items.toSorted()).toEqual(["0", "1", "2", "3", "4", "5"]);
    }
  });
});

describe("a stable set of an unknown domain", () => {
  const stable = { domain: UNKNOWN, mechanism: "stable-top-k-fixed" } as const;
  const question = ask({ ...stable, k: 3, rho: 10, delta: "1e-6" });
  const users = [900, 850, 2, 1, 800, 1];

  it("names come by name, without gaps, and say nothing of positions", async () => {
    const answer = await select(question, [{ items: NAMES, users }], { entropy: seededEntropy(1) });
    expect(answer).toMatchObject({ released: true, ordered: false, k: 3 });
    expect(answer.winners).toEqual([{ item: "coffee" }, { item: "mate" }, { item: "tea" }]);
  });

  it("does not depend on the order in which rows came", () =>
    fc.assert(
      fc.asyncProperty(
        fc.shuffledSubarray([0, 1, 2, 3, 4, 5], { minLength: 6 }),
        fc.string(),
        async (order, seed) => {
          const shuffled = { items: order.map((i) => NAMES[i]), users: order.map((i) => users[i]) };
          const [one, other] = await Promise.all(
            [{ items: NAMES, users }, shuffled].map((batch) => itemsOf(question, [batch], seed)),
          );
          expect(other).toEqual(one);
        },
      ),
      { numRuns: 50 },
    ));

  it("needs only the k + 1 largest counts", async () => {
    expect(candidatesWanted(question)).toEqual({ kind: "largest", rows: 4 });
    const largest = [0, 1, 4, 2]; // positions of the four largest
    const few = { items: largest.map((i) => NAMES[i]), users: largest.map((i) => users[i]) };
    for (let seed = 0; seed < 30; seed++)
      expect(await itemsOf(question, [few], `${seed}`)).toEqual(
        await itemsOf(question, [{ items: NAMES, users }], `${seed}`),
      );
  });

  it("answers that nothing can be released where nobody stands out, at the same price", async () => {
    const flat = { items: NAMES, users: NAMES.map(() => 30) };
    const question = ask({ ...stable, k: 3, epsilon: "1/10", delta: "1e-9" });
    const answer = await select(question, [flat], { entropy: seededEntropy("flat") });
    expect(answer).toMatchObject({ released: false, k: 3, winners: [], ordered: false });
    expect(answer.loss).toMatchObject({ measure: "approx" });
  });

  it("answers without rows at all", async () => {
    const adaptive = ask({ kind: "adaptive", k: 4, domain: UNKNOWN, rho: 1, delta: "1e-9" });
    const answer = await select(adaptive, [], { entropy: seededEntropy("nothing") });
    expect(answer).toMatchObject({ released: false, winners: [] });
    expect(answer.k).toBeLessThanOrEqual(4);
  });
});

describe("what a source must count", () => {
  it("is every candidate of a public domain", () => {
    expect(candidatesWanted(ask({ k: 2, domain: listed(6), epsilon: 1 }))).toEqual({
      kind: "listed",
      size: 6,
    });
    const domain = { kind: "integers", below: 50 } as const;
    expect(candidatesWanted(ask({ k: 2, domain, epsilon: 1 }))).toEqual({ kind: "integers", below: 50 });
  });
});

describe("counts that are none", () => {
  it.each([-1, 0.5, Number.NaN, Infinity, 2 ** 53])(
    "%s: refused without a word on which or what",
    async (bad) => {
      const question = ask({ k: 1, domain: listed(2), epsilon: 1 });
      const selecting = select(question, [{ items: ["secret", "b"], users: [bad, 1] }]);
      await expect(selecting).rejects.toBeInstanceOf(WinnowError);
      await expect(selecting).rejects.toThrow(
        /^the source gave an item without a whole number of users >= 0$/,
      );
    },
  );

  it("columns of different lengths are refused too", async () => {
    const question = ask({ k: 1, domain: listed(2), epsilon: 1 });
    await expect(select(question, [{ items: ["a", "b"], users: [1] }])).rejects.toThrow("whole number");
  });
});

describe("defaults", () => {
  it("come from the system's generator, so that answers differ", async () => {
    const question = ask({ k: 6, domain: listed(6), epsilon: "1/1000", mechanism: "top-k" });
    const orders = await Promise.all(
      Array.from({ length: 8 }, () => select(question, [{ items: NAMES, users: NAMES.map(() => 5) }])),
    );
    expect(new Set(orders.map(({ winners }) => winners.map(({ item }) => item).join())).size).toBeGreaterThan(
      1,
    );
  });

  it("agree with topK and topKWithGap on clear cases", async () => {
    const users = [9000, 10, 5000, 30, 7000, 1];
    const best = topKWithGap(users, { k: 3, epsilon: 10, monotone: true }).winners.map(
      ({ candidate: index }) => NAMES[index],
    );
    expect(await itemsOf(ask({ k: 3, domain: listed(6), epsilon: 10 }), [{ items: NAMES, users }])).toEqual(
      best,
    );
    const order = topK(users, { k: 3, rho: 10, monotone: true }).winners.map(
      ({ candidate: index }) => NAMES[index],
    );
    expect(await itemsOf(ask({ k: 3, domain: listed(6), rho: 10 }), [{ items: NAMES, users }])).toEqual(
      order,
    );
  });
});

describe("a limited-domain top k", () => {
  const users = [900, 850, 2, 1, 800, 1];
  const rows = [{ items: NAMES, users }];

  it("names those that come before ⊥, in order, and says that the next could not be published safely", async () => {
    const question = ask({ k: 5, domain: UNKNOWN, rho: 1, delta: "1e-6" });
    const answer = await select(question, rows, { entropy: seededEntropy("limited") });
    expect(answer).toMatchObject({ released: true, ordered: true, k: 5, stopped: true });
    expect(answer.winners).toHaveLength(3);
    const three = ask({ k: 3, domain: UNKNOWN, rho: 1, delta: "1e-6" });
    expect(await select(three, rows, { entropy: seededEntropy("limited") })).toMatchObject({
      stopped: false,
    });
  });

  it("wants the k̄ + 1 items with the most users, in parts of any size", async () => {
    const question = ask({ k: 3, domain: UNKNOWN, rho: 10, delta: "1e-6" });
    expect(candidatesWanted(question)).toEqual({ kind: "largest", rows: 1001 });
    expect(candidatesWanted(ask({ k: 500, domain: UNKNOWN, rho: 10, delta: "1e-6" }))).toEqual({
      kind: "largest",
      rows: 5001,
    });
    const parts = NAMES.map((item, i) => ({ items: [item], users: [users[i]!] }));
    expect(await itemsOf(question, parts)).toEqual(await itemsOf(question, rows));
  });

  it("has counts near the truth, and leads where they are asked for", async () => {
    const question = ask({ k: 3, domain: UNKNOWN, epsilon: 30, delta: "1e-6", counts: true, resolution: 1 });
    const { winners } = await select(question, rows, { entropy: seededEntropy("counts") });
    const truth = new Map(NAMES.map((name, i) => [name, users[i]!]));
    expect(winners).toHaveLength(3);
    for (const { item, count, gap } of winners) {
      expect(Math.abs(Number(count) - truth.get(item)!)).toBeLessThan(20);
      expect(Number(gap)).toBeGreaterThan(20);
    }
  });

  it("says that nothing could be published safely, and refuses a source that names an item twice", async () => {
    const question = ask({ k: 3, domain: UNKNOWN, epsilon: "1/10", delta: "1e-9" });
    const answer = await select(question, [{ items: NAMES, users: NAMES.map(() => 30) }]);
    expect(answer).toMatchObject({ released: false, winners: [], stopped: true });
    const twice = { items: ["a", "a"], users: [500, 500] };
    await expect(select(question, [twice])).rejects.toThrow("histogram must be");
  });
});

describe("counts of a public list", () => {
  it.each(["listed", "integers"] as const)("are near the truth: %s", async (kind) => {
    const domain = kind === "listed" ? listed(3) : ({ kind: "integers", below: 3 } as const);
    const question = ask({ k: 2, domain, epsilon: 40, counts: true, mechanism: "top-k" });
    const { winners } = await select(question, [numbered([10, 800, 500])], { entropy: seededEntropy(kind) });
    expect(winners.map(({ item }) => item)).toEqual(["1", "2"]);
    expect(Math.abs(Number(winners[0]?.count) - 800)).toBeLessThan(10);
    expect(winners[0]).not.toHaveProperty("gap");
  });
});

describe("items above a threshold", () => {
  const rows = [{ items: NAMES, users: [500, 900, 1, 1, 700, 1] }];

  it("come by name where all are wanted, without counts unless they are asked for", async () => {
    const question = ask({ kind: "names", domain: UNKNOWN, epsilon: 2, delta: "1e-9", maxItemsPerUser: 2 });
    expect(candidatesWanted(question)).toMatchObject({ kind: "largest" });
    const answer = await select(question, rows, { entropy: seededEntropy("names") });
    expect(answer.ordered).toBe(false);
    expect(answer.winners).toEqual([NAMES[0], NAMES[1], NAMES[4]].toSorted().map((item) => ({ item })));
  });

  it("come by their noisy counts where the best are wanted", async () => {
    const question = ask({ k: 9, domain: UNKNOWN, epsilon: 2, delta: "1e-9", maxItemsPerUser: 2 });
    const answer = await select(question, rows, { entropy: seededEntropy("best") });
    expect(answer).toMatchObject({ ordered: true, k: 9 });
    expect(answer.winners.map(({ item }) => item)).toEqual([NAMES[1], NAMES[4], NAMES[0]]);
  });
});
