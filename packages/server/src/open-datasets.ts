/**
 * Checks at start-up, before anyone can ask: every data set has a budget in the ledger, and the stated one if the operator's file
 * states one; every cap is a part of it; the public lists can be read, and the columns are there. The result is what may be
 * asked, in public terms.
 * @module
 */
import { rational } from "winnow-dp";
import {
  accountPeriodKey,
  type BudgetJson,
  canonicalJson,
  type GuardedInputs,
  groupText,
  type Ledger,
  listedDomain,
  mustBe,
  mustBeButIs,
  RankedScores,
  Refusal,
} from "winnow-release";
import type { Askable, Periods } from "./ask.js";
import { budgetJsonOf, type Config, type DatasetConfig } from "./config.js";
import { Histograms } from "./histograms.js";
import type { Host } from "./host.js";

/** A data set that can be asked. */
export interface Dataset extends Askable {
  readonly account: string;
  readonly inputs: GuardedInputs;
  /** Recorded with the first charge, so that the command line recognises the rows under another name. */
  readonly mark: string | undefined;
  readonly histograms: Histograms;
  readonly twin: RankedScores | undefined;
}

export interface OpenOptions {
  readonly host: Host;
  readonly ledger: Ledger;
  /** Ends all counts. */
  readonly signal: AbortSignal;
  /** A count failed on the rows; only the operator may be told. */
  readonly onFailure: (dataset: string, cause: unknown) => void;
  /** A count took longer than a tick; only the operator may be told. */
  readonly onSlow: (dataset: string) => void;
  readonly tick: number;
  readonly now: () => number;
}

export async function openDataset(
  name: string,
  config: DatasetConfig,
  { host, ledger, signal, onFailure, onSlow, tick, now }: OpenOptions,
): Promise<Dataset> {
  const inputs = await host.guardInputs(config, ledger);
  const list = config.domain.kind === "list" ? await host.readList(config) : [];
  const domain = config.domain.kind === "list" ? await listedDomain(list) : config.domain;
  const listed = config.groups && (await host.readGroups(config));
  const lists = { items: list, groups: listed };
  const account = config.account ?? name;
  const periods = await periodsOf(name, account, config, ledger);
  const open = (end: AbortSignal) => host.openRows(config, lists, end);
  const known = await open(signal); // its columns must be there, before anyone asks
  await known.close();
  const twin = config.public === undefined ? undefined : await host.readTwin(config, list);
  const histograms = new Histograms({
    config,
    lists,
    periods,
    open,
    known,
    signal,
    onFailure: (cause) => onFailure(name, cause),
    onSlow: () => onSlow(name),
    tick,
    now,
  });
  return {
    name,
    config,
    domain,
    groups: config.groups &&
      listed && {
        by: config.groups.by,
        list: await listedDomain(listed.map(groupText)),
        maxGroupsPerUser: config.groups.maxGroupsPerUser,
      },
    periods,
    account,
    inputs,
    mark: await host.markOf(config, ledger),
    histograms,
    twin: twin && new RankedScores(twin.counts, twin.bounded),
  };
}

/** A budget with periods needs the column of days, and one without has no use for it. What an account promises never changes. */
async function periodsOf(
  name: string,
  account: string,
  { time }: DatasetConfig,
  ledger: Ledger,
): Promise<Periods | undefined> {
  const { promise } = await ledger.account(account);
  if (promise === undefined && time === undefined) return undefined;
  if (promise === undefined)
    throw new Refusal(
      "usage",
      `datasets.${name}.time must be absent, because the budget has no periods: see \`winnow budget init --period\`.`,
    );
  if (time === undefined)
    throw new Refusal(
      "usage",
      `datasets.${name}.time must name the column of days, because the budget is for ${promise.period}s.`,
    );
  return { promise, time, key: await accountPeriodKey(ledger, account, promise) };
}

/** Every data set has a budget in the ledger, the stated one if there is one, and each cap is within it. */
export async function checkBudgets({ datasets, analysts }: Config, ledger: Ledger): Promise<void> {
  const budgets = new Map<string, BudgetJson>();
  for (const [name, { account = name, budget }] of Object.entries(datasets)) {
    const { budgetJson } = await ledger.account(account);
    if (budgetJson === undefined)
      throw new Refusal(
        "usage",
        `datasets.${name} must have a budget in the ledger: run \`winnow budget init ${account}\` first.`,
      );
    budgets.set(name, budgetJson);
    if (budget !== undefined && !isSameBudget(budgetJsonOf(budget, `datasets.${name}.budget`), budgetJson))
      throw new Refusal(
        "usage",
        `datasets.${name}.budget must be the budget in the ledger; the ledger has another.`,
      );
  }
  for (const [analyst, { caps }] of Object.entries(analysts))
    for (const [name, limit] of Object.entries(caps)) {
      const path = `analysts.${analyst}.caps.${name}`;
      const refusal = capRefusal(path, budgetJsonOf(limit, path), budgets.get(name)!);
      if (refusal !== undefined) throw new Refusal("usage", refusal);
    }
}

function isSameBudget(a: BudgetJson, b: BudgetJson): boolean {
  return canonicalJson(a) === canonicalJson(b);
}

/** A cap is a part of the budget, in its measure. */
function capRefusal(path: string, cap: BudgetJson, budget: BudgetJson): string | undefined {
  if (cap.measure !== budget.measure)
    return mustBeButIs(
      path,
      `in the measure of the data set's budget, which is ${budget.measure}`,
      cap.measure,
    );
  const [parts, whole]: Readonly<Record<string, string>>[] = [cap, budget];
  if (parts.order !== whole.order)
    return mustBe(path, `at the order of the data set's budget, ${whole.order}`);
  for (const part of ["epsilon", "rho", "eta", "delta"]) {
    const [some, all] = [parts[part], whole[part]];
    if (some !== undefined && rational(some).compare(all ?? 0n) > 0)
      return mustBe(path, `at most the data set's budget, which has ${part} = ${all ?? 0}`);
  }
  return undefined;
}
