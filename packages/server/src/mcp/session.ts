/**
 * What one session of an agent may spend, and how a person agrees to it.
 *
 * The cap is one limit for the whole session, over all data sets together, beside the analyst's cap and the budget of each
 * data set, which the ledger keeps. Core's `Budget` counts it exactly. The session's releases go one after the other, so a
 * release that fits when it starts still fits when it is recorded. A release counts with its whole loss, even where its
 * account counts less; one whose charge is unknown counts too. The cap lives as long as the process: it bounds what an agent
 * can do before a person looks again, and it isn't a statement about anyone's privacy.
 *
 * An agreement is for one question at one price, and can be used once. Its token is unguessable and never leaves memory
 * except to the client that shows the question, so a client cannot agree to what it wasn't asked.
 * @module
 */
import { type Budget, type Loss, WinnowError } from "winnow-dp";
import { type BudgetJson, budgetOf, newReleaseId, Refusal, readableLoss, readBudget } from "winnow-release";

/** Whether the person is asked before each spend; only the person who starts the server decides. */
export const ASKING = ["always", "when-possible", "never"] as const;
export type Asking = (typeof ASKING)[number];

/** ε = 1/2 with δ = 10⁻⁶: one usual release. A limit in (ε, δ) takes prices in every measure. */
export const DEFAULT_SESSION_CAP: BudgetJson = { measure: "approx", epsilon: "1/2", delta: "1e-6" };

/** More questions than this are never open at once, except by a client that doesn't wait for answers. */
const MOST_OPEN = 64;

/** After this many refusals in a row the person isn't asked any more. */
const MOST_DECLINED = 3;

/** What became of a release: its result, or the error that ended it. */
export type Outcome<T> = { readonly result: T } | { readonly error: unknown };

export class AgentSession {
  readonly asking: Asking;
  readonly #budget: Budget;
  readonly #open = new Map<string, string>();
  #declined = 0;
  #last: Promise<unknown> = Promise.resolve();

  constructor({ cap = DEFAULT_SESSION_CAP, asking = "always" }: { cap?: BudgetJson; asking?: Asking } = {}) {
    this.#budget = budgetOf(readBudget(cap));
    this.asking = asking;
  }

  get cap(): Loss {
    return this.#budget.limit;
  }

  get remaining(): Loss {
    return this.#budget.remaining;
  }

  /** "ε = 0.25, δ = 0.000001 of its cap of ε = 0.5, δ = 0.000001". */
  get left(): string {
    return `${readableLoss(this.remaining, "down")} of its cap of ${readableLoss(this.cap, "down")}`;
  }

  /** Throws `over-budget` if the session may not spend `price` any more. */
  admit(price: Loss): void {
    if (this.admits(price)) return;
    throw new Refusal(
      "over-budget",
      `The release costs ${readableLoss(price)}, but this session may spend only ${this.left}.`,
    );
  }

  /** Whether the session may still spend `price`. A price that can't be counted in the measure of the cap doesn't fit. */
  admits(price: Loss): boolean {
    try {
      return this.#budget.admits(price);
    } catch (error) {
      if (error instanceof WinnowError) return false;
      throw error;
    }
  }

  /**
   * Runs the release if its price fits, when those before it have ended. It is counted if `isSpent` says so of its outcome;
   * the caller sees the result only after that.
   */
  spend<T>(price: Loss, release: () => Promise<T>, isSpent: (outcome: Outcome<T>) => boolean): Promise<T> {
    const turn = this.#last.then(async () => {
      this.admit(price);
      try {
        const result = await release();
        if (isSpent({ result })) this.#budget.charge(price);
        return result;
      } catch (error) {
        if (isSpent({ error })) this.#budget.charge(price);
        throw error;
      }
    });
    this.#last = turn.catch(() => {});
    return turn;
  }

  /** A token for the person's answer to this question at this price. Throws if the person has said no too often. */
  ask(question: string): string {
    if (this.#declined >= MOST_DECLINED)
      throw new Refusal(
        "unconfirmed",
        `The person has refused ${MOST_DECLINED} releases in a row and isn't asked again in this session.`,
      );
    const token = newReleaseId();
    this.#open.set(token, question);
    const [oldest] = this.#open.keys();
    if (this.#open.size > MOST_OPEN && oldest !== undefined) this.#open.delete(oldest);
    return token;
  }

  /** Throws unless the person was asked this question with this token, which is used up, and has accepted. */
  agreed(token: string | undefined, question: string, action: "accept" | "decline" | "cancel"): void {
    const asked = token === undefined ? undefined : this.#open.get(token);
    if (token !== undefined) this.#open.delete(token);
    if (asked !== question)
      throw new Refusal("unconfirmed", "The agreement belongs to no open question; nothing was charged.");
    this.#declined = action === "accept" ? 0 : this.#declined + 1;
    if (action === "accept") return;
    const what = action === "decline" ? "The person declined" : "The person gave no answer";
    throw new Refusal(
      "unconfirmed",
      `${what}; nothing was charged. Don't ask again unless the person tells you to.`,
    );
  }
}
