/**
 * The form's question, answered: what it would cost, what ε would buy on these counts, and one release, in the order
 * that lets nothing out for free: the budget is asked, the answer is drawn, the charge is stored together with the
 * answer, and only a stored answer is handed out.
 *
 * A plan runs the mechanisms themselves many times. Its result is a function of private counts and is for the
 * curator's eyes only.
 * @module
 */
import { Budget, type Loss, WinnowError } from "winnow-dp";
import {
  type Account,
  inventedInWords,
  inventedPeople,
  kindOf,
  lossOf,
  makeRelease,
  type PlanRow,
  plan,
  priceConcerns,
  type Question,
  Refusal,
  type Release,
  rankErrors,
  rankErrorsInWords,
  readableLoss,
  rowFindings,
} from "winnow-release";
import type { BrowserLedger } from "../ledger/browser-ledger.js";
import type {
  Asked,
  Cost,
  NumberPlan,
  NumberPoint,
  PlanPoint,
  PlanRequest,
  Published,
  ReleaseRequest,
} from "./api.js";
import { domainOf, questionOf } from "./asked-question.js";
import type { DataSession } from "./data-session.js";
import { published, SOFTWARE } from "./published.js";
import type { Task } from "./task.js";

export async function releaseOnce(
  session: DataSession,
  ledger: Pick<BrowserLedger, "look" | "record">,
  { dataset, asked, id, agreed = "" }: ReleaseRequest,
): Promise<Published> {
  // All read at one moment: a file or list that comes in meanwhile doesn't belong to this release.
  const question = questionOf(asked, session.candidates);
  const counts = session.histogram(question);
  const facts = session.facts(question);
  const { source, fileName } = session;
  const inputs = await session.guardInputs();
  const looked = await ledger.look(id, { dataset, question });
  let { account } = looked;
  const { release } = await makeRelease<Release>({
    ...{ id, dataset, question, software: SOFTWARE, inputs },
    find: async () => looked.stored,
    charge: () => ({}),
    ledger: {
      account: async () => account,
      reservation: async () => undefined, // a page sets nothing aside
      admitAccount: async () => {
        if (account.budget === undefined) throw new Refusal("no-budget", "The data set has no budget yet.");
      },
      admit: async () => {
        const loss = account.reservationFor(question);
        account.admit(loss, question);
        return loss;
      },
      reserve: async () => undefined,
      record: async (_, drawn) => {
        const recorded = await ledger.record(drawn);
        account = recorded.account;
        return recorded.release;
      },
    },
    curator: {
      tell: () => {}, // the page shows what it knows beside the question
      agrees: ({ why }) => agreed.includes(why),
    },
    count: async () => ({ batches: [counts], source, facts: () => facts }),
  });
  return withBudget(account, release, fileName);
}

/** The statement shows the remaining budget. */
function withBudget(account: Account, release: Release, file: string | undefined): Published {
  const { budget: limit, spent, remaining } = account;
  const more = account.admitsTimes(account.reservationFor(release.question));
  return published(release, { limit, spent, remaining, more }, file);
}

/** What it would cost; nothing is read and nothing charged. */
export async function costOf(
  session: DataSession,
  ledger: BrowserLedger,
  dataset: string,
  asked: Asked,
): Promise<Cost> {
  const question = questionOf(asked, session.candidates);
  const account = await ledger.account(dataset);
  const loss = account.reservationFor(question);
  const why = whyNot(account, loss, question);
  const times = account.admitsTimes(loss);
  const concern = concernOf(session, question, account);
  return {
    loss: readableLoss(loss),
    mechanism: question.mechanism,
    admitted: why === undefined,
    ...(why !== undefined && { why }),
    ...(concern !== undefined && { concern }),
    ...(times !== undefined && { times: why === undefined ? times : 0 }),
    ...(account.remaining !== undefined && why === undefined && { left: leftAfter(account.remaining, loss) }),
  };
}

/** All that someone must agree to, in one text; what is about the rows says so first. */
function concernOf(session: DataSession, question: Question, account: Account): string | undefined {
  const { asked } = session.isCounted ? rowFindings(question.domain, session.facts(question)) : { asked: [] };
  const sentences = [...priceConcerns(account, lossOf(question)), ...asked].flatMap(({ why, fact }) => {
    const told: string[] = [];
    fact?.for({ tell: (words) => told.push(words) });
    return [...told, why];
  });
  return sentences.length === 0 ? undefined : sentences.join(" ");
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
    if (error instanceof Refusal) return error.message;
    throw error;
  }
}

export async function planPoints(
  session: DataSession,
  { asked, epsilons, runs }: PlanRequest,
  task: Task,
  onPoint: (point: PlanPoint) => void,
): Promise<readonly PlanPoint[]> {
  const { users: all } = session.counts(asked.domain);
  const users = asked.domain === "listed" ? all.filter((count) => count > 0) : all; // a plan adds zeros by itself
  const bounded = session.boundedUsers(asked.domain, asked.maxItemsPerUser);
  // Without a mechanism named, so that all that can answer are compared; the price is what the plan varies.
  const { mechanism: _, rho: __, epsilon: ___, ...question } = asked;
  const input = { ...question, domain: domainOf(asked, session.candidates) };
  const rows = await plan(input, users, {
    epsilons,
    runs,
    bounded,
    signal: task.signal,
    onRow: (row) => onPoint(pointOf(row)),
  });
  return rows.map(pointOf);
}

/** Nothing of such a plan depends on what one person is, and the form may not know it yet. */
const ANYONE = "one person";

/** How far off the numbers can be at each ε, and beside it how many values there are, if people are counted. */
export function planNumbers(
  session: DataSession,
  { asked, epsilons }: Omit<PlanRequest, "runs">,
): NumberPlan {
  const questions = epsilons.flatMap((epsilon) =>
    affordable(() => questionOf({ ...asked, epsilon, unit: ANYONE }, undefined)),
  );
  const points = questions.map(numberPoint);
  const [question] = questions;
  return question === undefined ? { points } : { points, ...session.contributions(question) };
}

/** The question, unless its mechanism needs a larger ε. */
function affordable(read: () => Question): Question[] {
  try {
    return [read()];
  } catch (error) {
    if (error instanceof WinnowError && error.field === "epsilon") return [];
    throw error;
  }
}

function numberPoint(question: Question): NumberPoint {
  const { epsilon = "" } = question;
  if (kindOf(question).shape === "frequencies")
    return { epsilon, error: inventedPeople(question), share: 0, words: inventedInWords(question) };
  const errors = rankErrors(question);
  const { ranks, share } = errors.reduce((a, b) => (a.ranks.compare(b.ranks) > 0 ? a : b));
  return {
    epsilon,
    error: ranks.toNumber("up"),
    share: share.toNumber("up"),
    words: rankErrorsInWords(question, errors),
  };
}

function pointOf({ mechanism, epsilon, utility }: PlanRow): PlanPoint {
  const { recall, winners, released, gapError, countError, charged } = utility;
  return {
    mechanism,
    epsilon,
    recall: recall.mean,
    recallError: recall.standardError,
    length: winners.mean,
    nothing: 1 - released.mean,
    ...(gapError !== undefined && { gapError: gapError.mean }),
    ...(countError !== undefined && { countError: countError.mean }),
    ...(charged !== undefined && { charged: charged.mean }),
  };
}
