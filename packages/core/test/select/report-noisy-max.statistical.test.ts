import { describe, it } from "vitest";
import { rational } from "../../src/exact/rational.js";
import { type ReportNoisyMaxOptions, reportNoisyMax } from "../../src/select/report-noisy-max.js";
import { lawFromZero } from "../support/law.js";
import { expectAccepts, expectRejects, tally } from "../support/tally.js";
import { type Decimal, vectors } from "../support/vectors.js";

interface Selection {
  readonly noise: ReportNoisyMaxOptions["noise"];
  readonly scores: readonly number[];
  /** The scale of the noise, or the variance if it is Gaussian. */
  readonly size: string;
  readonly probs: readonly Decimal[];
}

const SELECTIONS: readonly Selection[] = [
  ...vectors.permute_and_flip.map(({ scale, ...vector }) => ({
    ...vector,
    noise: "exponential" as const,
    size: scale,
  })),
  ...vectors.em_base_e.map(({ tau, ...vector }) => ({ ...vector, noise: "gumbel" as const, size: tau })),
  ...vectors.rnm.map((vector) => ({ ...vector, size: "b" in vector ? vector.b : vector.sigma2 })),
];

/** The winners of many runs, the noise stretched by a factor. */
function winners({ noise, scores, size }: Selection, runs: number, stretch = "1") {
  const budget =
    noise === "gaussian"
      ? { variance: rational(size).times(stretch).times(stretch) }
      : { scale: rational(size).times(stretch) };
  return tally({
    seed: `noisy max, ${noise}, ${scores}, ${stretch}`,
    runs,
    sample: (entropy) =>
      reportNoisyMax(scores, { noise, ...budget, entropy } as ReportNoisyMaxOptions).candidate,
  });
}

describe("reportNoisyMax", () => {
  it.each(SELECTIONS)("has its law with $noise noise of size $size for scores $scores", (selection) => {
    expectAccepts(winners(selection, 4_000), lawFromZero(selection.probs));
  });

  it.each(["exponential", "gumbel", "laplace", "gaussian"].map((noise) => ({ noise })))(
    "has another law when the scale of $noise noise is 20 % off",
    ({ noise }) => {
      const selection = SELECTIONS.find((each) => each.noise === noise)!;
      expectRejects(winners(selection, 10_000, "1.2"), lawFromZero(selection.probs));
    },
  );
});
