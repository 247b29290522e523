/**
 * The simulations of a plan, with progress: every mechanism at every ε, or for each mechanism the ε that reaches a
 * goal. The rows are grouped by mechanism, like the curves of the chart and the blocks of the table.
 * @module
 */
import { type Entropy, systemEntropy } from "winnow-dp";
import { seededEntropy } from "winnow-dp/testing";
import {
  type EpsilonForRecall,
  epsilonForRecall,
  type PlanRow,
  plan,
  type Question,
  questionsAt,
  questionsAtRho,
} from "winnow-release";
import { withProgress } from "../progress.js";
import type { PlanOptions, PlanRequest, Unpriced } from "./plan-request.js";

export async function simulatePlan(
  { inputs, counts, bounded }: PlanRequest,
  options: PlanOptions,
  signal: AbortSignal,
): Promise<PlanRow[]> {
  const { runs, mechanism } = options;
  const measure = options.rho === undefined ? "epsilon" : "rho";
  const epsilons = (options.rho ?? options.epsilon).split(",").map((price) => price.trim());
  const at = measure === "rho" ? questionsAtRho : questionsAt;
  const mechanisms = mechanism === undefined ? undefined : [mechanism];
  const perEpsilon = inputs.map((input) => at(input, epsilons[0], mechanisms).length);
  const rowsInAll = perEpsilon.reduce((a, b) => a + b) * epsilons.length;
  return withProgress("simulating", async ({ report }) => {
    const [rows, entropy] = [[] as PlanRow[], entropyOf(options)];
    const onRow = (row: PlanRow) => report(rows.push(row) / rowsInAll);
    for (const input of inputs)
      await plan(input, counts, { epsilons, measure, mechanisms, bounded, runs, signal, entropy, onRow });
    return rows;
  });
}

export async function simulateGoal(
  goal: number,
  { inputs, counts, bounded }: PlanRequest,
  options: PlanOptions,
  signal: AbortSignal,
): Promise<EpsilonForRecall[]> {
  const asked = inputs.flatMap((input) => mechanismsFor(input, options));
  return withProgress("simulating", async ({ report }) => {
    const [rows, entropy] = [[] as EpsilonForRecall[], entropyOf(options)];
    for (const input of asked) {
      rows.push(
        await epsilonForRecall(input, goal, counts, { runs: options.runs, bounded, signal, entropy }),
      );
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

export interface Curve {
  readonly mechanism: string;
  readonly candidates: string;
  /** By ε, ascending as requested. */
  readonly points: readonly PlanRow[];
}

export function curvesOf(rows: readonly PlanRow[]): Curve[] {
  const curves = new Map<string, { mechanism: string; candidates: string; points: PlanRow[] }>();
  for (const row of rows) {
    const candidates = candidatesInWords(row.question);
    const key = `${row.mechanism}, ${candidates}`;
    const curve = curves.get(key) ?? { mechanism: row.mechanism, candidates, points: [] };
    curve.points.push(row);
    curves.set(key, curve);
  }
  return [...curves.values()];
}

export function candidatesInWords({ domain, rho }: Question): string {
  const known = domain.kind === "unknown" ? "unknown" : "public";
  return rho === undefined ? known : `${known}, with δ`;
}
