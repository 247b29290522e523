import { describe, expect, it } from "vitest";
import { integerPartition, rational, WinnowError } from "winnow-dp";
import { seededEntropy } from "winnow-dp/testing";
import {
  caption,
  inventedPeople,
  lossOf,
  mechanismOf,
  type QuestionInput,
  readQuestion,
  readRelease,
  select,
  toCsv,
  toSvg,
} from "../../src/index.js";
import { ask, listed, UNIT, UNKNOWN } from "../support/ask.js";
import { release } from "../support/releases.js";

const GOOD = { kind: "frequencies", domain: UNKNOWN, epsilon: 1 } as const;

describe("a question about frequencies", () => {
  it("is in canonical form, and read again the same", () => {
    const question = ask(GOOD);
    expect(JSON.stringify(question)).toBe(
      `{"kind":"frequencies","k":1,"domain":{"kind":"unknown"},"neighbours":"add-remove","mechanism":"integer-partition","epsilon":"1","maxItemsPerUser":1,"unit":"${UNIT}"}`,
    );
    expect(readQuestion(question)).toEqual(question);
  });

  it.each([
    ["a price in ρ", "rho", { epsilon: undefined, rho: 1 }],
    ["a failure", "delta", { delta: "1e-6" }],
    ["a list of names", "mechanism", { domain: listed(3) }],
    ["two lists", "k", { k: 2 }],
    ["counts", "counts", { counts: true }],
    ["leads", "resolution", { resolution: 1 }],
    ["no price", "budget", { epsilon: undefined }],
    ["a price for which the draw would take hours", "epsilon", { epsilon: "0.04" }],
    ["the same with more items a person", "epsilon", { epsilon: "0.1", maxItemsPerUser: 3 }],
  ])("refuses %s", (_, field, change) => {
    const reading = () => readQuestion({ ...GOOD, unit: UNIT, ...change } as QuestionInput);
    expect(reading).toThrow(WinnowError);
    expect(reading).toThrow(expect.objectContaining({ code: "invalid-parameter", field }));
  });

  it.each([
    [1, "add-remove", 1],
    [3, "add-remove", 3],
    [2, "replace", 4],
  ] as const)(
    "costs at most what was asked for, with %d items a person, %s",
    (maxItemsPerUser, neighbours, distance) => {
      const question = ask({ ...GOOD, maxItemsPerUser, neighbours });
      const loss = lossOf(question);
      if (loss.measure !== "pure") throw new Error("a pure loss was expected");
      expect(rational(1).compare(loss.epsilon)).toBeGreaterThanOrEqual(0);
      expect(rational(loss.epsilon).toNumber()).toBeGreaterThan(0.95);
      expect(mechanismOf(question).parameters.distance).toBe(String(distance));
    },
  );
});

describe("frequencies", () => {
  it("are the list of the library on the same bits, however the batches come", async () => {
    const question = ask({ ...GOOD, maxItemsPerUser: 2, neighbours: "replace" });
    const batches = [
      { items: ["3", "500"], users: [20, 1] },
      { items: ["41", "1"], users: [2, 100] },
    ];
    const people = [500, 41, 41, ...Array<number>(20).fill(3), ...Array<number>(100).fill(1)];
    for (let seed = 0; seed < 5; seed++) {
      const { frequencies = [], winners } = await select(question, batches, { entropy: seededEntropy(seed) });
      const expected = integerPartition(people, {
        epsilon: 1,
        maxItemsPerUser: 2,
        neighbours: "replace",
        entropy: seededEntropy(seed),
      });
      expect(frequencies.flatMap(({ users, items }) => Array<number>(items).fill(users))).toEqual(
        expected.frequencies,
      );
      expect(winners).toEqual([]);
    }
  });

  it("of nobody show as many people on average as is said beforehand", async () => {
    const question = ask({ ...GOOD, epsilon: "1/2" });
    const expected = inventedPeople(question);
    let people = 0;
    const runs = 150;
    const entropy = seededEntropy("nobody");
    for (let run = 0; run < runs; run++) {
      const { frequencies = [] } = await select(question, [], { entropy });
      people += frequencies.reduce((sum, { users, items }) => sum + users * items, 0);
    }
    expect(people / runs / expected).toBeGreaterThan(0.8);
    expect(people / runs / expected).toBeLessThan(1.2);
  });

  it("stop at a number of people that is none, without saying which", async () => {
    for (const item of ["two", "1.5", "-1", ""])
      await expect(select(ask(GOOD), [{ items: [item], users: [1] }])).rejects.toThrow(/^the source gave/);
  });
});

describe("a release of frequencies", () => {
  const document = release("frequencies");

  it("is a list of runs as CSV, a sentence and a picture in powers of ten", () => {
    const [header, first] = toCsv(document).split("\r\n");
    expect(header).toBe("users_max_2_items_per_user,items");
    expect(first).toMatch(/^\d+,1$/);
    expect(caption(document)).toMatch(
      /^How many users \(each counted for at most 2 items\) the items of area have, released with differential privacy \(ε = 0\.9\d+\) per user \(added or removed\); the list has \d+ items and adds up to [\d,]+; noise alone adds about \d+ to a list without any items, mostly to its end; each user is counted for at most 2 items, and far more people may have an item than its count says\.$/,
    );
    expect(toSvg(document)).toContain("Both in powers of");
  });

  it.each([
    [
      "release.answer.frequencies",
      {
        frequencies: [
          { users: 1, items: 1 },
          { users: 2, items: 1 },
        ],
      },
    ],
    ["release.answer.frequencies", { frequencies: [{ users: 2 }] }],
    ["release.answer.frequencies.items", { frequencies: [{ users: 2, items: 0 }] }],
    ["release.answer.winners", { winners: [{ item: "a" }] }],
    ["release.answer.released", { released: false }],
    ["release.answer", { frequencies: undefined }],
  ])("is refused for its field %s (%#)", (field, change) => {
    const text = JSON.stringify({ ...document, answer: { ...document.answer, ...change } });
    expect(() => readRelease(text)).toThrow(expect.objectContaining({ code: "invalid-parameter", field }));
  });

  it("may be empty", () => {
    const text = JSON.stringify({ ...document, answer: { ...document.answer, frequencies: [] } });
    const empty = readRelease(text);
    expect(toCsv(empty)).toBe("users_max_2_items_per_user,items\r\n");
    expect(toSvg(empty)).toContain("the list has 0 items");
  });
});
