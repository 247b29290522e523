/**
 * An adaptive number of winners, against the scan that finds as many largest counts without privacy; and labels from
 * teachers, against counting their votes.
 * @module
 */
import { labelByTeachers, stableTopK, systemEntropy } from "winnow-dp";
import { seededEntropy } from "winnow-dp/testing";
import { contender, type Race } from "../race.js";
import { scanTopK } from "../rivals/scan-top-k.js";
import { zipf } from "../shapes.js";
import type { Suite } from "../suite.js";

const ITEMS = 1_000_000;
const MAX_K = 50;
const QUERIES = 1000;
const TEACHERS = 250;
const LABELS = 40;

export const adaptive: Suite = {
  name: "adaptive",
  works: [
    { name: "stableTopK, Zipf shuffled, n = 1,000,000, maxK = 50", prepare: stable },
    { name: "labelByTeachers, 1,000 queries of 250 teachers and 40 labels", prepare: labels },
  ],
};

function stable(): Race {
  const counts = zipf(ITEMS);
  const entropy = systemEntropy();
  return {
    unit: "candidate",
    operations: ITEMS,
    subject: contender(
      "stableTopK",
      () => stableTopK(counts, { rho: "0.1", delta: "1e-6", maxK: MAX_K, monotone: true, entropy }),
      ({ k }) => k >= 1 && k <= MAX_K,
    ),
    rivals: [
      contender(
        "scan without noise",
        () => scanTopK(counts, MAX_K + 1),
        (indices) => indices.length === MAX_K + 1,
        1.5,
      ),
    ],
  };
}

function labels(): Race {
  const votes = randomVotes();
  const entropy = systemEntropy();
  const options = {
    task: "multi-label",
    teachers: TEACHERS,
    labels: LABELS,
    choose: { noise: "gumbel", scale: 39 },
    test: { variance: 400 },
    delta: "1e-9",
    entropy,
  } as const;
  return {
    unit: "query",
    operations: QUERIES,
    subject: contender(
      "labelByTeachers",
      () => labelByTeachers(votes, options),
      ({ queries }) => queries === QUERIES,
    ),
    rivals: [
      contender(
        "counting the votes",
        () => countVotes(votes),
        (counts) => counts.length === QUERIES * LABELS,
      ),
    ],
  };
}

/** Each teacher says yes to a label with a chance that falls with its number. */
function randomVotes(): Uint8Array {
  const entropy = seededEntropy("votes");
  return Uint8Array.from({ length: QUERIES * TEACHERS * LABELS }, (_, i) =>
    entropy.bits(6) > (i % LABELS) * 4 ? 1 : 0,
  );
}

/** How many teachers said yes, for each query and label. */
function countVotes(votes: Uint8Array): Int32Array {
  const counts = new Int32Array(QUERIES * LABELS);
  for (let query = 0, i = 0; query < QUERIES; query++)
    for (let teacher = 0; teacher < TEACHERS; teacher++)
      for (let label = 0; label < LABELS; label++) counts[query * LABELS + label] += votes[i++];
  return counts;
}
