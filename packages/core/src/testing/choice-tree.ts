/**
 * The law of a sampler that is built on primitives, by exhaustion over the primitives' outcomes. Where bits go
 * too deep (a discrete Gaussian draws hundreds of them), replace each primitive by a `choose` among its
 * outcomes with their known probabilities, and prove the primitive itself by `bitTree`.
 *
 * Probabilities are enclosures: the probability of a path is the product of its weights, rounded outward, so
 * for every outcome
 *
 *     mass.lower() ≤ P(outcome) ≤ mass.upper() + undecided.upper().
 *
 * A branch certainly less likely than `smallestMass` is not followed but counted as undecided. The cost is one
 * run for each leaf.
 * @module
 */
import { invalidParameter } from "../errors.js";
import { Interval } from "../exact/interval.js";
import { type Rational, type RationalLike, rational } from "../exact/rational.js";
import { callable, positiveRational, readOptions } from "../options.js";
import { everyPath, NotDeterministic } from "./tree-walk.js";

/** Picks an index; `weights` enclose the probabilities of all of them, which sum to 1. */
export type Choose = (weights: readonly Interval[]) => number;

/**
 * Which branches to follow, and how outcomes are named.
 *
 * @typeParam T What the sampler returns.
 */
export interface ChoiceTreeOptions<T> {
  /** Branches less likely than this are left undecided; above 0, for the tree may be infinite. */
  readonly smallestMass: RationalLike;
  /** The name of an outcome in the result. Default `String`. */
  readonly key?: ((outcome: T) => string) | undefined;
}

/** What a walk over all choices found out: mass.lower() ≤ P(outcome) ≤ mass.upper() + undecided.upper(). */
export interface ChoiceTree {
  /** The probability of the branches that were followed to each outcome. */
  readonly mass: Map<string, Interval>;
  /** The probability of the branches that were not followed. */
  readonly undecided: Interval;
}

/**
 * The law of a sampler that is built on primitives, by exhaustion over the primitives' outcomes: for samplers that draw
 * too many bits for `bitTree`.
 *
 * @param run The sampler, with each primitive replaced by a `choose` among its outcomes.
 * @param options Which branches to follow, and how outcomes are named.
 *
 * @example
 * ```ts
 * import { Interval } from "winnow-dp";
 * import { choiceTree } from "winnow-dp/testing";
 *
 * const half = Interval.from("1/2", 64);
 * const { mass } = choiceTree((choose) => choose([half, half]) + choose([half, half]), { smallestMass: "1/100" });
 * mass.get("1")?.isAbove("49/100"); // → true
 * ```
 */
export function choiceTree<T>(run: (choose: Choose) => T, options: ChoiceTreeOptions<T>): ChoiceTree {
  callable("run", run);
  const read = readOptions(options, { smallestMass: positiveRational }, { key: callable });
  const { key = String } = read;
  const smallestMass = rational(read.smallestMass);

  const path: Branch[] = [];
  const walk = (ask: (options: number) => number) => runOnChoices(ask, run, { path, smallestMass, key });
  const mass = new Map<string, Interval>();
  const cut: Interval[] = [];
  for (const { label, answers } of everyPath(walk)) {
    const leaf = path[answers.length - 1]?.mass ?? CERTAIN;
    if (label === undefined) cut.push(leaf);
    else mass.set(label, mass.get(label)?.plus(leaf) ?? leaf);
  }
  const nothing = Interval.from(0, (path[0]?.mass ?? CERTAIN).precision);
  return { mass, undecided: cut.reduce((sum, leaf) => sum.plus(leaf), nothing) };
}

/** The mass of a run that never chooses. */
const CERTAIN = Interval.from(1, 1);

interface Branch {
  readonly answer: number;
  /** The probability of all answers up to this one. */
  readonly mass: Interval;
}

/** Ends a run whose branch is too unlikely to follow. */
class BranchCut extends Error {}

/** One run: the outcome's name, or undefined when the branch was cut. */
function runOnChoices<T>(
  ask: (options: number) => number,
  run: (choose: Choose) => T,
  context: { path: Branch[]; smallestMass: Rational; key: (outcome: T) => string },
): string | undefined {
  const { path, smallestMass, key } = context;
  let step = 0;
  let cut = false;
  const choose = (weights: readonly Interval[]) => {
    const answer = ask(weights.length);
    if (path[step]?.answer !== answer) branch(path, step, answer, weights);
    cut ||= path[step++].mass.isBelow(smallestMass);
    if (cut) throw new BranchCut();
    return answer;
  };
  try {
    const outcome = run(choose);
    return cut ? undefined : key(outcome); // undecided even if the run swallowed the exception
  } catch (cause) {
    if (cut) return undefined;
    if (cause instanceof NotDeterministic) throw cause;
    const answers = path.slice(0, step).map(({ answer }) => answer);
    throw new Error(`the run failed after the choices [${answers}]: ${String(cause)}`, { cause });
  }
}

/** Leaves the path of the run before at `step`, where this run answers otherwise. */
function branch(path: Branch[], step: number, answer: number, weights: readonly Interval[]): void {
  const total = weights.reduce<Interval | undefined>((sum, weight) => sum?.plus(weight) ?? weight, undefined);
  if (!total?.contains(1) || weights.some((weight) => weight.isBelow(0)))
    throw invalidParameter("weights", "enclosures of probabilities that sum to 1", weights);
  const mass = path[step - 1]?.mass.times(weights[answer]) ?? weights[answer];
  path.splice(step, path.length, { answer, mass });
}
