import { describe, expect, it } from "vitest";
import { type QuantilesOptions, quantiles, rational, WinnowError } from "winnow-dp";
import { seededEntropy } from "winnow-dp/testing";
import {
  answerRows,
  caption,
  lossOf,
  mechanismOf,
  type QuestionInput,
  rankErrors,
  readQuestion,
  readRelease,
  select,
  toCsv,
} from "../../src/index.js";
import { ask, grid, listed, UNIT } from "../support/ask.js";
import { release } from "../support/releases.js";

const GOOD = { kind: "quantile", domain: grid(0, 100), quantiles: ["1/2"], epsilon: 1 } as const;

describe("a question about quantiles", () => {
  it("is in canonical form: rising, each person with one value", () => {
    expect(JSON.stringify(ask({ ...GOOD, quantiles: ["0.90", "1/2"] }))).toBe(
      `{"kind":"quantile","k":2,"domain":{"kind":"grid","lower":"0","upper":"100","step":"1"},"neighbours":"add-remove","mechanism":"quantiles","epsilon":"1","maxItemsPerUser":1,"quantiles":["0.5","0.9"],"unit":"${UNIT}"}`,
    );
  });

  it("read again is the same question", () => {
    const question = ask({ ...GOOD, maxItemsPerUser: 3, atMost: 1000, quantiles: [0, "1/3", 1] });
    expect(readQuestion(question)).toEqual(question);
  });

  it.each([
    [0, 10_000, "1"],
    [0, 100, "1"],
    [0, 10, "0.1"],
    [-1, 1, "0.01"],
  ])("has from %d to %d by default the step %s", (lower, upper, step) => {
    const { domain } = ask({ ...GOOD, domain: { kind: "grid", lower, upper } });
    expect(domain).toMatchObject({ step });
  });

  it.each([
    ["a reversed range", "range", { domain: grid(10, 0) }],
    ["a range of one point", "range", { domain: grid(5, 5) }],
    ["an end that is not a number", "range", { domain: grid("low", 10) }],
    ["a step of nothing", "step", { domain: grid(0, 10, 0) }],
    ["more points than can be counted", "step", { domain: grid(0, 1, "1e-30") }],
    ["a share above 1", "quantiles", { quantiles: ["1.5"] }],
    ["a share below 0", "quantiles", { quantiles: [-1] }],
    ["a share that is not a number", "quantiles", { quantiles: ["most"] }],
    ["no shares", "quantiles", { quantiles: [] }],
    ["nothing in their place", "quantiles", { quantiles: undefined }],
    ["a share twice", "quantiles", { quantiles: ["0.5", "1/2"] }],
    ["people without values", "maxItemsPerUser", { maxItemsPerUser: 0 }],
    ["at most no values", "atMost", { atMost: 0 }],
    ["a list of names", "mechanism", { domain: listed(3) }],
    ["a failure", "delta", { delta: "1e-6" }],
    ["counts", "counts", { counts: true }],
    ["no price", "budget", { epsilon: undefined }],
  ])("refuses %s", (_, field, change) => {
    const reading = () => readQuestion({ ...GOOD, unit: UNIT, ...change } as QuestionInput);
    expect(reading).toThrow(WinnowError);
    expect(reading).toThrow(expect.objectContaining({ code: "invalid-parameter", field }));
  });

  it("a bound on the number of values is for quantiles alone", () => {
    expect(() => ask({ k: 1, domain: listed(3), epsilon: 1, atMost: 5 })).toThrow("atMost must be absent");
  });
});

describe("quantiles", () => {
  const question = ask({
    ...GOOD,
    domain: grid(-1, 20, "1/2"),
    quantiles: ["1/4", "1/2"],
    maxItemsPerUser: 2,
  });
  const ANSWERS: QuantilesOptions = {
    quantiles: ["1/4", "1/2"],
    lower: -1,
    upper: 20,
    step: "1/2",
    epsilon: 1,
    maxValuesPerUser: 2,
  };

  it("are those of the library on the same bits, with words, NaN and infinities skipped", async () => {
    const items = [
      "3",
      "4.25",
      "1e1",
      "-7",
      "+.5",
      "1e99",
      "NaN",
      "inf",
      "-Infinity",
      "0x10",
      "4 ",
      "",
      "4,5",
    ];
    const users = [10, 20, 7, 3, 5, 2, 100, 100, 100, 100, 100, 100, 100];
    const numbers: [number, number][] = [3, 4.25, 10, -7, 0.5, 1e99].map((value, i) => [value, users[i]]);
    for (let seed = 0; seed < 20; seed++) {
      const { winners, loss } = await select(question, [{ items, users }], { entropy: seededEntropy(seed) });
      const { values, privacy } = quantiles(numbers, { ...ANSWERS, entropy: seededEntropy(seed) });
      expect(winners.map(({ item }) => item)).toEqual(values.map(String));
      expect(winners.map(({ quantile }) => quantile)).toEqual(["0.25", "0.5"]);
      expect(loss).toEqual(privacy);
      expect(lossOf(question)).toEqual(privacy);
    }
  });

  it("read every digit of a long number", async () => {
    const fine = ask({
      ...GOOD,
      domain: grid("0.30000000000000004", "0.30000000000000005", "1e-18"),
      epsilon: 1000,
    });
    const batch = { items: ["0.3000000000000000452"], users: [50] };
    const { winners } = await select(fine, [batch], { entropy: seededEntropy("digits") });
    expect(winners[0].item).toBe("0.300000000000000045");
  });

  it("record the noise that decides them", () => {
    expect(mechanismOf(question)).toEqual({
      name: "quantiles",
      parameters: { method: "separate", range: "-1..20", step: "0.5", scale: "5" },
    });
    const many = mechanismOf(release("many quantiles").question).parameters;
    const recursion = { method: "recursive", levels: "6", epsilonOfLevel: "1/3", subCells: "1024" };
    expect(many).toEqual({ ...recursion, range: "0..1000", step: "1" });
  });

  it("say beforehand how far off they can be", () => {
    const plan = quantiles([], ANSWERS);
    expect(rankErrors(question).map(({ ranks }) => ranks)).toEqual(plan.rankError("0.95"));
    // Without a bound on their number, the error of a recursion grows with it: by a sub-cell a level.
    const many = release("many quantiles").question;
    const [atMost, all] = [5000, rankErrors(many)];
    const bounded = rankErrors({ ...many, atMost });
    for (const [i, { ranks, share }] of all.entries()) {
      expect(ranks.plus(share.times(BigInt(atMost)))).toEqual(bounded[i].ranks);
      expect(rational(share).times(1024n).isInteger()).toBe(true);
    }
  });
});

describe("a release of quantiles", () => {
  const document = release("quantiles");

  it("has a row for each: the share, the value, the error of its rank", () => {
    const lines = toCsv(document).split("\r\n");
    expect(lines[0]).toBe("quantile,value_max_1_value_per_user,rank_error");
    expect(lines[1]).toMatch(/^0\.5,-?\d+(\.\d+)?,\d+$/);
    expect(toCsv(release("many quantiles"))).toMatch(
      /^quantile,value_max_2_values_per_user,rank_error,rank_error_share\r\n/,
    );
    expect(answerRows(document).map(({ quantile }) => quantile)).toEqual(["0.5", "0.9"]);
  });

  it("says in one sentence what was done", () => {
    expect(caption(document)).toBe(
      "The median and the 90 % quantile of area (over one value of each user, chosen at random) among the numbers from -10 to 100 in steps of 0.25, released with differential privacy (ε = 1) per user (added or removed); the rank of each value is within 28 ranks of the exact one, 95 times out of 100.",
    );
  });

  it.each([
    [
      "release.answer.winners.quantile",
      [
        { item: "1", quantile: "0.4" },
        { item: "2", quantile: "0.9" },
      ],
    ],
    [
      "release.answer.winners.item",
      [
        { item: "1.1", quantile: "0.5" },
        { item: "2", quantile: "0.9" },
      ],
    ],
    [
      "release.answer.winners.item",
      [
        { item: "1", quantile: "0.5" },
        { item: "200", quantile: "0.9" },
      ],
    ],
    ["release.answer.winners", [{ item: "1", quantile: "0.5" }]],
    [
      "release.answer.winners",
      [
        { item: "2", quantile: "0.5" },
        { item: "1", quantile: "0.9" },
      ],
    ],
    ["release.answer.winners", [{ item: "1" }, { item: "2" }]],
  ])("is refused for its field %s (%#)", (field, winners) => {
    const reading = () =>
      readRelease(JSON.stringify({ ...document, answer: { ...document.answer, winners } }));
    expect(reading).toThrow(expect.objectContaining({ code: "invalid-parameter", field }));
  });

  it("may have one value twice", () => {
    const winners = ["0.5", "0.9"].map((quantile) => ({ item: "12", quantile }));
    const text = JSON.stringify({ ...document, answer: { ...document.answer, winners } });
    expect(readRelease(text).answer.winners).toEqual(winners);
  });
});
