import { describe, expect, it } from "vitest";
import { seededEntropy } from "winnow-dp/testing";
import { paperTopKWithGap } from "../src/study/paper-top-k-with-gap.js";
import { dataStatistics } from "../src/top-k-with-gap/data-statistics.js";
import { primitiveCalls } from "../src/top-k-with-gap/primitive-calls.js";
import { noiseScale, SIZES, transactions } from "../src/top-k-with-gap/transactions.js";
import { WatchedReference } from "../src/top-k-with-gap/watched-reference.js";

const settings = { trials: 1, data: "missing" };

describe("the data of the experiments on gaps", () => {
  it("are the paper's generator and stand-ins of the right size where the files are missing, and say so", () => {
    const [generated, ...others] = transactions(settings.data);
    expect(generated.name).toContain("by its generator, our seed");
    expect(Math.abs(generated.counts.length - 942)).toBeLessThan(15);
    expect(generated.counts.filter((count) => count >= 1000).length / 755).toBeCloseTo(1, 1);
    expect(others.map(({ counts }) => counts.length)).toEqual([1657, 41_270]);
    for (const { name } of others) expect(name).toContain("stand-in");
  });

  it("are described beside the paper's own", () => {
    const rows = dataStatistics(settings).table.split("\n").slice(2);
    expect(rows).toHaveLength(3);
    expect(rows[2]).toMatch(/Kosarak .*\| 990,002 +\| 41,270 +\| – +\| 41,270 +\|/);
  });

  it("get the paper's noise, 2k/ε", () => {
    expect(SIZES.map(noiseScale)).toEqual([50, 100, 200, 400, 800, 1600]);
  });

  it("come with as many published figures as there are sizes", () => {
    for (const { published } of transactions(settings.data))
      for (const row of [published!.secure, published!.pruned, published!.baseline, ...published!.phases])
        expect(row).toHaveLength(SIZES.length);
  });
});

describe("the watched reference", () => {
  it("counts one geometric variate for each candidate, and a refinement for a tie", () => {
    const reference = new WatchedReference(seededEntropy("watched"), { timed: true });
    const winners = paperTopKWithGap([5, 5, 5, 5], { k: 2, scale: "1/2", resolution: 1 }, reference);
    expect(winners).toHaveLength(2);
    expect(reference.calls.geometric).toBeGreaterThanOrEqual(4);
    expect(reference.refinements).toBeGreaterThan(0);
    expect(reference.times.geometric).toBeGreaterThanOrEqual(reference.times.bernoulli);
    for (const time of reference.phases()) expect(time).toBeGreaterThanOrEqual(0);
  });
});

describe("the calls of primitives", () => {
  it("are of the order of the published ones", () => {
    const rows = primitiveCalls(settings).table.split("\n").slice(2);
    const [, geometric, bernoulli] = rows.map((row) => Number(row.split("|")[2].replaceAll(",", "")));
    expect(geometric).toBe(41_270);
    expect(bernoulli / 303_216).toBeGreaterThan(0.8);
    expect(bernoulli / 303_216).toBeLessThan(1.25);
  });
});
