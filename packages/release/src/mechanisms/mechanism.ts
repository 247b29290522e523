/**
 * A mechanism is one object: which questions it answers, what it costs, which counts it needs, how it draws, and how it
 * is put into words. Nothing outside its file knows its name; the list of all is mechanisms.ts.
 *
 * Everything here except `draw` and `prepare` is computed from the question alone, so it may be printed, recorded and
 * compared before a row is read.
 * @module
 */
import type { Entropy, Loss, Measure, Rational, RationalLike } from "winnow-dp";
import type { CountPlan } from "../parts/counts.js";
import type { Simulated } from "../parts/simulated.js";
import type { Answer, Batches, CandidatesWanted, Near, NeededUsers, Run } from "../question/answer.js";
import type { Domain } from "../question/domain.js";
import type { Neighbours, Question, QuestionInput, QuestionKind } from "../question/question.js";

/** A mechanism: one object, which is all that command line, service and page know of it. */
export interface Mechanism {
  /** As recorded in releases: never changes. */
  readonly name: string;
  readonly rules: Rules;
  /** What the question gets where the asker left it out. */
  readonly defaults?: Pick<QuestionInput, "resolution" | "outsiderShare">;
  /** Throws what `rules` can't say. */
  check?(question: Question): void;

  /** The public numbers that determine the law of the answer, as exact text. */
  parameters(question: Question): Readonly<Record<string, string>>;
  price(question: Question): Price;
  /** Whether `price` has less to count for a short answer; known without computing a price. */
  readonly isPaidByRound?: true;
  /** Whether `price` may have other true losses, of which some accounts count one. */
  readonly hasOtherPrices?: true;
  /** The noise of counts beside the names; undefined where there are none, or none with an interval. */
  counts?(question: Question): CountPlan | undefined;
  /** The race behind the leads, where leads are released. */
  leads?(question: Question): Race;

  /** What a source must count. */
  wants(question: Question): CandidatesWanted;
  /**
   * The private answer. The counts are private; the answer is safe to publish once its loss is charged. Nothing is charged here:
   * charge the loss before you show the answer to anyone.
   */
  draw(question: Question, batches: Batches, entropy?: Entropy): Promise<Answer>;
  /** The same law on the same scores, largest first, many times. Absent where an answer has no names. */
  prepare?(question: Question, scores: Float64Array): Run;
  /** People an item needs to be named in half of the runs without a list; absent where a simulation must find it. */
  needs?(question: Question): NeededUsers;

  /**
   * How near the winners are to the best, before anything is known but the question; absent where nothing can be said. On public
   * counts `prepare` says more.
   */
  expect?(question: Question): Near | undefined;

  readonly words: Words;
  readonly answer: AnswerRules;
  /** The question as a call of the library. */
  code(question: Question): Code;
  /** The same mechanism on public scores, with the library's own options. */
  readonly simulated?: Simulated;
}

/** Which questions a mechanism answers, as data, so that front ends can filter and grey out. */
export interface Rules {
  readonly kind: QuestionKind;
  readonly domains: readonly Domain["kind"][];
  readonly budgets: readonly Budget[];
  /** Whether there is a probability of failure to pay for: always, beside ε if it is given, or never. */
  readonly delta: "needed" | "possible" | "none";
  /** How many candidates beyond the winners a public list must have; absent where any list will do. */
  readonly spare?: number;
  /** One winner, or one list. */
  readonly isForOne?: true;
  /** Whether leads can be released: always, with ε only, or never. */
  readonly gaps?: "always" | "epsilon";
  /** Whether noisy counts come with the names: always, if asked for, or never. */
  readonly counts?: "always" | "possible";
  /** Whether people are cut to fewer items first; where it is possible, only if the mechanism is named. */
  readonly bound?: "needed" | "possible";
  /** Whether its winners are a set: only asked for by name, or as a set. */
  readonly isSet?: true;
  /** Whether a public bound on the number of values is of use. */
  readonly atMost?: true;
  /** Whether it may be the default for such a question; the first of the list that may is. Default: yes. */
  isUsual?(asked: Usual): boolean;
}

export type Budget = "epsilon" | "rho";

/** As much of a question as the default depends on. */
export interface Usual {
  readonly k: number;
  /** How many candidates there are, where that is public. */
  readonly size?: number | undefined;
  readonly epsilon?: RationalLike | undefined;
  readonly rho?: RationalLike | undefined;
  readonly delta?: RationalLike | undefined;
  readonly neighbours?: Neighbours | undefined;
  /** Given only where leads are wanted. */
  readonly resolution?: RationalLike | undefined;
  readonly counts?: boolean | undefined;
  /** Whether the winners are wanted as a set. */
  readonly set?: boolean | undefined;
  readonly maxItemsPerUser?: number | undefined;
}

/** What an answer costs. All numbers are fixed before anything is drawn. */
export interface Price {
  /** What a release promises on its own, whatever the answer. */
  readonly loss: Loss;
  /**
   * Other true statements about the same run, such as its ρ beside an (ε, δ). An account counts one of all these, chosen by its
   * measure before anything is drawn; they are never added to one another.
   */
  readonly also?: readonly Loss[] | undefined;
  /** The loss of an answer of this length, where an account may count less than `loss`; undefined: in full. */
  counted?(counting: Counting): ((used: Used) => Loss) | undefined;
}

/** How an account counts. */
export interface Counting {
  /** The measure of the limit. */
  readonly measure: Measure;
  /** Whether an (ε, δ) limit is counted at a Rényi order by now. */
  readonly isAtOrder: boolean;
}

/** As much of an answer as its price depends on: ⊥ is a round, only names pay for counts. */
export interface Used {
  readonly rounds: number;
  readonly names: number;
}

export interface Race {
  readonly candidates: number;
  /** The scale of the exponential noise. */
  readonly scale: Rational;
}

/** What a mechanism is called, and how its answers are read. */
export interface Words {
  /** For a choice: "Top k with leads". */
  readonly title: string;
  /** One or two sentences on what one gets. */
  readonly gives: string;
  /** In a statement: "noisy top-k with gaps (exponential noise on every count)", perhaps with one of its parameters. */
  readonly how: string | ((parameters: Readonly<Record<string, string>>) => string);
  /** The heading of an answer that names nothing. Default: "Nothing can be released". */
  readonly none?: string;
  /** Why nothing was released, in a sentence of its own and after "Nothing can be released: ". Default: no item has enough users. */
  readonly whyNone?: { readonly sentence: string; readonly short: string };
  /** Why there are fewer than were asked for. */
  readonly whyFewer?: string;
  /** What everyone must know about any answer of it, in a plan and beside the question. */
  readonly caveat?: string;
  /** Why a larger ε may name fewer items, where it may. */
  readonly falls?: string;
  /** What a curator should know before paying. */
  before?(question: Question, say: Speaker): string | undefined;
}

/** Says options as the front end names them: "--max-items-per-user 10" or "maxItemsPerUser: 10". */
export interface Speaker {
  option(name: string, value: string): string;
}

/** What a reader of someone else's document checks. */
export interface AnswerRules {
  /** Fields of the answer besides the four that all have. */
  readonly fields: readonly ("stopped" | "frequencies")[];
  readonly order: AnswerOrder | ((question: Question) => AnswerOrder);
}

/** Best first, by name (which says nothing about counts), rising, or falling by released counts. */
export type AnswerOrder = "rank" | "name" | "value" | "count";

/** A mechanism as a line of a program, for the page to show. */
export interface Code {
  /** The function of the library. */
  readonly call: string;
  /** Its first argument: counts by position, a map of counts by name, the numbers of such a map, or values with how often each is kept. */
  readonly input: "scores" | "counts" | "numbers" | "values";
  readonly options: Readonly<Record<string, string | number | boolean | readonly string[]>>;
  /** A second call, about the names that the first one released. */
  readonly next?: { readonly call: string; readonly options: Readonly<Record<string, string>> };
}
