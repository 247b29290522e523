/** Which mechanism is taken, from public numbers only, and what the others would give. */
import { describe, expect, it } from "vitest";
import { seededEntropy } from "winnow-dp/testing";
import {
  type Choice,
  choiceInWords,
  choose,
  countsOfGuess,
  expectedUtility,
  type PublicCounts,
  RankedScores,
  readGuess,
  readQuestion,
} from "../../src/index.js";
import { UNIT, UNKNOWN } from "../support/ask.js";

const SAY = { option: (name: string, value: string) => `--${name} ${value}` };
const below = (size: number) => ({ kind: "integers", below: size }) as const;
const OPEN = { unit: UNIT, domain: UNKNOWN, epsilon: 1, delta: "1e-6" } as const;
const LISTED = { unit: UNIT, domain: below(2000), epsilon: 1 } as const;
const nameOf = ({ chosen: { question } }: Choice) =>
  [question.mechanism, question.maxItemsPerUser].filter((part) => part !== undefined).join(" ");

/** Everyone has as many items; a limit keeps its share of each count. */
function generated(counts: Float64Array, each: number): PublicCounts {
  return {
    counts,
    origin: "generated data",
    limits: [10],
    bounded: (most) => counts.map((count) => Math.round(count * Math.min(1, most / each))),
  };
}

/** Places that few people share: 4,000 people with 13 places each, of which the place of rank r has 1,500/r, most only one. */
const PLACES = generated(
  Float64Array.from({ length: 45_000 }, (_, rank) => Math.max(1, Math.floor(1500 / (rank + 1)))),
  13,
);
/** Films that many people share: 600 people with 100 films each, and the first films close to one another. */
const FILMS = generated(
  Float64Array.from({ length: 1_600 }, (_, rank) => Math.max(1, Math.floor(228 * Math.exp(-rank / 300)))),
  100,
);

describe("a choice by public counts", () => {
  it.each([
    ["places", PLACES, "threshold-top-k 10", [12, 16], [4, 8]],
    ["films", FILMS, "limited-top-k", [5, 13], [0, 0.5]],
  ] as const)("serves %s as no fixed rule could, at ε = 1", (_, guess, taken, own, other) => {
    const choice = choose({ ...OPEN, k: 20 }, { guess });
    expect(nameOf(choice)).toBe(taken);
    const rightOf = (name: string) =>
      20 *
      ([choice.chosen, ...choice.others].find(({ question }) => question.mechanism === name)?.expects.right
        ?.mean ?? -1);
    const [first, second] = taken.startsWith("limited")
      ? ["limited-top-k", "threshold-top-k"]
      : ["threshold-top-k", "limited-top-k"];
    for (const [name, [least, most]] of [
      [first, own],
      [second, other],
    ] as const) {
      expect(rightOf(name as string), name).toBeGreaterThanOrEqual(least);
      expect(rightOf(name as string), name).toBeLessThanOrEqual(most);
    }
    expect(choiceInWords(choice, SAY)).toMatch(
      /^Winnow takes .*: about \d+ of 20 right on generated data\. Otherwise .* \d+ of 20/,
    );
  });

  it("is the same again, because its bits are seeded", () => {
    const again = () => choiceInWords(choose({ ...OPEN, k: 20 }, { guess: PLACES }), SAY);
    expect(again()).toBe(again());
  });

  it.each([
    ["without a list", { ...OPEN, k: 60 }, "people=3000,items-per-person=13"],
    [
      "without a list, in ρ",
      { ...OPEN, epsilon: undefined, rho: "1/50", k: 20 },
      "people=900,items-per-person=40",
    ],
    ["of a list", { ...LISTED, k: 10 }, "people=1000,items-per-person=5"],
    ["of a list, in (ε, δ)", { ...LISTED, delta: "1e-6", k: 25 }, "people=5000,items-per-person=5"],
    ["of a set", { ...LISTED, k: 10, set: true }, "people=900,items-per-person=3"],
  ] as const)("is never worse than the usual one, if the guess is true: %s", async (_, input, text) => {
    const size = input.domain.kind === "integers" ? input.domain.below : undefined;
    const guess = countsOfGuess(readGuess(text), size);
    const { chosen } = choose(input, { guess });
    const usual = readQuestion(input);
    const recallOf = async (question: typeof usual) => {
      const cut =
        question.maxItemsPerUser === undefined ? undefined : guess.bounded(question.maxItemsPerUser);
      const entropy = seededEntropy("other bits than those of the choice");
      return (await expectedUtility(question, new RankedScores(guess.counts, cut), { runs: 150, entropy }))
        .recall;
    };
    const [own, before] = [await recallOf(chosen.question), await recallOf(usual)];
    expect(own.mean).toBeGreaterThanOrEqual(
      before.mean - 2 * Math.hypot(own.standardError, before.standardError),
    );
  });

  it("takes a set where all of it is right in nine runs of ten, and otherwise an order that may spend δ", () => {
    const set = { ...LISTED, k: 10, set: true, delta: "1e-6" } as const;
    const with_ = (text: string) => nameOf(choose(set, { guess: countsOfGuess(readGuess(text), 2000) }));
    expect(with_("people=100000,items-per-person=5")).toBe("top-k-set");
    const falling = generated(
      Float64Array.from({ length: 2000 }, (_, rank) => Math.round(5000 / (rank + 1))),
      3,
    );
    expect(nameOf(choose({ ...set, k: 100 }, { guess: falling }))).toBe("top-k");
    // An order was asked for: a set is no answer.
    const { others } = choose(
      { ...LISTED, k: 10 },
      { guess: countsOfGuess(readGuess("people=9000,items-per-person=5"), 2000) },
    );
    expect(others.map(({ question }) => question.mechanism)).not.toContain("top-k-set");
  });

  it("keeps to what was asked for: leads, counts, a limit, and a mechanism that was named", () => {
    const mechanisms = (choice: Choice) =>
      [choice.chosen, ...choice.others].map(({ question }) => question.mechanism);
    expect(mechanisms(choose({ ...OPEN, k: 20, resolution: 1 }, { guess: PLACES }))).toEqual([
      "limited-top-k",
    ]);
    expect(mechanisms(choose({ ...OPEN, k: 20, counts: true }, { guess: PLACES }))).not.toContain(
      "stable-top-k-fixed",
    );
    const limits = choose({ ...OPEN, k: 20, maxItemsPerUser: 7 }, { guess: PLACES });
    for (const { question } of [limits.chosen, ...limits.others])
      expect([undefined, 7]).toContain(question.maxItemsPerUser);
    const named = choose({ ...OPEN, k: 20, mechanism: "limited-top-k" }, { guess: PLACES });
    expect(nameOf(named)).toBe("limited-top-k");
    expect(choiceInWords(named, SAY)).toMatch(/^As asked limited-top-k: about [4-8] of 20 right/);
  });

  it("lets only those answer that a service allows", () => {
    const { others } = choose(
      { ...OPEN, k: 20 },
      { guess: PLACES },
      ({ name }) => name !== "threshold-top-k",
    );
    expect(others.map(({ question }) => question.mechanism)).toEqual(["stable-top-k-fixed"]);
  });
});

describe("a choice without public counts", () => {
  it("is the usual one, with what holds for all data", () => {
    for (const k of [1, 5, 25, 100]) {
      const input = { ...LISTED, k, delta: "1e-6" };
      const { chosen, by } = choose(input);
      expect(chosen.question).toEqual(readQuestion(input));
      expect(by).toBe("rule");
    }
    expect(choiceInWords(choose({ ...LISTED, k: 25, delta: "1e-6" }), SAY)).toBe(
      "Winnow takes top-k: no winner is more than 146 users below place 25, 95 times out of 100. Otherwise top-k-with-gap 265.",
    );
  });

  it("says what hangs on numbers that nobody knows", () => {
    expect(choiceInWords(choose({ ...OPEN, k: 20 }), SAY)).toMatch(
      /Which names more depends on how many people there are and how many items each has: --guess people=4000,items-per-person=13 compares\.$/,
    );
  });

  it.each([
    ["gumbel", { ...LISTED, k: 25, delta: "1e-6" }, 0.6],
    ["exponential", { ...LISTED, k: 5 }, 0.6],
    ["set", { ...LISTED, k: 5, set: true }, 0.1], // its bound is for many wrong names at once
  ] as const)("bounds how far below place k a winner is: %s", async (_, input, part) => {
    const { chosen } = choose(input);
    const within = chosen.expects.within as number;
    const { k } = chosen.question;
    // The worst case: k items far above, and all others just so far below that they should not win.
    const scores = Float64Array.from({ length: 2000 }, (_, i) => (i < k ? within + 1 : 0));
    const { recall } = await expectedUtility(chosen.question, scores, {
      runs: 300,
      entropy: seededEntropy("near"),
    });
    const missed = (1 - recall.mean) * k; // the mean number of winners that are too low is at least the chance of one
    expect(missed).toBeLessThan(0.08);
    const nearer = Float64Array.from(scores, (score) => Math.floor(score * part)); // so small a bound doesn't hold
    const wrong = await expectedUtility(chosen.question, nearer, {
      runs: 100,
      entropy: seededEntropy("near"),
    });
    expect((1 - wrong.recall.mean) * k).toBeGreaterThan(0.1);
  });
});

describe("a guess", () => {
  it("adds up to as many items a person, none with more people than there are", () => {
    const { counts, bounded, limits } = countsOfGuess(readGuess("people=4000,items-per-person=13"), 500);
    expect(counts).toHaveLength(500);
    expect(counts.reduce((sum, count) => sum + count, 0) / 4000).toBeCloseTo(13, 2);
    expect(Math.max(...counts)).toBeLessThanOrEqual(4000);
    expect(counts.every((count, i) => i === 0 || count <= (counts[i - 1] as number))).toBe(true);
    const cut = bounded(3) as Float64Array;
    expect(cut.reduce((sum, count) => sum + count, 0) / 4000).toBeCloseTo(3, 1);
    expect(bounded(20)).toEqual(counts);
    expect(limits).toEqual([3, 10]);
  });

  it("takes what it doesn't say from the list, or 2,000 items", () => {
    expect(readGuess(" people = 10 , items-per-person=2.5,items=40")).toEqual({
      people: 10,
      itemsPerPerson: 2.5,
      items: 40,
    });
    expect(countsOfGuess({ people: 10, itemsPerPerson: 2 }).counts).toHaveLength(2000);
    expect(countsOfGuess({ people: 10, itemsPerPerson: 7 }, 3).counts).toEqual(
      new Float64Array([10, 10, 10]),
    );
  });

  it.each([
    "people=4000",
    "people=4000,items-per-person=13,people=1",
    "people=4000,items-per-person=0",
    "people=1e3,items-per-person=2",
    "people=10,items-per-person=30,items=20",
    "users=10,items-per-person=2",
    "people=10;items-per-person=2",
    "people=NaN,items-per-person=2",
    "",
  ])("is refused as a whole if it can't be read: %s", (text) => {
    expect(() => readGuess(text)).toThrow(/^guess must be /);
  });
});
