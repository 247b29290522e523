/**
 * Releases from a program's own rows: the flow of winnow-release (`makeRelease`) over a ledger in a file, with the program as the
 * one that counts. The rows stay in the program; the engine asks it for a histogram, as late as possible, and only for what the
 * mechanism needs. What the curator of the command line would be asked is refused here unless the program says yes beforehand, and
 * what that curator alone is told goes back marked as private.
 * @module
 */
import { createHmac } from "node:crypto";
import { basename } from "node:path";
import { type Loss, type LossLike, readLoss } from "winnow-dp";
import {
  type AskedPeriod,
  accountPeriod,
  type BudgetJson,
  concernAboutBudget,
  confirmConcerns,
  guardChargedInputs,
  guardPublicInputs,
  isGrouped,
  isReleaseId,
  type Ledger,
  lossOf,
  makeRelease,
  newReleaseId,
  type PublishedRelease,
  priceConcerns,
  type Question,
  Refusal,
  type Release,
  readableLoss,
  readPredicate,
  readPromise,
  startOf,
  statement,
  toCsv,
  toJson,
  toSvg,
} from "winnow-release";
import { openFileLedger } from "../../cli/src/ledger/file-ledger.js";
import { verifyRelease } from "../../cli/src/ledger/verify-release.js";
import { checkRoles } from "../../cli/src/release/roles.js";
import { boundFor, candidatesFor, groupedRows, panelFor } from "../../cli/src/release/wanted.js";
import {
  type LookInput,
  lookInWords,
  makeLook,
  readLook,
  secretOfLedger,
} from "../../cli/src/watch/looks.js";
import { type Look, looksOf, published } from "../../cli/src/watch/watched-list.js";
import { type Asked, listedGroups, readAsked } from "./asked.js";
import { type TypedColumns, typesOf } from "./condition.js";
import { type Counted, ProgramRows, type Wanted } from "./program-rows.js";

/** The name in releases; the version is that of the packages. */
const SOFTWARE = { name: "winnow-dp-python", version: "0.1.0" };

/** Beside the question. */
export interface Run {
  readonly dataset?: string | undefined;
  readonly releaseId?: string | undefined;
  readonly newDataset?: boolean | undefined;
  readonly reserve?: boolean | undefined;
  readonly yes?: boolean | undefined;
  /** How the rows are read, in public terms. */
  readonly dialect: Readonly<Record<string, string>>;
  readonly notes?: readonly string[] | undefined;
  /** What tells the rows from others; undefined where nothing cheap does. */
  readonly fingerprint?: string | undefined;
  count(wanted: Wanted): Counted;
  /** For the curator's eyes only. */
  tell(words: string): void;
  /** About the ledger's file. */
  notice(words: string): void;
}

export interface Made {
  readonly release: Published;
  readonly isStored: boolean;
  readonly left: Left;
}

type Published = PublishedRelease & Release;

/** What an account has spent and has left. */
export interface Left {
  readonly dataset: string;
  readonly limit?: Loss | undefined;
  readonly spent?: Loss | undefined;
  readonly remaining?: Loss | undefined;
  readonly releases: number;
  /** How many more releases like the last would fit. */
  readonly more?: number | undefined;
}

export class Session {
  readonly #path: string;
  #ledger: Promise<Ledger | undefined> | undefined;

  constructor(path: string) {
    this.#path = path;
  }

  /** The account that is charged unless another is named: one for all rows of a ledger is the safe side. */
  get dataset(): string {
    return basename(this.#path).replace(/\.[^.]+$/, "");
  }

  async release(asked: Asked, run: Run): Promise<Made> {
    const dataset = run.dataset ?? this.dataset;
    const about = await this.#periodOf(asked, dataset);
    const { question, roles: read } = await readAsked(asked, about);
    const roles = { item: read.item, user: read.user };
    const ledger = await this.#open(true, (words) => run.notice(words));
    const id = run.releaseId ?? newReleaseId();
    const inputs = await guardPublicInputs([], async () => []); // lists are values of the program, not files
    const { release, isStored } = await makeRelease<Published>({
      ...{ id, dataset, question, software: SOFTWARE, ledger },
      inputs: () => guardChargedInputs(inputs, ledger),
      ...(run.releaseId !== undefined && {
        find: () => storedAnswer(ledger, id, { dataset, question, roles }),
      }),
      charge: async () => ({
        mark: await markOf(ledger, run.fingerprint),
        isNewDataset: run.newDataset ?? false,
      }),
      curator: { tell: (words) => run.tell(words), agrees: () => run.yes ?? false },
      isReserved: run.reserve,
      count: async () => {
        const rows = new ProgramRows((wanted) => run.count(wanted));
        const items = asked.candidates && [...new Set(asked.candidates)];
        const listed = listedGroups(asked);
        const where = question.where === undefined ? undefined : readPredicate(question.where);
        const wanted = {
          ...{ ...read, where, panel: panelFor(about) },
          candidates: candidatesFor(question, items),
        };
        return {
          ...(isGrouped(question)
            ? { groups: groupedRows(rows, question, { ...wanted, listed, items }) }
            : { batches: rows.histogram({ ...wanted, bound: boundFor(question) }) }),
          source: { ...roles, dialect: run.dialect },
          notes: run.notes,
          facts: () => rows.facts,
        };
      },
    });
    return { release, isStored, left: await leftOf(ledger, dataset, question) };
  }

  /** A look at a watched list (`winnow watch`): the next one, or the one that was made of this period. */
  async watch(asked: AskedWatch, run: Run): Promise<{ look: Look; isStored: boolean; left: Left }> {
    const { item, user, types, from, candidates, sealKey, ...input } = asked;
    checkRoles({ names: [], isPublic: true }, { item, user });
    const look = await readLook({
      ...{ ...input, user, items: [...new Set(candidates)] },
      ...{ from: from ?? today(), types: types && typesOf(types) },
    });
    const dataset = run.dataset ?? this.dataset;
    const ledger = await this.#open(true, (words) => run.notice(words));
    if (sealKey !== undefined && sealKey.length < SHORTEST_KEY)
      throw new Refusal("usage", `sealKey must be a secret of at least ${SHORTEST_KEY} characters.`);
    const inputs = await guardPublicInputs([], async () => []); // the list is a value of the program
    const made = await makeLook({
      ...{ ledger, dataset, asked: look, software: SOFTWARE },
      curator: { tell: (words) => run.tell(words), agrees: () => run.yes ?? false },
      tell: () => {},
      charge: async () => ({
        mark: await markOf(ledger, run.fingerprint),
        isNewDataset: run.newDataset ?? false,
      }),
      inputs: () => guardChargedInputs(inputs, ledger),
      secret: async () => sealKey ?? secretOfLedger(ledger),
      roles: async () => ({ item, user }),
      count: async (where, roles) => {
        const rows = new ProgramRows((wanted) => run.count(wanted));
        const counts: number[] = [];
        const listed = { kind: "listed", items: look.items } as const;
        for await (const { users } of rows.histogram({ ...roles, where, candidates: listed }))
          counts.push(...users);
        return { counts };
      },
    });
    return { ...made, look: published(made.look), left: await leftOf(ledger, dataset) };
  }

  /** All looks at a watched list, the first first. */
  async looks(series: string): Promise<readonly Look[]> {
    const ledger = await this.#open(false);
    return ledger === undefined ? [] : (await looksOf(ledger, series)).map(published);
  }

  /** What a release would cost and whether it fits: nothing is counted, recorded or charged. */
  async price(asked: Asked, dataset = this.dataset): Promise<unknown> {
    const { question } = await readAsked(asked, await this.#periodOf(asked, dataset));
    const ledger = await this.#open(false);
    const loss = lossOf(question);
    const concerns: string[] = [];
    if (ledger !== undefined) {
      await ledger.admit(dataset, question, {});
      const account = await ledger.account(dataset);
      for (const { why } of priceConcerns(account, loss)) concerns.push(why);
    }
    const left = ledger && (await leftOf(ledger, dataset, question));
    return { question, loss, readable: readableLoss(loss), concerns, left };
  }

  /** Gives a data set its budget; returns whether it is new. */
  async setBudget(
    budget: BudgetJson,
    {
      dataset = this.dataset,
      replace = false,
      yes = false,
      promise,
    }: { dataset?: string; replace?: boolean; yes?: boolean; promise?: AskedPromise } = {},
  ): Promise<boolean> {
    const made = promise && promiseOf(promise);
    const concern = concernAboutBudget(budget);
    await confirmConcerns(concern === undefined ? [] : [{ why: concern }], {
      tell: () => {},
      agrees: () => yes,
    });
    return (await this.#open(true)).setBudget(dataset, budget, { replace, ...(made && { promise: made }) });
  }

  async #periodOf({ time, period }: Asked, dataset: string): Promise<AskedPeriod | undefined> {
    if (time === undefined && period === undefined) return undefined;
    if (time === undefined || period === undefined)
      throw new Refusal("usage", "time and period go together: the column of days, and which period it is.");
    const ledger = await this.#open(false);
    if (ledger === undefined) throw this.#missing();
    return accountPeriod(ledger, dataset, period);
  }

  #missing(): Refusal {
    return new Refusal("missing-ledger", `There is no ledger at ${JSON.stringify(this.#path)}.`);
  }

  async left(dataset = this.dataset): Promise<Left | undefined> {
    const ledger = await this.#open(false);
    return ledger && leftOf(ledger, dataset);
  }

  async datasets(): Promise<readonly string[]> {
    return (await (await this.#open(false))?.datasets()) ?? [];
  }

  /** The stored release with this id. */
  async find(id: string): Promise<Published | undefined> {
    const found = await (await this.#open(false))?.find<Published>(id);
    return found !== undefined && isRelease(found) ? found : undefined;
  }

  /** Every release of the ledger, oldest first. */
  async releases(): Promise<readonly Release[]> {
    const found: Release[] = [];
    const ledger = await this.#open(false);
    if (ledger === undefined) return found;
    for await (const entry of ledger.entries())
      if (entry.kind === "release" && isRelease(entry.release)) found.push(entry.release as Release);
    return found;
  }

  /** The findings of `winnow budget verify` and, with a release, of `winnow verify`. */
  async verify(release?: PublishedRelease): Promise<unknown> {
    const ledger = await this.#open(false);
    if (ledger === undefined) throw this.#missing();
    const { head, findings } = await verifyRelease(ledger, release);
    return { whole: findings.length === 0, head, findings };
  }

  async close(): Promise<void> {
    const ledger = this.#ledger;
    this.#ledger = undefined;
    await (await ledger)?.close();
  }

  #open(create: true, tell?: (words: string) => void): Promise<Ledger>;
  #open(create: boolean): Promise<Ledger | undefined>;
  async #open(create: boolean, tell: (words: string) => void = () => {}): Promise<Ledger | undefined> {
    const opened = await this.#ledger;
    if (opened !== undefined) return opened;
    const opening = openFileLedger(this.#path, { create, software: SOFTWARE, tell });
    this.#ledger = opening;
    try {
      return await opening;
    } catch (error) {
      this.#ledger = undefined;
      throw error;
    }
  }
}

/** A list and its periods, as the program puts them. */
interface AskedWatch extends Omit<LookInput, "items" | "types" | "from"> {
  readonly item: string;
  readonly candidates: readonly string[];
  readonly types?: TypedColumns | undefined;
  /** A day in the first period; default: today. */
  readonly from?: string | undefined;
  /** A secret that seals the state; default: one of the ledger. */
  readonly sealKey?: string | undefined;
}

const SHORTEST_KEY = 32;

/** Documents of other kinds have schemas of their own. */
function isRelease(document: object): boolean {
  return "schema" in document && String(document.schema).startsWith("winnow-release/");
}

function today(): string {
  return new Date().toISOString().slice(0, 10);
}

/** What a budget with periods promises, as the program puts it. */
interface AskedPromise {
  readonly unit: string;
  readonly period: string;
  readonly horizon: number;
  /** A day in the first period; default: today. */
  readonly from?: string | undefined;
  readonly maxPeriodsPerUser?: number | undefined;
}

function promiseOf({ from, ...promise }: AskedPromise) {
  const day = from ?? today();
  return readPromise({ ...promise, first: startOf(promise.period as "week", day) ?? day });
}

/** As the mark of a file: a keyed hash that says nothing without the ledger. */
async function markOf(ledger: Ledger, fingerprint: string | undefined): Promise<string | undefined> {
  const key = fingerprint === undefined ? undefined : await ledger.markKey();
  if (key === undefined || fingerprint === undefined) return undefined;
  return createHmac("sha256", Buffer.from(key, "hex"))
    .update(JSON.stringify(["frame", fingerprint]))
    .digest("hex");
}

async function storedAnswer(
  ledger: Ledger,
  id: string,
  {
    dataset,
    question,
    roles,
  }: { dataset: string; question: Question; roles: { item: string; user: string } },
): Promise<Published | undefined> {
  if (!isReleaseId(id))
    throw new Refusal(
      "usage",
      "release_id must be a short text without control characters or spaces at its ends.",
    );
  const found = await ledger.find(id, { dataset, question });
  if (found !== undefined && (found.source.item !== roles.item || found.source.user !== roles.user))
    throw new Refusal(
      "release-id-taken",
      `The release id ${JSON.stringify(id)} belongs to a release whose rows were read in another way.`,
    );
  return found;
}

async function leftOf(ledger: Ledger, dataset: string, question?: Question): Promise<Left> {
  const account = await ledger.account(dataset);
  const { budget: limit, spent, remaining, releases } = account;
  const more = question === undefined ? undefined : account.admitsTimes(account.reservationFor(question));
  return { dataset, limit, spent, remaining, releases, more };
}

/** Forms of a release that a program shows or files. */
export const FORMS = {
  releaseSvg: (release: Release, dark: boolean | undefined) => toSvg(release, { dark }),
  releaseCsv: (release: Release) => toCsv(release),
  releaseJson: (release: Release) => toJson(release),
  releaseStatement: (release: Release) => statement(release).text,
  lookInWords,
  lossInWords: (loss: LossLike) => readableLoss(readLoss(loss)),
};
