/**
 * A release with a signed head of its ledger that includes it, cosigned by witnesses: how a publisher gets one, and how anyone checks
 * it without the ledger.
 *
 * A publisher signs the head and asks each witness. One that has seen less gets a proof that the entries it has seen are still the
 * first; one that has seen more than there is, or something else, has seen another ledger of this name, and that is an error which no
 * other witness outweighs. Who doesn't answer is away, and asked again the next time.
 * @module
 */
import { WinnowError } from "winnow-dp";
import { entryText, type KeyEntry, LEDGER_FORMAT } from "../ledger/entry.js";
import { type Finding, hashText, type PublishedRelease } from "../ledger/hash-chain.js";
import { topOver } from "../ledger/inclusion.js";
import { keysInForce } from "../ledger/key-changes.js";
import type { Ledger } from "../ledger/ledger.js";
import { readWitnessedPlace } from "../ledger/witnessed-place.js";
import { Refusal } from "../refusal/refusal.js";
import { type Checkpoint, checkpointText, readCheckpoint, readSize } from "./checkpoint.js";
import { keyAs, type NoteKey, type NoteSigner, noteKeyText, readNoteKey } from "./note-keys.js";
import type { Policy, PolicyWitness } from "./policy.js";
import {
  noteOf,
  readNote,
  readSignatures,
  signatureLine,
  type VerifiedSignature,
  verifiedSignatures,
} from "./signed-note.js";
import { witnessRequestText } from "./witness.js";

/** What the ledger must do for its heads. */
export type LedgerOfHeads = Pick<
  Ledger,
  "name" | "treeHead" | "placeUnder" | "pathBetween" | "keyEntries" | "length"
>;

/** Sends the body of a request to a witness; throws if it doesn't answer. */
export type SubmitTo = (
  witness: PolicyWitness,
  body: string,
) => Promise<{ readonly status: number; readonly body: string }>;

/** A request for a signed head. */
export interface HeadRequest {
  readonly ledger: LedgerOfHeads;
  /** Keys of the ledger; several while one takes the place of another. */
  readonly signers: readonly NoteSigner[];
  readonly policy: Policy;
  /** The least number of witnesses of the policy; default: its quorum. */
  readonly least?: number | undefined;
  readonly submit: SubmitTo;
  /** How many entries of a ledger a witness has seen, where that is known without asking. */
  readonly seen?: (witness: PolicyWitness, origin: string) => Promise<number | undefined>;
}

/**
 * A head that was signed, and who cosigned it.
 *
 * @inline
 */
export interface CosignedHead {
  readonly checkpoint: Checkpoint;
  readonly note: string;
  readonly cosigned: readonly NoteKey[];
  /** Why the others didn't, in sentences. */
  readonly away: readonly string[];
}

/** What a witness says of a head. */
export type Witnessed =
  | { readonly kind: "cosigned"; readonly signature: VerifiedSignature }
  | { readonly kind: "away"; readonly sentence: string }
  /** It has seen a ledger of `size` entries. */
  | { readonly kind: "ahead"; readonly size: number }
  | { readonly kind: "disagrees" };

/** The head of the ledger with the signatures of its keys; refuses keys that the ledger doesn't know or has revoked. */
export async function signedHead(
  ledger: LedgerOfHeads,
  signers: readonly NoteSigner[],
): Promise<{ checkpoint: Checkpoint; text: string; lines: string[] }> {
  const [first] = signers;
  const inForce = keysInForce(await ledger.keyEntries());
  const unknown = signers.find(({ key }) => !inForce.includes(noteKeyText(key)));
  if (first === undefined || unknown !== undefined) {
    const name = unknown === undefined ? "No key" : `The key ${unknown.key.name}+${unknown.key.id}`;
    throw new Refusal("key-not-recorded", `${name} isn't one that signs heads of this ledger.`);
  }
  const checkpoint = { origin: first.key.name, ...(await ledger.treeHead()) };
  const text = checkpointText(checkpoint);
  return { checkpoint, text, lines: await Promise.all(signers.map((signer) => signatureLine(text, signer))) };
}

/** Tries again with a longer head if others charge meanwhile. */
const MOST_ATTEMPTS = 10;

/** Signs the head, and asks all witnesses. Refuses with `witness-disagrees` if one has seen another ledger of this name. */
export async function cosignedHead(request: HeadRequest): Promise<CosignedHead> {
  const { ledger, signers, policy, submit, seen } = request;
  for (let attempt = 1; ; attempt++) {
    const { checkpoint, text, lines } = await signedHead(ledger, signers);
    const { size, origin } = checkpoint;
    const note = noteOf(text, lines);
    const pathFrom = (old: number) => ledger.pathBetween(old, size);
    const asked = policy.witnesses.map(async (witness) => ({
      witness,
      answer: await askWitness({
        ...{ witness, note, size, pathFrom, submit },
        from: await seen?.(witness, origin),
      }),
    }));
    const answers = await Promise.all(asked);
    const ahead = answers.flatMap(({ answer }) => (answer.kind === "ahead" ? [answer.size] : []));
    const isLonger = ahead.length > 0 && Math.max(...ahead) <= (await ledger.length());
    const other = answers.find(({ answer }) => answer.kind === "disagrees" || answer.kind === "ahead");
    const isWrong = answers.some(({ answer }) => answer.kind === "disagrees");
    if (isLonger && !isWrong && attempt < MOST_ATTEMPTS) continue;
    if (other !== undefined) throw disagrees(ledger.name, other.witness, other.answer);
    const cosigned = answers.flatMap(({ answer }) => (answer.kind === "cosigned" ? [answer.signature] : []));
    return {
      checkpoint,
      note: noteOf(text, [...lines, ...cosigned.map(({ line }) => line)]),
      cosigned: cosigned.map(({ key }) => key),
      away: answers.flatMap(({ answer }) => (answer.kind === "away" ? [answer.sentence] : [])),
    };
  }
}

function disagrees(ledger: string, { key }: PolicyWitness, answer: Witnessed): Refusal {
  const seen = answer.kind === "ahead" ? `one with ${answer.size} entries` : "one with other entries";
  return new Refusal(
    "witness-disagrees",
    `The witness ${JSON.stringify(key.name)} hasn't seen the ledger ${JSON.stringify(ledger)} as it is now, but ${seen}.`,
  );
}

interface WitnessCall {
  readonly witness: PolicyWitness;
  readonly note: string;
  readonly size: number;
  pathFrom(old: number): Promise<readonly string[]>;
  readonly submit: SubmitTo;
  /** How many entries the witness is believed to have seen. */
  readonly from?: number | undefined;
}

/** What one witness says of a signed head of `size` entries. */
export async function askWitness(call: WitnessCall): Promise<Witnessed> {
  const { witness, note, size, pathFrom, submit, from = 0 } = call;
  const name = JSON.stringify(witness.key.name);
  let old = Math.min(from, size);
  for (let attempt = 1; attempt <= MOST_ATTEMPTS; attempt++) {
    const path = await pathFrom(old);
    let answer: Awaited<ReturnType<SubmitTo>>;
    try {
      answer = await submit(witness, witnessRequestText({ old, path, note }));
    } catch {
      return { kind: "away", sentence: `The witness ${name} doesn't answer.` };
    }
    if (answer.status === 200) return cosignedBy(witness, note, answer.body);
    const seen = answer.status === 409 ? readSize(/^(\d+)\n$/.exec(answer.body)?.[1]) : undefined;
    if (seen !== undefined && seen > size) return { kind: "ahead", size: seen };
    if (answer.status === 422 || (seen === old && old === size)) return { kind: "disagrees" };
    if (seen === undefined || seen === old)
      return { kind: "away", sentence: `The witness ${name} refuses with the status ${answer.status}.` };
    old = seen;
  }
  return { kind: "away", sentence: `The witness ${name} sees other heads all the time.` };
}

async function cosignedBy({ key }: PolicyWitness, note: string, lines: string): Promise<Witnessed> {
  try {
    const signatures = readSignatures(lines) ?? [];
    const [signature] = await verifiedSignatures({ text: readNote(note).text, signatures }, [key]);
    if (signature !== undefined) return { kind: "cosigned", signature };
  } catch (error) {
    if (!(error instanceof WinnowError)) throw error;
  }
  const sentence = `The witness ${JSON.stringify(key.name)} answers, but not with a signature of its key.`;
  return { kind: "away", sentence };
}

/** Whether these witnesses are enough. */
function isEnough({ policy, least }: Pick<HeadRequest, "policy" | "least">, cosigned: readonly NoteKey[]) {
  return least === undefined ? policy.isQuorum(cosigned) : cosigned.length >= least;
}

/** The release with a cosigned head that includes it. Refuses with `witness-away` if too few witnesses answer. */
export async function withWitnesses<R extends PublishedRelease>(
  release: R,
  request: HeadRequest,
): Promise<R> {
  return underHead(release, request, await cosignedHead(request));
}

/** The release with a head that was signed after it was recorded. Refuses with `witness-away` if too few witnesses have cosigned it. */
async function underHead<R extends PublishedRelease>(
  release: R,
  request: Omit<HeadRequest, "submit" | "seen">,
  { checkpoint, note, cosigned, away }: CosignedHead,
): Promise<R> {
  if (!isEnough(request, cosigned))
    throw new Refusal(
      "witness-away",
      `Release ${release.id} is recorded, and ${cosigned.length} of ${request.policy.witnesses.length} witnesses have cosigned its entry. ${away.join(" ")}`.trim(),
      { release: release.id },
    );
  const place = await request.ledger.placeUnder(release.id, checkpoint.size);
  if (place === undefined) throw new Refusal("ledger-broken", `Release ${release.id} isn't in the ledger.`);
  const { previous, path } = place;
  return { ...release, ledger: { ...release.ledger, witnessed: { previous, path, note } } };
}

/**
 * The heads of a ledger that one process shows many releases under, such as a service: witnesses are asked once for all releases that
 * wait at the same time, and not again for a release that the last cosigned head includes.
 */
export class WitnessedReleases {
  readonly #request: HeadRequest;
  #last: CosignedHead | undefined;
  #asking: Promise<CosignedHead> | undefined;

  constructor(request: HeadRequest) {
    this.#request = request;
  }

  /** Refuses with `witness-disagrees` if a witness has seen another ledger of this name. One that is away says nothing. */
  async check(): Promise<void> {
    if ((await this.#request.ledger.length()) > 0) await this.#ask();
  }

  /** Each with a cosigned head that includes it. Refuses with `witness-away` if too few witnesses answer. */
  async show<R extends PublishedRelease>(releases: readonly R[]): Promise<R[]> {
    const head = await this.#headOver(Math.max(0, ...releases.map(({ ledger }) => ledger.sequence)));
    return Promise.all(releases.map((release) => underHead(release, this.#request, head)));
  }

  async #headOver(sequence: number): Promise<CosignedHead> {
    let head = this.#last;
    // The first answer may be that of a question which was asked before this release was recorded.
    for (let asked = 0; asked < 3 && (head?.checkpoint.size ?? 0) < sequence; asked++)
      head = await this.#ask();
    return head ?? this.#ask();
  }

  #ask(): Promise<CosignedHead> {
    this.#asking ??= cosignedHead(this.#request)
      .then((head) => {
        if (isEnough(this.#request, head.cosigned)) this.#last = head;
        return head;
      })
      .finally(() => {
        this.#asking = undefined;
      });
    return this.#asking;
  }
}

/** A head that carries a release, after it was checked. */
export interface CheckedHead {
  readonly checkpoint: Checkpoint;
  /** By keys of the ledger. */
  readonly signed: readonly VerifiedSignature[];
  readonly cosigned: readonly VerifiedSignature[];
}

/**
 * The result of checking the signed head of a release.
 *
 * @inline
 */
export interface HeadCheck {
  /** Nothing was found if this is empty. */
  readonly findings: readonly Finding[];
  /** Oddities that don't prove a change. */
  readonly notes: readonly string[];
  readonly head?: CheckedHead;
}

/** Checks the head that a release carries by a policy, without the ledger. */
export async function checkWitnessed(
  { ledger, ...release }: PublishedRelease,
  { policy, least }: Pick<HeadRequest, "policy" | "least">,
): Promise<HeadCheck> {
  const { sequence, head: hash } = ledger;
  const name = JSON.stringify(release.id);
  const found = (kind: Finding["kind"], sentence: string): HeadCheck => ({
    findings: [{ kind, sequence, sentence }],
    notes: [],
  });
  const place = readWitnessedPlace(ledger.witnessed);
  if (place === undefined)
    return found("not-signed", `Release ${name} carries no signed head of its ledger.`);
  const { previous, path, note } = place;
  const entry = { kind: "release", release, format: LEDGER_FORMAT, sequence, previous } as const;
  if ((await hashText(entryText(entry))) !== hash)
    return found(
      "altered-release",
      `Release ${name} does not say what its ledger recorded as entry ${sequence}.`,
    );
  let head: CheckedHead;
  try {
    head = await checkedNote(note, policy);
  } catch (error) {
    if (!(error instanceof WinnowError)) throw error;
    return found("not-signed", `The head that release ${name} carries has a wrong signature, or isn't one.`);
  }
  const { checkpoint, signed, cosigned } = head;
  const { origin, size, top } = checkpoint;
  if (signed.length === 0)
    return found("not-signed", `No key of the policy for ${JSON.stringify(origin)} has signed the head.`);
  if (sequence > size || (await topOver({ hash, sequence, size, path })) !== top)
    return found(
      "not-included",
      `The path does not lead from entry ${sequence} to the signed head of ${size} entries.`,
    );
  const keys = cosigned.map(({ key }) => key);
  if (!isEnough({ policy, least }, keys)) {
    const wanted = least === undefined ? "not the quorum of the policy" : `and not ${least}`;
    return found(
      "not-witnessed",
      `${keys.length} of the policy's witnesses have cosigned the head, ${wanted}.`,
    );
  }
  const isDatedLater = cosigned.some(({ time = 0 }) => Date.parse(release.time) > 1000 * time + MOST_AHEAD);
  const notes = isDatedLater
    ? [`Release ${name} is dated more than an hour after a witness saw it: a clock was wrong.`]
    : [];
  return { findings: [], notes, head };
}

/** The head in a note, and who of the policy has signed it: perhaps no one. Throws if a signature is wrong, or if it isn't one. */
export async function checkedNote(
  note: string,
  { logs, witnesses }: Pick<Policy, "logs" | "witnesses">,
): Promise<CheckedHead> {
  const read = readNote(note);
  const checkpoint = readCheckpoint(read.text);
  const owners = logs.filter(({ name }) => name === checkpoint.origin);
  const verified = await verifiedSignatures(read, [...owners, ...witnesses.map(({ key }) => key)]);
  const [signed, cosigned] = (["head", "cosignature"] as const).map((type) =>
    verified.filter(({ key }) => key.type === type),
  ) as [VerifiedSignature[], VerifiedSignature[]];
  return { checkpoint, signed, cosigned };
}

/** Clocks of several machines may differ by this many milliseconds without a fault. */
const MOST_AHEAD = 3_600_000;

/** Whether a key signed the head that was in force after its entries; with the ledger that has it. */
export async function checkKeys(
  { ledger: { sequence, witnessed }, id }: PublishedRelease,
  entries: readonly KeyEntry[],
  topAt: (size: number) => Promise<string | undefined>,
): Promise<Finding[]> {
  if (witnessed === undefined) return [];
  const finding = (kind: Finding["kind"], sentence: string): Finding[] => [{ kind, sequence, sentence }];
  try {
    const note = readNote(witnessed.note);
    const { size, top } = readCheckpoint(note.text);
    const keys = keysInForce(entries, size).map(readNoteKey);
    if (
      (
        await verifiedSignatures(
          note,
          keys.map((key) => keyAs("head", key)),
        )
      ).length === 0
    )
      return finding(
        "not-signed",
        `The head that release ${JSON.stringify(id)} carries isn't signed by a key that the ledger had in force after entry ${size}.`,
      );
    const there = await topAt(size);
    if (there === top) return [];
    return finding(
      "rolled-back",
      `The head that release ${JSON.stringify(id)} carries is of other entries: the ledger was rolled back, or there are two of this name.`,
    );
  } catch (error) {
    if (!(error instanceof WinnowError)) throw error;
    return finding("not-signed", `The head that release ${JSON.stringify(id)} carries isn't one.`);
  }
}
