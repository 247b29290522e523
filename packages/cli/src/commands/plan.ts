/**
 * `winnow plan`: the accuracy that each ε buys. Winnow runs every mechanism many times, exactly, on public or generated counts, and shows
 * the share of the true winners that it names at each ε; or, given a goal, the ε that reaches it. The error of quantiles and
 * frequencies is known without running anything.
 * @module
 */
import type { Command } from "commander";
import { type Entropy, rational, systemEntropy } from "winnow-dp";
import { seededEntropy } from "winnow-dp/testing";
import {
  choiceInWords,
  choose,
  countsOfGuess,
  decimalText,
  type EpsilonForRecall,
  epsilonForRecall,
  forJson,
  mustBe,
  type PlanRow,
  plan,
  planChart,
  questionsAt,
  questionsAtRho,
  Refusal,
  readGuess,
} from "winnow-release";
import { addOptions, examples, mechanismNames, positiveInteger } from "../command-options.js";
import { interruptible, withProgress } from "../long-work.js";
import { isNumberPlan, numberPlanText } from "../plan/number-plan.js";
import {
  PLANNED_BY_NAME,
  type PlanOptions,
  type PlanRequest,
  partOf,
  readPlanRequest,
  type Unpriced,
} from "../plan/plan-request.js";
import { goalTable, planTable } from "../plan/plan-views.js";
import { AS_FLAGS } from "../release/tell.js";
import { outputStyle, print, tell } from "../render/terminal.js";
import { SOFTWARE } from "../this-package.js";
import { type PendingFile, prepareFile } from "../write-file.js";

const EPSILONS = "0.1,0.3,1,3,10";

export function register(program: Command): void {
  const command = program
    .command("plan")
    .summary("estimate accuracy for each ε")
    .description(
      "Runs every mechanism many times on public or generated counts, and shows what share of the true winners it names at each ε. Reads nothing private.",
    );
  addOptions(command, [
    "k",
    { name: "epsilon", value: "list", text: "the values of ε to try", default: EPSILONS },
    { name: "rho", value: "list", text: "the values of ρ to try instead, for mechanisms that take one" },
  ])
    .option("--recall <share>", "a goal, such as 0.9: find the ε that reaches it")
    .option("--goal <n of k>", 'the same in words, such as "8 of 10"');
  addOptions(command, [{ name: "delta", text: "also plan for an unknown domain, such as 1e-6" }]);
  for (const { name } of PLANNED_BY_NAME) command.option(`--${name}`, `plan for winnow ${name}`);
  addOptions(command, [
    { name: "quantiles", text: "plan for winnow quantile: how far off would quantiles be?" },
    { name: "range", text: "with --quantiles: the public range" },
    { name: "step", text: "with --quantiles: the step of the grid" },
    { name: "maxValuesPerUser", text: "with --quantiles: each person counts for at most this many values" },
    { name: "atMost", text: "with --quantiles: a public bound on the number of values" },
  ]).option("--frequencies", "plan for winnow frequencies: how much of the list would be noise?");
  addOptions(command, [
    { name: "counts", text: "plan for noisy counts next to the names" },
    "maxItemsPerUser",
    {
      name: "maxGroupsPerUser",
      text: "plan for one group, where each person counts in at most this many: it gets such a part of the loss",
    },
    { name: "set", text: "also plan for the winners as a set (winnow top --set)" },
    { name: "scores", text: "plan on public counts: one per line, or a CSV with columns item and count" },
    { name: "public", text: "plan on public or synthetic rows, never on the private ones" },
    { name: "guess", text: "plan on a public guess, such as people=4000,items-per-person=13" },
    { name: "item", text: "the column of --public to count" },
    { name: "user", text: "the column of --public that identifies the person" },
    { name: "domain", text: "the public list of candidates of --public" },
    { name: "domainColumn", text: "the column of the CSV file --domain with the candidates" },
    { name: "domainSize", text: "the number of candidates in all" },
  ])
    .option("--items <n>", "plan on generated visits to this many items", positiveInteger("--items"), 1000)
    .option("--users <n>", "by this many people", positiveInteger("--users"), 10_000);
  addOptions(command, [
    { name: "neighbours", text: "one person added or removed, or one replaced" },
    { name: "mechanism", text: "only this mechanism", choices: mechanismNames() },
    { name: "resolution", text: "leads are multiples of this (default: 1)" },
    { name: "runs", text: "simulations of each mechanism", default: 200 },
    { name: "json", text: "print the plan as JSON" },
    { name: "plot", text: "write the chart as SVG" },
    "force",
    { name: "seed", isHidden: true },
  ])
    .addHelpText(
      "after",
      examples(
        ["winnow plan -k 10 --users 50000 --items 2000", "on generated visits"],
        ["winnow plan -k 5 --scores scores.txt --epsilon 0.1,0.5,1 --plot plan.svg", ""],
        [
          "winnow plan -k 5 --scores scores.txt --rho 0.01,0.1 --delta 1e-6",
          "in ρ, also for unknown domains",
        ],
        ['winnow plan --scores scores.txt --goal "4 of 5" --delta 1e-6', "from a goal to ε"],
        [
          "winnow plan -k 20 --guess people=4000,items-per-person=13 --delta 1e-6 --epsilon 1",
          "on a guess, and which mechanism winnow top would take",
        ],
        ["winnow plan --quantiles 0.5,0.9 --range 0..10000", "how far off quantiles would be"],
        [
          "winnow plan -k 100 --public synthetic.csv --delta 1e-6 --max-items-per-user 10",
          "a long list with an unknown domain",
        ],
      ),
    )
    .action(answer);
}

async function answer(given: PlanOptions): Promise<void> {
  if (isNumberPlan(given) && given.maxGroupsPerUser !== undefined)
    throw new Refusal(
      "usage",
      "--max-groups-per-user plans names only: for numbers, pass the part of ε that one group gets.",
    );
  if (isNumberPlan(given)) return print(numberPlanText(given, outputStyle()));
  await interruptible(async ({ signal }) => {
    const { goal, options } = withGoal(given);
    if (goal !== undefined && options.plot !== undefined)
      throw new Refusal("usage", "--plot needs a plan over several ε, not a goal (--goal, --recall).");
    if (goal !== undefined && options.rho !== undefined)
      throw new Refusal("usage", "A goal (--goal, --recall) finds an ε and cannot be combined with --rho.");
    const { plot, force } = options;
    const inputs = [options.scores, options.public, options.domain].flatMap((path) => path ?? []);
    const chart = plot === undefined ? undefined : await prepareFile(plot, { force, inputs });
    try {
      const request = await readPlanRequest(options);
      if (goal === undefined) await showPlan(request, options, signal, chart);
      else await showGoal(goal, request, options, signal);
    } finally {
      await chart?.discard();
    }
  });
}

async function showPlan(
  request: PlanRequest,
  options: PlanOptions,
  signal: AbortSignal,
  chart: PendingFile | undefined,
): Promise<void> {
  const rows = await simulatePlan(request, options, signal);
  await chart?.write(planChart(rows, { ...request, ...request.inputs[0] }));
  const priced = request.symbol === "ε" ? rows : rows.map(({ epsilon: rho, ...row }) => ({ rho, ...row }));
  const text = options.json ? asJson(request, { rows: priced }) : planTable(rows, request, outputStyle());
  await print(text);
  if (options.guess !== undefined) for (const line of choicesOf(request, options)) tell(line);
}

/** What `winnow top` takes on this guess, and what the others would give: for each domain, at the first price. */
function choicesOf({ inputs, symbol }: PlanRequest, options: PlanOptions): string[] {
  const { guess = "", epsilon, rho } = options;
  const [price] = ((symbol === "ρ" ? rho : epsilon) ?? EPSILONS).split(",");
  return inputs.flatMap((input) => {
    const part = partOf(price!, options);
    const paid = symbol === "ρ" ? { rho: part } : { epsilon: part };
    const size = input.domain.kind === "integers" ? input.domain.below : undefined;
    const choice = choose({ ...input, ...paid }, { guess: countsOfGuess(readGuess(guess), size) });
    return choiceInWords(choice, AS_FLAGS) ?? [];
  });
}

async function showGoal(
  goal: number,
  request: PlanRequest,
  options: PlanOptions,
  signal: AbortSignal,
): Promise<void> {
  const rows = await simulateGoal(goal, request, options, signal);
  const text = options.json ? asJson(request, { goal, rows }) : goalTable(rows, goal, request, outputStyle());
  await print(text);
}

/** The goal as a share, and the options with the number of winners from "8 of 10". */
function withGoal(options: PlanOptions): {
  readonly goal: number | undefined;
  readonly options: PlanOptions;
} {
  const { goal, recall, k } = options;
  if (goal === undefined) return { goal: recall === undefined ? undefined : readGoal(recall), options };
  const [, found, all] = /^\s*(\d+)\s+of\s+(\d+)\s*$/.exec(goal) ?? [];
  const [wanted, winners] = [Number(found), Number(all)];
  if (recall !== undefined || !(wanted >= 1 && wanted <= winners))
    throw new Refusal("usage", mustBe("--goal", 'like "8 of 10", without --recall', goal));
  if (k !== undefined && k !== winners)
    throw new Refusal("usage", mustBe("--goal", `about the ${k} winners of -k`, goal));
  return { goal: wanted / winners, options: { ...options, k: winners } };
}

function readGoal(text: string): number {
  const goal = Number(text);
  if (!(goal > 0 && goal <= 1))
    throw new Refusal("usage", mustBe("--recall", "a number above 0 and at most 1", text));
  return goal;
}

async function simulatePlan(
  { inputs, counts, bounded }: PlanRequest,
  options: PlanOptions,
  signal: AbortSignal,
): Promise<PlanRow[]> {
  const { runs, mechanism } = options;
  const measure = options.rho === undefined ? "epsilon" : "rho";
  const prices = (options.rho ?? options.epsilon).split(",").map((price) => price.trim());
  const epsilons = prices.map((price) => partOf(price, options));
  const whole = new Map(epsilons.map((part, i) => [part, String(rational(prices[i]!))]));
  const at = measure === "rho" ? questionsAtRho : questionsAt;
  const mechanisms = mechanism === undefined ? undefined : [mechanism];
  const perEpsilon = inputs.map((input) => at(input, epsilons[0], mechanisms).length);
  const rowsInAll = perEpsilon.reduce((a, b) => a + b) * epsilons.length;
  return withProgress("simulating", async ({ report }) => {
    const [rows, entropy] = [[] as PlanRow[], entropyOf(options)];
    const onRow = (row: PlanRow) =>
      report(rows.push({ ...row, epsilon: whole.get(row.epsilon) ?? row.epsilon }) / rowsInAll);
    for (const input of inputs)
      await plan(input, counts, { epsilons, measure, mechanisms, bounded, runs, signal, entropy, onRow });
    return rows;
  });
}

async function simulateGoal(
  goal: number,
  { inputs, counts, bounded }: PlanRequest,
  options: PlanOptions,
  signal: AbortSignal,
): Promise<EpsilonForRecall[]> {
  const asked = inputs.flatMap((input) => mechanismsFor(input, options));
  return withProgress("simulating", async ({ report }) => {
    const [rows, entropy] = [[] as EpsilonForRecall[], entropyOf(options)];
    for (const input of asked) {
      const found = await epsilonForRecall(input, goal, counts, {
        ...{ runs: options.runs, bounded, signal, entropy },
      });
      const { maxGroupsPerUser: most } = options;
      const all = (part: string) =>
        most === undefined ? part : decimalText(rational(part).times(BigInt(most)), "up");
      rows.push({ ...found, ...(found.epsilon !== undefined && { epsilon: all(found.epsilon) }) });
      report(rows.length / asked.length);
    }
    return rows;
  });
}

/** The question for each mechanism that can answer it; mechanisms that need no δ are asked for pure ε. */
function mechanismsFor(input: Unpriced, { mechanism }: PlanOptions): Unpriced[] {
  const questions = questionsAt(input, 1n, mechanism === undefined ? undefined : [mechanism]);
  return questions.map(({ mechanism: name, delta, resolution, counts, maxItemsPerUser }) => ({
    ...{ ...input, mechanism: name, delta, resolution, counts, maxItemsPerUser },
  }));
}

function entropyOf({ seed }: PlanOptions): Entropy {
  return seed === undefined ? systemEntropy() : seededEntropy(seed);
}

function asJson({ origin, counts }: PlanRequest, content: object): string {
  const document = {
    schema: "winnow-plan/1",
    software: SOFTWARE,
    origin,
    candidates: counts.length,
    ...content,
  };
  return `${forJson(document)}\n`;
}
