/**
 * Questions to the curator before anything is charged. On a terminal the curator answers; anywhere else the run needs
 * `--yes`, because a script that cannot answer hasn't agreed.
 *
 * Winnow asks about two things. A price above ε = 10 protects hardly anyone. And a list of another column, with other
 * spellings or from another year matches almost nothing, and a column without numbers has no quantiles, while the release
 * would cost as much as a good one; if the curator declines, the answer in memory is dropped unseen. How well a list
 * matches is exact and private: only the curator sees it, marked as not for release. Whether Winnow asks may be visible
 * from outside (the exit code), so a service that passes on exit codes must run with `--yes`: then the match is shown and
 * changes nothing.
 * @module
 */
import { createInterface } from "node:readline/promises";
import { convert, isBounded, type Loss, rational } from "winnow-dp";
import { type Domain, readableLoss } from "winnow-release";
import { Refusal } from "../refusal.js";
import { errorStyle, tellPrivately } from "../render/terminal.js";
import type { Batch } from "../sources/source.js";

interface Confirmation {
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

/** Above this an answer may be more than e^10, about 22,000, times as likely with one person as without. */
const LARGEST_EPSILON = rational(10n);
const DELTA = "1e-6";

/** Asks if the price promises next to nothing. */
export async function confirmPrice(loss: Loss, confirmation: Confirmation): Promise<void> {
  const epsilon = epsilonOf(loss);
  if (isBounded(epsilon) && epsilon.compare(LARGEST_EPSILON) <= 0) return;
  const shown = readableLoss({ measure: "pure", epsilon });
  await confirm(
    `The price must be at most ε = 10 without a confirmation, because more protects hardly anyone; got ${shown}.`,
    confirmation,
  );
}

function epsilonOf(loss: Loss) {
  if (loss.measure === "pure" || loss.measure === "approx") return loss.epsilon;
  const failure = "delta" in loss && loss.delta !== undefined ? loss.delta : rational(0n);
  return convert(loss, { to: "approx", delta: failure.plus(rational(DELTA)) }).epsilon;
}

/** A match below one in this many counts as almost nothing, both of the list and of the items in the rows. */
const ALMOST_NOTHING = 100;

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

  /** Asks if almost nothing matches. `items` is how many the rows have, if that is known. */
  async confirm(items: number | undefined, confirmation: Confirmation): Promise<void> {
    if (this.#isGrid && this.#matched === 0) {
      tellPrivately("No value in the rows could be read as a number.");
      await confirm("The column may not hold numbers, so the release needs a confirmation.", confirmation);
    }
    if (this.#listed === undefined || !this.#isAlmostNothing(this.#listed, items)) return;
    tellPrivately(this.#sentence(this.#listed, items));
    await confirm(
      "The list of candidates may not match the rows, so the release needs a confirmation.",
      confirmation,
    );
  }

  #isAlmostNothing(listed: number, items: number | undefined): boolean {
    if (this.#matched === 0 || items === undefined) return this.#matched === 0;
    return this.#matched * ALMOST_NOTHING < listed && this.#matched * ALMOST_NOTHING < items;
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
