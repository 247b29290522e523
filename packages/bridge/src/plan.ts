/**
 * A plan for a program: what every mechanism that can answer a question gives at each price, on public or generated counts, as rows and as
 * the chart of `winnow plan`.
 * @module
 */
import { systemEntropy } from "winnow-dp";
import { seededEntropy } from "winnow-dp/testing";
import {
  type Domain,
  type Estimate,
  generatedCounts,
  kindOf,
  mechanismFor,
  needsDelta,
  type PlanCounts,
  type PlanRow,
  plan,
  planChart,
  type QuestionInput,
  questionsAt,
  questionsAtRho,
  Refusal,
} from "winnow-release";

export interface PlanAsked extends Omit<QuestionInput, "epsilon" | "rho" | "domain" | "unit"> {
  readonly kind: string;
  readonly k?: number;
}

export interface PlanRun {
  /** Public counts; otherwise generated visits of `users` people to `items` items. */
  readonly scores?: ArrayLike<number | bigint> | undefined;
  readonly items: number;
  readonly users: number;
  readonly epsilons?: readonly string[] | undefined;
  readonly rhos?: readonly string[] | undefined;
  readonly runs: number;
  /** A seed makes the plan repeatable: nothing in it is private. */
  readonly seed?: string | undefined;
  readonly onProgress?: ((share: number) => void) | undefined;
}

/** One mechanism at one price. */
interface Line {
  readonly mechanism: string;
  readonly candidates: "public" | "unknown";
  readonly price: string;
  readonly recall: Estimate;
  readonly winners: Estimate;
  readonly nothing: number;
  readonly gapError: Estimate | undefined;
  readonly countError: Estimate | undefined;
  readonly counted: Estimate | undefined;
}

export async function makePlan(asked: PlanAsked, run: PlanRun): Promise<{ lines: Line[]; chart: string }> {
  const { epsilons, rhos, runs, seed } = run;
  const prices = rhos ?? epsilons ?? [];
  if (prices.length === 0 || (rhos !== undefined && epsilons !== undefined))
    throw new Refusal("usage", "Prices must be given as epsilons or as rhos.");
  const { counts, bounded, origin } = countsFor(asked, run);
  const inputs = domainsFor(asked, counts.length).map((domain) => ({ ...asked, domain, unit: "one person" }));
  const [measure, at] =
    rhos === undefined ? (["epsilon", questionsAt] as const) : (["rho", questionsAtRho] as const);
  const mechanisms = asked.mechanism === undefined ? undefined : [asked.mechanism];
  const inAll =
    prices.length * inputs.reduce((sum, input) => sum + at(input, prices[0]!, mechanisms).length, 0);
  const entropy = seed === undefined ? systemEntropy() : seededEntropy(seed);
  const rows: PlanRow[] = [];
  const onRow = (row: PlanRow) => {
    rows.push(row);
    run.onProgress?.(rows.length / inAll);
  };
  for (const input of inputs)
    await plan(input, counts, { epsilons: prices, measure, mechanisms, bounded, runs, entropy, onRow });
  const symbol = rhos === undefined ? "ε" : "ρ";
  return { lines: rows.map(lineOf), chart: planChart(rows, { ...asked, origin, symbol }) };
}

function countsFor({ maxItemsPerUser }: PlanAsked, { scores, items, users, seed }: PlanRun): PlanCounts {
  if (scores === undefined) return generatedCounts({ items, users, seed: seed ?? "plan" }, maxItemsPerUser);
  if (maxItemsPerUser !== undefined)
    throw new Refusal(
      "usage",
      "max_items_per_user must be planned on generated visits, because counts don't show how many items each person has.",
    );
  return { counts: Array.from(scores, Number), origin: "public counts" };
}

/** A public list and, with a δ, an unknown domain too. */
function domainsFor({ kind, mechanism, delta }: PlanAsked, below: number): Domain[] {
  const listed = { kind: "integers", below } as const;
  if (needsDelta(kindOf({ kind }))) return [{ kind: "unknown" }];
  if (mechanism === undefined) return delta === undefined ? [listed] : [listed, { kind: "unknown" }];
  return mechanismFor({ mechanism }).rules.domains[0] === "unknown" ? [{ kind: "unknown" }] : [listed];
}

function lineOf({ mechanism, epsilon: price, question, utility }: PlanRow): Line {
  const { recall, winners, released, gapError, countError, charged: counted } = utility;
  const candidates = question.domain.kind === "unknown" ? "unknown" : "public";
  const nothing = 1 - released.mean;
  return { mechanism, candidates, price, recall, winners, nothing, gapError, countError, counted };
}
