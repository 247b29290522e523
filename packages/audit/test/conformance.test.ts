import { describe, expect, it } from "vitest";
import {
  type ConformanceAnswer,
  type ConformanceFile,
  type ConformanceRequest,
  type ConformanceResponse,
  checkConformance,
} from "../src/index.js";

const COIN: ConformanceFile = {
  schema: "winnow-conformance/1",
  significance: 0.0001,
  distributions: [
    {
      ...{ id: "coin", task: "noisy-max", parameters: { scale: "1" }, scores: ["0", "0"], runs: 100 },
      bins: [
        { outcomes: ["0"], probability: "0.5" },
        { outcomes: ["1"], probability: "0.5" },
      ],
      ...{ critical: 15.1367, power: 0 },
    },
  ],
  accounting: [
    { id: "sum", task: "composition", parameters: { losses: ["1", "2"] }, least: "3", most: "3.1" },
  ],
};

function heads(times: number): ConformanceResponse {
  return { answers: Array.from({ length: 100 }, (_, i) => ({ winners: [i < times ? 0 : 1] })) };
}

/** What came of the coin and of the sum. */
async function verdicts(coin: ConformanceResponse, sum: ConformanceResponse = { loss: 3 }) {
  const responses: Readonly<Record<string, ConformanceResponse>> = { coin, sum };
  const judged = await checkConformance(COIN, ({ id }) => responses[id]);
  return judged.map(({ verdict, detail }) => [verdict, detail]);
}

describe("a case with a distribution", () => {
  it("passes up to the critical value and fails beyond it", async () => {
    expect((await verdicts(heads(69)))[0]).toEqual(["passes", "χ² = 14.4, critical 15.1, 100 runs"]);
    expect((await verdicts(heads(70)))[0]).toEqual(["fails", "χ² = 16.0, critical 15.1, 100 runs"]);
  });

  it.each<[string, ConformanceResponse]>([
    ["gave 1 answers instead of 100", { answers: [{ winners: [0] }] }],
    ["gave no answers", { loss: 1 }],
    ['gave "2", which can\'t happen', { answers: Array.from({ length: 100 }, () => ({ winners: [2] })) }],
  ])("fails an implementation that %s", async (detail, response) => {
    expect((await verdicts(response))[0]).toEqual(["fails", detail]);
  });

  it("isn't held against an implementation that doesn't offer it", async () => {
    expect((await verdicts({ unsupported: "no coins" }))[0]).toEqual(["unsupported", "no coins"]);
  });

  it("doesn't tell the implementation what is expected", async () => {
    const requests: ConformanceRequest[] = [];
    await checkConformance(COIN, (request) => {
      requests.push(request);
      return { unsupported: "" };
    });
    expect(requests.map((request) => Object.keys(request).sort().join())).toEqual([
      "id,parameters,runs,scores,task",
      "id,parameters,task",
    ]);
  });

  it.each<[string, ConformanceAnswer]>([
    ["2,0", { winners: [2, 0] }],
    ["2,0 by 3,>=4", { winners: [2, 0], gaps: [3, 7] }],
    ["2: 0 2", { k: 2, indices: [2, 0] }],
    ["2: nothing", { k: 2, indices: null }],
  ])("calls an outcome %s", async (outcome, answer) => {
    const bins = [{ outcomes: [outcome], probability: "1" }];
    const one = { ...COIN.distributions[0], bins, largestGap: 4, runs: 1 };
    const file = { ...COIN, distributions: [one], accounting: [] };
    const [{ verdict }] = await checkConformance(file, () => ({ answers: [answer] }));
    expect(verdict).toBe("passes");
  });
});

describe("a case of accounting", () => {
  it.each([
    ["passes", 3],
    ["passes", "3.1"],
    ["fails", 2.999],
    ["fails", 3.2],
    ["fails", "NaN"],
  ] as const)("%s with %s", async (verdict, loss) => {
    expect((await verdicts(heads(50), { loss }))[1][0]).toBe(verdict);
  });

  it("fails an implementation that gives no loss", async () => {
    expect((await verdicts(heads(50), heads(1)))[1]).toEqual(["fails", "gave no loss"]);
  });
});

describe("a conformance file", () => {
  it("of another schema is refused", async () => {
    const other = { ...COIN, schema: "winnow-conformance/2" as "winnow-conformance/1" };
    await expect(checkConformance(other, () => ({ loss: 1 }))).rejects.toThrow(
      'schema must be "winnow-conformance/1"; got "winnow-conformance/2"',
    );
  });
});
