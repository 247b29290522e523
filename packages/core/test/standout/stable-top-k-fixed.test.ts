import { describe, expect, it } from "vitest";
import type { Entropy } from "../../src/entropy.js";
import { rational } from "../../src/exact/rational.js";
import type { Recorder } from "../../src/standout/recorder.js";
import {
  makeStableTopKFixed,
  type StableTopKFixedOptions,
  stableTopKFixed,
} from "../../src/standout/stable-top-k-fixed.js";
import { replayEntropy } from "../../src/testing/replay-entropy.js";
import { seededEntropy } from "../../src/testing/seeded-entropy.js";

const delta = "1e-6";
/** So much that the noise hardly ever changes which branch is taken. */
const AMPLE = 5000;

function run(histogram: ArrayLike<number | bigint>, options: object, seed = "fixed") {
  return stableTopKFixed(histogram, {
    k: 3,
    domain: "public",
    rho: AMPLE,
    delta,
    monotone: true,
    ...options,
    entropy: seededEntropy(seed),
  } as StableTopKFixedOptions);
}

/** As many candidates as there are sizes, each group far above the next. */
function groups(...sizes: number[]): number[] {
  return sizes.flatMap((size, i) => Array<number>(size).fill(10_000 * (sizes.length - i - 1)));
}

/** The sequence of the introduction of [ZW22]: 19 of nearly the same count, then a gap of 44. */
const EXAMPLE = [
  100,
  100,
  99,
  99,
  ...Array<number>(15).fill(98),
  54,
  53,
  53,
  52,
  ...Array<number>(20).fill(50),
];

/** A j is preferred so strongly that it is certain. */
const only = (j: number) => ({ k: j, penalty: 1_000_000 });

/** Takes every step with these bits, and notes its name. */
const recorderOf = (bits: Entropy, steps: string[] = []): Recorder => ({
  step: ({ name }, draw) => {
    steps.push(name);
    return draw(bits);
  },
});

describe("stableTopKFixed on a public domain", () => {
  it("releases a stable set of k as it is", () => {
    expect(run([5, 900, 901, 2, 900, 1], {})).toMatchObject({
      candidates: [1, 2, 4],
      stable: { k: 3, released: true },
    });
  });

  it("adds one to the 19 above the gap where k = 20 misses it by one: Example B of [ZW22]", () => {
    for (let seed = 0; seed < 20; seed++) {
      const { candidates: indices, stable } = run(EXAMPLE, { k: 20, rho: 2, penalty: 0 }, `example ${seed}`);
      expect(stable).toEqual({ k: 19, released: true });
      expect(indices.slice(0, 19)).toEqual([...EXAMPLE.keys()].slice(0, 19));
      expect(indices).toHaveLength(20);
    }
  });

  it("takes k of a larger stable set", () => {
    const { candidates: indices, stable } = run(groups(5, 20), {});
    expect(stable).toEqual({ k: 5, released: true });
    expect(indices).toHaveLength(3);
    for (const index of indices) expect(index).toBeLessThan(5);
  });

  it("adds to a smaller stable set, and never what is in it", () => {
    for (let seed = 0; seed < 200; seed++) {
      const { candidates: indices, stable } = run(groups(2, 20), {}, `smaller ${seed}`);
      expect(stable).toEqual({ k: 2, released: true });
      expect(indices).toHaveLength(3);
      expect(new Set(indices).size).toBe(3);
      expect(indices.slice(0, 2)).toEqual([0, 1]);
    }
  });

  it("takes k of all candidates where nothing is stable", () => {
    const { candidates: indices, stable } = run(groups(30), {});
    expect(stable.released).toBe(false);
    expect(new Set(indices).size).toBe(3);
  });

  it("gives the positions in ascending order", () => {
    for (let seed = 0; seed < 50; seed++) {
      const { candidates: indices } = run([9, 1, 500, 7, 9, 8, 500], {}, `ascending ${seed}`);
      expect([...indices].sort((a, b) => a - b)).toEqual(indices);
    }
  });

  it("may take all candidates", () => {
    expect(run([3, 2, 1], {}).candidates).toEqual([0, 1, 2]);
  });

  it("refuses more than there are, before a bit is drawn", () => {
    expect(() => run([3, 2], {})).toThrow("k must be an integer from 1 to 2; got 3");
    const made = makeStableTopKFixed({
      ...{ k: 3, domain: "public", choose: { noise: "gumbel", scale: 2 }, test: { variance: 4 }, delta },
      rounds: { scale: 5 },
    });
    expect(() => made.invoke([3, 2], replayEntropy(""))).toThrow("k must be an integer from 1 to 2; got 3");
    expect(() => made.recorded([3, 2], recorderOf(replayEntropy("")))).toThrow(
      "k must be an integer from 1 to 2; got 3",
    );
  });

  it("recorded takes its steps from the recorder, and is the same answer", () => {
    const made = makeStableTopKFixed({
      ...{ k: 3, domain: "public", choose: { noise: "gumbel", scale: 2 }, test: { variance: 4 }, delta },
      ...{ monotone: true, rounds: { rho: 1 } },
    });
    for (let seed = 0; seed < 20; seed++) {
      const steps: string[] = [];
      const bits = seededEntropy(`recorded ${seed}`);
      const answer = made.recorded({ dove: 900, alster: 880, elbe: 3, oder: 1 }, recorderOf(bits, steps));
      expect(answer).toEqual(
        made.invoke({ dove: 900, alster: 880, elbe: 3, oder: 1 }, seededEntropy(`recorded ${seed}`)),
      );
      expect(steps.length).toBeGreaterThan(1);
    }
  });
});

describe("the steps of a run", () => {
  const steps = ["choice of k", "stability test"];
  const namesOf = (counts: readonly number[], options: object) => {
    const made = makeStableTopKFixed({
      ...{ k: 3, domain: "public", choose: { noise: "gumbel", scale: 2 }, test: { variance: 4 } },
      ...{ delta, monotone: true, rounds: { rho: AMPLE }, ...options },
    } as never);
    const names: string[] = [];
    const { candidates } = made.recorded(counts, recorderOf(seededEntropy("steps"), names));
    return { names, candidates };
  };

  it("are two where the stable set is that of k", () => {
    expect(namesOf(groups(3, 20), {}).names).toEqual(steps);
    expect(namesOf(groups(3, 20), { domain: "unknown" }).names).toEqual(steps);
  });

  it("are three where something is added or dropped", () => {
    expect(namesOf(groups(5, 20), {}).names).toEqual([...steps, "rounds among"]);
    expect(namesOf(groups(2, 20), {}).names).toEqual([...steps, "rounds beside"]);
    expect(namesOf(groups(5, 20), { domain: "unknown", maxK: 6 }).names).toEqual([...steps, "rounds among"]);
  });

  it("add to a set of a public domain, also where no set is larger than k", () => {
    for (const maxK of [2, 4]) {
      const answer = namesOf([9000, 8000, 3, 2], { k: 4, maxK, penalty: 0 });
      expect(answer.candidates).toEqual([0, 1, 2, 3]);
    }
    expect(namesOf([9000, 8000, 3, 2], { k: 4, maxK: 2, penalty: 0 }).names).toEqual([
      ...steps,
      "rounds beside",
    ]);
  });

  it("never add to a set of an unknown domain, also where rounds were charged", () => {
    for (const maxK of [3, 4]) {
      const answer = namesOf(groups(2, 20), { domain: "unknown", maxK });
      expect(answer).toEqual({ names: steps, candidates: [0, 1] });
    }
  });
});

describe("stableTopKFixed on an unknown domain", () => {
  const unknown = { domain: "unknown" };

  it("releases a stable set of k as it is, and k of a larger one", () => {
    expect(run(groups(3, 20), unknown).candidates).toEqual([0, 1, 2]);
    const { candidates: indices, stable } = run(groups(5, 20), { ...unknown, maxK: 6 });
    expect(stable).toEqual({ k: 5, released: true });
    expect(indices).toHaveLength(3);
  });

  it("adds nothing to a smaller set", () => {
    expect(run(groups(2, 20), unknown)).toMatchObject({
      candidates: [0, 1],
      stable: { k: 2, released: true },
    });
  });

  it("is empty where nothing is stable, whoever has the most", () => {
    expect(run([40, 30, 20, 10], { ...unknown, rho: "0.001" })).toMatchObject({
      candidates: [],
      stable: { released: false },
    });
  });

  it("takes fewer candidates than k for what they are", () => {
    expect(run([800], { ...unknown, ...only(3) }).candidates).toEqual([]);
    expect(run([800, 900, 700], { ...unknown, k: 5 })).toMatchObject({ candidates: [0, 1, 2] });
    expect(run([], unknown).candidates).toEqual([]);
  });
});

describe("the options of stableTopKFixed", () => {
  const parameters = {
    k: 3,
    domain: "public" as const,
    choose: { noise: "gumbel" as const, scale: 2 },
    test: { variance: 4 },
    delta,
    monotone: true,
  };

  it("let j be up to 2k, or k for an unknown domain, unless maxK says otherwise", () => {
    const penalty = 0;
    expect(run(groups(6, 20), { penalty }).stable).toEqual({ k: 6, released: true });
    expect(run(groups(7, 20), { penalty }).stable.released).toBe(false);
    expect(run(groups(7, 20), { penalty, maxK: 7 }).stable).toEqual({ k: 7, released: true });
    const domain = "unknown";
    expect(run(groups(4, 20), { penalty, domain }).stable.released).toBe(false);
    expect(run(groups(4, 20), { penalty, domain, maxK: 4 }).stable).toEqual({ k: 4, released: true });
  });

  it("weigh the distance from k against the gap", () => {
    const histogram = groups(1, 1, 1, 1, 1, 20);
    for (const j of [1, 2, 3, 4]) expect(run(histogram, { ...only(j), maxK: 6 }).stable.k).toBe(j);
  });

  it("prefer the widest gap, however far, where gaps are not capped", () => {
    const histogram = [90_000, 5000, 2000, 1000, 0, 0, 0]; // gaps 85000, 3000, 1000, 1000
    expect(run(histogram, { k: 4 }).stable.k).toBe(4);
    expect(run(histogram, { k: 4, gapCap: Infinity }).stable.k).toBe(1);
    expect(run(histogram, { k: 4, gapCap: Infinity, penalty: 100_000 }).stable.k).toBe(4);
  });

  it("split ρ into a quarter, a quarter and a half", () => {
    const byBudget = makeStableTopKFixed({ ...parameters, rounds: { rho: "1/4" } });
    const { privacy } = run(groups(3, 20), { rho: "1/2" });
    expect(byBudget.zcdp).toEqual({ measure: "zcdp", rho: rational("1/2"), delta: rational(delta) });
    expect(privacy).toEqual(byBudget.zcdp);
    for (let i = 0; i < 100; i++) {
      const histogram = [14, 13, 12, 7, 6, 5, 0];
      const { privacy: _, ...answer } = run(histogram, { rho: "1/2" }, `quarters ${i}`);
      expect(answer).toEqual(byBudget.invoke(histogram, seededEntropy(`quarters ${i}`)));
    }
  });

  it("split ρ into halves where it can never come to a round", () => {
    const unknown = { ...parameters, domain: "unknown" as const, rounds: { rho: 7 } };
    expect(makeStableTopKFixed(unknown).zcdp.rho).toEqual(rational("1/4"));
    expect(makeStableTopKFixed({ ...unknown, maxK: 4 }).zcdp.rho).toEqual(rational("1/4").plus(7));
    for (let i = 0; i < 100; i++) {
      const histogram = [14, 13, 12, 7, 6, 5, 0];
      const { privacy, ...answer } = run(histogram, { rho: "1/4", domain: "unknown" }, `halves ${i}`);
      expect(answer).toEqual(makeStableTopKFixed(unknown).invoke(histogram, seededEntropy(`halves ${i}`)));
      expect(privacy).toEqual(makeStableTopKFixed(unknown).zcdp);
    }
  });

  it("charge k rounds of a given scale", () => {
    const byScale = makeStableTopKFixed({ ...parameters, rounds: { scale: 5 } });
    expect(byScale.zcdp.rho).toEqual(rational("1/4").plus("3/200"));
    const replaced = makeStableTopKFixed({ ...parameters, monotone: false, rounds: { scale: 5 } });
    expect(replaced.zcdp.rho).toEqual(rational(1).plus("12/200"));
  });

  it("take an (ε, δ) for what it is worth", () => {
    const { privacy } = run(groups(3, 20), { rho: undefined, epsilon: 1 });
    expect(privacy).toMatchObject({ measure: "approx", delta: rational(delta) });
    const { epsilon } = privacy as { epsilon: ReturnType<typeof rational> };
    expect(epsilon.compare(1)).toBeLessThanOrEqual(0);
    expect(epsilon.compare("0.999999")).toBe(1);
  });
});

describe("stableTopKFixed refuses, before it draws a bit,", () => {
  const refusal = (options: object) => {
    const all = { k: 1, domain: "public", rho: 1, delta, ...options, entropy: replayEntropy("") };
    return expect(() => stableTopKFixed([3, 2], all as StableTopKFixedOptions));
  };

  it("parameters that make no sense", () => {
    refusal({ k: 0 }).toThrow("k must be an integer >= 1; got 0");
    refusal({ domain: undefined }).toThrow('domain must be "public" or "unknown"; got undefined');
    refusal({ penalty: -1 }).toThrow("penalty must be a rational >= 0; got -1");
    for (const gapCap of [0, 2.5])
      refusal({ gapCap }).toThrow(`gapCap must be an integer >= 1; got ${gapCap}`);
    refusal({ maxK: 0 }).toThrow("maxK must be an integer >= 1; got 0");
    refusal({ rho: undefined }).toThrow('budget must be exactly one of rho and epsilon; got "none"');
  });

  it("a penalty of a measurement below 0, and names that it doesn't have", () => {
    const parameters = {
      k: 1,
      domain: "public",
      choose: { noise: "gumbel", rho: 1 },
      test: { rho: 1 },
      delta,
      rounds: { rho: 1 },
    } as const;
    expect(() => makeStableTopKFixed({ ...parameters, penalty: -1 })).toThrow(
      "penalty must be a rational >= 0; got -1",
    );
    expect(() => makeStableTopKFixed({ ...parameters, wrongly: 1 } as never)).toThrow(/^parameters has/);
    expect(() => makeStableTopKFixed(undefined as never)).toThrow(/^parameters must be/);
  });

  it("rounds without a budget or with two", () => {
    const parameters = {
      k: 1,
      domain: "public" as const,
      choose: { noise: "gumbel" as const, rho: 1 },
      test: { rho: 1 },
      delta,
    };
    expect(() => makeStableTopKFixed({ ...parameters, rounds: {} as never })).toThrow(
      'budget must be exactly one of rho and scale; got "none"',
    );
    expect(() => makeStableTopKFixed({ ...parameters, rounds: { rho: 1, scale: 1 } as never })).toThrow(
      'budget must be exactly one of rho and scale; got "rho and scale"',
    );
  });
});
