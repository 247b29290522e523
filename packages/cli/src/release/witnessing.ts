/**
 * A release that witnesses must have seen before it is shown. Before anything is charged, the witnesses are asked about the ledger as
 * it is: one that has seen a longer or another ledger of this name stops the run for nothing. After the charge, the entry's head is
 * signed and cosigned; if too few witnesses answer, the charge stands, and the same id prints the answer later.
 * @module
 */
import {
  cosignedHead,
  type HeadRequest,
  type Ledger,
  mustBe,
  type NoteSigner,
  type Policy,
  type PublishedRelease,
  Refusal,
  readPolicy,
  withWitnesses,
} from "winnow-release";
import { readPolicyFile, readSigners } from "../commands/heads.js";
import { seenIn, submit } from "../heads/submit.js";
import type { ReleaseOptions } from "./release-options.js";

type WitnessOptions = Pick<ReleaseOptions, "sign" | "policy" | "requireWitness" | "passphraseFile">;

/** Whose signatures a release needs. */
export interface Witnessing {
  readonly signers: readonly NoteSigner[];
  readonly policy: Policy;
  readonly least?: number | undefined;
}

/** Reads keys and policy, before anything else happens; undefined for a release without a signature. */
export async function readWitnessing(options: WitnessOptions): Promise<Witnessing | undefined> {
  const { sign, policy: file, requireWitness: least } = options;
  if (sign === undefined) {
    const name = file !== undefined ? "--policy" : least !== undefined ? "--require-witness" : undefined;
    if (name === undefined) return undefined;
    throw new Refusal("usage", `${name} needs --sign: witnesses cosign what the ledger has signed.`);
  }
  if (least !== undefined && file === undefined)
    throw new Refusal("usage", "--require-witness needs --policy, which names the witnesses.");
  const policy = file === undefined ? readPolicy("quorum none") : await readPolicyFile(file);
  if (least !== undefined && least > policy.witnesses.length)
    throw new Refusal(
      "usage",
      mustBe(
        "--require-witness",
        `at most ${policy.witnesses.length}, the number of witnesses in the policy`,
        least,
      ),
    );
  return { signers: await readSigners([sign], options), policy, least };
}

/** Refuses if a witness has seen another ledger of this name; one that doesn't answer is asked again later. */
export async function checkBefore(ledger: Ledger, witnessing: Witnessing | undefined): Promise<void> {
  if (witnessing === undefined || (await ledger.length()) === 0) return;
  await cosignedHead(requestOf(ledger, witnessing));
}

/** The release with its signed head. */
export async function signed<R extends PublishedRelease>(
  release: R,
  ledger: Ledger,
  witnessing: Witnessing | undefined,
): Promise<R> {
  if (witnessing === undefined) return release;
  return withWitnesses(release, requestOf(ledger, witnessing));
}

function requestOf(ledger: Ledger, witnessing: Witnessing): HeadRequest {
  return { ledger, ...askedThrough(witnessing) };
}

/** With the ways to its witnesses. */
export function askedThrough(witnessing: Witnessing): Omit<HeadRequest, "ledger"> {
  return { ...witnessing, submit, seen: seenIn };
}
