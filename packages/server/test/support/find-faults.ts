/**
 * What a team relies on, checked after any traffic, whatever was killed meanwhile: from every request with its reply, and from
 * the ledger. It adds up the charges itself and trusts no total. That it sees each fault is tested on services that are broken
 * on purpose (find-faults.test.ts).
 * @module
 */
import { isDeepStrictEqual } from "node:util";
import { rational } from "winnow-dp";
import type { Ledger, RecordedRelease } from "winnow-release";
import type { Reply } from "./team.js";

/** A request for a release, and what came back. */
export interface Request {
  /** Of the release that it names: the analyst and the key. */
  readonly id: string;
  readonly reply: Reply;
}

export interface Faults {
  /** Nothing was found if this is empty. */
  readonly faults: readonly string[];
  /** Charges by id that no reply showed: of requests whose connection broke. */
  readonly unseen: readonly string[];
}

/** Budgets are pure ε by data set; `requests` must be all that were ever made about these. */
export async function findFaults(
  ledger: Ledger,
  budgets: Readonly<Record<string, string>>,
  requests: readonly Request[],
): Promise<Faults> {
  const faults = new Set<string>();
  for (const sentence of await chainFaults(ledger)) faults.add(`chain: ${sentence}`);
  const charges = await chargesOf(ledger, budgets);
  for (const [dataset, budget] of Object.entries(budgets)) {
    const own = charges.filter((charge) => charge.dataset === dataset);
    const spent = own.reduce((sum, { loss }) => sum.plus(epsilonOf(loss)), rational(0));
    if (spent.compare(rational(budget)) > 0) faults.add(`overspent: ${dataset}`);
  }
  const asked = new Set(requests.map(({ id }) => id));
  const charged = new Set<string>();
  for (const { id } of charges) {
    if (charged.has(id)) faults.add(`charged twice: ${id}`);
    if (!asked.has(id)) faults.add(`charged unasked: ${id}`);
    charged.add(id);
  }
  const shown = new Map<string, unknown>();
  for (const { id, reply } of requests) {
    if (reply.release === undefined) continue;
    if (!charged.has(id)) faults.add(`answered without a charge: ${id}`);
    else if (!isDeepStrictEqual(await stored(ledger, id), reply.release))
      faults.add(`answered other than charged: ${id}`);
    if (!isDeepStrictEqual(shown.get(id) ?? reply.release, reply.release)) faults.add(`two answers: ${id}`);
    shown.set(id, reply.release);
  }
  return { faults: [...faults], unseen: [...charged].filter((id) => !shown.has(id)) };
}

/** A ledger whose totals exceed a budget can't be read by its own rules, which is what they say. */
async function chainFaults(ledger: Ledger): Promise<string[]> {
  try {
    return (await ledger.verify()).findings.map(({ sentence }) => sentence);
  } catch (error) {
    return [messageOf(error)];
  }
}

/** All releases about these data sets, in the order of the log; none if the log can't be read, which is a fault of the chain. */
async function chargesOf(ledger: Ledger, budgets: Readonly<Record<string, string>>) {
  const charges: RecordedRelease[] = [];
  try {
    for await (const entry of ledger.entries())
      if (entry.kind === "release" && Object.hasOwn(budgets, entry.release.dataset))
        charges.push(entry.release);
  } catch {
    return [];
  }
  return charges;
}

async function stored(ledger: Ledger, id: string): Promise<unknown> {
  try {
    return await ledger.find(id);
  } catch (error) {
    return messageOf(error);
  }
}

function epsilonOf(loss: RecordedRelease["loss"]) {
  if (loss.measure !== "pure") throw new Error(`expected a pure loss; got ${loss.measure}`);
  return rational(loss.epsilon);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
