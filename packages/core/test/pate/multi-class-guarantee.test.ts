/** The loss of one multi-class answer, over all votes of a few teachers and all that one of them could say instead. */
import { describe, expect, it } from "vitest";
import { convert } from "../../src/accounting/convert.js";
import { rational } from "../../src/exact/rational.js";
import { MultiClassTask } from "../../src/pate/multi-class.js";
import { type ExactLaw, softmax } from "../standout/exact-laws.js";
import { worstDelta } from "../standout/hockey-stick.js";
import { allHistograms } from "../standout/neighbours.js";

const [TEACHERS, CLASSES] = [4, 3];

describe("an answer by Gumbel noise", () => {
  const task = new MultiClassTask({
    task: "multi-class",
    teachers: TEACHERS,
    labels: CLASSES,
    choose: { noise: "gumbel", scale: 2 },
  });
  const allVotes = allHistograms(TEACHERS, CLASSES - 1);
  const lawOf = (votes: readonly number[]): ExactLaw =>
    new Map(softmax([...task.count(votes)], 2).map((chance, label) => [String(label), chance]));
  const pairs = allVotes.flatMap((votes) =>
    Array.from({ length: CLASSES }, (_, said): [ExactLaw, ExactLaw] => [
      lawOf(votes),
      lawOf([said, ...votes.slice(1)]),
    ]),
  );

  it("is 2/τ-DP, and no less", () => {
    expect(worstDelta(pairs, 1).toNumber()).toBeLessThan(1e-40);
    expect(worstDelta(pairs, "0.75").toNumber()).toBeGreaterThan(0.005);
  });

  it("is 1/(2τ²)-zCDP", () => {
    expect(task.loss.zcdp.rho).toEqual(rational("1/8"));
    for (const epsilon of [0, 0.1, 0.25, 0.5, 1]) {
      const { delta } = convert(task.loss.zcdp, { to: "approx", epsilon });
      expect(worstDelta(pairs, epsilon).compare(delta)).toBeLessThanOrEqual(0);
    }
  });
});

describe("Gaussian noise", () => {
  it("is accounted for by the two counts that a teacher moves, not by all", () => {
    const task = new MultiClassTask({
      task: "multi-class",
      teachers: 250,
      labels: 1000,
      choose: { noise: "gaussian", variance: 1600 },
    });
    expect(task.loss.zcdp.rho).toEqual(rational("1/1600"));
    const line = rational("1.000000000001").dividedBy(1600);
    for (const order of [1.5, 2, 16, 256])
      expect(task.loss.renyi.curve.at(order).compare(line.times(order))).toBeLessThanOrEqual(0);
  });
});
