import { describe, expect, it } from "vitest";
import { Rational } from "../../src/exact/rational.js";
import { integerPartition } from "../../src/numbers/integer-partition.js";
import { drawPartition } from "../../src/numbers/partition-draw.js";
import { parameterOf, vectors } from "../support/more-vectors.js";
import { expectAccepts, expectRejects, tally } from "../support/tally.js";

const RUNS = 400;
const OTHERS = "others";

function lawOf(outcomes: readonly { partition: number[]; prob: string }[]) {
  const law = Object.fromEntries(outcomes.map(({ partition, prob }) => [partition.join(","), prob]));
  const named = outcomes.reduce((sum, { prob }) => sum + Number(prob), 0);
  return { law: { ...law, [OTHERS]: String(1 - named) }, names: new Set(Object.keys(law)) };
}

describe("integerPartition", () => {
  it.each(vectors.integer_partition)("has its law: $name", ({ name, frequencies, eta, outcomes }) => {
    const { law, names } = lawOf(outcomes as { partition: number[]; prob: string }[]);
    const found = tally({
      seed: `partition ${name}`,
      runs: RUNS,
      sample: (entropy) =>
        integerPartition(frequencies, { eta: parameterOf(eta), entropy }).frequencies.join(","),
      key: (list) => (names.has(list) ? list : OTHERS),
    });
    expectAccepts(found, law);
  });

  it("has the same law where the table is far too coarse and narrow, and is made again with the same uniforms", () => {
    const { frequencies, eta, outcomes } = vectors.integer_partition[0];
    const { law, names } = lawOf(outcomes as { partition: number[]; prob: string }[]);
    const base = Rational.of(BigInt(eta.x) ** BigInt(eta.z), 1n << BigInt(eta.y * eta.z));
    const counts = Float64Array.from(frequencies);
    const found = tally({
      seed: "partition rebuilt",
      runs: RUNS,
      sample: (entropy) =>
        drawPartition(counts, base, entropy, { digits: 12, window: 6, extra: 2 }).join(","),
      key: (list) => (names.has(list) ? list : OTHERS),
    });
    expectAccepts(found, law);
    const off = tally({
      seed: "partition off",
      runs: RUNS,
      sample: (entropy) =>
        drawPartition(counts, base.times("0.8"), entropy, { digits: 64, window: 40, extra: 8 }).join(","),
      key: (list) => (names.has(list) ? list : OTHERS),
    });
    expectRejects(off, law);
  });

  it("is near the true list of a large one", () => {
    const counts = Float64Array.from({ length: 3000 }, (_, i) => Math.floor(20_000 / (i + 1)));
    const { frequencies } = integerPartition(counts, { epsilon: 1 });
    for (const i of [0, 1, 5, 20, 100]) expect(Math.abs(frequencies[i] - counts[i])).toBeLessThan(60);
  });
});
