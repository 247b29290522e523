import { describe, expect, it } from "vitest";
import type { LossOf } from "../../src/accounting/loss.js";
import type { LooseOptions } from "../../src/accounting/spend.js";
import { rational } from "../../src/exact/rational.js";
import { type TopKOptions, topK } from "../../src/select/top-k.js";
import { seededEntropy } from "../../src/testing/seeded-entropy.js";
import { expectRefused, untouched } from "./refusals.js";

const SCORES = [5, 100, 3];

function refuse(
  options: Partial<Record<keyof TopKOptions, unknown>>,
  message: string,
  scores: number[] = SCORES,
): void {
  const given = { k: 1, entropy: untouched(), ...options } as TopKOptions;
  expectRefused(() => topK(scores, given), message);
}

describe("topK", () => {
  it("answers with the positions of the winners, best first, and the loss", () => {
    const { winners, privacy } = topK(SCORES, { k: 2, scale: "1e-6", entropy: seededEntropy(1) });
    expect(winners).toEqual([{ candidate: 1 }, { candidate: 0 }]);
    expect(privacy).toEqual({ measure: "pure", epsilon: rational("4e6") });
  });

  it("finds the smallest if asked to", () => {
    const { winners } = topK(SCORES, { k: 3, scale: "1e-6", negate: true, entropy: seededEntropy(1) });
    expect(winners.map(({ candidate }) => candidate)).toEqual([2, 0, 1]);
  });

  it("takes the system's bits by default", () => {
    expect(topK(SCORES, { k: 1, scale: "1e-6" }).winners).toEqual([{ candidate: 1 }]);
    expect(topK(SCORES, { k: 1, scale: "1e-6", method: "peel" }).winners).toEqual([{ candidate: 1 }]);
  });

  it("may rank everybody, and a single candidate wins", () => {
    expect(
      topK(SCORES, { k: 3, epsilon: 1, entropy: seededEntropy(1) })
        .winners.map(({ candidate }) => candidate)
        .sort(),
    ).toEqual([0, 1, 2]);
    expect(topK([7], { k: 1, rho: 1, entropy: seededEntropy(1) }).winners).toEqual([{ candidate: 0 }]);
    expect(topK([7, 8], { k: 2, epsilon: 1, method: "peel", entropy: seededEntropy(1) }).winners.length).toBe(
      2,
    );
  });

  it("without noise it gives the exact order, the earlier of equals first, and promises nothing", () => {
    const { winners, privacy } = topK([1, 3, 2, 3, 3], { k: 4, scale: 0, entropy: untouched() });
    expect(winners).toEqual([{ candidate: 1 }, { candidate: 3 }, { candidate: 4 }, { candidate: 2 }]);
    expect(privacy).toEqual({ measure: "pure", epsilon: Infinity });
  });

  it("shows nothing but the positions of the winners", () => {
    const { winners } = topK(SCORES, { k: 2, epsilon: 1, entropy: seededEntropy(1) });
    for (const winner of winners) expect(Reflect.ownKeys(winner)).toEqual(["candidate"]);
  });
});

describe("The loss of topK", () => {
  const loss = (options: LooseOptions<TopKOptions>) =>
    topK(SCORES, { ...options, entropy: seededEntropy(1) } as TopKOptions).privacy;

  it.each([
    [
      { k: 1, epsilon: 1 },
      { measure: "pure", epsilon: rational(1) },
    ],
    [
      { k: 3, epsilon: "1/3" },
      { measure: "pure", epsilon: rational("1/3") },
    ],
    [
      { k: 3, epsilon: "1/3", method: "peel" as const },
      { measure: "pure", epsilon: rational("1/3") },
    ],
    [
      { k: 2, epsilon: 0.1, monotone: true, sensitivity: 7 },
      { measure: "pure", epsilon: rational("0.1") },
    ],
    [
      { k: 1, scale: 4 },
      { measure: "pure", epsilon: rational("1/2") },
    ],
    [
      { k: 2, scale: 4, monotone: true },
      { measure: "pure", epsilon: rational("1/2") },
    ],
    [
      { k: 3, scale: "1/2", sensitivity: "1/4" },
      { measure: "pure", epsilon: rational(3) },
    ],
    [
      { k: 2, rho: "1/4" },
      { measure: "zcdp", rho: rational("1/4") },
    ],
  ])("for %o is %o", (options, privacy) => {
    expect(loss(options)).toEqual(privacy);
  });

  it("is at most the budget, and close to it, where the scale is irrational", () => {
    for (const rho of ["0.1", "1/3", "1e-9", "12345.678"]) {
      const { privacy } = topK(SCORES, { k: 3, rho, sensitivity: "1/7", entropy: seededEntropy(1) });
      const spent = rational((privacy as LossOf["zcdp"]).rho).dividedBy(rho);
      expect(spent.compare(1n)).toBeLessThanOrEqual(0);
      expect(spent.compare("0.999999999")).toBe(1);
    }
  });
});

describe("topK refuses, before a bit is drawn,", () => {
  it("a delta, which another function takes", () => {
    refuse(
      { epsilon: 1, delta: "1e-6" } as object,
      'delta must be left out; topKApprox takes epsilon and delta; got "1e-6"',
    );
  });

  it("a k that is no number of winners", () => {
    for (const k of [0, -1, 1.5, Number.NaN, 2 ** 53])
      refuse({ k, epsilon: 1 }, `k must be an integer >= 1; got ${k}`);
    refuse({ k: "2", epsilon: 1 }, 'k must be an integer >= 1; got "2"');
    refuse({ k: undefined, epsilon: 1 }, "k must be an integer >= 1; got undefined");
  });

  it("more winners than candidates, by any method, and no candidates at all", () => {
    for (const method of ["one-shot", "peel"]) {
      refuse({ k: 4, epsilon: 1, method }, "k must be an integer from 1 to 3; got 4");
      refuse({ k: 1, epsilon: 1, method }, "scores must be a list of 1 or more candidates; got 0", []);
    }
    refuse({ k: 4, scale: 0 }, "k must be an integer from 1 to 3; got 4");
    refuse({ k: 11, epsilon: 1, domain: { size: 10 } }, "k must be an integer from 1 to 10; got 11");
  });

  it("no budget, and more than one", () => {
    refuse({}, 'budget must be exactly one of epsilon, rho and scale; got "none"');
    refuse(
      { epsilon: 1, rho: 1 },
      'budget must be exactly one of epsilon, rho and scale; got "epsilon and rho"',
    );
    refuse(
      { epsilon: 1, scale: 1 },
      'budget must be exactly one of epsilon, rho and scale; got "epsilon and scale"',
    );
  });

  it("a budget that is none", () => {
    refuse({ epsilon: 0 }, "epsilon must be a rational > 0; got 0");
    refuse({ epsilon: "-1/2" }, 'epsilon must be a rational > 0; got "-1/2"');
    refuse({ rho: 0 }, "rho must be a rational > 0; got 0");
    refuse({ rho: -1n }, "rho must be a rational > 0; got -1n");
    refuse({ scale: -1 }, "scale must be a rational >= 0; got -1");
    for (const [field, value, got] of [
      ["epsilon", Number.NaN, "NaN"],
      ["rho", Infinity, "Infinity"],
      ["scale", "much", '"much"'],
      ["epsilon", null, "null"],
    ] as const)
      refuse(
        { [field]: value },
        `${field} must be a rational number such as "1/3", "0.1", "1e-6", 1n or 0.1; got ${got}`,
      );
  });

  it("noise beyond the doubles", () => {
    refuse(
      { scale: "1e271" },
      `scale must be a rational from 1e-270 to 1e270; got 1${"0".repeat(59)}… (272 characters)`,
    );
    refuse(
      { scale: "1e-271" },
      `scale must be a rational from 1e-270 to 1e270; got 1/1${"0".repeat(57)}… (274 characters)`,
    );
    refuse(
      { epsilon: "1e-400" },
      `scale must be a rational from 1e-270 to 1e270; got 2${"0".repeat(59)}… (401 characters)`,
    );
  });

  it("a sensitivity that is none", () => {
    refuse({ epsilon: 1, sensitivity: 0 }, "sensitivity must be a rational > 0; got 0");
    refuse({ scale: 1, sensitivity: "-3" }, 'sensitivity must be a rational > 0; got "-3"');
  });

  it("a domain that is smaller than what is listed, or no size", () => {
    refuse({ epsilon: 1, domain: { size: 2 } }, "size must be at least the number of scores; got 2");
    refuse({ epsilon: 1, domain: { size: 0 } }, "size must be an integer >= 1; got 0");
    refuse({ epsilon: 1, domain: { size: 9.5 } }, "size must be an integer >= 1; got 9.5");
  });

  it("methods that do not exist or do not fit", () => {
    refuse({ epsilon: 1, method: "pick" }, 'method must be "one-shot" or "peel"; got "pick"');
    refuse(
      { rho: 1, method: "peel" },
      'method must be "one-shot" with rho, whose noise is peeled already, or a domain; got "peel"',
    );
    refuse(
      { epsilon: 1, domain: { size: 9 }, method: "peel" },
      'method must be "one-shot" with rho, whose noise is peeled already, or a domain; got "peel"',
    );
  });
});
