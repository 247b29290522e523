/**
 * Remarks to the curator around a release: the unit of privacy, why there is a δ, and the remaining budget.
 *
 * After a release is charged, it can still fail to reach its reader. Then the run says how to print it again at no
 * cost. A failure to clean up isn't a failure of the release.
 * @module
 */
import type { Loss } from "winnow-dp";
import { type Account, type BudgetLeft, moreReleases, type Question, readableLoss } from "winnow-release";
import { spentInWords } from "../ledger/ledger-tables.js";
import type { Ledger } from "../ledger/open-ledger.js";
import { Refusal } from "../refusal.js";
import { tell } from "../render/terminal.js";

/** Before a row is read. */
export async function tellBefore(
  ledger: Ledger,
  dataset: string,
  question: Question,
  reserved: Loss,
): Promise<void> {
  const { releases } = await ledger.status(dataset);
  if (releases === 0)
    tell(`First release about ${JSON.stringify(dataset)}. The unit of privacy is ${question.unit}.`);
  if (question.domain.kind === "unknown" && question.delta !== undefined) tell(WHY_DELTA);
  if (question.mechanism === "limited-top-k")
    tell(
      `At most ${readableLoss(reserved)} is counted; with a budget, only the names that are released count.`,
    );
}

const WHY_DELTA =
  "Without a public list of candidates (--domain), the items themselves are private: Winnow names an item only if enough people have it. That is what δ pays for.";

/** The remaining budget, also as a number of releases. */
export async function tellWhatIsLeft(ledger: Ledger, dataset: string, asked: Priced): Promise<void> {
  tell(await whatIsLeft(ledger, dataset, asked));
}

/** A question, or a loss where the price doesn't depend on the answer. */
type Priced = Question | Loss;

function priceOf(account: Account, asked: Priced): Loss {
  return "mechanism" in asked ? account.reservationFor(asked) : asked;
}

export async function whatIsLeft(ledger: Ledger, dataset: string, asked: Priced): Promise<string> {
  const account = await ledger.status(dataset);
  const { budget, remaining, releases } = account;
  const name = JSON.stringify(dataset);
  if (budget === undefined || remaining === undefined) {
    if (releases === 0) return `Nothing is spent on ${name} so far; it has no budget (winnow budget init).`;
    const times = releases === 1 ? "1 release" : `${releases} releases`;
    return `Spent on ${name} so far: ${spentInWords(account)} in ${times}; it has no budget (winnow budget init).`;
  }
  const [left, whole] = [remaining, budget].map((loss) => readableLoss(loss, "down", ordersOf(account)));
  const more = moreReleases(account.admitsTimes(priceOf(account, asked)) ?? 0);
  const spent = releases === 0 ? "" : ` Spent so far: ${spentInWords(account)}.`;
  return `Remaining budget of ${name}: ${left} of ${whole}, ${more}.${spent}`;
}

/** The same for a statement. */
export async function budgetLeft(ledger: Ledger, dataset: string, asked: Priced): Promise<BudgetLeft> {
  const account = await ledger.status(dataset);
  const { budget: limit, spent, remaining } = account;
  return {
    limit,
    spent,
    // Computed only for a statement: it takes longer than the rest of a small release.
    get atDelta() {
      return account.atDelta;
    },
    remaining,
    orders: ordersOf(account),
    more: account.admitsTimes(priceOf(account, asked)),
  };
}

/** A Rényi budget holds at its own orders; other measures have none. */
function ordersOf({ orders }: Account): Account["orders"] | undefined {
  return orders.length === 0 ? undefined : orders;
}

/** For a reader that closed the pipe before all of a recorded release was printed. */
export function tellClosed(id: string): void {
  tell(
    `Standard output was closed. The release is recorded as ${id}: ask again with --release-id ${id}, at no cost.`,
  );
}

/** Shows a recorded release, or reports the id under which it is stored. */
export async function showRecorded(id: string, show: () => Promise<void>): Promise<void> {
  try {
    await show();
  } catch (error) {
    const what = error instanceof Refusal ? error.message : "The release couldn't be shown.";
    throw new Refusal("not-written", `${what} It is recorded as ${id}.`);
  }
}

/** Cleans up as far as possible. */
export async function tidyUp(...tasks: readonly (() => unknown)[]): Promise<void> {
  await Promise.allSettled(tasks.map(async (task) => task()));
}
