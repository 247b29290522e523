/**
 * Releases from a program's own rows: the flow of winnow-release (`makeRelease`) over a ledger in a file, with the program as the
 * one that counts. The rows stay in the program; the engine asks it for a histogram, as late as possible, and only for what the
 * mechanism needs. What the curator of the command line would be asked is refused here unless the program says yes beforehand, and
 * what that curator alone is told goes back marked as private.
 * @module
 */
import { createHmac, randomBytes } from "node:crypto";
import { basename } from "node:path";
import { type Loss, type LossLike, readLoss } from "winnow-dp";
import {
  type BudgetJson,
  type CandidatesWanted,
  type CountedItems,
  candidatesWanted,
  checkCharges,
  choose,
  concernAboutBudget,
  confirmConcerns,
  countsOfGuess,
  type Domain,
  type GridInput,
  guardChargedInputs,
  guardPublicInputs,
  isReleaseId,
  type Ledger,
  listedDomain,
  lossOf,
  makeRelease,
  NUMBER_PATTERN,
  newReleaseId,
  type PublishedRelease,
  priceConcerns,
  type Question,
  type QuestionInput,
  Refusal,
  type Release,
  type RowFacts,
  readableLoss,
  readGuess,
  readQuestion,
  sizeOf,
  statement,
  toCsv,
  toJson,
  toSvg,
  unitOf,
  unpricedSentence,
} from "winnow-release";
import { openFileLedger } from "../../cli/src/ledger/file-ledger.js";

/** The name in releases; the version is that of the packages. */
const SOFTWARE = { name: "winnow-dp-python", version: "0.1.0" };

/** A question as the program asks it. */
export interface Asked extends Omit<QuestionInput, "domain" | "unit"> {
  readonly kind: string;
  readonly item: string;
  readonly user: string;
  readonly unit?: string | undefined;
  /** A public list. */
  readonly candidates?: readonly string[] | undefined;
  /** The candidates are the numbers from 0 below this. */
  readonly domainSize?: number | undefined;
  /** Both ends of a grid. */
  readonly range?: readonly [lower: string, upper: string] | undefined;
  readonly step?: string | undefined;
  /** A public guess at the data, which decides between mechanisms. */
  readonly guess?: string | null | undefined;
}

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

/** What the program counts. */
export interface Wanted {
  readonly candidates: CandidatesWanted & { readonly items?: readonly string[] | undefined };
  readonly itemsPerUser?: number | undefined;
  /** Secret, fresh for each release; hexadecimal digits. */
  readonly key?: string | undefined;
}

/** Items with how many users each has; perhaps more than were wanted. */
export interface Counted {
  readonly items: readonly string[];
  readonly users: ArrayLike<number | bigint>;
  readonly facts?: RowFacts | undefined;
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
    const question = await questionOf(asked);
    const ledger = await this.#open(true, (words) => run.notice(words));
    const dataset = run.dataset ?? this.dataset;
    const id = run.releaseId ?? newReleaseId();
    const roles = { item: asked.item, user: asked.user };
    if (roles.item === roles.user) throw new Refusal("usage", "item and user must be different columns.");
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
        const wanted = wantedFor(question, asked.candidates);
        const counted = run.count(wanted);
        return {
          batches: [delivered(wanted.candidates, counted)],
          source: { ...roles, dialect: run.dialect },
          notes: run.notes,
          facts: () => factsOf(wanted, counted),
        };
      },
    });
    return { release, isStored, left: await leftOf(ledger, dataset, question) };
  }

  /** What a release would cost and whether it fits: nothing is counted, recorded or charged. */
  async price(asked: Asked, dataset = this.dataset): Promise<unknown> {
    const question = await questionOf(asked);
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
    { dataset = this.dataset, replace = false, yes = false } = {},
  ): Promise<boolean> {
    const concern = concernAboutBudget(budget);
    await confirmConcerns(concern === undefined ? [] : [{ why: concern }], {
      tell: () => {},
      agrees: () => yes,
    });
    return (await this.#open(true)).setBudget(dataset, budget, { replace });
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
    return (await this.#open(false))?.find(id);
  }

  /** Every release of the ledger, oldest first. */
  async releases(): Promise<readonly Release[]> {
    const found: Release[] = [];
    const ledger = await this.#open(false);
    if (ledger === undefined) return found;
    for await (const entry of ledger.entries())
      if (entry.kind === "release") found.push(entry.release as Release);
    return found;
  }

  /** The findings of `winnow budget verify` and, with a release, of `winnow verify`. */
  async verify(release?: PublishedRelease): Promise<unknown> {
    const ledger = await this.#open(false);
    if (ledger === undefined)
      throw new Refusal("missing-ledger", `There is no ledger at ${JSON.stringify(this.#path)}.`);
    const { head, findings: chain } = await ledger.verify(release === undefined ? [] : [release]);
    if (chain.length > 0) return { whole: false, head, findings: chain };
    const { findings, unpriced } = await checkCharges(ledger.entries());
    const own = unpriced.filter(({ sequence }) => sequence === release?.ledger.sequence);
    const all = [...findings];
    if (all.length === 0 && own.length > 0)
      all.push({ kind: "not-priced", sequence: own[0]!.sequence, sentence: unpricedSentence(own) });
    return { whole: all.length === 0, head, findings: all };
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

/** The question in canonical form; throws what the library says of it. */
async function questionOf(asked: Asked): Promise<Question> {
  const { item: _, candidates, domainSize, range, step, unit, guess, ...question } = asked;
  const domain = await domainOf(asked);
  const input = { ...question, domain, unit: unit ?? unitOf(asked.user) };
  if (guess === undefined || guess === null || domain.kind === "grid") return readQuestion(input);
  const counts = countsOfGuess(readGuess(guess), sizeOf(domain));
  return choose(input, { guess: counts }).chosen.question;
}

async function domainOf({
  kind,
  candidates,
  domainSize,
  range,
  step,
  delta,
}: Asked): Promise<Domain | GridInput> {
  if (candidates !== undefined && domainSize !== undefined)
    throw new Refusal(
      "usage",
      "candidates and domain_size cannot be combined: the candidates come from one place.",
    );
  if (range !== undefined) return { kind: "grid", lower: range[0], upper: range[1], step };
  if (candidates !== undefined) return listedDomain(candidates);
  if (domainSize !== undefined) return { kind: "integers", below: domainSize };
  if (delta === undefined && kind !== "frequencies")
    throw new Refusal(
      "usage",
      "delta must be given, such as 1e-6, because without a public list of candidates the domain is unknown and the items themselves are private.",
    );
  return { kind: "unknown" };
}

const KEY_BYTES = 32;

function wantedFor(question: Question, items: readonly string[] | undefined): Wanted {
  const wanted = candidatesWanted(question);
  const { maxItemsPerUser: itemsPerUser } = question;
  return {
    candidates: wanted.kind === "listed" ? { ...wanted, items } : wanted,
    ...(itemsPerUser !== undefined && { itemsPerUser, key: randomBytes(KEY_BYTES).toString("hex") }),
  };
}

const WHOLE_NUMBER = /^(?:0|[1-9]\d{0,15})$/;
const IS_NUMBER = new RegExp(NUMBER_PATTERN);

/** Keeps the wanted part of the counts: the program may have counted more. */
export function delivered(wanted: Wanted["candidates"], { items, users: given }: Counted): CountedItems {
  const users = Array.from(given, Number);
  const kept = (isKept: (item: string, users: number) => boolean): CountedItems => {
    const places = items.flatMap((item, place) => (isKept(item, users[place] ?? 0) ? [place] : []));
    return { items: places.map((place) => items[place]!), users: places.map((place) => users[place]!) };
  };
  switch (wanted.kind) {
    case "listed": {
      const counted = new Map(items.map((item, place) => [item, users[place]!]));
      const listed = [...new Set(wanted.items)];
      return { items: listed, users: listed.map((item) => counted.get(item) ?? 0) };
    }
    case "integers":
      return kept((item, many) => many > 0 && WHOLE_NUMBER.test(item) && BigInt(item) < BigInt(wanted.below));
    case "numbers":
      return kept((item, many) => many > 0 && IS_NUMBER.test(item));
    case "frequencies": {
      const many = new Map<number, number>();
      for (const each of users) if (each > 0) many.set(each, (many.get(each) ?? 0) + 1);
      return { items: [...many.keys()].map(String), users: [...many.values()] };
    }
    case "largest": {
      const places = users.flatMap((many, place) => (many > 0 ? [place] : []));
      places.sort((a, b) => users[b]! - users[a]! || Buffer.compare(bytesOf(items[a]!), bytesOf(items[b]!)));
      const first = places.slice(0, wanted.rows);
      return { items: first.map((place) => items[place]!), users: first.map((place) => users[place]!) };
    }
  }
}

/** How many values weren't numbers is known here, the rest to the program. */
function factsOf({ candidates }: Wanted, { items, facts = {} }: Counted): RowFacts {
  if (candidates.kind !== "numbers") return facts;
  return { ...facts, skippedValues: items.filter((item) => !IS_NUMBER.test(item)).length };
}

/** Names are compared as UTF-8. */
function bytesOf(item: string): Buffer {
  return Buffer.from(item, "utf8");
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
  lossInWords: (loss: LossLike) => readableLoss(readLoss(loss)),
};
