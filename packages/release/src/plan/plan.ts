/**
 * `plan`: what would ε buy? Every mechanism that can answer a question, at every ε, with what its answers are worth on
 * public or generated scores.
 * @module
 */
import { type RationalLike, rational, rhoAtMost, WinnowError } from "winnow-dp";
import { MECHANISMS } from "../question/mechanism-rules.js";
import { type MechanismName, type Question, type QuestionInput, readQuestion } from "../question/question.js";
import { RankedScores } from "./ranked-scores.js";
import { expectedUtility, type SimulationOptions, type Utility } from "./simulate.js";

export interface PlanOptions extends SimulationOptions {
  readonly epsilons: readonly RationalLike[];
  /** Default: all that can answer the question. */
  readonly mechanisms?: readonly MechanismName[] | undefined;
  /** Called with each row as soon as it is there. */
  readonly onRow?: ((row: PlanRow) => void) | undefined;
}

export interface PlanRow {
  readonly mechanism: MechanismName;
  readonly epsilon: string;
  readonly question: Question;
  readonly utility: Utility;
}

export async function plan(
  input: QuestionInput,
  scores: ArrayLike<number>,
  { epsilons, mechanisms, onRow, ...options }: PlanOptions,
): Promise<PlanRow[]> {
  const rows: PlanRow[] = [];
  const ranked = new RankedScores(scores);
  for (const epsilon of epsilons) {
    for (const question of questionsAt(input, epsilon, mechanisms)) {
      const utility = await expectedUtility(question, ranked, options);
      const row = { mechanism: question.mechanism, epsilon: String(rational(epsilon)), question, utility };
      rows.push(row);
      onRow?.(row);
    }
  }
  return rows;
}

/**
 * The question as each mechanism that can answer it would be asked, at the price of ε, or of (ε, δ) where δ is given and of
 * use. Throws what is wrong with the question itself if none can.
 */
export function questionsAt(
  input: QuestionInput,
  epsilon: RationalLike,
  mechanisms: readonly MechanismName[] = Object.keys(MECHANISMS) as MechanismName[],
): Question[] {
  const questions = mechanisms.flatMap((mechanism) => askedOf(mechanism, input, epsilon));
  if (questions.length === 0)
    readQuestion({
      ...input,
      epsilon,
      rho: undefined,
      mechanism: mechanisms.length === 1 ? mechanisms[0] : undefined,
    });
  return questions;
}

function askedOf(mechanism: MechanismName, input: QuestionInput, epsilon: RationalLike): Question[] {
  const { kind = "top", delta, resolution } = input;
  const rules = MECHANISMS[mechanism];
  if (rules.kind !== kind || (rules.delta && delta === undefined)) return [];
  // With a δ to spend, Gumbel noise is worth more than exponential noise: ρ is the largest that (ε, δ) pays for.
  const isConcentrated = mechanism === "top-k" && delta !== undefined;
  try {
    const question = readQuestion({
      ...input,
      mechanism,
      epsilon: isConcentrated ? undefined : epsilon,
      rho: isConcentrated ? rhoAtMost({ epsilon, delta }) : undefined,
      delta: rules.delta ? delta : undefined,
      resolution: mechanism === "top-k-with-gap" ? resolution : undefined,
    });
    return [question];
  } catch (error) {
    if (error instanceof WinnowError && NOT_FOR_THIS.has(String(error.field))) return [];
    throw error;
  }
}

/** Fields whose refusal means that another mechanism may answer; anything else is wrong with the question. */
const NOT_FOR_THIS: ReadonlySet<string> = new Set(["mechanism", "domain.kind", "domain", "k"]);
