/**
 * The form's question, answered: what it would cost, what ε would buy on these counts, and one release, in the order
 * that lets nothing out for free: the budget is asked, the answer is drawn, the charge is stored together with the
 * answer, and only a stored answer is handed out.
 *
 * A plan runs the mechanisms themselves many times. Its result is a function of private counts and is for the
 * curator's eyes only.
 * @module
 */
import { Budget, type Loss, rational, WinnowError } from "winnow-dp";
import {
  type Account,
  groupLabel,
  groupOfText,
  guardChargedInputs,
  inventedInWords,
  inventedPeople,
  isGrouped,
  kindOf,
  lossOf,
  makeRelease,
  otherPrices,
  type PlanRow,
  plan,
  priceConcerns,
  type Question,
  questionOfOne,
  questionsAt,
  Refusal,
  type Release,
  rankErrors,
  rankErrorsInWords,
  readableLoss,
  rowFindings,
  subQuestion,
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
import { domainOf, groupsOf, questionOf } from "./asked-question.js";
import type { DataSession } from "./data-session.js";
import { published, SOFTWARE } from "./published.js";
import type { Task } from "./task.js";

export async function releaseOnce(
  session: DataSession,
  ledger: Pick<BrowserLedger, "look" | "record" | "markKey" | "chargedTo">,
  { dataset, asked, id, agreed = "", epsilonFrom }: ReleaseRequest,
): Promise<Published> {
  // All read at one moment: a file or list that comes in meanwhile doesn't belong to this release.
  const question = questionOf(asked, session.lists);
  session.checkCounted(question);
  const counted = isGrouped(question)
    ? { groups: session.groupedRows(question, asked.numbers) }
    : { batches: [session.histogram(question, asked.numbers)] };
  const facts = session.facts(question, asked.numbers);
  const { fileName } = session;
  const source = session.sourceOf(question, asked.numbers);
  const compared = await session.guardInputs();
  const looked = await ledger.look(id, { dataset, question });
  let { account } = looked;
  const { release } = await makeRelease<Release>({
    ...{ id, dataset, question, software: SOFTWARE, epsilonFrom },
    inputs: () => guardChargedInputs(compared, ledger),
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
        const recorded = await ledger.record(drawn, await session.mark(await ledger.markKey()));
        account = recorded.account;
        return recorded.release;
      },
    },
    curator: {
      tell: () => {}, // the page shows what it knows beside the question
      agrees: ({ why }) => agreed.includes(why),
    },
    count: async () => ({ ...counted, source, facts: () => facts }),
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
  const question = questionOf({ ...asked, unit: asked.unit || ANYONE }, session.lists);
  const account = await ledger.account(dataset);
  const loss = account.reservationFor(question);
  const why = whyNot(account, loss, question);
  const times = account.admitsTimes(loss);
  const doubt = doubtOf(session, question, asked.numbers);
  const concerns = priceConcerns(account, lossOf(question)).map(({ why }) => why);
  const concern = [...concerns, ...(doubt === undefined ? [] : [doubt])].join(" ");
  const others = isGrouped(question) ? [] : otherPrices(question);
  const inRho = others.find(({ measure }) => measure === "zcdp");
  return {
    loss: readableLoss(loss),
    mechanism: question.mechanism,
    admitted: why === undefined,
    ...(why !== undefined && { why }),
    ...(concern !== "" && { concern }),
    ...(doubt !== undefined && { doubt }),
    ...(inRho !== undefined && { inRho: readableLoss(inRho) }),
    ...(times !== undefined && { times: why === undefined ? times : 0 }),
    ...(account.remaining !== undefined && why === undefined && { left: leftAfter(account.remaining, loss) }),
  };
}

/** What someone must agree to about the rows, in one text, with the facts first. */
function doubtOf(session: DataSession, question: Question, numbers: Asked["numbers"]): string | undefined {
  if (!session.isCounted) return undefined;
  const isListed = question.groups !== undefined && question.groups.list !== "selected";
  const groups = isListed ? session.matchedGroups() : undefined;
  const { asked } = rowFindings(question.domain, session.facts(question, numbers), groups);
  const sentences = asked.flatMap(({ why, fact }) => {
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
  if (asked.groups !== undefined) return pointsInGroups(session, { asked, epsilons, runs }, task, onPoint);
  const { users: all } = session.counts(asked.domain);
  const users = asked.domain === "listed" ? all.filter((count) => count > 0) : all; // a plan adds zeros by itself
  const bounded = session.boundedUsers(asked.domain, asked.maxItemsPerUser);
  // Without a mechanism named, so that all that can answer are compared; the price is what the plan varies.
  const { mechanism: _, rho: __, epsilon: ___, ...question } = asked;
  const input = {
    ...question,
    ...withSets(asked),
    groups: undefined,
    domain: domainOf(asked, session.lists.candidates),
  };
  const more = {
    ...(asked.domain === "listed" && { real: users.length }),
    ...(bounded !== undefined && { kept: sum(bounded) / Math.max(sum(users), 1) }),
  };
  const pointWith = (row: PlanRow) =>
    pointOf(row, row.question.maxItemsPerUser === undefined ? { ...more, kept: undefined } : more);
  const rows = await plan(input, users, {
    epsilons,
    runs,
    bounded,
    signal: task.signal,
    onRow: (row) => onPoint(pointWith(row)),
  });
  return rows.map(pointWith);
}

/** A plan compares sets too, where the winners may be wanted without an order. */
function withSets(asked: Asked): { readonly set?: true } {
  return kindOf(asked).isComplete && asked.domain === "listed" ? { set: true } : {};
}

/** What the middle group gets: its question has its part of ε and δ. */
async function pointsInGroups(
  session: DataSession,
  { asked, epsilons, runs }: PlanRequest,
  task: Task,
  onPoint: (point: PlanPoint) => void,
): Promise<readonly PlanPoint[]> {
  const { candidates, groups } = session.lists;
  const middle = session.middleGroup(questionOf({ ...asked, unit: asked.unit || ANYONE }, session.lists));
  if (middle === undefined) return [];
  const { users, bounded, kept } = middle;
  const { by } = asked.groups!;
  const name = groupLabel(groupOfText(middle.name, by.length) ?? [middle.name]);
  const { mechanism: _, rho: __, epsilon: ___, ...question } = asked;
  const input = {
    ...question,
    ...{ ...withSets(asked), unit: asked.unit || ANYONE },
    ...{ domain: domainOf(asked, candidates), groups: groupsOf(asked, groups) },
  };
  const found: PlanPoint[] = [];
  for (const epsilon of epsilons)
    for (const whole of questionsAt(input, epsilon)) {
      if (!isGrouped(whole) || (whole.maxItemsPerUser !== undefined && bounded === undefined)) continue;
      const { epsilon: part = epsilon, ...one } = subQuestion(whole);
      const [row] = await plan(one, users, {
        ...{ epsilons: [part], mechanisms: [whole.mechanism], runs, bounded, signal: task.signal },
      });
      if (row === undefined) continue;
      const more = { ...(asked.domain === "listed" && { real: users.length }), kept };
      const point = { ...pointOf(row, more), epsilon, group: name };
      found.push(point);
      onPoint(point);
    }
  return found;
}

function sum(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + count, 0);
}

/** Nothing of such a plan depends on what one person is, and the form may not know it yet. */
export const ANYONE = "one person";

/** How far off the numbers can be at each ε, and beside it how many values there are, if people are counted. */
export function planNumbers(
  session: DataSession,
  { asked, epsilons }: Omit<PlanRequest, "runs">,
): NumberPlan {
  const questions = epsilons.flatMap((epsilon) =>
    affordable(() => questionOf({ ...asked, epsilon, unit: ANYONE }, session.lists)),
  );
  const points = questions.map((question) => ({
    ...numberPoint(question),
    ...inUnitsOf(session, question, asked.numbers),
    ...limitsOf(session, question),
  }));
  const [question] = questions;
  if (question === undefined) return { points };
  return { points, ...session.contributions(question, asked.numbers) };
}

/** What other limits per person would count, and what they would cost in noise. */
function limitsOf(session: DataSession, question: Question): Pick<NumberPoint, "limits"> {
  if (kindOf(question).shape !== "frequencies" || !session.isCounted || isGrouped(question)) return {};
  const limits = session.pairsByLimit().map(({ limit, counted }) => ({
    ...{ limit, counted },
    error: inventedPeople({ ...question, maxItemsPerUser: limit }),
  }));
  return { limits };
}

/** Between which values of the column each quantile comes out if its rank is off by the most. */
function inUnitsOf(
  session: DataSession,
  question: Question,
  numbers: Asked["numbers"],
): Pick<NumberPoint, "inUnits"> {
  const { quantiles = [] } = question;
  if (kindOf(question).shape !== "values" || !session.isCounted) return {};
  const values = session.values(question, numbers);
  if (values.total === 0) return {};
  const errors = rankErrors(questionOfOne(question));
  const kept = session.contributions(question, numbers).counted ?? 0;
  const inUnits = quantiles.map((quantile, i) => {
    const error = errors[i]!;
    const width = error.ranks.toNumber("up") / Math.max(kept, 1) + error.share.toNumber("up");
    const at = rational(quantile).toNumber();
    return { quantile, low: values.at(at - width), high: values.at(at + width) };
  });
  return { inUnits };
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

function numberPoint(whole: Question): NumberPoint {
  const { epsilon = "" } = whole;
  const question = questionOfOne(whole); // in groups, what one of them gets
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

export function pointOf(
  { mechanism, epsilon, utility }: PlanRow,
  { real, kept }: { readonly real?: number; readonly kept?: number | undefined } = {},
): PlanPoint {
  const { recall, winners, right, released, gapError, countError, charged } = utility;
  return {
    mechanism,
    epsilon,
    recall: recall.mean,
    recallError: recall.standardError,
    length: winners.mean,
    right: right.mean,
    ...(real !== undefined && { real }),
    ...(kept !== undefined && { kept }),
    nothing: 1 - released.mean,
    ...(gapError !== undefined && { gapError: gapError.mean }),
    ...(countError !== undefined && { countError: countError.mean }),
    ...(charged !== undefined && { charged: charged.mean }),
  };
}
