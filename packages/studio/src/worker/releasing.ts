/**
 * One release, in the order that lets nothing out for free: the budget is asked, the answer is drawn, the charge is stored
 * together with the answer, and only what is stored is handed out.
 * @module
 */
import { Budget, type Loss, lossFromJson } from "winnow-dp";
import {
  type Account,
  LedgerError,
  lossOf,
  newRelease,
  type Question,
  type Release,
  readableLoss,
  select,
} from "winnow-release";
import type { BrowserLedger } from "../ledger/browser-ledger.js";
import type { Asked, Cost, Published, ReleaseRequest } from "./api.js";
import type { DataSession } from "./data-session.js";
import { published } from "./published.js";
import { questionOf } from "./question-of.js";
import { SOFTWARE } from "./software.js";
import { StudioRefusal } from "./studio-refusal.js";

export async function releaseOnce(
  session: DataSession,
  ledger: Pick<BrowserLedger, "look" | "record">,
  { dataset, asked, id }: ReleaseRequest,
): Promise<Published> {
  // All of one moment: another file or list that comes in meanwhile is no part of this release.
  const question = questionOf(asked, session.candidates);
  const counts = session.histogram(asked.domain);
  const { source } = session;
  const { account, stored } = await ledger.look(id, { dataset, question });
  if (stored !== undefined) return withBudget(account, stored);
  if (account.budget === undefined) throw new StudioRefusal("no-budget", "The data set has no budget yet.");
  account.admit(lossOf(question), question);
  const answer = await select(question, [counts]);
  const release = newRelease({ id, dataset, time: new Date(), software: SOFTWARE, question, answer, source });
  const recorded = await ledger.record(release);
  return withBudget(recorded.account, recorded.release);
}

/** The statement says what is left of the budget. */
function withBudget(account: Account, release: Release): Published {
  const { budget: limit, spent, remaining } = account;
  const more = account.admitsTimes(lossFromJson(release.loss));
  return published(release, { limit, spent, remaining, more });
}

/** What it would cost; nothing is read and nothing charged. */
export async function costOf(
  session: DataSession,
  ledger: BrowserLedger,
  dataset: string,
  asked: Asked,
): Promise<Cost> {
  const question = questionOf(asked, session.candidates);
  const loss = lossOf(question);
  const account = await ledger.account(dataset);
  const why = whyNot(account, loss, question);
  const times = account.admitsTimes(loss);
  return {
    loss: readableLoss(loss),
    mechanism: question.mechanism,
    admitted: why === undefined,
    ...(why !== undefined && { why }),
    ...(times !== undefined && { times: why === undefined ? times : 0 }),
    ...(account.remaining !== undefined && why === undefined && { left: leftAfter(account.remaining, loss) }),
  };
}

function leftAfter(remaining: Loss, loss: Loss): string {
  const budget = new Budget(remaining);
  budget.charge(loss);
  return readableLoss(budget.remaining, "down");
}

function whyNot(account: Account, loss: Loss, question: Question): string | undefined {
  if (account.budget === undefined) return "The data set has no budget yet.";
  try {
    account.admit(loss, question);
    return undefined;
  } catch (error) {
    if (error instanceof LedgerError) return error.message;
    throw error;
  }
}
