/**
 * What ε would buy on these counts: the mechanisms themselves, run many times. The result is a function of private counts
 * and is for the curator's eyes only.
 * @module
 */
import { type PlanRow, plan } from "winnow-release";
import type { PlanPoint, PlanRequest } from "./api.js";
import type { DataSession } from "./data-session.js";
import { domainOf } from "./question-of.js";
import type { Task } from "./task.js";

export async function planPoints(
  session: DataSession,
  { asked, epsilons, runs }: PlanRequest,
  task: Task,
  onPoint: (point: PlanPoint) => void,
): Promise<readonly PlanPoint[]> {
  const { users } = session.histogram(asked.domain);
  // Without a mechanism named, so that all that can answer are compared; the price is what the plan varies.
  const { mechanism: _, rho: __, epsilon: ___, ...question } = asked;
  const input = { ...question, domain: domainOf(asked, session.candidates) };
  const rows = await plan(input, users, {
    epsilons,
    runs,
    signal: task.signal,
    onRow: (row) => onPoint(pointOf(row)),
  });
  return rows.map(pointOf);
}

function pointOf({ mechanism, epsilon, utility: { recall, gapError } }: PlanRow): PlanPoint {
  return {
    mechanism,
    epsilon,
    recall: recall.mean,
    recallError: recall.standardError,
    ...(gapError !== undefined && { gapError: gapError.mean, gapErrorError: gapError.standardError }),
  };
}
