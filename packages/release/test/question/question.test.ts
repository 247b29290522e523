import { describe, expect, it } from "vitest";
import { WinnowError } from "winnow-dp";
import { type Domain, type QuestionInput, readQuestion } from "../../src/index.js";
import { ask, listed, UNIT, UNKNOWN } from "../support/ask.js";

const INTEGERS: Domain = { kind: "integers", below: 1000 };

describe("a question", () => {
  it("gets the mechanism that says most for its domain and budget", () => {
    expect(ask({ k: 3, domain: listed(9), epsilon: 1 }).mechanism).toBe("top-k-with-gap");
    expect(ask({ k: 3, domain: INTEGERS, epsilon: 1 }).mechanism).toBe("top-k-with-gap");
    expect(ask({ k: 3, domain: listed(9), rho: "0.1" }).mechanism).toBe("top-k");
    expect(ask({ k: 9, domain: listed(9), epsilon: 1 }).mechanism).toBe("top-k");
    const unknown = { domain: UNKNOWN, epsilon: 1, delta: "1e-6" };
    expect(ask({ ...unknown, k: 3 }).mechanism).toBe("limited-top-k");
    expect(ask({ ...unknown, k: 41, maxItemsPerUser: 10 }).mechanism).toBe("threshold-top-k");
    expect(ask({ ...unknown, kind: "names", maxItemsPerUser: 10 }).mechanism).toBe("select-partitions");
    const adaptive = { kind: "adaptive", k: 3, rho: 1, delta: "1e-6" } as const;
    expect(ask({ ...adaptive, domain: UNKNOWN }).mechanism).toBe("stable-top-k");
    expect(ask({ ...adaptive, domain: listed(9) }).mechanism).toBe("stable-top-k");
  });

  it("cuts people to fewer items only where that names more, or where it is asked for by name", () => {
    const unknown = { domain: UNKNOWN, epsilon: 1, delta: "1e-6", maxItemsPerUser: 10 };
    expect(ask({ ...unknown, k: 40 })).not.toHaveProperty("maxItemsPerUser");
    expect(ask({ ...unknown, k: 40, mechanism: "limited-top-k" }).maxItemsPerUser).toBe(10);
    expect(ask({ ...unknown, k: 41 })).toMatchObject({ maxItemsPerUser: 10, counts: true });
  });

  it("is in canonical form, however its numbers were written", () => {
    const domain = listed(9);
    const forms = ["1/2", "0.50", "5e-1", 0.5].map((epsilon) =>
      JSON.stringify(ask({ k: 3, domain, epsilon })),
    );
    expect(new Set(forms).size).toBe(1);
    expect(forms[0]).toBe(
      `{"kind":"top","k":3,"domain":${JSON.stringify(domain)},"neighbours":"add-remove","mechanism":"top-k-with-gap","epsilon":"0.5","resolution":"1","unit":"${UNIT}"}`,
    );
  });

  it("read again is the same question", () => {
    const question = ask({
      kind: "adaptive",
      k: 7,
      domain: UNKNOWN,
      rho: "1/3",
      delta: "1e-9",
      neighbours: "replace",
    });
    expect(readQuestion(question)).toEqual(question);
  });

  it("has a resolution only where gaps are released", () => {
    expect(ask({ k: 1, domain: listed(5), epsilon: 1, resolution: "0.1" }).resolution).toBe("0.1");
    expect("resolution" in ask({ k: 1, domain: listed(5), epsilon: 1, mechanism: "top-k" })).toBe(false);
  });
});

describe("what cannot be asked is refused by field:", () => {
  const good: QuestionInput = { k: 3, domain: listed(9), epsilon: 1, unit: UNIT };
  const unknown: QuestionInput = { ...good, domain: UNKNOWN, delta: "1e-6" };
  const cases: [name: string, field: string, input: object][] = [
    ["no winners", "k", { ...good, k: 0 }],
    ["more winners than memory holds", "k", { ...unknown, k: 2 ** 53 - 1 }],
    ["half a winner", "k", { ...good, k: 1.5 }],
    ["more winners than candidates", "k", { ...good, k: 10 }],
    ["a gap for the last of all candidates", "k", { ...good, k: 9, mechanism: "top-k-with-gap" }],
    ["more numbers than there are", "k", { ...good, k: 2000, domain: INTEGERS }],
    ["a gap with one candidate", "domain", { ...good, k: 1, domain: listed(1), mechanism: "top-k-with-gap" }],
    ["two winners of permute-and-flip", "k", { ...good, k: 2, mechanism: "permute-and-flip" }],
    ["a loss too small to compute with", "epsilon", { ...good, epsilon: "1e-400" }],
    ["a loss too large to compute with", "epsilon", { ...good, epsilon: "1e400" }],
    ["no budget", "budget", { ...good, epsilon: undefined }],
    ["two budgets", "budget", { ...good, rho: 1 }],
    ["a negative price", "epsilon", { ...good, epsilon: "-1" }],
    ["a price that is no number", "epsilon", { ...good, epsilon: "one" }],
    ["a price of nothing", "rho", { ...good, epsilon: undefined, rho: 0 }],
    ["concentrated gaps", "rho", { ...good, epsilon: undefined, rho: 1, mechanism: "top-k-with-gap" }],
    ["a failure that is not needed", "delta", { ...good, delta: "1e-6", mechanism: "top-k-with-gap" }],
    ["a δ beside a ρ", "delta", { ...good, epsilon: undefined, rho: 1, delta: "1e-6" }],
    ["a δ of 2 that would not be spent", "delta", { ...good, delta: 2 }],
    ["a δ of nothing that would not be spent", "delta", { ...good, delta: 0 }],
    ["a δ that would not be spent and is no number", "delta", { ...good, delta: "small" }],
    ["an unknown domain without δ", "delta", { ...unknown, delta: undefined }],
    ["a δ of 1", "delta", { ...unknown, delta: 1 }],
    [
      "pure ε over unknown candidates",
      "domain.kind",
      { ...unknown, delta: undefined, mechanism: "top-k-with-gap" },
    ],
    [
      "gaps of unknown candidates by ρ",
      "resolution",
      { ...unknown, epsilon: undefined, rho: 1, resolution: 1 },
    ],
    ["counts of a stable set", "counts", { ...unknown, mechanism: "stable-top-k-fixed", counts: true }],
    ["a limit on items beside leads", "maxItemsPerUser", { ...good, resolution: 1, maxItemsPerUser: 3 }],
    ["no limit on items for all names", "maxItemsPerUser", { ...unknown, kind: "names" }],
    ["a limit of no items", "maxItemsPerUser", { ...unknown, maxItemsPerUser: 0 }],
    ["counts that are neither asked for nor not", "counts", { ...unknown, counts: "yes" as never }],
    [
      "a fixed size of the whole numbers",
      "mechanism",
      { ...good, domain: INTEGERS, delta: "1e-6", mechanism: "stable-top-k-fixed" },
    ],
    ["an adaptive question to top-k", "mechanism", { ...good, kind: "adaptive", mechanism: "top-k" }],
    ["a mechanism that does not exist", "mechanism", { ...good, mechanism: "toString" }],
    ["a kind that does not exist", "kind", { ...good, kind: "bottom" }],
    ["other neighbours", "neighbours", { ...good, neighbours: "rows" }],
    ["nobody protected", "unit", { ...good, unit: "  " }],
    ["no domain", "domain.kind", { ...good, domain: undefined }],
    ["another kind of domain", "domain.kind", { ...good, domain: { kind: "all" } }],
    ["a list without a hash", "domain.hash", { ...good, domain: { kind: "listed", size: 9, hash: "" } }],
    ["an empty list", "domain.size", { ...good, domain: { kind: "listed", size: 0, hash: "ab".repeat(32) } }],
    ["too many numbers", "domain.below", { ...good, domain: { kind: "integers", below: 2 ** 60 } }],
  ];

  it.each(cases)("%s", (_, field, input) => {
    const reading = () => readQuestion(input as QuestionInput);
    expect(reading).toThrow(WinnowError);
    expect(reading).toThrow(expect.objectContaining({ code: "invalid-parameter", field }));
  });

  it("the sentence says what was expected and what came", () => {
    expect(() => readQuestion({ ...good, k: 10 })).toThrow(
      "k must be an integer from 1 to 8 for 9 candidates with top-k-with-gap (the last lead needs a runner-up); got 10",
    );
  });
});
