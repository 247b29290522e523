/** Answers to questions have the laws that were computed independently of Winnow. */

import { describe, expect, it } from "vitest";
import { rational } from "winnow-dp";
import { type Answer, type Question, select } from "../../src/index.js";
import { ask, listed, numbered, UNKNOWN } from "../support/ask.js";
import { ACCEPTED, type Draws, deviation, draw, type Law } from "../support/draws.js";
import { vectors } from "../support/vectors.js";

const RUNS = 4_000;

/** Answers as "item,item", with gaps as "item,item by gap,gap" in units of the resolution. */
async function drawAnswers(
  question: Question,
  scores: readonly number[],
  nameOf = winnersOf,
  runs = RUNS,
): Promise<Draws> {
  const counted = numbered(scores);
  return draw(runs, JSON.stringify(question), async (entropy) =>
    nameOf(await select(question, [counted], { entropy })),
  );
}

function winnersOf({ winners }: Answer): string {
  return winners.map(({ item }) => item).join();
}

function orderLaw(outcomes: readonly { indices: readonly number[]; prob: string }[]): Law {
  return Object.fromEntries(outcomes.map(({ indices, prob }) => [indices.join(), prob]));
}

/** The candidates renamed: a law that must be rejected. */
function turned(law: Law, size: number): Law {
  const next = (outcome: string) => outcome.replace(/\d+/g, (index) => String((Number(index) + 1) % size));
  return Object.fromEntries(Object.entries(law).map(([outcome, p]) => [next(outcome), p]));
}

describe("pure top-k", () => {
  it.each(vectors.exp_oneshot_topk)(
    "of $scores at scale $scale has the law of one shot of exponential noise",
    async (vector) => {
      const { scores, scale, k } = vector;
      const epsilon = rational(k).dividedBy(scale);
      const question = ask({ k, domain: listed(scores.length), epsilon, mechanism: "top-k" });
      const draws = await drawAnswers(question, scores);
      expect(deviation(draws, orderLaw(vector.outcomes))).toBeLessThan(ACCEPTED);
      expect(deviation(draws, turned(orderLaw(vector.outcomes), scores.length))).toBeGreaterThan(ACCEPTED);
    },
  );

  it("over whole numbers draws those without rows as zeros", async () => {
    const [{ scores, scale, k, outcomes }] = vectors.exp_oneshot_topk;
    const question = ask({
      k,
      domain: { kind: "integers", below: 4 },
      epsilon: rational(k).dividedBy(scale),
      mechanism: "top-k",
    });
    const rows = numbered(scores);
    const counted = [0, 1, 3].map((index) => ({ items: [rows.items[index]], users: [rows.users[index]] })); // 2 has none
    const draws = await draw(RUNS, "zeros", async (entropy) =>
      winnersOf(await select(question, counted, { entropy })),
    );
    expect(deviation(draws, orderLaw(outcomes))).toBeLessThan(ACCEPTED);
  });
});

describe("concentrated top-k", () => {
  it.each(vectors.gumbel_topk)(
    "of $scores at scale $tau has the law of peeled exponential mechanisms",
    async (vector) => {
      const { scores, tau, k } = vector;
      const rho = rational(k).dividedBy(rational(tau).times(tau)).dividedBy(8);
      const draws = await drawAnswers(ask({ k, domain: listed(scores.length), rho }), scores);
      expect(deviation(draws, orderLaw(vector.outcomes))).toBeLessThan(ACCEPTED);
      expect(deviation(draws, turned(orderLaw(vector.outcomes), scores.length))).toBeGreaterThan(ACCEPTED);
    },
  );
});

describe("permute-and-flip", () => {
  it.each(vectors.permute_and_flip)(
    "of $scores at scale $scale has its law",
    async ({ scores, scale, probs }) => {
      const epsilon = rational(1).dividedBy(scale);
      const question = ask({ k: 1, domain: listed(scores.length), epsilon, mechanism: "permute-and-flip" });
      const law: Law = Object.fromEntries(probs.map((p, index) => [String(index), p]));
      expect(deviation(await drawAnswers(question, scores), law)).toBeLessThan(ACCEPTED);
    },
  );
});

describe("top-k with gaps", () => {
  const whole = vectors.noisy_topk_gap.filter(({ scores }) =>
    scores.every((score) => rational(score).isInteger()),
  );

  it.each(whole)("$name has the joint law of winners and gaps", async (vector) => {
    const { k, epsilon, gamma, monotone, cells } = vector;
    const scores = vector.scores.map((score) => rational(score).toNumber());
    const neighbours = monotone ? "add-remove" : "replace";
    const question = ask({ k, domain: listed(scores.length), epsilon, resolution: gamma, neighbours });
    const most = Math.max(
      ...cells.flatMap(({ gaps }) => gaps.map((gap) => Number(String(gap).replace(">=", "")))),
    );
    const nameOf = (answer: Answer) =>
      `${winnersOf(answer)} by ${answer.winners.map(({ gap = "" }) => unitsOf(gap, gamma, most)).join()}`;
    const draws = await drawAnswers(question, scores, nameOf);
    const law = Object.fromEntries(
      cells.map(({ indices, gaps, prob }) => [`${indices.join()} by ${gaps.join()}`, prob]),
    );
    expect(deviation(draws, law)).toBeLessThan(ACCEPTED);
    expect(deviation(draws, turned(law, 2))).toBeGreaterThan(ACCEPTED);
  });

  function unitsOf(gap: string, resolution: string, most: number): string {
    const units = rational(gap).dividedBy(resolution).toNumber();
    return units >= most ? `>=${most}` : String(units);
  }
});

describe("a stable set of unknown candidates", () => {
  it.each(vectors.stable_topk_gap2)(
    "of $histogram where people are replaced has a size of the right law",
    async (vector) => {
      const { histogram, sigma2, delta_t, p_k } = vector;
      const k = histogram.length - 1;
      const budget = { rho: rational(4).dividedBy(sigma2), delta: delta_t };
      const question = ask({ kind: "adaptive", k, domain: UNKNOWN, ...budget, neighbours: "replace" });
      const law: Law = Object.fromEntries(p_k.map((p, index) => [String(index + 1), p]));
      const draws = await drawAnswers(question, histogram, (answer) => String(answer.k), 2_000);
      expect(deviation(draws, law)).toBeLessThan(ACCEPTED);
      const elsewhere = await drawAnswers(
        ask({ ...question, neighbours: "add-remove" }),
        histogram,
        (answer) => String(answer.k),
        2_000,
      );
      expect(deviation(elsewhere, law)).toBeGreaterThan(ACCEPTED); // with the noise of other neighbours it is another law
    },
  );
});
