/**
 * The ledger as the page shows it. A ledger that is gone or broken is a state of its own, so the page can say so
 * before anyone tries to release. The spent share of a budget is for a picture and decides nothing: admission is exact
 * and happens elsewhere.
 * @module
 */
import { approx, type Loss, lossToJson, pure, zcdp } from "winnow-dp";
import {
  type Account,
  type ChainRow,
  concernAboutBudget,
  groupColumns,
  kindOf,
  Refusal,
  readableLoss,
  readLedgerFile,
  visible,
} from "winnow-release";
import type { BrowserLedger } from "../ledger/browser-ledger.js";
import type { BudgetRequest, KnownDataset, LedgerApi, LedgerEntry, LedgerStatus } from "./api.js";
import type { DataSession } from "./data-session.js";
import { published } from "./published.js";
import { asRefusal } from "./studio-refusal.js";

/** `ledger` is the one of the file that is open, `kept` the one of this browser; `session` has the file. */
export function ledgerView(
  ledger: () => BrowserLedger,
  kept: () => BrowserLedger,
  session: Pick<DataSession, "mark">,
): LedgerApi {
  const kinOf = async (dataset: string) =>
    ledger().kin(nameOf(dataset), await session.mark(await ledger().markKey()));
  return {
    status: (dataset) => orUnknown(async () => statusOf(await ledger().account(dataset))),
    concern: async (budget) => concernAboutBudget(lossToJson(limitOf(budget))),
    init: async (dataset, budget) => {
      const limit = lossToJson(limitOf(budget));
      const concern = concernAboutBudget(limit);
      if (concern !== undefined && !budget.agreed) throw new Refusal("unconfirmed", concern);
      const kin = budget.isNewDataset ? undefined : await kinOf(dataset);
      if (kin !== undefined)
        throw new Refusal(
          "which-dataset",
          kin.why === "rows"
            ? `These rows were charged to ${JSON.stringify(kin.name)} before.`
            : `${JSON.stringify(kin.name)} has a budget and nearly this name.`,
        );
      return statusOf(await ledger().setBudget(nameOf(dataset), limit));
    },
    log: async (dataset) => (await ledger().releases(dataset)).map(entryOf),
    show: async (dataset, wanted) => {
      const release = (await ledger().releases(dataset)).find(({ id }) => id === wanted);
      if (release === undefined) throw new Refusal("unexpected", "The ledger has no such release.");
      return published(release);
    },
    datasets: async () => (ledger() === kept() ? ledger().datasets() : []),
    lost: () => kept().lost(),
    overview: async () => (await kept().accounts()).flatMap(knownOf),
    kin: kinOf,
    join: async (file) => kept().join(await rowsOf(file)),
    last: async () => {
      const release = await kept().last();
      return release && published(release);
    },
    save: (dataset) => kept().exported(dataset),
    restore: async (file) => kept().takeOver(await rowsOf(file)),
  };
}

const LARGEST_LEDGER = 200_000_000; // bytes

async function rowsOf(file: File): Promise<readonly ChainRow[]> {
  if (file.size > LARGEST_LEDGER) throw new Refusal("ledger-file", "The file is too large for a ledger.");
  try {
    return await readLedgerFile((await file.text()).split("\n"));
  } catch (error) {
    if (error instanceof Refusal) throw new Refusal("ledger-file", error.message);
    throw error;
  }
}

const UNKNOWN_CODES: readonly string[] = ["ledger-unknown", "ledger-unavailable", "no-locks"];

async function orUnknown(read: () => Promise<LedgerStatus>): Promise<LedgerStatus> {
  try {
    return await read();
  } catch (error) {
    const { code, message } = asRefusal(error);
    if (UNKNOWN_CODES.includes(code)) return { state: "unknown", why: message };
    throw error;
  }
}

function statusOf({ budget, spent, remaining, releases, reservations }: Account): LedgerStatus {
  if (budget === undefined || remaining === undefined) return { state: "absent" };
  return {
    state: "ready",
    budget: readableLoss(budget, "down"),
    spent: readableLoss(spent),
    remaining: readableLoss(remaining, "down"),
    share: shareSpent(spent, budget),
    releases,
    isUnspent: releases === 0 && reservations === 0,
  };
}

function knownOf(account: Account): KnownDataset[] {
  const status = statusOf(account);
  if (status.state !== "ready") return [];
  const { budget, spent, remaining, releases } = status;
  return [{ name: account.dataset, budget, spent, remaining, releases }];
}

function entryOf(release: Awaited<ReturnType<BrowserLedger["releases"]>>[number]): LedgerEntry {
  const { id, time, loss, charge, question, source, ledger } = release;
  const groups = question.groups === undefined ? "" : ` by ${groupColumns(question.groups)}`;
  const where = question.where === undefined ? "" : ` where ${visible(question.where)}`;
  const asked = `${kindOf(question).asked(question.k)}${groups}${where}`;
  return {
    sequence: ledger!.sequence,
    time,
    loss: (charge?.settled ?? loss).readable,
    question: `${asked} (${visible(source.item)}), ${question.mechanism}`,
    head: ledger!.head,
    id,
  };
}

function limitOf({ epsilon, delta, rho }: BudgetRequest) {
  if ((epsilon === undefined) === (rho === undefined))
    throw new Refusal("invalid-question", "A budget is in exactly one of ε and ρ.");
  if (rho !== undefined) return zcdp(rho, delta ?? 0n);
  return delta === undefined ? pure(epsilon!) : approx(epsilon!, delta);
}

function nameOf(dataset: string): string {
  const name = dataset.trim();
  if (name === "") throw new Refusal("invalid-question", "The data set needs a name.");
  return name;
}

/** From 0 to 1: the largest share in any of the budget's numbers. Both are of the same measure. */
export function shareSpent(spent: Loss, limit: Loss): number {
  const shares = sizesOf(spent).map((size, index) => share(size, sizesOf(limit)[index] ?? 0));
  return Math.min(Math.max(...shares), 1);
}

function share(part: number, whole: number): number {
  return part === 0 ? 0 : part / whole;
}

function sizesOf(loss: Loss): number[] {
  switch (loss.measure) {
    case "pure":
      return [toNumber(loss.epsilon)];
    case "base2":
      return [toNumber(loss.eta)];
    case "approx":
      return [toNumber(loss.epsilon), loss.delta.toNumber()];
    case "zcdp":
      return [toNumber(loss.rho), loss.delta?.toNumber() ?? 0];
    default:
      return [loss.curve.at(2n).toNumber(), loss.delta?.toNumber() ?? 0];
  }
}

function toNumber(size: { toNumber(): number } | number): number {
  return typeof size === "number" ? size : size.toNumber();
}
