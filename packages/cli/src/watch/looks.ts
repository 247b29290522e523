/**
 * Looks at a watched list, for every front end: what is asked, which look is the next one, what it is charged and what is recorded. A
 * front end counts the rows, and says how someone is asked.
 * @module
 */
import { rational } from "winnow-dp";
import {
  allConditions,
  type ChargeOptions,
  type Curator,
  confirmConcerns,
  type GuardedInputs,
  inSafeOrder,
  type Ledger,
  listedDomain,
  mustBe,
  type Predicate,
  periodCondition,
  periodNamed,
  predicateText,
  priceConcerns,
  Refusal,
  type RowFacts,
  readableLoss,
  readPredicate,
  readPromise,
  rowFindings,
  startOf,
  unitOf,
} from "winnow-release";
import {
  type Look,
  looksOf,
  lossOfLook,
  newLook,
  type RecordedLook,
  renewalOf,
  seal,
  sealingKey,
  unseal,
  type WatchQuestion,
} from "./watched-list.js";

/** The list and its periods as someone puts them. */
export interface LookInput {
  readonly series: string;
  readonly k: number;
  readonly epsilon: string;
  readonly renewals: number;
  readonly tolerance: string;
  /** How long a period is, a day in the first one, and how many there are. */
  readonly every: string;
  readonly from: string;
  readonly horizon: number;
  /** The public list of candidates. */
  readonly items: readonly string[];
  readonly where?: string | undefined;
  readonly types?: Parameters<typeof readPredicate>[1];
  /** The column of days, and the period that is looked at. */
  readonly time: string;
  readonly period: string;
  readonly user: string;
  readonly unit?: string | undefined;
}

/** The public part of a look. */
export interface AskedLook {
  readonly question: WatchQuestion;
  readonly items: readonly string[];
  /** The condition on rows, with the days of the period. */
  readonly where: Predicate;
  readonly about: string;
  readonly index: number;
}

/** Refuses what can't be asked. */
export async function readLook(input: LookInput): Promise<AskedLook> {
  const { series, k, every, from, time, horizon, items, user } = input;
  if (!/^[\w.-]{1,80}$/.test(series))
    throw new Refusal("usage", "--series must be a name of letters, digits, dots, dashes and underscores.");
  const first = startOf(every as "week", from) ?? from;
  const promise = readPromise({ unit: "person", period: every, first, horizon });
  const { unit: _, ...calendar } = promise;
  const days = periodNamed(promise, input.period);
  const condition = periodCondition(days, time);
  const own = input.where === undefined ? undefined : predicateText(readPredicate(input.where, input.types));
  const question: WatchQuestion = {
    ...{ kind: "watch", series, k, domain: await listedDomain(items), neighbours: "add-remove" },
    ...{ epsilon: String(rational(input.epsilon, "epsilon")), renewals: input.renewals },
    ...{ tolerance: String(rational(input.tolerance, "tolerance")), calendar, time },
    ...(own !== undefined && { where: own }),
    unit: input.unit ?? unitOf(user),
  };
  if (!Number.isSafeInteger(k) || k < 1 || k >= items.length)
    throw new Refusal("usage", mustBe("-k", `from 1 to ${items.length - 1}`, k));
  if (input.renewals >= horizon)
    throw new Refusal(
      "usage",
      mustBe(
        "--renewals",
        `at most ${horizon - 1}, because the first look makes the first list`,
        input.renewals,
      ),
    );
  renewalOf(question); // refuses what can't be asked
  const where = readPredicate(allConditions([own, condition])!);
  return { question, items, where, about: days.name, index: days.index };
}

/** Private. */
export interface CountedLook {
  /** The people of each item of the list in the rows that fit, in its order. */
  readonly counts: readonly number[];
  /** How the rows were read, where that is known. */
  facts?(): Promise<RowFacts>;
}

/** One look, and what its front end does for it. */
export interface Looking {
  readonly ledger: Ledger;
  readonly dataset: string;
  readonly asked: AskedLook;
  readonly software: Look["software"];
  readonly curator: Curator;
  /** Says something about the look that isn't private. */
  tell(sentence: string): void;
  charge(): Promise<ChargeOptions>;
  /** What the state is sealed with: nothing published has it. */
  secret(): Promise<string>;
  roles(): Promise<Look["source"]>;
  /** That no public list is private. */
  inputs(): Promise<GuardedInputs>;
  count(where: Predicate, roles: Look["source"]): Promise<CountedLook>;
  /** Whether to count and draw again. */
  mayRetry?(error: unknown): Promise<boolean>;
  readonly signal?: AbortSignal | undefined;
  /** Just before the charge. */
  settle?(): void;
}

/** Two other runs at the same moment may each be first once. */
const MOST_ATTEMPTS = 3;

/** The look at the period: the one that was made already, or the next one. */
export async function makeLook(looking: Looking): Promise<{ look: RecordedLook; isStored: boolean }> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await lookOnce(looking);
    } catch (error) {
      const isTaken = error instanceof Refusal && error.code === "release-id-taken";
      if (!isTaken || attempt === MOST_ATTEMPTS) throw error;
    }
  }
}

/** The look at the period that is asked about, if it was made; periods are looked at in their order. */
function storedLook(looks: readonly RecordedLook[], { dataset, asked }: Looking) {
  const { question, about, index } = asked;
  const last = looks.at(-1);
  if (last === undefined) return undefined;
  const { look: _look, about: lastAbout, ...known } = last.question;
  if (last.dataset !== dataset || JSON.stringify(sorted(known)) !== JSON.stringify(sorted(question)))
    throw new Refusal(
      "release-id-taken",
      `The list ${JSON.stringify(question.series)} is watched with other parameters, which never change.`,
    );
  const stored = looks.find((look) => look.question.about === about);
  const { period, first, horizon } = question.calendar;
  if (
    stored === undefined &&
    periodNamed({ unit: "person", period, first, horizon }, lastAbout).index > index
  )
    throw new Refusal("usage", `The list was looked at for ${lastAbout} already, so ${about} is too late.`);
  return stored;
}

function sorted(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  return Object.entries(value)
    .map(([key, part]) => [key, sorted(part)])
    .sort();
}

/** What a look goes on from, opened before a row is read. */
interface Prepared {
  readonly roles: Look["source"];
  readonly key: Uint8Array;
  readonly state: string | undefined;
}

/** In the safe order of all releases, and with their guards. */
async function lookOnce(looking: Looking): Promise<{ look: RecordedLook; isStored: boolean }> {
  const { ledger, dataset, asked, curator } = looking;
  const { question } = asked;
  let last: RecordedLook | undefined;
  let charge: ChargeOptions = {};
  let prepared: Prepared | undefined;
  let counted: CountedLook | undefined;
  const { release, drawn } = await inSafeOrder<CountedLook, Look, RecordedLook>({
    stored: async () => {
      const looks = await looksOf(ledger, question.series);
      last = looks.at(-1);
      const known = storedLook(looks, looking);
      if (known !== undefined)
        looking.tell(
          `The list was looked at for ${asked.about} already: this is what was published, and nothing was counted.`,
        );
      return known;
    },
    guard: async () => {
      charge = await looking.charge();
      await ledger.admitAccount(dataset, charge);
      await looking.inputs();
    },
    admit: async () => {
      const price = lossOfLook(question, numberAfter(last));
      if (last === undefined) await ledger.admitLoss(dataset, price);
      return price;
    },
    confirm: async (price) => {
      if (last === undefined) {
        await confirmConcerns(priceConcerns(await ledger.account(dataset), price), curator);
        looking.tell(`The first look pays for the whole horizon: ${readableLoss(price)}.`);
      }
      const roles = await looking.roles();
      const key = sealingKey(await looking.secret(), dataset, question.series);
      prepared = { roles, key, state: last && unseal(last.sealed ?? "", key, last.id) };
    },
    count: async () => {
      const isFrozen = last?.answer.isFrozen === true; // stays as it is
      counted = isFrozen
        ? { counts: new Array<number>(asked.items.length).fill(0) }
        : await looking.count(asked.where, prepared!.roles);
      return counted;
    },
    draw: ({ counts }) => drawLook(looking, last, prepared!, counts),
    ...(looking.mayRetry && { mayRetry: looking.mayRetry }),
    settle: async () => {
      if (last?.answer.isFrozen !== true) await askAboutRows(asked, counted!, curator);
      looking.settle?.();
    },
    record: (look) => ledger.record<Look>(dataset, look, charge),
    signal: looking.signal,
  });
  return { look: release, isStored: drawn === undefined };
}

function numberAfter(last: RecordedLook | undefined): number {
  return (last?.question.look ?? 0) + 1;
}

function drawLook(
  { dataset, asked, software }: Looking,
  last: RecordedLook | undefined,
  { roles, key, state }: Prepared,
  counts: readonly number[],
): Look {
  const { question, items, about } = asked;
  const number = numberAfter(last);
  const renewal = renewalOf(question);
  const step = state === undefined ? renewal.start(counts) : renewal.next(state, counts);
  const answer = {
    list: step.candidates.map((index) => items[index]!).sort(),
    ...{ isRenewed: step.isRenewed && last !== undefined, renewed: step.renewed, isFrozen: step.isFrozen },
  };
  const sealed = seal(step.state, key, `${question.series}#${number}`);
  return newLook(question, { dataset, source: roles, software, answer, look: number, about, sealed });
}

/** What every release asks before it pays: a list that matches nothing is most likely another one. */
async function askAboutRows(
  { question: { domain } }: AskedLook,
  { counts, facts }: CountedLook,
  curator: Curator,
): Promise<void> {
  const matched = counts.filter((users) => users > 0).length;
  const { told, asked } = rowFindings(domain, { ...(await facts?.()), matched });
  for (const fact of told) fact.for(curator);
  await confirmConcerns(asked, curator);
}

/** The secret of the ledger, where no one gave another. */
export async function secretOfLedger(ledger: Ledger): Promise<string> {
  const secret = await ledger.markKey();
  if (secret === undefined)
    throw new Refusal("usage", "This ledger has no secret to seal with: pass --seal-key.");
  return secret;
}

/** What happened to the list, in words. */
export function lookInWords({ question, answer: { isRenewed, renewed, isFrozen } }: RecordedLook): string {
  const left = question.renewals - renewed;
  const what =
    question.look === 1
      ? "The first list."
      : isRenewed
        ? "The list was wrong, and is renewed."
        : "No change.";
  const more = isFrozen
    ? "It is frozen: it was renewed as often as it may be, and stays as it is, right or wrong."
    : `It may be renewed ${left} more ${left === 1 ? "time" : "times"}.`;
  return `${what} ${more}`;
}
