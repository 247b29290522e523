/**
 * `winnow simulate MECHANISM` runs a mechanism many times on public scores and counts the outcomes, so that anyone can compare
 * their frequencies with the exact distribution. The scores are public, so a seed is allowed.
 * @module
 */
import { type Command, Option } from "commander";
import { describeLoss, type Entropy, type Loss, lossToJson, systemEntropy } from "winnow-dp";
import { seededEntropy } from "winnow-dp/testing";
import { didYouMean, forJson, forTerminal, Refusal } from "winnow-release";
import { examples, positiveInteger, wholeNumber } from "../command-options.js";
import { withProgress } from "../long-work.js";
import { type PublicScores, readScores } from "../public-files.js";
import { barOf, table } from "../render/table.js";
import { outputStyle, print } from "../render/terminal.js";
import { MECHANISMS, type Outcome, prepare, type SimulatedName } from "../simulate/mechanisms.js";
import { knownParameters, type Parameters } from "../simulate/parameters.js";

import { SOFTWARE } from "../this-package.js";

interface SimulateOptions extends Parameters {
  readonly scores: string;
  readonly runs: number;
  readonly json?: boolean;
  readonly seed?: string;
  readonly config?: string;
  /** Which of these come from the configuration file. */
  readonly defaults?: readonly string[];
}

export function register(program: Command): void {
  program
    .command("simulate <mechanism>")
    .summary("run a mechanism many times on public scores")
    .description(
      `Runs a mechanism many times on public scores and counts the outcomes.\n\nMechanisms: ${Object.keys(MECHANISMS).join(", ")}`,
    )
    .requiredOption("--scores <file>", "public scores: one per line, or a CSV with columns item and count")
    .option("--runs <n>", "the number of runs", positiveInteger("runs"), 10_000)
    .option("-k <n>", "the number of winners", positiveInteger("k"))
    .option("--max-k <n>", "the most winners, where the mechanism chooses", positiveInteger("max-k"))
    .option("--epsilon <rational>", "the loss of a run as pure ε, or as (ε, δ)")
    .option("--rho <rational>", "the loss of a run as ρ of zCDP")
    .option("--scale <rational>", "the scale of the noise, instead of a loss")
    .option("--variance <rational>", "the variance of Gaussian noise, instead of a loss")
    .option(
      "--eta <x,y,z>",
      "the parameter of base2-exponential, clamped-laplace and integer-partition: weights in powers of (x/2^y)^z",
    )
    .option("--delta <rational>", "the δ of the stable mechanisms and of propose-test-release")
    .addOption(
      new Option("--noise <name>", "the distribution of the noise").choices([
        "exponential",
        "gumbel",
        "laplace",
        "gaussian",
      ]),
    )
    .addOption(new Option("--method <way>", "how top-k samples").choices(["one-shot", "peel"]))
    .option("--resolution <rational>", "leads are multiples of this")
    .option(
      "--quantiles <list>",
      "the shares of values below; the scores are the numbers of values at each point of a grid",
    )
    .option(
      "--max-candidates <n>",
      "how many of the largest counts take part (limited-top-k)",
      positiveInteger("max-candidates"),
    )
    .option(
      "--max-items-per-user <n>",
      "each person is in at most this many of the counts",
      positiveInteger("max-items-per-user"),
    )
    .option("--sensitivity <rational>", "how much one individual can change any one score")
    .option("--monotone", "an individual moves all scores in the same direction")
    .option("--negate", "choose the smallest scores")
    .option("--range <lower..upper>", "the public range of base2-exponential and clamped-laplace")
    .option("--step <rational>", "the step of its grid (default: 1)")
    .option("--choose-scale <rational>", "the scale of the noise that chooses k, instead of a loss")
    .option("--test-variance <rational>", "the variance of the test's noise, instead of a loss")
    .option("--rounds-scale <rational>", "the scale of the noise of later rounds, instead of a loss")
    .addOption(
      new Option("--threshold-rule <rule>", "how the threshold of the test is found").choices([
        "smallest",
        "closed-form",
      ]),
    )
    .option("--regulariser <terms>", "terms added to the lead after k = 1, 2, …: e.g. 0,1/2,-3")
    .option("--penalty <rational>", "the penalty for a step away from k (stable-top-k-fixed)")
    .option(
      "--gap-cap <n>",
      "larger leads count as this large; 0 for no cap (stable-top-k-fixed)",
      wholeNumber("gap-cap"),
    )
    .option("--json", "print the frequencies as JSON")
    .addOption(new Option("--seed <text>", "the same outcomes every time").hideHelp())
    .addHelpText(
      "after",
      examples(
        ["winnow simulate permute-and-flip --scores scores.txt --epsilon 1", ""],
        [
          "winnow simulate top-k-with-gap -k 3 --scores scores.txt --epsilon 1/2 --monotone --runs 1000 --json",
          "",
        ],
      ),
    )
    .action(simulate);
}

async function simulate(name: string, options: SimulateOptions): Promise<void> {
  if (!isMechanism(name)) throw unknownMechanism(name);
  const { scores: path, runs, json, seed, defaults, config, ...given } = options;
  const parameters = knownParameters(name, given, defaults);
  const scores = await readScores(path);
  const entropy = seed === undefined ? systemEntropy() : seededEntropy(seed);
  const result = await count(name, scores, parameters, runs, entropy);
  const shown = json
    ? `${forJson(documentOf(name, { ...parameters, runs, ...(seed !== undefined && { seed }) }, scores, result))}\n`
    : picture(result, scores, runs);
  await print(shown);
}

interface Frequencies {
  readonly outcomes: readonly { readonly outcome: Outcome; readonly times: number }[];
  readonly privacy: Loss;
}

const RUNS_BETWEEN_REPORTS = 500;

async function count(
  name: SimulatedName,
  { scores }: PublicScores,
  parameters: Parameters,
  runs: number,
  entropy: Entropy,
): Promise<Frequencies> {
  const draw = prepare(name, scores, parameters);
  const tally = new Map<string, { outcome: Outcome; times: number }>();
  let privacy: Loss | undefined;
  await withProgress("simulating", async (progress) => {
    for (let run = 0; run < runs; run++) {
      const drawn = draw(entropy);
      privacy ??= drawn.privacy;
      const key = JSON.stringify(drawn.outcome);
      const entry = tally.get(key);
      if (entry === undefined) tally.set(key, { outcome: drawn.outcome, times: 1 });
      else entry.times++;
      if (run % RUNS_BETWEEN_REPORTS === 0) await progress.pause(run / runs);
    }
  });
  const outcomes = [...tally.values()].sort((a, b) => b.times - a.times);
  return { outcomes, privacy: privacy! };
}

/** The documented format of `--json`. */
function documentOf(
  name: string,
  parameters: Parameters & Pick<SimulateOptions, "runs" | "seed">,
  { names }: PublicScores,
  { outcomes, privacy }: Frequencies,
) {
  return {
    schema: "winnow-simulation/1",
    software: SOFTWARE,
    mechanism: name,
    parameters,
    lossOfOneRun: lossToJson(privacy),
    frequencies: outcomes.map(({ outcome, times }) => ({
      ...outcome,
      ...(names !== undefined &&
        outcome.frequencies === undefined &&
        outcome.values === undefined && { names: outcome.indices.map((index) => names[index]) }),
      times,
    })),
  };
}

const MOST_ROWS = 20;

function picture({ outcomes, privacy }: Frequencies, { names }: PublicScores, runs: number): string {
  const style = outputStyle();
  const most = outcomes[0].times;
  const rows = outcomes.slice(0, MOST_ROWS).map(({ outcome, times }) => ({
    outcome: inWords(outcome, names),
    times: times.toLocaleString("en"),
    share: `${((times / runs) * 100).toFixed(2)} %`,
    bar: style.accent(barOf(times / most, 30)),
  }));
  const rest = outcomes.length - rows.length;
  return [
    table(rows, [
      { name: "outcome", title: "outcome" },
      { name: "times", title: "times", alignment: "right" },
      { name: "share", title: "share", alignment: "right" },
      ...(style.isTerminal ? [{ name: "bar", title: "" }] : []),
    ]),
    ...(rest > 0 ? [`  … and ${rest.toLocaleString("en")} other outcomes; --json has them all`] : []),
    `  loss of one run: ${describeLoss(privacy)}`,
    "",
  ].join("\n");
}

function inWords(outcome: Outcome, names: readonly string[] | undefined): string {
  const { indices, gaps, released, k, frequencies, values } = outcome;
  if (values !== undefined) return values.join(", ");
  if (frequencies !== undefined) return frequencies.join(", ") || "none";
  if (released === false) return k === undefined ? "not released" : `k = ${k}, not released`;
  const winners = indices.map((index) => (names === undefined ? `#${index + 1}` : forTerminal(names[index])));
  const told = winners.map((winner, place) => (gaps === undefined ? winner : `${winner} (+${gaps[place]})`));
  return told.length === 0 ? (k === undefined ? "none" : `k = ${k}`) : told.join(", ");
}

function isMechanism(name: string): name is SimulatedName {
  return Object.hasOwn(MECHANISMS, name);
}

function unknownMechanism(name: string): Refusal {
  const names = Object.keys(MECHANISMS);
  return new Refusal(
    "usage",
    `There is no mechanism ${JSON.stringify(name)}; there are ${names.join(", ")}.${didYouMean(name, names)}`,
  );
}
