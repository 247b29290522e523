/**
 * From a budget for all queries to the noise of each, and to the cost of a run. Every query costs the same, so the loss is
 * known before any vote is read.
 *
 *   rho               zCDP: each query gets an equal share; with any number of labels, half of it goes to each of the two steps
 *   epsilon, delta    the largest ρ that implies (ε, δ), split the same way; with any number of labels, half of δ is for the tests
 * @module
 */
import {
  approx,
  type Loss,
  labelByTeachers,
  type Rational,
  rational,
  rhoAtMost,
  type TeacherOptions,
  zcdp,
} from "winnow-dp";
import { seededEntropy } from "winnow-dp/testing";
import { Refusal } from "../refusal.js";
import { classesOf, type VoteLists } from "./votes.js";

export interface LabelBudget {
  readonly epsilon?: string | undefined;
  readonly rho?: string | undefined;
  readonly delta?: string | undefined;
}

/** For a conversion to (ε, δ), and for the tests of a task with any number of labels. */
export function needsDelta(task: VoteLists["task"], rho: string | undefined): boolean {
  return rho === undefined || task === "multi-label";
}

/** The options of the library's labelling for these lists and this budget. */
export function teacherOptions(lists: VoteLists, budget: LabelBudget): TeacherOptions {
  const { task, queries, teachers } = lists;
  const { rho, failure, limit } = shares(lists, budget);
  const each = rho.dividedBy(queries.length);
  if (task === "multi-class")
    return {
      task,
      teachers: teachers.length,
      labels: classesOf(lists),
      choose: { noise: "gumbel", rho: each },
      limit,
    };
  const half = each.dividedBy(2n);
  return {
    task,
    teachers: teachers.length,
    labels: lists.labels.length,
    choose: { noise: "gumbel", rho: half },
    test: { rho: half },
    delta: failure.dividedBy(queries.length),
    limit,
  };
}

interface Shares {
  readonly rho: Rational;
  /** For the tests of all queries together. */
  readonly failure: Rational;
  readonly limit: TeacherOptions["limit"];
}

function shares({ task }: VoteLists, { epsilon, rho, delta }: LabelBudget): Shares {
  if ((epsilon === undefined) === (rho === undefined))
    throw new Refusal("usage", "The budget must be exactly one of --epsilon (with --delta) and --rho.");
  const takesTests = task === "multi-label";
  if (needsDelta(task, rho) !== (delta !== undefined))
    throw new Refusal(
      "usage",
      delta === undefined
        ? "--delta must be a rational above 0 and below 1, such as 1e-6."
        : "--delta must be left out with --rho and one right class, which needs no δ.",
    );
  const chance = rational(delta ?? 0n, "delta");
  if (epsilon === undefined) {
    const whole = rational(rho!, "rho");
    if (whole.compare(0n) <= 0)
      throw new Refusal("usage", `--rho must be a rational > 0; got ${JSON.stringify(rho)}.`);
    return { rho: whole, failure: chance, limit: zcdp(whole, chance) };
  }
  const failure = takesTests ? chance.dividedBy(2n) : rational(0n);
  return {
    rho: rhoAtMost({ epsilon, delta: chance.minus(failure) }),
    failure,
    limit: approx(epsilon, chance),
  };
}

/** The cost of the run: the accounting doesn't depend on votes, so none are needed. */
export function lossOfLabels(lists: VoteLists, options: TeacherOptions): Loss {
  const perQuery = options.task === "multi-label" ? options.labels : 1;
  const { privacy, queries } = labelByTeachers(new Uint8Array(lists.queries.length * perQuery), {
    ...options,
    teachers: 1,
    entropy: seededEntropy("no votes"),
  });
  if (queries < lists.queries.length)
    throw new Refusal(
      "usage",
      `The budget covers ${queries} of the ${lists.queries.length} queries; raise it.`,
    );
  return privacy;
}
