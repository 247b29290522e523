/**
 * Winnow's own ways from private rows to a release, with their private steps recorded. `replay` runs them on rows (who
 * was where; one individual is all rows of a user) and on the same rows without each person in turn. It checks that
 * everything around the steps, first of all the counting of users, is what the proofs count on.
 *
 * `stableTopK` takes two private steps: the choice of k, which gets the gaps, and the test, which gets the gap after
 * the k-th. `stableTopKFixed` adds the rounds of the exponential mechanism that make k of j. Which rounds are taken,
 * and among whom, must follow from earlier answers: from private counts it would be a leak. The code around the steps
 * is the production code, and equal bits give its answer.
 * @module
 */
import {
  type BudgetAs,
  Entropy,
  type FailureOptions,
  type GapOptions,
  type Histogram,
  makeNoisyTopK,
  type NoisyMaxBudget,
  rational,
  type StableRelease,
  type TestBudget,
} from "winnow-dp";
import {
  bigInteger,
  COUNTS,
  GAPS,
  GapChoice,
  gapAfter,
  gapSensitivity,
  integer,
  oneOf,
  readOptions,
  roundsBudget,
  SharedRounds,
  STEPS,
  StabilityTest,
  StableTopKMeasurement,
  THRESHOLD,
} from "winnow-dp/internal";
import type { PrivateStep, RecordedMechanism, Recorder } from "./replay.js";

/** A way to a release, with a name. */
export interface RecordedWay {
  /** The function of the library, and the kind of domain. */
  readonly name: string;
  /** From rows to what is released. */
  readonly mechanism: RecordedMechanism<readonly Row[]>;
}

/**
 * The ways for rows whose items are known to be on a public list, and for items that no one knows beforehand.
 *
 * @example
 * ```ts
 * import { recordedWays } from "winnow-audit";
 *
 * recordedWays(["tea", "coffee"])[0].name; // → "topKWithGap"
 * ```
 */
export function recordedWays(items: readonly string[]): readonly RecordedWay[] {
  return [
    { name: "topKWithGap", mechanism: (rows, recorder) => noisyTop(rows, items, "pure", recorder) },
    { name: "topK with ρ", mechanism: (rows, recorder) => noisyTop(rows, items, "zcdp", recorder) },
    { name: "stableTopK, public list", mechanism: (rows, recorder) => stableTop(rows, items, recorder) },
    { name: "stableTopKFixed, public list", mechanism: (rows, recorder) => fixedTop(rows, items, recorder) },
    {
      name: "stableTopK, unknown domain",
      mechanism: (rows, recorder) => stableTop(rows, undefined, recorder),
    },
  ];
}

const K = 3;
const SCALE = 3;

function noisyTop(
  rows: readonly Row[],
  items: readonly string[],
  measure: "pure" | "zcdp",
  recorder: Recorder,
): unknown {
  const counts = countListed(rows, items);
  const measurement = makeNoisyTopK({
    k: K,
    measure,
    scale: SCALE,
    monotone: true,
    ...(measure === "pure" && { resolution: 1 }),
  });
  const step = {
    name: measure === "pure" ? "exponential noise with gaps" : "Gumbel noise",
    parameters: { k: K, scale: SCALE, loss: measurement.map(1) },
    input: counts,
    sensitivity: 1,
    monotone: true,
  };
  const { winners } = recorder.step(step, (entropy) => measurement.invoke(counts, entropy));
  return winners.map(({ index, gap }) => ({ item: items[index], gap: String(gap) }));
}

/** Names, not positions, are released: where the domain is unknown a position depends on who is in the data. */
function stableTop(rows: readonly Row[], listed: readonly string[] | undefined, recorder: Recorder): unknown {
  const counts = countUsers(rows);
  const items = listed ?? [...counts.keys()];
  const histogram = items.map((item) => counts.get(item) ?? 0);
  const budget = { noise: "gumbel", rho: "1/4" } as const;
  const options = { maxK: 5, delta: "1e-6", monotone: true, choose: budget, test: { rho: "1/4" } };
  const release = recordedStableTopK(histogram, options, recorder);
  return release.released ? release.indices.map((index) => items[index]) : `nothing for k = ${release.k}`;
}

/** Exactly three of a public list. */
function fixedTop(rows: readonly Row[], items: readonly string[], recorder: Recorder): unknown {
  const choose = { noise: "gumbel", rho: "1/4" } as const;
  const budgets = { choose, test: { rho: "1/4" }, rounds: { rho: "1/2" }, delta: "1e-6" };
  const options = { ...budgets, k: K, domain: "public", maxK: 2 * K, penalty: 1, monotone: true } as const;
  const indices = recordedStableTopKFixed(countListed(rows, items), options, recorder);
  return indices.map((index) => items[index]);
}

/** Among which k to choose, and the noise of each step or a budget for it. */
export interface RecordedStableOptions extends GapOptions, FailureOptions {
  /** The noise on the gaps, or a budget for it. */
  readonly choose: NoisyMaxBudget;
  /** The noise of the test, or a budget for it. */
  readonly test: TestBudget;
}

/**
 * A set of candidates or nothing, each step recorded.
 *
 * @example
 * ```ts
 * import { type Recorder, recordedStableTopK } from "winnow-audit";
 * import { seededEntropy } from "winnow-dp/testing";
 *
 * const step: Recorder = { step: (_, draw) => draw(seededEntropy("a step")) };
 * const noise = { choose: { noise: "gumbel", scale: 1 }, test: { variance: 4 }, delta: "1e-6" } as const;
 * recordedStableTopK([900, 870, 2], { ...noise, maxK: 2 }, step); // → { k: 2, released: true, indices: [0, 1] }
 * ```
 */
export function recordedStableTopK(
  histogram: Histogram,
  options: RecordedStableOptions,
  recorder: Recorder,
): StableRelease {
  const read = readOptions(options, { maxK: integer, ...STEPS }, { ...GAPS, ...THRESHOLD });
  const choice = new RecordedChoice(read, recorder);
  return new StableTopKMeasurement(choice, new RecordedTest(read, recorder), read).invoke(histogram, NO_BITS);
}

/** All randomness is in the steps. */
const NO_BITS = new Entropy({
  fill() {
    throw new Error("bits were drawn outside the recorded steps");
  },
});

class RecordedChoice extends GapChoice {
  readonly #recorder: Recorder;
  readonly #sensitivity: bigint;

  constructor(options: RecordedStableOptions, recorder: Recorder) {
    super(options, options.choose);
    this.#recorder = recorder;
    this.#sensitivity = gapSensitivity(options);
  }

  override choose(counts: readonly (number | bigint)[]): number {
    const gaps = Array.from({ length: this.maxK }, (_, index) => gapAfter(counts, index + 1));
    const step = {
      name: "choice of k",
      parameters: { maxK: this.maxK, loss: this.loss.zcdp },
      input: gaps,
      sensitivity: this.#sensitivity,
    };
    return this.#recorder.step(step, (entropy) => super.choose(counts, entropy));
  }
}

class RecordedTest extends StabilityTest {
  readonly #recorder: Recorder;
  readonly #sensitivity: bigint;

  constructor(options: RecordedStableOptions, recorder: Recorder) {
    const sensitivity = gapSensitivity(options);
    super(sensitivity, options.test, options);
    this.#recorder = recorder;
    this.#sensitivity = sensitivity;
  }

  override passes(gap: number | bigint): boolean {
    const step = {
      name: "stability test",
      parameters: { threshold: this.threshold, loss: this.loss.zcdp },
      input: [gap],
      sensitivity: this.#sensitivity,
    };
    return this.#recorder.step(step, (entropy) => super.passes(gap, entropy));
  }
}

/** How many candidates, whether their domain is public, and the noise of each step or a budget for it. */
export interface RecordedFixedOptions extends Omit<RecordedStableOptions, "regulariser" | "maxK"> {
  /** How many candidates are wanted. */
  readonly k: number;
  /** Whether the histogram lists every candidate of a public domain, or only those that the data happen to mention. */
  readonly domain: "public" | "unknown";
  /** The largest j. */
  readonly maxK: number;
  /** What a step of j away from k counts against the width of the gap. */
  readonly penalty: number;
  /** The noise of all rounds of the exponential mechanism, or a budget for them together. */
  readonly rounds: BudgetAs<"rho" | "scale">;
}

const FIXED = {
  ...STEPS,
  k: integer,
  domain: oneOf("public", "unknown"),
  maxK: integer,
  penalty: (field: string, value: number) => integer(field, value, 0),
  rounds: roundsBudget,
};

/**
 * Positions in the histogram, ascending: k of them, or at most k of an unknown domain.
 *
 * @example
 * ```ts
 * import { type Recorder, recordedStableTopKFixed } from "winnow-audit";
 * import { seededEntropy } from "winnow-dp/testing";
 *
 * const step: Recorder = { step: (_, draw) => draw(seededEntropy("a step")) };
 * const noise = { choose: { noise: "gumbel", scale: 1 }, test: { variance: 4 }, delta: "1e-6" } as const;
 * const options = { ...noise, k: 2, domain: "public", maxK: 2, penalty: 1, rounds: { scale: 1 } } as const;
 * recordedStableTopKFixed([900, 870, 2], options, step); // → [0, 1]
 * ```
 */
export function recordedStableTopKFixed(
  histogram: Histogram,
  options: RecordedFixedOptions,
  recorder: Recorder,
): readonly number[] {
  const read = readOptions(options, FIXED, { ...COUNTS, ...THRESHOLD, gapCap: bigInteger });
  const { k, domain, penalty, rounds: _, ...others } = read;
  const regulariser = (j: number) => rational(-penalty * Math.abs(j - k));
  const stable = recordedStableTopK(histogram, { ...others, regulariser }, recorder);
  const released = stable.released ? [...stable.indices] : [];
  const missing = k - released.length;
  if (missing === 0 || (missing > 0 && domain === "unknown")) return released;
  const rounds = new RecordedRounds(histogram, read, recorder);
  const indices =
    missing < 0 ? rounds.pickFrom(released, k) : [...released, ...rounds.pickBeside(released, missing)];
  return indices.sort((a, b) => a - b);
}

/** Rounds among candidates that are public by now. */
class RecordedRounds {
  readonly #histogram: Histogram;
  readonly #options: RecordedFixedOptions;
  readonly #recorder: Recorder;
  readonly #shared: SharedRounds;

  constructor(histogram: Histogram, options: RecordedFixedOptions, recorder: Recorder) {
    this.#histogram = histogram;
    this.#options = options;
    this.#recorder = recorder;
    this.#shared = new SharedRounds(options.rounds, options);
  }

  pickFrom(candidates: readonly number[], count: number): number[] {
    const input = candidates.map((index) => this.#histogram[index]);
    return this.#recorder.step(this.#step("rounds among", candidates, count, input), (entropy) =>
      this.#shared.pickFrom(candidates, this.#histogram, count, entropy),
    );
  }

  pickBeside(excluded: readonly number[], count: number): number[] {
    const input = Array.from(this.#histogram);
    return this.#recorder.step(this.#step("rounds beside", excluded, count, input), (entropy) =>
      this.#shared.pickBeside(excluded, this.#histogram, count, entropy),
    );
  }

  #step(name: string, candidates: readonly number[], count: number, input: (number | bigint)[]): PrivateStep {
    const { sensitivity = 1, monotone } = this.#options;
    return { name, parameters: { candidates, count }, input, sensitivity, monotone };
  }
}

/** A row of private data: this user has this item. */
export interface Row {
  /** Whose row it is. One individual is all rows of a user. */
  readonly user: string;
  /** The candidate that it counts for. */
  readonly item: string;
}

/**
 * How many different users each item has, items in the order of their names.
 *
 * @example
 * ```ts
 * import { countUsers } from "winnow-audit";
 *
 * const rows = [
 *   { user: "ada", item: "tea" },
 *   { user: "ada", item: "tea" },
 *   { user: "bob", item: "tea" },
 * ];
 * countUsers(rows); // → { tea: 2 }
 * ```
 */
export function countUsers(rows: readonly Row[]): Map<string, number> {
  const users = new Map<string, Set<string>>();
  for (const { user, item } of rows) users.set(item, (users.get(item) ?? new Set()).add(user));
  const items = [...users].sort(([a], [b]) => (a < b ? -1 : 1));
  return new Map(items.map(([item, of]) => [item, of.size]));
}

/**
 * The counts of a public list of items, 0 for those without a row.
 *
 * @example
 * ```ts
 * import { countListed } from "winnow-audit";
 *
 * const rows = [
 *   { user: "ada", item: "tea" },
 *   { user: "ada", item: "tea" },
 *   { user: "bob", item: "tea" },
 * ];
 * countListed(rows, ["tea", "coffee"]); // → [2, 0]
 * ```
 */
export function countListed(rows: readonly Row[], items: readonly string[]): number[] {
  const counts = countUsers(rows);
  return items.map((item) => counts.get(item) ?? 0);
}

/**
 * The rows without each of their users in turn.
 *
 * @example
 * ```ts
 * import { withoutEachUser } from "winnow-audit";
 *
 * const rows = [
 *   { user: "ada", item: "tea" },
 *   { user: "ada", item: "tea" },
 *   { user: "bob", item: "tea" },
 * ];
 * Array.from(withoutEachUser(rows), (others) => others.length); // → [1, 2]
 * ```
 */
export function* withoutEachUser(rows: readonly Row[]): Generator<Row[], void> {
  for (const left of new Set(rows.map(({ user }) => user))) yield rows.filter(({ user }) => user !== left);
}
