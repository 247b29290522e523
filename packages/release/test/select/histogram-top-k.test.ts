import { describe, expect, it } from "vitest";
import { seededEntropy } from "winnow-dp/testing";
import { canAnswer, mechanismOf } from "../../src/index.js";
import { mechanismNamed } from "../../src/mechanisms/mechanisms.js";
import { chargeOf, reservationOf } from "../../src/mechanisms/of-question.js";
import { ask, listed, numbered, releaseOf, UNKNOWN } from "../support/ask.js";

const QUESTION = { kind: "top", k: 3, domain: listed(6), maxItemsPerUser: 2 } as const;

describe("a top k with a list and a limit on items", () => {
  it("is answered by noise on every count, unless leads or a set are wanted", () => {
    expect(ask({ ...QUESTION, epsilon: 1 }).mechanism).toBe("histogram-top-k");
    expect(ask({ ...QUESTION, rho: "1/10" }).mechanism).toBe("histogram-top-k");
    expect(ask({ ...QUESTION, epsilon: 1, delta: "1e-6", counts: true }).mechanism).toBe("histogram-top-k");
    expect(ask({ ...QUESTION, epsilon: 1, maxItemsPerUser: undefined }).mechanism).not.toBe(
      "histogram-top-k",
    );
    expect(() => ask({ ...QUESTION, epsilon: 1, resolution: 1 })).toThrow("maxItemsPerUser must be absent");
    expect(() => ask({ ...QUESTION, epsilon: 1, mechanism: "top-k" })).toThrow(
      "maxItemsPerUser must be absent",
    );
    expect(ask({ ...QUESTION, domain: UNKNOWN, epsilon: 1, delta: "1e-6" }).mechanism).toBe("limited-top-k");
  });

  it("records its noise, the width for all counts at once, and both bounds on the error", () => {
    const { parameters } = mechanismOf(ask({ ...QUESTION, rho: "1/10" }));
    expect(parameters).toMatchObject({
      countNoise: "discrete gaussian",
      countVariance: "10",
      countHalfWidth: parameters.countSimultaneous,
      errorBound: String(2 * Number(parameters.countSimultaneous)),
    });
    expect(Number(parameters.selectionBound)).toBeGreaterThan(10);
  });

  it.each([
    [{ epsilon: "1" }, { measure: "pure", epsilon: "1" }],
    [
      { epsilon: "1", delta: "1e-6" },
      { measure: "approx", epsilon: "1", delta: "0" },
    ],
    [{ rho: "1/10" }, { measure: "zcdp", rho: "0.1" }],
  ] as const)("is released with names, order and counts at one price: %o", async (budget, loss) => {
    const question = ask({ ...QUESTION, ...budget });
    const release = await releaseOf(question, numbered([900, 0, 700, 0, 0, 800]), seededEntropy("a list"));
    expect(release.answer.winners.map(({ item }) => item)).toEqual(["0", "5", "2"]);
    expect(release.loss).toMatchObject(loss);
    const off = release.answer.winners.map(({ count }, i) => Math.abs(Number(count) - [900, 800, 700][i]!));
    expect(Math.max(...off)).toBeLessThan(60);
  });

  it("is counted as its true ρ or ε by an account in another measure, whatever k is", () => {
    const question = ask({ ...QUESTION, epsilon: 1, delta: "1e-6", maxItemsPerUser: 20 });
    const counted = reservationOf(question, { measure: "zcdp" } as never);
    expect(counted).toMatchObject({ measure: "zcdp" });
    const more = reservationOf({ ...question, k: 6 }, { measure: "zcdp" } as never);
    expect(more).toEqual(counted);
    expect(
      chargeOf(question, { winners: 3, stopped: false }, { measure: "approx" } as never),
    ).toBeUndefined();
  });

  it("can't be asked without a list, without a limit, or about leads", () => {
    const mechanism = mechanismNamed("histogram-top-k")!;
    const draft = { kind: "top", domain: "listed", epsilon: "1", lacks: ["maxItemsPerUser"] } as const;
    expect(canAnswer(mechanism, { ...draft, maxItemsPerUser: 2 })).toBe(true);
    expect(canAnswer(mechanism, draft)).toMatchObject({ field: "maxItemsPerUser" });
    expect(canAnswer(mechanism, { ...draft, domain: "unknown" })).toMatchObject({ field: "domain.kind" });
    expect(canAnswer(mechanism, { ...draft, maxItemsPerUser: 2, resolution: "1" })).toMatchObject({
      field: "resolution",
    });
  });
});
