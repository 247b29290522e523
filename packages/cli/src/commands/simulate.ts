/**
 * `winnow simulate MECHANISM` runs a mechanism many times on public scores and counts the outcomes, so that anyone can compare
 * their frequencies with the exact distribution. The scores are public, so a seed is allowed.
 * @module
 */
import type { Command } from "commander";
import { describeLoss, type Entropy, type Loss, lossToJson, systemEntropy } from "winnow-dp";
import { seededEntropy } from "winnow-dp/testing";
import {
  didYouMean,
  forJson,
  forTerminal,
  knownParameters,
  OPTIONS,
  type OptionName,
  type Outcome,
  type Parameters,
  Refusal,
  SIMULATED,
} from "winnow-release";
import { addOptions, examples, type Taken } from "../command-options.js";
import { withProgress } from "../long-work.js";
import { type PublicScores, readScores } from "../public-files.js";
import { barOf, table } from "../render/table.js";
import { outputStyle, print } from "../render/terminal.js";
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
  const [first] = Object.keys(SIMULATED);
  const command = program
    .command("simulate <mechanism>")
    .summary("run a mechanism many times on public scores")
    .description(
      `Runs a mechanism many times on public scores and counts the outcomes.\n\nMechanisms: ${Object.keys(SIMULATED).join(", ")}`,
    );
  addOptions(command, [
    { name: "scores", isRequired: true },
    { name: "runs", default: 10_000 },
    ...taken().map((name) => OWN[name] ?? name),
    { name: "json", text: "print the frequencies as JSON" },
    { name: "seed", isHidden: true },
  ])
    .addHelpText(
      "after",
      examples(
        [`winnow simulate ${first} --scores scores.txt --epsilon 1`, ""],
        [`winnow simulate ${first} --scores scores.txt --epsilon 1/2 --monotone --runs 1000 --json`, ""],
      ),
    )
    .action(simulate);
}

/** Every option that a mechanism takes, in the order of the table. */
function taken(): OptionName[] {
  const all = new Set(Object.values(SIMULATED).flatMap(({ takes }) => takes));
  return (Object.keys(OPTIONS) as OptionName[]).filter((name) => all.has(name));
}

/** Where an option means something else, or less, on public scores. */
const OWN: { readonly [Name in OptionName]?: Taken } = {
  maxK: { name: "maxK", flags: "--max-k", text: "the most winners, where the mechanism chooses" },
  epsilon: { name: "epsilon", text: "the loss of a run as pure ε, or as (ε, δ)" },
  rho: { name: "rho", text: "the loss of a run as ρ of zCDP" },
  delta: { name: "delta", text: "the probability of failure, such as 1e-6" },
  resolution: { name: "resolution", text: "leads are multiples of this" },
  quantiles: {
    name: "quantiles",
    text: "the shares of values below; the scores are the numbers of values at each point of a grid",
  },
  maxItemsPerUser: { name: "maxItemsPerUser", text: "each person is in at most this many of the counts" },
  range: { name: "range", text: "the public range of the value, or of the utilities" },
  step: { name: "step", text: "the step of its grid (default: 1)" },
};

async function simulate(name: string, options: SimulateOptions): Promise<void> {
  if (!Object.hasOwn(SIMULATED, name)) throw unknownMechanism(name);
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
  name: string,
  { scores }: PublicScores,
  parameters: Parameters,
  runs: number,
  entropy: Entropy,
): Promise<Frequencies> {
  const draw = SIMULATED[name].prepare(scores, parameters);
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

function unknownMechanism(name: string): Refusal {
  const names = Object.keys(SIMULATED);
  return new Refusal(
    "usage",
    `There is no mechanism ${JSON.stringify(name)}; there are ${names.join(", ")}.${didYouMean(name, names)}`,
  );
}
