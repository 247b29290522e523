/**
 * `winnow watch`: a published list that is looked at once a period and renewed only when it is wrong, as entries of the ledger. The
 * first look is charged the price of the whole horizon (`renewList`), the others nothing.
 *
 * The state between looks has the secret noise of the tolerance. It stays in the ledger, sealed with AES-256-GCM under a key of
 * the ledger or of the operator, and is in nothing that is printed. Looks are numbered, and the ledger takes each number once: of two
 * runs at the same time one is recorded, and the other starts again from what that one left. So no state is ever continued
 * twice, unless someone puts back an older copy of the ledger: `--against` the last published list finds that out.
 *
 * Proof: packages/core/src/over-time/renew-list.proof.md.
 * @module
 */
import { createCipheriv, createDecipheriv, createHash, randomBytes } from "node:crypto";
import { type ListRenewal, type Loss, pure, renewList } from "winnow-dp";
import {
  type AccountPromise,
  canonicalJson,
  type Domain,
  type Ledger,
  type PublishedRelease,
  type RecordedRelease,
  Refusal,
  type ReleaseLoss,
  releaseLoss,
} from "winnow-release";

/** The list, how it is looked at and for how much: the same at every look. */
export interface WatchQuestion {
  readonly kind: "watch";
  readonly series: string;
  readonly k: number;
  readonly domain: Domain;
  readonly neighbours: "add-remove";
  readonly epsilon: string;
  readonly renewals: number;
  readonly tolerance: string;
  /** The periods in which it may be looked at. */
  readonly calendar: Pick<AccountPromise, "period" | "first" | "horizon">;
  readonly where?: string;
  readonly time: string;
  readonly unit: string;
}

/** One look: the list that is published, and whether this look renewed it. */
export interface Look {
  readonly schema: "winnow-watch/1";
  readonly id: string;
  readonly dataset: string;
  readonly time: string;
  readonly software: { readonly name: string; readonly version: string };
  readonly question: WatchQuestion & { readonly look: number; readonly about: string };
  readonly source: { readonly item: string; readonly user: string };
  /** b₁ and b₂, the scales of the noise of the tests, and what each list costs. */
  readonly noise: Readonly<Record<"threshold" | "query" | "list", string>>;
  readonly loss: ReleaseLoss;
  readonly answer: {
    readonly list: readonly string[];
    readonly isRenewed: boolean;
    readonly renewed: number;
    readonly isFrozen: boolean;
  };
  /** Only in the ledger. */
  readonly sealed?: string;
}

/** A look with its place in the ledger. */
export type RecordedLook = Look & Pick<PublishedRelease, "ledger">;

/** The mechanism of a question. */
export function renewalOf({ k, epsilon, renewals, tolerance }: WatchQuestion): ListRenewal {
  return renewList({ k, epsilon, renewals, tolerance, monotone: true });
}

/** The first look costs the whole horizon; what was charged once isn't charged again. */
export function lossOfLook(question: WatchQuestion, look: number): Loss {
  return look === 1 ? renewalOf(question).privacy : pure(0);
}

/** The id of a look: a number is taken once. */
export function lookId(series: string, look: number): string {
  return `${series}#${look}`;
}

/** All looks so far, the first first. */
export async function looksOf(ledger: Ledger, series: string): Promise<readonly RecordedLook[]> {
  const looks: RecordedLook[] = [];
  for (;;) {
    const next = await ledger.find<Look>(lookId(series, looks.length + 1));
    if (next === undefined) return looks;
    if (next.schema !== "winnow-watch/1")
      throw new Refusal(
        "release-id-taken",
        `The release id ${JSON.stringify(next.id)} isn't that of a watched list.`,
      );
    looks.push(next);
  }
}

/** A look that isn't recorded yet. */
export function newLook(
  question: WatchQuestion,
  parts: Pick<Look, "dataset" | "source" | "answer" | "software"> & {
    look: number;
    about: string;
    sealed: string;
  },
): Look {
  const { look, about, ...rest } = parts;
  return {
    schema: "winnow-watch/1",
    id: lookId(question.series, look),
    time: new Date().toISOString(),
    question: { ...question, look, about },
    noise: noiseOf(question),
    loss: releaseLoss(lossOfLook(question, look)),
    ...rest,
  };
}

function noiseOf(question: WatchQuestion): Look["noise"] {
  const { threshold, query, list } = renewalOf(question).parameters!;
  return { threshold: String(threshold), query: String(query), list: String(list) };
}

/** A look as it is printed: the sealed state stays in the ledger. */
export function published({ sealed: _, ...look }: RecordedLook): RecordedLook {
  return look;
}

/** What each look of a ledger costs, for the check of its charges; looks must follow each other. */
export function pricesOfLooks(): (release: RecordedRelease) => Loss | undefined {
  const last = new Map<string, Look>();
  return (release) => {
    if (!("schema" in release) || release.schema !== "winnow-watch/1") return undefined;
    const look = release as unknown as Look;
    const { look: number, about: _, ...question } = look.question;
    const key = canonicalJson({ dataset: look.dataset, question });
    const before = last.get(key);
    const { renewed, isRenewed, list } = look.answer;
    const isNext =
      look.id === lookId(question.series, number) &&
      number === (before?.question.look ?? 0) + 1 &&
      (before === undefined
        ? renewed === 0
        : renewed === before.answer.renewed + (isRenewed ? 1 : 0) &&
          (isRenewed || canonicalJson(list) === canonicalJson(before.answer.list)));
    if (
      !isNext ||
      renewed > question.renewals ||
      canonicalJson(look.noise) !== canonicalJson(noiseOf(question))
    )
      throw new Refusal("ledger-broken", "It doesn't follow the look before it.");
    last.set(key, look);
    return lossOfLook(question, number);
  };
}

const CIPHER = "aes-256-gcm";
const [NONCE_BYTES, TAG_BYTES] = [12, 16];

/** A key of 32 bytes for the states of a series, from a secret. */
export function sealingKey(secret: string, dataset: string, series: string): Uint8Array {
  return createHash("sha256")
    .update(`winnow-watch/1\n${secret}\n${canonicalJson({ dataset, series })}`)
    .digest();
}

/** A state as text that only the key opens, and only for the same look. */
export function seal(state: string, key: Uint8Array, id: string): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, key, nonce).setAAD(Buffer.from(id));
  const text = Buffer.concat([cipher.update(state, "utf8"), cipher.final()]);
  return Buffer.concat([nonce, text, cipher.getAuthTag()]).toString("base64");
}

export function unseal(sealed: string, key: Uint8Array, id: string): string {
  const bytes = Buffer.from(sealed, "base64");
  try {
    const nonce = bytes.subarray(0, NONCE_BYTES);
    const decipher = createDecipheriv(CIPHER, key, nonce).setAAD(Buffer.from(id));
    decipher.setAuthTag(bytes.subarray(bytes.length - TAG_BYTES));
    const text = decipher.update(bytes.subarray(NONCE_BYTES, bytes.length - TAG_BYTES));
    return Buffer.concat([text, decipher.final()]).toString("utf8");
  } catch (cause) {
    throw new Refusal(
      "usage",
      "The state of the list can't be opened with this key: it was sealed with another --seal-key, or by another ledger.",
      { cause },
    );
  }
}
