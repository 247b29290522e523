/**
 * How well a public list of candidates fits the rows. A list of another column, of other spellings or of another year
 * matches almost nothing, and its release would cost as much as a good one. So the curator is shown the match and
 * asked, before anything is charged; what was drawn in memory until then is dropped unseen.
 *
 * The numbers are exact and private: they are told to the curator only, as not for release.
 * @module
 */
import type { Domain } from "winnow-release";
import { type Confirmation, confirm } from "../confirm.js";
import { tellPrivately } from "../render/terminal.js";
import type { Batch } from "../sources/source.js";

/** Below one in so many the match is almost nothing, of the list and of the items in the rows alike. */
const ALMOST_NOTHING = 100;

export class ListMatch {
  readonly #listed: number | undefined;
  #matched = 0;

  constructor(domain: Domain) {
    this.#listed = sizeOf(domain);
  }

  /** For a count that is tried again. */
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
    if (this.#listed === undefined || !this.#isAlmostNothing(this.#listed, items)) return;
    tellPrivately(this.#sentence(this.#listed, items));
    await confirm(
      "The list of candidates and the rows may not fit, so the release needs a confirmation.",
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

/** Undefined where there is no list. */
function sizeOf(domain: Domain): number | undefined {
  if (domain.kind === "listed") return domain.size;
  return domain.kind === "integers" ? domain.below : undefined;
}
