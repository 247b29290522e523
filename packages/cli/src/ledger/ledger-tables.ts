/**
 * The ledger as tables and as JSON: the account of each data set (its budget, what is spent, the remaining budget and
 * how many releases that allows), and the log. Names and ids come from outside and are neutralised here.
 * @module
 */
import { type Loss, lossFromJson, lossToJson } from "winnow-dp";
import {
  type Account,
  datasetOf,
  forJson,
  forTerminal,
  hasDataset,
  type KeyEntry,
  type LedgerEntry,
  moreReleases,
  periodsOf,
  promiseSentence,
  readableLoss,
  readBudget,
} from "winnow-release";
import { type Column, tableOrList } from "../render/table.js";
import type { Style } from "../render/terminal.js";

/** A table with a row for each account. */
export function accountTable(accounts: readonly Account[], style: Style): string {
  return tableOrList(
    accounts.map((account) => ({
      dataset: forTerminal(account.dataset),
      budget: account.budget === undefined ? "none" : inWords(account, account.budget, "down"),
      spent: spentInWords(account),
      left: account.remaining === undefined ? "—" : inWords(account, account.remaining, "down"),
      releases: String(account.releases),
      more: moreInWords(account),
    })),
    [
      { name: "dataset", title: "data set" },
      { name: "budget", title: "budget" },
      { name: "spent", title: "spent" },
      { name: "left", title: "left" },
      { name: "releases", title: "releases", alignment: "right" },
      { name: "more", title: "note" },
    ],
    style,
  );
}

/**
 * The spent loss: in the measure of the budget, or what was charged in each measure; and in total as one (ε, δ), unless
 * it already is a single ε.
 */
export function spentInWords(account: Account): string {
  const own =
    account.budget === undefined
      ? account.parts.map((part) => readableLoss(part)).join(" and ") || readableLoss(account.spent)
      : inWords(account, account.spent, "up");
  const { epsilon, delta } = account.atDelta;
  const together = readableLoss({ measure: "approx", epsilon, delta });
  const isPlain = account.releases === 0 || account.parts.every(({ measure }) => measure === "pure");
  const isSaid = own === together || (isPlain && own === readableLoss({ measure: "pure", epsilon }));
  return isSaid ? own : `${own}; ${account.isPaidByRound ? "promised in total" : "in total"} ${together}`;
}

/** What a reader of the table should know about each account, a line each. */
export function accountNotes(accounts: readonly Account[]): string[] {
  return accounts.flatMap((account) =>
    notesOn(account).map((note) => `  ${forTerminal(account.dataset)}: ${note}`),
  );
}

/** A mark for each period of the horizon: its price as a share of the most expensive one. */
const BARS = ["·", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"] as const;

/** The horizon at a glance, and what the account promises. */
function periodNotes(account: Account): string[] {
  const { promise, periods, budget } = account;
  if (promise === undefined || budget === undefined) return [];
  const all = periodsOf(promise);
  const sizes = all
    .map(({ name }) => periods.get(name))
    .map((loss) => (loss === undefined ? 0 : sizeOf(loss)));
  const most = Math.max(...sizes);
  const bar = sizes
    .map((size) => (size === 0 ? BARS[0] : BARS[Math.max(1, Math.ceil((8 * size) / most))]))
    .join("");
  const used = sizes.filter((size) => size > 0).length;
  const counted =
    promise.maxPeriodsPerUser === undefined
      ? []
      : [
          `Each person is counted in ${promise.maxPeriodsPerUser} of the ${promise.horizon} ${promise.period}s.`,
        ];
  return [
    `${all[0]!.name} ${bar} ${all.at(-1)!.name}: ${used} of ${promise.horizon} ${promise.period}s have releases; spent ${inWords(account, account.spent, "up")}, left ${inWords(account, account.remaining!, "down")}.`,
    promiseSentence(promise, inWords(account, budget, "down")),
    ...counted,
  ];
}

/** For a picture. */
function sizeOf(loss: Loss): number {
  const size = loss.measure === "zcdp" ? loss.rho : loss.measure === "pure" ? loss.epsilon : 0;
  return typeof size === "number" ? size : size.toNumber();
}

function notesOn(account: Account): string[] {
  const { units, reservations, isPaidByRound, budget, parts } = account;
  const named = units.map((unit) => JSON.stringify(forTerminal(unit))).join(", ");
  const notes: (string | false)[] = [
    units.length > 1 &&
      `the releases name several units of privacy (${named}); the total holds only if they mean the same.`,
    reservations > 0 &&
      `${reservations === 1 ? "1 reservation is open and counts" : `${reservations} reservations are open and count`} in full: no release was recorded for it.`,
    isPaidByRound &&
      "only what the answers used counts towards the budget, so what the releases promise in total may be above it. Another budget (--replace) counts all of what they promise.",
    budget?.measure === "approx" &&
      parts.some(({ measure }) => measure === "zcdp") &&
      "the first ρ in an (ε, δ) budget takes most: it fixes how everything after it is counted, and the next ones take little.",
  ];
  return [...periodNotes(account), ...notes.filter((note) => note !== false)];
}

/** The documented format of `budget show --json`. */
export function accountJson(account: Account) {
  const { dataset, budgetJson, releases, last, totals, units } = account;
  return {
    dataset,
    budget: budgetJson ?? null,
    spent: account.budget === undefined ? null : lossJson(account, account.spent, "up"),
    left: account.remaining === undefined ? null : lossJson(account, account.remaining, "down"),
    totals: totals.map(lossToJson),
    parts: account.parts.map(lossToJson),
    atDelta: lossToJson(account.atDelta),
    units,
    releases,
    ...(account.promise !== undefined && {
      promise: account.promise,
      periods: Object.fromEntries([...account.periods].map(([name, loss]) => [name, lossToJson(loss)])),
    }),
    moreLikeTheLast: last === undefined ? null : finite(account.admitsTimes(last)),
  };
}

function moreInWords(account: Account): string {
  if (account.last === undefined) return "";
  const times = account.admitsTimes(account.last);
  return times === undefined ? "" : moreReleases(times, "the last");
}

type Direction = "up" | "down";

function inWords({ orders }: Account, loss: Loss, rounding: Direction): string {
  return readableLoss(loss, rounding, orders);
}

/** A Rényi loss is a curve; this is its value at the order of the budget. */
function lossJson({ orders: [order] }: Account, loss: Loss, rounding: Direction) {
  if (loss.measure !== "renyi") return lossToJson(loss);
  const failure = loss.delta === undefined ? {} : { delta: String(loss.delta) };
  const epsilon = String(loss.curve.at(order, rounding));
  return { measure: "renyi", order: String(order), epsilon, ...failure };
}

function finite(times: number | undefined): number | null {
  return times === undefined || times === Infinity ? null : times;
}

/** Holds the cells of all lines, because their widths depend on them, but no answers. */
export async function logTable(entries: AsyncIterable<LedgerEntry>, style: Style): Promise<string> {
  const rows: Record<string, string>[] = [];
  for await (const entry of entries) rows.push(logRow(entry));
  return rows.length === 0 ? "The log is empty." : tableOrList(rows, LOG_COLUMNS, style);
}

/** The documented format of `budget log --json`, entry by entry. */
export async function* logJson(entries: AsyncIterable<LedgerEntry>): AsyncGenerator<string, void> {
  const [start, end] = forJson({ schema: "winnow-ledger-log/1", entries: [0] }).split(/\s*0\s*/);
  let isFirst = true;
  for await (const entry of entries) {
    yield `${isFirst ? start : ","}\n${forJson(entry).replace(/^/gm, "    ")}`;
    isFirst = false;
  }
  yield isFirst ? `${start}${end}\n` : `\n  ${end}\n`;
}

const LOG_COLUMNS: readonly Column[] = [
  { name: "sequence", title: "#", alignment: "right" },
  { name: "time", title: "time" },
  { name: "dataset", title: "data set" },
  { name: "what", title: "what" },
  { name: "loss", title: "loss or limit" },
  { name: "version", title: "version" },
  { name: "id", title: "release id" },
];

function logRow(entry: LedgerEntry): Record<string, string> {
  const { time, software } = entry.kind === "release" ? entry.release : entry;
  return {
    sequence: String(entry.sequence),
    time: forTerminal(time),
    dataset: hasDataset(entry) ? forTerminal(datasetOf(entry)) : "",
    what: entry.kind,
    loss: lossOrLimit(entry),
    version: forTerminal(software.version),
    id: idOf(entry),
  };
}

/** Public keys, by name and id. */
function keysInWords({ adds, revokes }: Pick<KeyEntry, "adds" | "revokes">): string {
  const short = (key: string) => key.split("+").slice(0, 2).join("+");
  const parts = [adds && `adds ${short(adds)}`, revokes && `revokes ${short(revokes)}`];
  return parts.filter((part) => part !== undefined).join(", ");
}

function idOf(entry: LedgerEntry): string {
  if (entry.kind === "budget" || entry.kind === "key") return "";
  return forTerminal(entry.kind === "release" ? entry.release.id : entry.id);
}

function lossOrLimit(entry: LedgerEntry): string {
  if (entry.kind === "key") return forTerminal(keysInWords(entry));
  if (entry.kind === "reservation") return readableLoss(lossFromJson(entry.loss));
  if (entry.kind === "release") {
    const { loss, charge } = entry.release;
    const promised = readableLoss(lossFromJson(loss));
    const counted = charge && readableLoss(lossFromJson(charge.settled));
    return counted === undefined || counted === promised ? promised : `${promised}, counted as ${counted}`;
  }
  const { loss, orders } = readBudget(entry.budget);
  return readableLoss(loss, "down", orders);
}
