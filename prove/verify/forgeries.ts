/**
 * Forgeries: one release of a ledger, changed as a broken accounting or a dishonest curator would have it, in a ledger that
 * is written anew with all hashes right. Nothing but the numbers themselves can tell.
 * @module
 */
import { createHash } from "node:crypto";
import { lossFromJson } from "winnow-dp";
import { canonicalJson, readableLoss } from "winnow-release";

type Entry = { sequence: number; kind: string; release: Fields; budget: Fields } & Record<string, unknown>;
// biome-ignore lint/suspicious/noExplicitAny: a test changes whatever it likes
export type Fields = Record<string, any>;

type Change = (release: Fields, budget: Fields) => void;

/** What was done, to which release of which account, and a sentence that finds it. */
export type Forgery = readonly [
  name: string,
  question: Fields,
  dataset: RegExp,
  change: Change,
  sentence: RegExp,
];

/** The text of a ledger, and its last release as it would be published. */
export interface Forged {
  readonly text: string;
  readonly release: object;
}

/** A ledger that has one such release and the budget of its account, changed, with all hashes right. */
export function forge(lines: readonly string[], [, question, dataset, change]: Forgery): Forged {
  const entries = lines.slice(1).map((line) => JSON.parse(line) as Entry);
  const found = entries.find(
    ({ kind, release }) =>
      kind === "release" &&
      dataset.test(release.dataset) &&
      Object.entries(question).every(([name, value]) => release.question[name] === value),
  );
  if (found === undefined) throw new Error(`no release has ${JSON.stringify(question)}`);
  const budget = entries.find(({ kind, dataset }) => kind === "budget" && dataset === found.release.dataset);
  change(found.release, budget?.budget ?? {});
  return rechained(budget === undefined ? [found] : [budget, found]);
}

/** A ledger of these entries alone, with all hashes right. */
export function rechained(entries: readonly Fields[]): Forged {
  let hash = "0".repeat(64);
  const texts = entries.map((entry, i) => {
    const text = canonicalJson({ ...entry, sequence: i + 1, previous: hash });
    hash = createHash("sha256").update(text).digest("hex");
    return text;
  });
  const first = canonicalJson({ format: "winnow-ledger-file/1", entries: texts.length, head: hash });
  return {
    text: `${[first, ...texts].join("\n")}\n`,
    release: { ...entries.at(-1)!.release, ledger: { sequence: texts.length, head: hash } },
  };
}

/** Another loss, with the words for it. */
function restate(loss: Fields, numbers: Fields): void {
  Object.assign(loss, numbers);
  const { readable: _, ...exact } = loss;
  loss.readable = readableLoss(lossFromJson(exact));
}

const NONE = /add-remove no budget/;

/** Nothing is wrong with it. */
export const HONEST: Forgery = ["nothing", { k: 3, rho: "1/7" }, NONE, () => {}, /./];

const SET = { k: 4, epsilon: "0.5", mechanism: "top-k-set" };
/** A top k of a public list in (ε, δ). */
const APPROX = { k: 8, epsilon: "1", mechanism: "top-k" };

export const FORGERIES: readonly Forgery[] = [
  [
    "a lower δ in question and charge",
    APPROX,
    NONE,
    ({ question, loss }) => {
      question.delta = "0.0000009";
      restate(loss, { delta: "0.0000009" });
    },
    /noise costs|parameters/,
  ],
  [
    "a scale that is too small for its (ε, δ)",
    APPROX,
    NONE,
    ({ mechanism }) => {
      mechanism.parameters.scale = "5.7";
      mechanism.parameters.range = "10/57";
    },
    /noise costs|parameters/,
  ],
  [
    "a range that is not that of its noise",
    APPROX,
    NONE,
    ({ mechanism }) => {
      mechanism.parameters.range = "1/100";
    },
    /range and its rounds|parameters/,
  ],
  [
    "a set whose scale is too small",
    SET,
    NONE,
    ({ mechanism }) => {
      mechanism.parameters.scale = "1.99";
    },
    /noise costs|parameters/,
  ],
  [
    "a set that weighs outsiders otherwise than it says",
    SET,
    NONE,
    ({ mechanism }) => {
      mechanism.parameters.outsiderShare = "1";
    },
    /share of outsiders|parameters/,
  ],
  [
    "a set that is counted as less ρ",
    SET,
    /add-remove zcdp/,
    ({ charge }) => {
      for (const part of [charge.reserved, charge.settled]) restate(part, { rho: "1/33" });
    },
    /rounds cost/,
  ],
  [
    "rounds of a list that cost less ρ",
    APPROX,
    /add-remove zcdp/,
    ({ charge }) => {
      for (const part of [charge.reserved, charge.settled]) restate(part, { rho: "1/100" });
    },
    /rounds cost/,
  ],
  [
    "rounds of a list that are counted as ε where ε and δ are added up",
    APPROX,
    /add-remove approx/,
    (release) => {
      const less = { measure: "approx", epsilon: "1/2", delta: "0.000001" };
      restate(less, {});
      release.charge = { reserved: { ...less }, settled: { ...less } };
    },
    /rounds cost|without a reason/,
  ],
  [
    "a lower charge",
    { k: 2, counts: true },
    NONE,
    ({ loss }) => {
      restate(loss, { epsilon: "0.3" });
    },
    /noise costs/,
  ],
  [
    "a loss whose words say less than its numbers",
    { k: 9 },
    NONE,
    ({ loss }) => {
      loss.readable = "ε = 0.5";
    },
    /in words/,
  ],
  [
    "a settled loss whose words say less than its numbers",
    { mechanism: "limited-top-k", rho: "0.05", maxItemsPerUser: undefined },
    /add-remove zcdp/,
    ({ charge }) => {
      charge.settled.readable = "ρ = 0.00001, δ = 1e-9";
    },
    /in words/,
  ],
  [
    "labels whose loss has the words of another measure",
    { kind: "labels", task: "multi-class", rho: undefined },
    /votes/,
    ({ loss }) => {
      loss.readable = "ρ = 0.1";
    },
    /in words/,
  ],
  [
    "a lower ε in question and charge",
    { k: 9 },
    NONE,
    ({ loss, question }) => {
      question.epsilon = "0.5";
      restate(loss, { epsilon: "0.5" });
    },
    /noise costs|parameters/,
  ],
  [
    "a higher ε in the question",
    { mechanism: "permute-and-flip" },
    NONE,
    ({ question }) => {
      question.epsilon = "0.9";
    },
    /asked for|noise costs/,
  ],
  [
    "one more winner for the same price",
    { k: 3, rho: "1/7" },
    NONE,
    ({ question, answer }) => {
      question.k = 4;
      answer.k = 4;
      answer.winners.push({ item: "about" });
    },
    /noise costs|parameters/,
  ],
  [
    "fewer winners asked for than named",
    { k: 3, rho: "1/7" },
    NONE,
    ({ question }) => {
      question.k = 2;
    },
    /number of winners|must be 2/,
  ],
  [
    "people replaced, priced as people added",
    { k: 2, rho: "0.25", mechanism: "stable-top-k-fixed" },
    NONE,
    ({ question, mechanism }) => {
      question.neighbours = "replace";
      mechanism.parameters.monotone = "false";
    },
    /sensitivity|noise costs|parameters/,
  ],
  [
    "noise of half the scale",
    { mechanism: "integer-partition" },
    NONE,
    ({ mechanism }) => {
      mechanism.parameters.base = "(1/2^3)^1";
    },
    /noise costs|parameters/,
  ],
  [
    "a threshold that is one too low",
    { k: 40, epsilon: "1", maxItemsPerUser: 2 },
    NONE,
    ({ mechanism }) => {
      mechanism.parameters.threshold = String(Number(mechanism.parameters.threshold) - 1);
    },
    /noise costs|parameters/,
  ],
  [
    "⊥ that is one too low",
    { k: 3, epsilon: "1", counts: undefined },
    NONE,
    ({ mechanism }) => {
      mechanism.parameters.threshold = String(Number(mechanism.parameters.threshold) - 1);
    },
    /threshold|parameters/,
  ],
  [
    "counts that cost nothing",
    { k: 3, rho: "0.02" },
    NONE,
    ({ loss }) => {
      restate(loss, { rho: "0.015" });
    },
    /noise costs/,
  ],
  [
    "a part that counts share, halved",
    { k: 3, rho: "0.02" },
    NONE,
    ({ mechanism }) => {
      mechanism.parameters.countVarianceShared = String(Number(mechanism.parameters.countVarianceShared) / 2);
    },
    /noise costs|parameters/,
  ],
  [
    "a whole factor that counts don't have",
    { k: 3, rho: "0.02" },
    NONE,
    ({ mechanism }) => {
      mechanism.parameters.countFactor = "9/2";
    },
    /whole factors|finer|parameters|multiple/,
  ],
  [
    "rounds of exponential noise at an eighth",
    { mechanism: "top-k", k: 9 },
    NONE,
    ({ question, loss, mechanism }) => {
      question.rho = "0.014";
      delete question.epsilon;
      for (const name of Object.keys(loss)) delete loss[name];
      Object.assign(loss, { measure: "zcdp", rho: "1/72", readable: "ρ = 0.01389" });
      mechanism.parameters.noise = "exponential";
    },
    /noise|parameters/,
  ],
  [
    "a conversion by the false formula ρ + √(2ρ ln 1/δ)",
    { mechanism: "stable-top-k", epsilon: "1" },
    NONE,
    ({ mechanism }) => {
      mechanism.parameters.sizeScale = "4.9";
      mechanism.parameters.testVariance = "24";
    },
    /noise costs|parameters/,
  ],
  [
    "quantiles counted once for all",
    { kind: "quantile", rho: "1/9" },
    NONE,
    ({ mechanism }) => {
      mechanism.parameters.scale = "4.5";
    },
    /noise costs|parameters/,
  ],
  [
    "labels counted as one query",
    { kind: "labels", task: "multi-class", rho: undefined },
    /votes/,
    ({ loss }) => {
      restate(loss, { epsilon: "0.9" });
    },
    /noise costs/,
  ],
  [
    "a free ⊥",
    { mechanism: "limited-top-k", rho: "0.05", maxItemsPerUser: undefined },
    /add-remove zcdp/,
    ({ charge }) => {
      restate(charge.settled, { rho: "0.00001" });
    },
    /rounds cost/,
  ],
  [
    "less than promised without a budget",
    { k: 3, rho: "0.05", counts: true },
    NONE,
    (release) => {
      release.charge = {
        reserved: release.loss,
        settled: { ...release.loss, rho: "0.001", readable: "ρ = 0.001, δ = 1e-150" },
      };
    },
    /without a reason|in words/,
  ],
  [
    "an ε that counts by the tighter rule under a budget without one",
    { mechanism: "permute-and-flip" },
    /add-remove zcdp/,
    (_, budget) => {
      delete budget.rule;
      budget.rho = "0.24"; // 0.7·tanh(0.35) = 0.2355, 0.7²/2 = 0.245
    },
    /budget/,
  ],
  [
    "a budget with a rule that there isn't",
    { mechanism: "permute-and-flip" },
    /add-remove zcdp/,
    (_, budget) => {
      budget.rule = 3;
    },
    /charged less|budget/,
  ],
  [
    "a budget that is lower than the charges",
    { mechanism: "top-k-with-gap", resolution: "1/7" },
    /add-remove pure/,
    (_, budget) => {
      budget.epsilon = "0.3";
    },
    /budget/,
  ],
  [
    "an (ε, δ) budget that one order doesn't cover",
    { rho: "1/7" },
    /add-remove approx/,
    (_, budget) => {
      budget.epsilon = "1";
    },
    /budget/,
  ],
  [
    "a Rényi budget that the curve exceeds",
    { mechanism: "permute-and-flip" },
    /add-remove renyi/,
    (_, budget) => {
      budget.epsilon = "0.5";
    },
    /budget/,
  ],
  [
    "a budget in base 2 that is a hair too small",
    { mechanism: "permute-and-flip" },
    /add-remove base2/,
    (_, budget) => {
      budget.eta = "1.0098865"; // 0.7/ln 2 = 1.00988652…
    },
    /budget/,
  ],
  [
    "counts whose noise isn't said",
    { k: 3, rho: "0.02" },
    NONE,
    ({ mechanism, loss }) => {
      delete mechanism.parameters.countVariance;
      restate(loss, { rho: "0.015" });
    },
    /noise costs|parameters/,
  ],
  [
    "leads that nobody paid for",
    { k: 3, rho: "1/7" },
    NONE,
    ({ answer }) => {
      for (const winner of answer.winners) winner.gap = "1";
    },
    /paid for|fields/,
  ],
  [
    "limited counts called numbers of users",
    { kind: "names", maxItemsPerUser: 2, epsilon: "1" },
    NONE,
    ({ answer }) => {
      answer.counted = "users";
    },
    /what its numbers count|answer\.counted/,
  ],
  [
    "two and a half winners",
    { mechanism: "top-k", k: 9 },
    NONE,
    ({ question, answer }) => {
      question.k = 9.5;
      answer.k = 9.5;
    },
    /integer/,
  ],
];
