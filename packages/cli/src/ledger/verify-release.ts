/**
 * A ledger, or one release against it: the chain is whole, a head that the release carries was signed by a key in force, and every release
 * was charged what its mechanism costs, within the budgets in force. Nothing private is read.
 * @module
 */
import {
  checkCharges,
  checkKeys,
  type Finding,
  type Ledger,
  type PublishedRelease,
  unpricedSentence,
} from "winnow-release";
import { pricesOfDocuments } from "../watch/prices.js";

export interface VerifiedLedger extends Omit<Awaited<ReturnType<typeof checkCharges>>, "findings"> {
  readonly head: { readonly sequence: number; readonly hash: string };
  /** Empty if the ledger bears out the release. */
  readonly findings: readonly Finding[];
  /** Whether the price of this release is one that Winnow can't compute. */
  readonly isUnpriced: boolean;
}

export async function verifyRelease(ledger: Ledger, release?: PublishedRelease): Promise<VerifiedLedger> {
  const { head, findings } = await ledger.verify(release === undefined ? [] : [release]);
  const broken =
    findings.length > 0 || release === undefined
      ? findings
      : await checkKeys(release, await ledger.keyEntries(), async (size) =>
          size > head.sequence ? undefined : (await ledger.treeHead(size)).top,
        );
  if (broken.length > 0)
    return { head, findings: broken, recomputed: 0, unpriced: [], open: [], isUnpriced: false };
  const charges = await checkCharges(ledger.entries(), pricesOfDocuments());
  const own = charges.unpriced.filter(({ sequence }) => sequence === release?.ledger.sequence);
  const isUnpriced = charges.findings.length === 0 && own.length > 0;
  if (!isUnpriced) return { head, ...charges, isUnpriced };
  const sentence = unpricedSentence(own);
  return {
    ...{ head, ...charges, isUnpriced },
    findings: [{ kind: "not-priced", sequence: own[0]!.sequence, sentence }],
  };
}
