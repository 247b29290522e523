import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { type ConformanceFile, type ConformanceResponse, checkConformance } from "winnow-audit";
import { seededEntropy } from "winnow-dp/testing";
import { conformanceFile } from "../src/conformance/cases.js";
import { chiSquareTail, criticalValue, powerOf } from "../src/conformance/chi-square.js";
import { floatNoise, Program, winnow } from "../src/conformance/implementations.js";

const FOLDER = new URL("../../docs/public/conformance/", import.meta.url);
const PUBLISHED = JSON.parse(readFileSync(new URL("conformance-1.json", FOLDER), "utf8")) as ConformanceFile;

type Responses = Readonly<Record<string, ConformanceResponse>>;

/** Winnow's answers, drawn once. */
const ours = winnow(seededEntropy("conformance"));
const OURS: Responses = Object.fromEntries(
  [...PUBLISHED.distributions, ...PUBLISHED.accounting].map((one) => [
    one.id,
    ours(one) as ConformanceResponse,
  ]),
);

describe("the χ² distribution", () => {
  it.each([
    [1, 3.841459, 0.05],
    [10, 18.307038, 0.05],
    [5, 25.744832, 1e-4],
  ])("with %i degrees exceeds %f with probability %f", (degrees, statistic, probability) => {
    expect(chiSquareTail(statistic, degrees)).toBeCloseTo(probability, 7);
    expect(criticalValue(degrees, probability)).toBeCloseTo(statistic, 3);
  });

  it("with one degree is the square of a Gaussian, which gives its power", () => {
    // P(|Z + 3| > 1.96) = Φ(1.04) + Φ(−4.96)
    expect(powerOf(1.96 ** 2, 1, 9)).toBeCloseTo(0.850_83, 5);
  });
});

describe("the published conformance file", () => {
  it("is what the exact distributions give", () => {
    expect(conformanceFile()).toEqual(PUBLISHED);
  });

  it("has bins that are everything that can happen, and tells a tenth less noise 99 times out of 100", () => {
    for (const { id, bins, power } of PUBLISHED.distributions) {
      const total = bins.reduce((sum, { probability }) => sum + Number(probability), 0);
      expect(total, id).toBeCloseTo(1, 12);
      expect(power, id).toBeGreaterThanOrEqual(0.99);
    }
  });
});

describe("conformance", () => {
  it("is what Winnow has in every case", async () => {
    const verdicts = await checkConformance(PUBLISHED, ({ id }) => OURS[id]);
    expect(verdicts.filter(({ verdict }) => verdict !== "passes")).toEqual([]);
  });

  it("is what a tenth less noise fails, in every case that it takes", async () => {
    const verdicts = await checkConformance(PUBLISHED, floatNoise(seededEntropy("less noise"), 0.9));
    const taken = verdicts.filter(({ verdict }) => verdict !== "unsupported");
    expect(taken).toHaveLength(11);
    expect(taken.filter(({ verdict }) => verdict !== "fails")).toEqual([]);
  });

  it("is what doubles fail where they are coarse", async () => {
    const verdicts = await checkConformance(PUBLISHED, floatNoise(seededEntropy("doubles")));
    const failed = verdicts.filter(({ verdict }) => verdict === "fails").map(({ id }) => id);
    expect(failed).toEqual(["noisy-max-exponential-large", "gap-large"]);
  });
});

describe("a program under test", () => {
  it("is asked on its standard input and answers on its standard output", async () => {
    const echo =
      'process.stdin.on("data", (text) => { for (const line of String(text).trim().split("\\n")) console.log(JSON.stringify({ unsupported: JSON.parse(line).id })); })';
    const program = new Program([process.execPath, "-e", echo]);
    const verdicts = await checkConformance(PUBLISHED, program.ask);
    program.close();
    expect(verdicts.every(({ id, detail }) => id === detail)).toBe(true);
  });

  it("that ends too early is an error", async () => {
    const program = new Program([process.execPath, "-e", ""]);
    await expect(checkConformance(PUBLISHED, program.ask)).rejects.toThrow("ended before it answered");
  });
});

const PYTHON = process.env.PYTHON ?? "python3";
const hasPython = process.env.CI !== undefined || spawnSync(PYTHON, ["--version"]).status === 0;

describe.skipIf(!hasPython && process.env.CI === undefined)("the runner in Python (needs Python)", () => {
  it("has the same verdict for the same answers, to the letter", async () => {
    const [one] = PUBLISHED.distributions;
    const wrong = floatNoise(seededEntropy("both"), 0.9)(one) as ConformanceResponse;
    const other = { "gap-two": { unsupported: "gaps" }, "loss-1": { loss: 1 } };
    const responses: Responses = { ...OURS, [one.id]: wrong, ...other };
    const script =
      "import json, sys; from conformance import check; given = json.load(sys.stdin); json.dump(list(check(given['file'], lambda request: given['responses'][request['id']])), sys.stdout)";
    const { stdout, stderr, status } = spawnSync(PYTHON, ["-c", script], {
      input: JSON.stringify({ file: PUBLISHED, responses }),
      ...{ cwd: fileURLToPath(FOLDER), encoding: "utf8", maxBuffer: 2 ** 28 },
      env: { ...process.env, PYTHONDONTWRITEBYTECODE: "1" },
    });
    expect(status, stderr).toBe(0);
    const here = await checkConformance(PUBLISHED, ({ id }) => responses[id]);
    const told = (JSON.parse(stdout) as string[][]).filter(
      ([id]) => !/^(loss|zcdp|pure|comp|bounded)/.test(id),
    );
    const judged = here.map(({ id, verdict, detail }) => [id, verdict, detail]);
    expect(told).toEqual(judged.filter(([id]) => !/^(loss|zcdp|pure|comp|bounded)/.test(id)));
    expect(new Set(here.map(({ verdict }) => verdict))).toEqual(new Set(["passes", "fails", "unsupported"]));
    const verdictsOf = (all: readonly (readonly string[])[]) => all.map(([id, verdict]) => [id, verdict]);
    expect(verdictsOf(JSON.parse(stdout))).toEqual(verdictsOf(judged));
  });
});
