/**
 * The budget of the open data set, the spent part of it, and what the question would take of the rest. The worker keeps the
 * ledger itself in this browser; this is only its last status.
 *
 * The price follows every keystroke a moment later. Until then the page knows that it belongs to another question, and asks
 * no one to agree to it.
 * @module
 */
import { batch, computed, effect, signal } from "@preact/signals";
import { forTerminal } from "winnow-release";
import { JOIN_THEM } from "../../ledger/browser-ledger.js";
import type {
  Asked,
  BudgetRequest,
  Cost,
  Kin,
  KnownDataset,
  LedgerEntry,
  LedgerStatus,
  LostLedger,
} from "../../worker/api.js";
import { type Problem, problemOf } from "../../worker/studio-refusal.js";
import { counted } from "../parts/in-words.js";
import { studio } from "./connect-studio.js";
import { dataset } from "./data-state.js";
import { latest } from "./latest.js";
import { asked, missing } from "./question-state.js";

const REST = 120;

export const status = signal<LedgerStatus>();
export const entries = signal<readonly LedgerEntry[]>([]);
export const knownDatasets = signal<readonly string[]>([]);
export const budgetProblem = signal<Problem>();
/** All data sets with a budget in this browser. */
export const overview = signal<readonly KnownDataset[]>([]);
/** A data set that may be about the same people as the open one, which is new. */
export const kin = signal<Kin>();
/** A ledger that went its own way, which someone may join. */
export const forked = signal<File>();
/** Parts of the ledger that are gone or broken. */
export const lost = signal<readonly LostLedger[]>([]);

/** One look at the ledger: a problem, or the status with its log. */
interface Look {
  readonly status?: LedgerStatus;
  readonly entries: readonly LedgerEntry[];
  readonly kin?: Kin | undefined;
  readonly problem?: Problem;
}

let looks = 0;
let shown = 0;

/** Asks the ledger again, because another tab may have charged it. An older look never overwrites a newer one. */
export async function refreshBudget(): Promise<void> {
  const name = dataset.peek().trim();
  if (name === "") return listDatasets();
  looks += 1;
  const mine = looks;
  const found = await look(name);
  await listDatasets();
  if (mine < shown || name !== dataset.peek().trim()) return;
  shown = mine;
  batch(() => {
    status.value = found.status;
    entries.value = found.entries;
    kin.value = found.kin;
    budgetProblem.value = found.problem;
  });
}

async function look(name: string): Promise<Look> {
  try {
    const now = await studio.ledger.status(name);
    const related = now.state === "absent" ? await studio.ledger.kin(name) : undefined;
    return {
      status: now,
      entries: now.state === "ready" ? await studio.ledger.log(name) : [],
      kin: related,
    };
  } catch (error) {
    return { entries: [], problem: problemOf(error) };
  }
}

async function listDatasets(): Promise<void> {
  try {
    const [names, gone, all] = await Promise.all([
      studio.ledger.datasets(),
      studio.ledger.lost(),
      studio.ledger.overview(),
    ]);
    batch(() => {
      knownDatasets.value = names;
      lost.value = gone;
      overview.value = all;
    });
  } catch {
    knownDatasets.value = []; // the status of the data set itself says why
  }
}

/** Takes over a ledger that was saved; resolves to what to say about it. */
export async function restoreLedger(file: File): Promise<string> {
  forked.value = undefined;
  try {
    const datasets = await studio.ledger.restore(file);
    await listDatasets();
    await refreshBudget();
    return `Restored the ledger of ${datasets.map((name) => forTerminal(name)).join(", ")}.`;
  } catch (error) {
    const { sentence, next } = problemOf(error);
    if (sentence.endsWith(JOIN_THEM)) {
      forked.value = file;
      return sentence;
    }
    return `${sentence} ${next}`;
  }
}

/** Adds the charges of a ledger that went its own way; resolves to what to say about it. */
export async function joinLedger(file: File): Promise<string> {
  forked.value = undefined;
  try {
    const added = await studio.ledger.join(file);
    await listDatasets();
    await refreshBudget();
    return `Joined: ${counted(added, "release", "releases")} of the file now count here too. Keep the file: their places in its chain are proven by it.`;
  } catch (error) {
    const { sentence, next } = problemOf(error);
    return `${sentence} ${next}`;
  }
}

/** Why someone must agree to such a budget first, if someone must; what is wrong with it is told when it is set. */
export async function concernAboutBudget(request: BudgetRequest): Promise<string | undefined> {
  return studio.ledger.concern(request).catch(() => undefined);
}

export async function setBudget(request: BudgetRequest): Promise<void> {
  const name = dataset.peek().trim();
  try {
    await studio.ledger.init(name, request);
    await refreshBudget();
  } catch (error) {
    if (name === dataset.peek().trim()) budgetProblem.value = problemOf(error);
  }
}

const looking = latest<undefined>(REST, refreshBudget);

/** From now on the status follows the data set, and charges of other tabs. */
export function followBudget(): void {
  void listDatasets();
  addEventListener("focus", () => void refreshBudget());
  addEventListener("storage", () => void refreshBudget()); // another tab has moved the head of the ledger
  effect(() => {
    const name = dataset.value.trim();
    batch(() => {
      status.value = undefined;
      entries.value = [];
      kin.value = undefined;
      budgetProblem.value = undefined;
    });
    if (name === "") looking.drop();
    else looking.ask(undefined);
  });
}

export const cost = signal<Cost>();
export const costProblem = signal<Problem>();

interface ToPrice {
  readonly name: string;
  readonly question: Asked;
}

/** What the price depends on. */
function keyOf({ name, question: { unit: _, ...question } }: ToPrice): string {
  return JSON.stringify([name, question]);
}

const toPrice = computed<ToPrice>(() => ({ name: dataset.value.trim(), question: asked.value }));
const priced = signal("");

/** Whether the cost is that of the question as it stands, and not of the one before the last keystroke. */
export const costIsCurrent = computed(() => priced.value === keyOf(toPrice.value));

const pricing = latest<ToPrice>(REST, async (request, { current }) => {
  const answer = await price(request);
  if (!current()) return;
  batch(() => {
    priced.value = keyOf(request);
    cost.value = answer.cost;
    costProblem.value = answer.problem;
  });
});

async function price({ name, question }: ToPrice): Promise<{ cost?: Cost; problem?: Problem }> {
  try {
    return { cost: await studio.cost(name, question) };
  } catch (error) {
    return { problem: problemOf(error) };
  }
}

function forgetPrice(): void {
  pricing.drop();
  batch(() => {
    priced.value = "";
    cost.value = undefined;
    costProblem.value = undefined;
  });
}

/** From now on the price follows the data set, the question, and what is spent. */
export function followPrice(): void {
  effect(() => {
    const isReady = dataset.value.trim() !== "" && missing.value === undefined && status.value !== undefined;
    if (isReady) pricing.ask(toPrice.value);
    else forgetPrice();
  });
}
