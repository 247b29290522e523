/**
 * Tests any implementation of private selection against exact distributions. A conformance file lists cases: a task with
 * its parameters, the probabilities of its outcomes, how many runs to make, and the critical value of Pearson's χ²
 * for them. `checkConformance` asks an implementation for its answers, in this process or through another program, and
 * compares. Cases of accounting have one right answer, or a range of them.
 *
 * A right implementation fails a case with the probability that the file states as its significance. One whose noise is
 * 10 % too small fails it with the probability that the case states as its power. A pass is evidence, never a proof, and
 * says nothing about faults that are rarer than the runs show.
 *
 * The critical values are in the file, so judging needs + − × ÷ only, and every language has the same verdict for the
 * same answers. The format is documented in docs/guide/conformance.md.
 * @module
 */
import { invalidParameter } from "winnow-dp";

/** One request to an implementation: all that it needs to know. */
export interface ConformanceRequest {
  /** The case. */
  readonly id: string;
  /** What to compute, such as `"top-k"`. */
  readonly task: string;
  /** Numbers are exact texts, such as `"1/3"`. */
  readonly parameters: Readonly<Record<string, string | number | boolean | readonly string[]>>;
  /** The scores of the candidates, as exact texts; cases of accounting have none. */
  readonly scores?: readonly string[] | undefined;
  /** How many answers to give; cases of accounting have none. */
  readonly runs?: number | undefined;
}

/** One outcome of a selection. */
export interface ConformanceAnswer {
  /** The winners by position, best first. */
  readonly winners?: readonly number[] | undefined;
  /** By how many resolutions each winner leads the next. */
  readonly gaps?: readonly number[] | undefined;
  /** The k that a stable top k chose. */
  readonly k?: number | undefined;
  /** Its candidates; null if nothing was released. */
  readonly indices?: readonly number[] | null | undefined;
}

/** What an implementation says: its answers, a loss, or why it can't take the case. */
export type ConformanceResponse =
  | { readonly answers: readonly ConformanceAnswer[] }
  | { readonly loss: number | string }
  | { readonly unsupported: string };

/** An implementation under test. */
export type Implementation = (
  request: ConformanceRequest,
) => ConformanceResponse | Promise<ConformanceResponse>;

/** A case with a distribution. */
export interface DistributionCase extends ConformanceRequest {
  readonly scores: readonly string[];
  readonly runs: number;
  /** Gaps of at least this many resolutions are one outcome. */
  readonly largestGap?: number | undefined;
  /** Outcomes that are counted together, with their probability. All bins together are everything that can happen. */
  readonly bins: readonly { readonly outcomes: readonly string[]; readonly probability: string }[];
  /** A χ² above this fails. */
  readonly critical: number;
  /** The probability that noise of nine tenths of the scale fails. */
  readonly power: number;
}

/** A case with a number: right answers are not below `least`, which would promise too much, nor above `most`. */
export interface AccountingCase extends ConformanceRequest {
  readonly least: string;
  readonly most: string;
}

/** A conformance file. */
export interface ConformanceFile {
  readonly schema: "winnow-conformance/1";
  /** The probability that a right implementation fails a case with a distribution. */
  readonly significance: number;
  readonly distributions: readonly DistributionCase[];
  readonly accounting: readonly AccountingCase[];
}

/** The result of one case. */
export interface ConformanceVerdict {
  readonly id: string;
  readonly task: string;
  readonly verdict: "passes" | "fails" | "unsupported";
  /** χ² against its critical value, the loss against its range, or why there is neither. */
  readonly detail: string;
}

/**
 * Asks an implementation for every case of a conformance file and judges its answers.
 *
 * @param file The cases.
 * @param implementation What is tested; it is asked for one case after the other.
 *
 * @example
 * ```ts
 * import { checkConformance, type ConformanceFile } from "winnow-audit";
 *
 * const file: ConformanceFile = {
 *   schema: "winnow-conformance/1",
 *   significance: 0.0001,
 *   distributions: [],
 *   accounting: [
 *     { id: "sum", task: "composition", parameters: { losses: ["1/2", "1"] }, least: "1.5", most: "1.5" },
 *   ],
 * };
 * const [{ verdict }] = await checkConformance(file, () => ({ loss: 1.5 }));
 * verdict; // → "passes"
 * ```
 */
export async function checkConformance(
  file: ConformanceFile,
  implementation: Implementation,
): Promise<ConformanceVerdict[]> {
  if (file.schema !== "winnow-conformance/1")
    throw invalidParameter("schema", '"winnow-conformance/1"', file.schema);
  const verdicts: ConformanceVerdict[] = [];
  for (const one of file.distributions) {
    const { bins, critical, power, largestGap, ...request } = one;
    verdicts.push(verdictOf(one, await implementation(request), judgeAnswers));
  }
  for (const one of file.accounting) {
    const { least, most, ...request } = one;
    verdicts.push(verdictOf(one, await implementation(request), judgeLoss));
  }
  return verdicts;
}

type Judged = readonly [passes: boolean, detail: string];

function verdictOf<Case extends ConformanceRequest>(
  one: Case,
  response: ConformanceResponse,
  judge: (one: Case, response: ConformanceResponse) => Judged,
): ConformanceVerdict {
  const { id, task } = one;
  if ("unsupported" in response) return { id, task, verdict: "unsupported", detail: response.unsupported };
  const [passes, detail] = judge(one, response);
  return { id, task, verdict: passes ? "passes" : "fails", detail };
}

function judgeAnswers(one: DistributionCase, response: ConformanceResponse): Judged {
  if (!("answers" in response)) return [false, "gave no answers"];
  const { answers } = response;
  if (answers.length !== one.runs) return [false, `gave ${answers.length} answers instead of ${one.runs}`];
  const places = new Map(
    one.bins.flatMap(({ outcomes }, bin) => outcomes.map((outcome) => [outcome, bin] as const)),
  );
  const counts = one.bins.map(() => 0);
  for (const answer of answers) {
    const outcome = outcomeOf(answer, one.largestGap);
    const bin = places.get(outcome);
    if (bin === undefined) return [false, `gave ${JSON.stringify(outcome)}, which can't happen`];
    counts[bin]++;
  }
  const statistic = one.bins.reduce((sum, { probability }, bin) => {
    const expected = Number(probability) * one.runs;
    const off = counts[bin] - expected;
    return sum + (off * off) / expected;
  }, 0);
  return [
    statistic <= one.critical,
    `χ² = ${statistic.toFixed(1)}, critical ${one.critical.toFixed(1)}, ${one.runs} runs`,
  ];
}

/** The name of an outcome in the file: `"2,0"`, `"2,0 by 3,>=4"`, `"2: 0 2"` or `"2: nothing"`. */
function outcomeOf({ winners = [], gaps, k, indices }: ConformanceAnswer, largestGap = Infinity): string {
  if (k !== undefined) {
    const set = [...(indices ?? [])].sort((a, b) => a - b);
    return `${k}: ${indices === null ? "nothing" : set.join(" ")}`;
  }
  if (gaps === undefined) return winners.join(",");
  return `${winners.join(",")} by ${gaps.map((gap) => (gap < largestGap ? gap : `>=${largestGap}`)).join(",")}`;
}

function judgeLoss({ least, most }: AccountingCase, response: ConformanceResponse): Judged {
  if (!("loss" in response)) return [false, "gave no loss"];
  const loss = Number(response.loss);
  const detail = `${loss}, right from ${least} to ${most}`;
  return [loss >= Number(least) && loss <= Number(most), detail];
}
