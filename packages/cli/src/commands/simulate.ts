/**
 * `winnow simulate MECHANISM` runs a mechanism many times on public scores and counts the outcomes, so that anyone can compare
 * their frequencies with the exact distribution. The scores are public, so a seed is allowed.
 * @module
 */
import type { Command } from "commander";
import { describeLoss, type Entropy, type Loss, lossToJson, systemEntropy } from "winnow-dp";
import { seededEntropy } from "winnow-dp/testing";
import { didYouMean, forJson, forTerminal, Refusal } from "winnow-release";
import { addOptions, examples } from "../command-options.js";
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
  const command = program
    .command("simulate <mechanism>")
    .summary("run a mechanism many times on public scores")
    .description(
      `Runs a mechanism many times on public scores and counts the outcomes.\n\nMechanisms: ${Object.keys(MECHANISMS).join(", ")}`,
    );
  addOptions(command, [
    { name: "scores", isRequired: true },
    { name: "runs", default: 10_000 },
    "k",
    { name: "maxK", flags: "--max-k", text: "the most winners, where the mechanism chooses" },
    { name: "epsilon", text: "the loss of a run as pure ε, or as (ε, δ)" },
    { name: "rho", text: "the loss of a run as ρ of zCDP" },
    ...(["scale", "variance", "eta"] as const),
    { name: "delta", text: "the δ of the stable mechanisms and of propose-test-release" },
    ...(["noise", "method"] as const),
    { name: "resolution", text: "leads are multiples of this" },
    {
      name: "quantiles",
      text: "the shares of values below; the scores are the numbers of values at each point of a grid",
    },
    "maxCandidates",
    { name: "maxItemsPerUser", text: "each person is in at most this many of the counts" },
    ...(["sensitivity", "monotone", "negate"] as const),
    { name: "range", text: "the public range of base2-exponential and clamped-laplace" },
    { name: "step", text: "the step of its grid (default: 1)" },
    ...(["chooseScale", "testVariance", "roundsScale", "thresholdRule"] as const),
    ...(["regulariser", "penalty", "gapCap"] as const),
    { name: "json", text: "print the frequencies as JSON" },
    { name: "seed", isHidden: true },
  ])
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
