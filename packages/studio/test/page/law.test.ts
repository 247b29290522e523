/**
 * The law of what the page releases, against an exact vector: real releases, each charged to the ledger in the browser. The
 * worker draws from the browser's entropy, in whose place the test puts a seeded one, so that the verdict is always the same.
 */

import { describe, expect, it } from "vitest";
import { topKWithGapLaw } from "winnow-audit";
import { rational } from "winnow-dp";
import { expectAccepts, expectRejects, type Tally } from "../../../core/test/support/tally.js";
import { type TopKWithGapVector, vectors } from "../../../core/test/support/vectors.js";
import type { Asked, Published } from "../../src/worker/api.js";
import { asFile, callWorker, IGNORED } from "../support/call-worker.js";
import { seededCrypto } from "../support/seeded-crypto.js";
import { studioBrowser } from "../support/studio-browser.js";

const studio = studioBrowser();
const RUNS = 200;
const NAMES = ["k=1 n=3 monotone"];
const CASES = vectors.noisy_topk_gap.filter(({ name }) => NAMES.includes(name));

describe("what the page releases", () => {
  it.each(CASES)("has the law of the vector $name, and not that of twice the noise", async (vector) => {
    const draws = await releases(vector);
    expectAccepts(draws, lawOf(vector));
    expectRejects(draws, lawWithMoreNoise(vector));
  });
});

/** Candidate i of the vector is called `ci`; it gets as many users as its score says. */
async function releases(vector: TopKWithGapVector): Promise<Tally> {
  const { name, scores, k, epsilon, gamma, monotone, cells } = vector;
  const page = await studio.open({ prelude: seededCrypto(name) });
  const counts = scores.map((score) => rational(score).toNumber());
  const rows = counts.flatMap((count, index) =>
    Array.from({ length: count }, (_, user) => `u${user},c${index}`),
  );
  await callWorker(page, "open", asFile("rows.csv", ["user,item", ...rows].join("\n")));
  await callWorker(page, "count", { item: "item", user: "user" }, IGNORED);
  await callWorker(
    page,
    "setCandidates",
    counts.map((_, index) => `c${index}`),
  );
  const budget = { epsilon: String(rational(epsilon).times(BigInt(RUNS))), agreed: true };
  await callWorker(page, "ledger.init", "law", budget);
  const asked: Asked = {
    kind: "top",
    k,
    domain: "listed",
    neighbours: monotone ? "add-remove" : "replace",
    epsilon,
    resolution: gamma,
    unit: "one user",
  };
  const counted = new Map<string, number>();
  for (let run = 0; run < RUNS; run++) {
    const { rows } = await callWorker<Published>(page, "release", {
      dataset: "law",
      asked,
      id: `run ${run}`,
    });
    const gaps = rows.map(({ gap }) => rational(gap!.exact).dividedBy(gamma).toNumber());
    const outcome = outcomeOf(
      rows.map(({ item }) => Number(item.slice(1))),
      gaps,
      largestGap(cells),
    );
    counted.set(outcome, (counted.get(outcome) ?? 0) + 1);
  }
  // The budget was for exactly so many.
  const more = callWorker(page, "release", { dataset: "law", asked, id: "one more" });
  await expect(more).rejects.toMatchObject({ code: "over-budget" });
  return { seed: name, runs: RUNS, counts: counted, bitsPerRun: 0 };
}

function lawOf({ cells }: TopKWithGapVector): Record<string, string> {
  return Object.fromEntries(cells.map(({ indices, gaps, prob }) => [`${indices} by ${gaps}`, prob]));
}

function lawWithMoreNoise({
  scores,
  k,
  gamma,
  noise_scale,
  cells,
}: TopKWithGapVector): Record<string, number> {
  const scale = rational(noise_scale).times(2n);
  const law = topKWithGapLaw(scores, { k, scale, resolution: gamma, largestGap: largestGap(cells) });
  return Object.fromEntries(
    [...law].map(([outcome, probability]) => [outcome, probability.lower().toNumber()]),
  );
}

function outcomeOf(indices: readonly number[], gaps: readonly number[], largest: number): string {
  return `${indices} by ${gaps.map((gap) => (gap < largest ? gap : `>=${largest}`))}`;
}

/** The vectors lump all gaps from here on. */
function largestGap(cells: TopKWithGapVector["cells"]): number {
  const tails = cells.flatMap(({ gaps }) => gaps.filter((gap) => typeof gap === "string"));
  return Number(tails[0]?.replace(">=", ""));
}
