/**
 * Remarks to the curator around a release: how informative it will be, the unit of privacy, why there is a δ, and the
 * remaining budget.
 *
 * How informative it will be follows from public values alone: its parameters, and a public twin of the rows if there is
 * one. A release that most likely names nothing costs as much as any other, so Winnow warns the curator before anything is
 * charged, with a command that would do better.
 *
 * After a release is charged, it can still fail to reach its reader. Then the run says how to print it again at no
 * cost. A failure to clean up isn't a failure of the release.
 * @module
 */

import { type Loss, rational } from "winnow-dp";
import {
  type Account,
  type BudgetLeft,
  type Choice,
  choiceInWords,
  deltaInWords,
  groupBudgetsInWords,
  inventedInWords,
  isGrouped,
  isPaidByRound,
  kindOf,
  type Ledger,
  lossOf,
  mechanismFor,
  moreReleases,
  neededUsers,
  needsLimit,
  noiseInWords,
  percent,
  type Question,
  questionOfOne,
  Refusal,
  rankErrorsInWords,
  readableLoss,
  type Speaker,
  selectionQuestion,
  subQuestion,
  type Utility,
} from "winnow-release";
import { optionName } from "../command-options.js";
import { spentInWords } from "../ledger/ledger-tables.js";
import { tell } from "../render/terminal.js";
import type { ReleaseOptions } from "./release-options.js";
import type { Roles } from "./roles.js";

/** Tells the curator what the release needs to name anything, or how it does on the twin. */
export async function tellExpectation(asked: Question, twin: Utility | undefined): Promise<void> {
  const question = questionOfOne(asked); // of groups, what one of them needs
  const { shape } = kindOf(question);
  if (shape === "values") tell(`The accuracy is known beforehand: ${rankErrorsInWords(question)}.`);
  else if (shape === "frequencies") tell(`Before you release: ${inventedInWords(question)}.`);
  else if (twin !== undefined) {
    if (twin.recall.mean < 0.5 && !needsLimit(kindOf(question))) tell(poorSentence(question, twin));
  } else {
    const need = await needSentence(question);
    if (need !== undefined) tell(need);
  }
  const { before, caveat } = mechanismFor(question).words;
  for (const said of [caveat, before?.(question, AS_FLAGS)]) if (said !== undefined) tell(said);
}

export const AS_FLAGS: Speaker = { option: (name, value) => `${optionName(name)} ${value}` };

/** Tells the curator why a limit on the items of a person is not used. */
export function tellIdleBound(question: Question, { maxItemsPerUser }: ReleaseOptions): void {
  if (maxItemsPerUser === undefined || question.maxItemsPerUser !== undefined) return;
  tell(
    `Each person counts for all their items: --max-items-per-user ${maxItemsPerUser} names more only from -k ${4 * maxItemsPerUser + 1} on.`,
  );
}

/** Tells the curator how groups share the loss. */
export function tellGroups(question: Question): void {
  const split = groupSplitInWords(question);
  if (split !== undefined) tell(split);
}

/** "ε = 0.5 for each group", and before it what selects the groups; undefined for a question about all rows. */
export function groupSplitInWords(question: Question): string | undefined {
  if (!isGrouped(question)) return undefined;
  const selection = selectionQuestion(question);
  const each = `${readableLoss(lossOf(subQuestion(question)))} ${question.groups.budgets === undefined ? "for each group" : "for each group without a part of its own"}`;
  const own = groupBudgetsInWords(question);
  const answers = own === undefined ? each : `${each} (${own})`;
  return selection === undefined
    ? `Groups share the loss: ${answers}.`
    : `Groups share the loss: ${readableLoss(lossOf(selection))} to select them, and ${answers}.`;
}

/** Tells the curator which noise a δ over a public list buys. */
export function tellNoise(question: Question, { delta, resolution, defaults }: ReleaseOptions): void {
  const offered = { delta: defaults?.includes("delta") ? undefined : delta, resolution };
  const choice = question.groups === undefined ? noiseInWords(question, offered, AS_FLAGS) : undefined;
  if (choice !== undefined) tell(choice);
}

/** Tells the curator which mechanism is taken and what others would give, where public counts were compared; in a dry run always. */
export function tellChoice(choice: Choice | undefined, isAlways = false): void {
  if (choice === undefined || (choice.origin === undefined && !isAlways)) return;
  const line = choiceInWords(choice, AS_FLAGS);
  if (line !== undefined) tell(line);
}

async function needSentence(question: Question): Promise<string | undefined> {
  const plan = `\`winnow plan --delta ${question.delta}\` shows what a larger ε buys`;
  const need = await neededUsers(question);
  if (need === undefined) return undefined;
  const users = need.users.toLocaleString("en");
  switch (need.over) {
    case "outsiders":
      return `To be named, an item needs about ${users} more users than the best item outside the first ${need.candidates.toLocaleString("en")}; ${plan}.`;
    case "none":
      return `An item needs about ${users} users to be named in half of the runs, where each person counts for at most ${need.maxItemsPerUser} items; ${plan}.`;
    default: {
      const place = kindOf(question).k === "asked" ? ` at place ${question.k}` : "";
      return `This release names items only if one leads the next by about ${users} users or more${place}; otherwise it names nothing. With a public list (--domain) you always get an answer, and ${plan}.`;
    }
  }
}

function poorSentence({ k, domain }: Question, { recall, released }: Utility): string {
  const what =
    released.mean < 0.5
      ? `names nothing in ${percent(1 - released.mean)} of runs on the public rows`
      : `names ${percent(recall.mean)} of the true winners on the public rows`;
  const better = domain.kind === "unknown" ? " With a public list (--domain) you always get an answer." : "";
  return `This release most likely ${what}: \`winnow plan -k ${k} --public FILE --recall 0.9\` finds an ε that does better.${better}`;
}

/** Names the columns that were guessed, on every run: another header may change the guess. */
export function tellGuess(roles: Roles, { item, items, column, user }: ReleaseOptions, option: string): void {
  const guessed = [
    ...((item ?? items ?? column) === undefined ? [`${option} ${JSON.stringify(roles.item)}`] : []),
    ...(user === undefined ? [`--user ${JSON.stringify(roles.user)}`] : []),
  ];
  if (guessed.length > 0) tell(`Guessed from the header: ${guessed.join(" and ")}.`);
}

/** Before a row is read. */
export async function tellBefore(
  ledger: Ledger,
  dataset: string,
  question: Question,
  reserved: Loss,
): Promise<void> {
  const { releases } = await ledger.account(dataset);
  if (releases === 0)
    tell(`First release about ${JSON.stringify(dataset)}. The unit of privacy is ${question.unit}.`);
  if (question.domain.kind === "unknown" && question.delta !== undefined) tell(whyDelta(question.delta));
  if (isPaidByRound(question))
    tell(
      `At most ${readableLoss(reserved)} is counted; with a budget, only the names that are released count.`,
    );
}

function whyDelta(delta: string): string {
  return `Without a public list of candidates (--domain), the items themselves are private: Winnow names an item only if enough people have it, and δ is how often that may fail: ${deltaInWords(rational(delta))}.`;
}

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
  const account = await ledger.account(dataset);
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

/** The remaining budget for a statement. */
export async function budgetLeft(ledger: Ledger, dataset: string, asked: Priced): Promise<BudgetLeft> {
  const account = await ledger.account(dataset);
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
