/**
 * What an analyst asks and has: the key, the data sets, one question with its price, and their own releases. The price follows the question, and
 * comes before it can be asked. A question keeps its idempotency key until it is changed or answered, so asking again after a broken
 * connection costs nothing more.
 * @module
 */
import { batch, computed, effect, signal } from "@preact/signals";
import {
  type ConsistencyProof,
  INCLUSION_SCHEMA,
  type InclusionProof,
  kindOf,
  type PublishedRelease,
  type Release,
  readInclusionProof,
  verifyConsistency,
  verifyInclusion,
} from "winnow-release";
import { announce } from "../app/parts/card.js";
import { takes, takesK } from "../app/state/kinds.js";
import type { Problem } from "../worker/studio-refusal.js";
import {
  type BudgetView,
  type CostView,
  type DatasetView,
  type PlanView,
  problemOf,
  Service,
} from "./service.js";

export type OwnRelease = Release & PublishedRelease;

interface Head {
  readonly sequence: number;
  readonly root: string;
}

export const service = signal<Service>();
export const keyProblem = signal<Problem>();
export const isOpening = signal(false);
export const datasets = signal<readonly DatasetView[]>([]);

export const chosen = signal("");
export const kind = signal("");
export const k = signal("5");
export const epsilon = signal("0.1");
export const delta = signal("");
export const quantiles = signal("0.5");
export const counts = signal(false);
export const isSet = signal(false);

export const budget = signal<BudgetView>();
export const cost = signal<CostView>();
export const plan = signal<PlanView>();
export const askProblem = signal<Problem>();
export const isAsking = signal(false);

export const releases = signal<readonly OwnRelease[]>([]);
export const next = signal<number>();
export const shown = signal<OwnRelease>();
export const proof = signal<{ readonly text: string; readonly says: string; readonly holds: boolean }>();
export const grown = signal("");

/** The head of the ledger when the page was opened. */
let firstHead: Head | undefined;

export const dataset = computed(() => datasets.value.find(({ name }) => name === chosen.value));

/** The question as the service takes it. */
export const question = computed(() => {
  const asked = kind.value;
  if (asked === "") return undefined;
  const text = (value: string) => value.trim();
  const isOfWinners = kindOf({ kind: asked }).shape === "winners";
  return {
    kind: asked,
    epsilon: text(epsilon.value),
    ...(takesK(asked) && { k: Number(text(k.value)) }),
    ...(text(delta.value) !== "" && takes("delta", asked) && { delta: text(delta.value) }),
    ...(takes("quantiles", asked) && { quantiles: text(quantiles.value).split(/[\s,;]+/) }),
    ...(isOfWinners && takes("counts", asked) && counts.value && { counts: true }),
    ...(isOfWinners && takes("set", asked) && isSet.value && { set: true }),
  };
});

/** The key of this question; another question gets another. */
let idempotencyKey = crypto.randomUUID();

/** Opens what the key opens. The key stays in memory. */
export async function open(key: string): Promise<void> {
  isOpening.value = true;
  keyProblem.value = undefined;
  const opened = new Service(key.trim());
  try {
    const { datasets: all } = await opened.get<{ datasets: DatasetView[] }>("datasets");
    firstHead = await opened.get<Head>("ledger/head");
    batch(() => {
      service.value = opened;
      datasets.value = all;
    });
    choose(all[0]?.name ?? "");
    await refresh();
  } catch (error) {
    keyProblem.value = problemOf(error);
  } finally {
    isOpening.value = false;
  }
}

/** Forgets the key and everything that came with it. */
export function close(): void {
  batch(() => {
    service.value = undefined;
    datasets.value = [];
    chosen.value = "";
    kind.value = "";
    for (const each of [budget, cost, plan, askProblem, shown, proof]) each.value = undefined;
    releases.value = [];
    grown.value = "";
  });
}

export function choose(name: string): void {
  batch(() => {
    chosen.value = name;
    budget.value = undefined;
    kind.value = dataset.value?.kinds[0] ?? "";
    const { largest } = dataset.value ?? {};
    if (largest) k.value = String(Math.min(5, largest.k));
    delta.value = kind.value !== "" && dataset.value?.domain.kind === "unknown" ? (largest?.delta ?? "") : "";
  });
}

/** Asks for the remaining budget and the releases again. */
export async function refresh(): Promise<void> {
  const [at, name] = [service.value, chosen.value];
  if (at === undefined || name === "") return;
  const path = `datasets/${encodeURIComponent(name)}/budget`;
  const left = await at.get<BudgetView>(path).catch((error: unknown) => {
    askProblem.value = problemOf(error);
    return undefined;
  });
  if (chosen.value === name) budget.value = left;
  const page = await at.get<{ releases: OwnRelease[]; next?: number }>("releases?limit=20");
  batch(() => {
    releases.value = page.releases;
    next.value = page.next;
  });
  await checkGrowth(at);
}

/** That the ledger has every entry that it had when the page was opened. */
async function checkGrowth(at: Service): Promise<void> {
  if (firstHead === undefined || firstHead.sequence === 0) return;
  const grownSince = await at.get<ConsistencyProof>(`ledger/consistency?size=${firstHead.sequence}`);
  const isSame = grownSince.first.root === firstHead.root && (await verifyConsistency(grownSince));
  grown.value = isSame
    ? `The ledger has ${grownSince.second.size} entries, and all ${firstHead.sequence} that it had when you opened this page.`
    : "The ledger doesn't have the entries that it had when you opened this page. Tell its operator.";
}

export async function more(): Promise<void> {
  const at = service.value;
  if (at === undefined || next.value === undefined) return;
  const page = await at.get<{ releases: OwnRelease[]; next?: number }>(
    `releases?limit=20&before=${next.value}`,
  );
  batch(() => {
    releases.value = [...releases.value, ...page.releases];
    next.value = page.next;
  });
}

/** In milliseconds, after the last change. */
const PAUSE = 250;

/** The price and what an answer would be worth follow the question; a new one makes the key of the one before useless. */
export function followPrice(): void {
  effect(() => {
    const [at, name, asked] = [service.value, chosen.value, question.value];
    cost.value = undefined;
    plan.value = undefined;
    askProblem.value = undefined;
    idempotencyKey = crypto.randomUUID();
    if (at === undefined || asked === undefined) return undefined;
    const ended = new AbortController();
    const timer = setTimeout(() => void priceOf(at, name, asked, ended.signal), PAUSE);
    return () => {
      clearTimeout(timer);
      ended.abort();
    };
  });
}

async function priceOf(at: Service, name: string, asked: object, signal: AbortSignal): Promise<void> {
  try {
    const path = `datasets/${encodeURIComponent(name)}`;
    const price = await at.post<CostView>(`${path}/cost`, asked, {}, signal);
    const worth = await at.post<PlanView>(`${path}/plan`, asked, {}, signal);
    if (signal.aborted) return;
    batch(() => {
      cost.value = price;
      plan.value = worth;
    });
    announce(price.readable);
  } catch (error) {
    if (!signal.aborted) askProblem.value = problemOf(error);
  }
}

/** Makes the release, which is charged; the stored one if this question was answered before. */
export async function ask(): Promise<boolean> {
  const [at, name, asked] = [service.value, chosen.value, question.value];
  if (at === undefined || asked === undefined || isAsking.value) return false;
  isAsking.value = true;
  askProblem.value = undefined;
  try {
    const path = `datasets/${encodeURIComponent(name)}/releases`;
    const made = await at.post<OwnRelease>(path, asked, { "idempotency-key": idempotencyKey });
    idempotencyKey = crypto.randomUUID();
    await show(made);
    announce("The release is made.");
    await refresh();
    return true;
  } catch (error) {
    askProblem.value = problemOf(error);
    return false;
  } finally {
    isAsking.value = false;
  }
}

/** Shows a release with the proof that it is in the ledger, checked here. */
export async function show(release: OwnRelease): Promise<void> {
  batch(() => {
    shown.value = release;
    proof.value = undefined;
  });
  const at = service.value;
  if (at === undefined) return;
  const given = await at.get<InclusionProof>(`releases/${encodeURIComponent(release.id)}/proof`);
  const text = `${JSON.stringify({ ...given, schema: INCLUSION_SCHEMA }, null, 2)}\n`;
  const [finding] = await verifyInclusion(release, readInclusionProof(text));
  if (shown.value?.id !== release.id) return;
  proof.value = {
    text,
    holds: finding === undefined,
    says:
      finding?.sentence ??
      `It is entry ${given.sequence} of a ledger with ${given.size} entries, under the root ${given.root.slice(0, 16)}….`,
  };
}
