/**
 * Winnow's own ways from rows to a release, with their private steps recorded: `replay` runs them on rows and on the same rows
 * without each person in turn. Everything around the steps, the counting of users first, is checked to be what the proofs
 * count on.
 * @module
 */
import { makeNoisyTopK } from "../../select/make-noisy-top-k.js";
import { recordedStableTopK } from "./recorded-stable-top-k.js";
import { recordedStableTopKFixed } from "./recorded-stable-top-k-fixed.js";
import type { Recorder } from "./recorder.js";
import type { RecordedMechanism } from "./replay.js";
import { countListed, countUsers, type Row } from "./rows.js";

/** A way to a release, with a name. */
export interface RecordedWay {
  /** The function of the library, and the kind of domain. */
  readonly name: string;
  /** From rows to what is released. */
  readonly mechanism: RecordedMechanism<readonly Row[]>;
}

/** The ways for rows whose items are known to be on a public list, and for items nobody knows beforehand. */
export function recordedWays(items: readonly string[]): readonly RecordedWay[] {
  return [
    { name: "topKWithGap", mechanism: (rows, recorder) => noisyTop(rows, items, "pure", recorder) },
    { name: "topK with ρ", mechanism: (rows, recorder) => noisyTop(rows, items, "zcdp", recorder) },
    { name: "stableTopK, public list", mechanism: (rows, recorder) => stableTop(rows, items, recorder) },
    { name: "stableTopKFixed, public list", mechanism: (rows, recorder) => fixedTop(rows, items, recorder) },
    {
      name: "stableTopK, unknown domain",
      mechanism: (rows, recorder) => stableTop(rows, undefined, recorder),
    },
  ];
}

const K = 3;
const SCALE = 3;

function noisyTop(
  rows: readonly Row[],
  items: readonly string[],
  measure: "pure" | "zcdp",
  recorder: Recorder,
): unknown {
  const counts = countListed(rows, items);
  const measurement = makeNoisyTopK({
    k: K,
    measure,
    scale: SCALE,
    monotone: true,
    ...(measure === "pure" && { resolution: 1 }),
  });
  const step = {
    name: measure === "pure" ? "exponential noise with gaps" : "Gumbel noise",
    parameters: { k: K, scale: SCALE, loss: measurement.map(1) },
    input: counts,
    sensitivity: 1,
    monotone: true,
  };
  const { winners } = recorder.step(step, (entropy) => measurement.invoke(counts, entropy));
  return winners.map(({ index, gap }) => ({ item: items[index], gap: String(gap) }));
}

/** Names, not positions, are released: where the domain is unknown a position depends on who is in the data. */
function stableTop(rows: readonly Row[], listed: readonly string[] | undefined, recorder: Recorder): unknown {
  const counts = countUsers(rows);
  const items = listed ?? [...counts.keys()];
  const histogram = items.map((item) => counts.get(item) ?? 0);
  const budget = { noise: "gumbel", rho: "1/4" } as const;
  const options = { maxK: 5, delta: "1e-6", monotone: true, choose: budget, test: { rho: "1/4" } };
  const release = recordedStableTopK(histogram, options, recorder);
  return release.released ? release.indices.map((index) => items[index]) : `nothing for k = ${release.k}`;
}

/** Exactly three of a public list. */
function fixedTop(rows: readonly Row[], items: readonly string[], recorder: Recorder): unknown {
  const choose = { noise: "gumbel", rho: "1/4" } as const;
  const budgets = { choose, test: { rho: "1/4" }, rounds: { rho: "1/2" }, delta: "1e-6" };
  const options = { ...budgets, k: K, domain: "public", maxK: 2 * K, penalty: 1, monotone: true } as const;
  const indices = recordedStableTopKFixed(countListed(rows, items), options, recorder);
  return indices.map((index) => items[index]);
}
