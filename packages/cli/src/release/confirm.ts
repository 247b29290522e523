/**
 * Questions to the curator before anything is charged. On a terminal the curator answers; anywhere else the run needs
 * `--yes`, because a script that cannot answer hasn't agreed.
 *
 * Winnow asks about two things. A price, or the total of an account without a budget, that protects hardly anyone: above
 * ε = 10 or δ = 10⁻⁵ (the guards of winnow-release). And a list of another column, with other
 * spellings or from another year matches almost nothing, and a column without numbers has no quantiles, while the release
 * would cost as much as a good one; if the curator declines, the answer in memory is dropped unseen. How well a list
 * matches is exact and private: only the curator sees it, marked as not for release. Whether Winnow asks may be visible
 * from outside (the exit code), so a service that passes on exit codes must run with `--yes`: then the match is shown and
 * changes nothing.
 * @module
 */
import { createInterface } from "node:readline/promises";
import type { Loss } from "winnow-dp";
import { type Account, concernAbout, concernAboutTotal, type Domain, Refusal } from "winnow-release";
import { errorStyle, tell, tellPrivately } from "../render/terminal.js";
import type { Batch } from "../sources/source.js";

export interface Confirmation {
  /** Whether `--yes` was given. */
  readonly yes?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Whether someone at a terminal can be asked. */
export function canAsk(): boolean {
  return process.stdin.isTTY === true && process.stderr.isTTY === true;
}

/** Resolves if the curator agrees; `why` is the sentence of the refusal, made of public values. */
export async function confirm(why: string, { yes = false, signal }: Confirmation): Promise<void> {
  if (yes) return;
  if (!canAsk()) throw new Refusal("unconfirmed", why);
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const style = errorStyle();
    const question = `  ${style.strong("Continue?")} Type yes to continue: `;
    const answer = await lines.question(question, signal === undefined ? {} : { signal });
    if (!/^\s*y(es)?\s*$/i.test(answer)) throw new Refusal("unconfirmed", why);
  } finally {
    lines.close();
  }
}

/** Asks about a concern, if there is one. The curator reads it also where `--yes` answers. */
export async function confirmConcern(concern: string | undefined, confirmation: Confirmation): Promise<void> {
  if (concern === undefined) return;
  if (confirmation.yes || canAsk()) tellConcern(concern);
  await confirm(concern, confirmation);
}

export function tellConcern(concern: string | undefined): void {
  if (concern !== undefined) tell(concern);
}

/** Why the price needs a confirmation: it promises next to nothing, or takes an account without a budget that far. */
export function priceConcern(account: Account, loss: Loss): string | undefined {
  return concernAbout(loss) ?? concernAboutTotal(account, loss);
}

export async function confirmPrice(account: Account, loss: Loss, confirmation: Confirmation): Promise<void> {
  await confirmConcern(priceConcern(account, loss), confirmation);
}

/** A match below one in this many is a small part, both of the list and of the items in the rows. */
const SMALL_PART = 10;

export class ListMatch {
  readonly #listed: number | undefined;
  /** Whether values are counted instead of candidates. */
  readonly #isGrid: boolean;
  #matched = 0;

  constructor(domain: Domain) {
    this.#listed = sizeOf(domain);
    this.#isGrid = domain.kind === "grid";
  }

  /** For a count that starts again. */
  restart(): void {
    this.#matched = 0;
  }

  /** Counts the candidates that have users on their way to the mechanism. */
  async *watch(batches: AsyncIterable<Batch> | Iterable<Batch>): AsyncGenerator<Batch> {
    for await (const batch of batches) {
      for (const users of batch.users) if (users > 0) this.#matched++;
      yield batch;
    }
  }

  /** Says how well the list matches, and asks if hardly anything does. `items` is how many the rows have, if that is known. */
  async confirm(items: number | undefined, confirmation: Confirmation): Promise<void> {
    if (this.#isGrid && this.#matched === 0) {
      tellPrivately("No value in the rows could be read as a number.");
      await confirm("The column may not hold numbers, so the release needs a confirmation.", confirmation);
    }
    if (this.#listed === undefined) return;
    tellPrivately(this.#sentence(this.#listed, items));
    if (this.#isSmallPart(this.#listed, items))
      await confirm(
        "The list of candidates may not match the rows, so the release needs a confirmation.",
        confirmation,
      );
  }

  #isSmallPart(listed: number, items: number | undefined): boolean {
    if (this.#matched === 0 || items === undefined) return this.#matched === 0;
    return this.#matched * SMALL_PART < listed && this.#matched * SMALL_PART < items;
  }

  #sentence(listed: number, items: number | undefined): string {
    const [matched, all, candidates] = [this.#matched, items ?? 0, listed].map((n) => n.toLocaleString("en"));
    if (items === undefined) return `${matched} of the ${candidates} candidates have users in the rows.`;
    return `${matched} of ${all} items in the rows are in the list of ${candidates} candidates.`;
  }
}

/** Undefined without a list. */
function sizeOf(domain: Domain): number | undefined {
  if (domain.kind === "listed") return domain.size;
  return domain.kind === "integers" ? domain.below : undefined;
}
