/**
 * What other settings would do with the same question at the same ε: fewer names, a limit on the items of a person, a public list.
 * Which ways there are says the chooser, from the question alone. Each is tried by running its mechanism on the private counts, so all
 * of it is for the curator's eyes only.
 *
 * A public list that isn't there can't be tried. One of exactly the items in the rows is the best that any could be, so a list is
 * worth proposing only if that one does better.
 * @module
 */
import { kindOf, type PlanRow, plan, type QuestionInput, sizeOf, waysToAnswer } from "winnow-release";
import { ANYONE, pointOf } from "./answering.js";
import type { Alternative, Asked } from "./api.js";
import { domainOf } from "./asked-question.js";
import type { DataSession } from "./data-session.js";
import type { Task } from "./task.js";

const RUNS = 100;
/** Round numbers of winners; the two next smaller ones are tried. */
const ROUND = [100, 50, 20, 10, 5, 3, 2, 1];
const LIMITS = [1, 3, 10];

export async function alternatives(
  session: DataSession,
  asked: Asked,
  task: Task,
): Promise<readonly Alternative[]> {
  const { mechanism, k = 0, domain, epsilon = "1", rho: _, epsilon: __, ...rest } = asked;
  const { isComplete, shape } = kindOf(asked);
  if (!isComplete || shape !== "winners" || mechanism === undefined || asked.groups !== undefined) return [];
  const base = {
    ...rest,
    groups: undefined,
    domain: domainOf(asked, session.lists.candidates),
    unit: asked.unit || ANYONE,
  };
  const { users: all } = session.counts(domain);
  const users = domain === "listed" ? all.filter((count) => count > 0) : all;
  const best = async (input: QuestionInput, most?: number, mechanisms?: readonly string[]) => {
    const bounded = most === undefined ? undefined : session.boundedUsers(domain, most);
    const rows = await plan(input, users, {
      ...{ epsilons: [epsilon], runs: RUNS, bounded, signal: task.signal },
      ...(mechanisms && { mechanisms }),
    }).catch(cannotAnswer(task));
    return bestOf(most === undefined ? rows : rows.filter(isLimited));
  };
  const found: Alternative[] = [];
  const add = (change: Alternative["change"], row: PlanRow | undefined) => {
    if (row !== undefined) found.push({ change, point: pointOf(row) });
  };
  // Not more than there are candidates with people.
  const most = domain === "listed" && users.length > 0 ? Math.min(k, users.length) : k;
  const rounds = ROUND.filter((round) => round < most).slice(0, 2);
  for (const fewer of most < k ? [most, ...rounds] : rounds)
    add({ k: fewer }, await best({ ...base, k: fewer, mechanism: undefined }, undefined, [mechanism]));
  if (domain === "unknown" && asked.maxItemsPerUser === undefined) {
    const ways = waysToAnswer({ ...base, k, epsilon }, { limits: LIMITS });
    for (const most of LIMITS) {
      const limited = ways.filter(({ question }) => question.maxItemsPerUser === most);
      const mechanisms = limited.map(({ question }) => question.mechanism);
      const row = await best({ ...base, k, maxItemsPerUser: most }, most, mechanisms);
      if (row !== undefined) add({ maxItemsPerUser: most, mechanism: row.mechanism }, row);
    }
  }
  if (domain === "unknown") {
    const below = Math.max(users.length, k + 1);
    const listed = { ...base, k, delta: undefined, maxItemsPerUser: undefined };
    const domainOfAll = { kind: "integers", below } as const;
    if (sizeOf(domainOfAll) === below)
      add({ domain: "listed" }, await best({ ...listed, domain: domainOfAll }));
  }
  return found;
}

/** Settings that no mechanism can answer are left out; a task that was cancelled still throws. */
function cannotAnswer(task: Task): () => PlanRow[] {
  return () => {
    task.signal.throwIfAborted();
    return [];
  };
}

function isLimited({ question }: PlanRow): boolean {
  return question.maxItemsPerUser !== undefined;
}

function bestOf(rows: readonly PlanRow[]): PlanRow | undefined {
  return [...rows].sort((a, b) => b.utility.right.mean - a.utility.right.mean)[0];
}
