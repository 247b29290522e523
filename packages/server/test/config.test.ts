import { describe, expect, it } from "vitest";
import { budgetJsonOf, readConfig } from "../src/config.js";
import { edgesOf } from "../src/listen.js";
import { type Changes, changedConfig, configJson } from "./support/service-folder.js";

/** The message for the usual file after a change. */
function refusalOf(changes: Changes): string {
  try {
    readConfig(changedConfig(changes));
    return "";
  } catch (error) {
    return (error as Error).message;
  }
}

describe("the configuration", () => {
  it("has safe defaults", () => {
    const { listen, cors, tick, limits } = readConfig({
      ...configJson(),
      tick: undefined,
      limits: undefined,
    });
    expect(listen).toEqual({ host: "127.0.0.1", port: 4477, trustedProxies: [] });
    expect(cors).toEqual([]);
    expect(tick).toBe(500);
    expect(limits).toMatchObject({ concurrent: 4, body: 16_384, time: 60 });
  });

  it.each<[string, Changes, string]>([
    ["a missing ledger", { ledger: undefined }, "ledger must be a path or postgres://…."],
    [
      "an unknown field",
      { "datasets/visits/maxage": 3 },
      'datasets.visits has the unknown field "maxage". Did you mean "maxAge"?',
    ],
    [
      "an unknown field of the whole",
      { dataset: {} },
      'The configuration has the unknown field "dataset". Did you mean "datasets"?',
    ],
    [
      "a budget that isn't positive",
      { "datasets/visits/allow/epsilon": "-1" },
      'datasets.visits.allow.epsilon must be a rational > 0, such as "1"; got "-1".',
    ],
    [
      "no price at all",
      { "datasets/visits/allow/epsilon": undefined, "datasets/visits/allow/rho": undefined },
      "datasets.visits.allow must have epsilon or rho: the largest that one request may ask for.",
    ],
    [
      "a k that is a text",
      { "datasets/visits/allow/k": "4" },
      'datasets.visits.allow.k must be a whole number from 1 to 1000000; got "4".',
    ],
    [
      "a kind of candidates that doesn't exist",
      { "datasets/visits/domain": { kind: "file" } },
      'datasets.visits.domain.kind must be an object whose kind is "list", "integers", "grid" or "unknown".',
    ],
    [
      "a list from nowhere",
      { "datasets/visits/domain": { kind: "list" } },
      "datasets.visits.domain must have exactly one of file (the path of a text with one candidate per line, or of a CSV file) and table.",
    ],
    [
      "trust in a query that isn't there",
      { "datasets/visits/trustQuery": true },
      "datasets.visits may have trustQuery only with a query.",
    ],
    [
      "names without a limit on the items of a person",
      { "datasets/unlisted/maxItemsPerUser": undefined },
      'datasets.unlisted.allow.kinds may contain "names" only with an unknown domain and maxItemsPerUser.',
    ],
    [
      "an analyst with a dot",
      { "analysts/a.b": configJson().analysts.alice },
      "analysts.a.b must be small letters, digits, - or _.",
    ],
    [
      "a cap for an unknown data set",
      { "analysts/alice/caps/visit": { epsilon: 1 } },
      'analysts.alice.caps has the unknown data set "visit". Did you mean "visits"?',
    ],
    [
      "a cap in two measures",
      { "analysts/alice/caps/visits": { epsilon: 1, rho: 1 } },
      "analysts.alice.caps.visits must have exactly one of epsilon, rho and eta.",
    ],
    [
      "a subject without an issuer",
      { "analysts/bob/subject": "b" },
      "analysts.bob.subject needs oidc: the issuer of the tokens.",
    ],
  ])("refuses %s", (_, change, sentence) => {
    expect(refusalOf(change)).toBe(sentence);
  });

  it.each<[string, Changes, string]>([
    [
      "a δ in one request",
      { "datasets/unlisted/allow/delta": "1e-3" },
      "datasets.unlisted.allow must be at most δ",
    ],
    [
      "an ε in one request",
      { "datasets/unlisted/allow/epsilon": 11 },
      "datasets.unlisted.allow must be at most ε",
    ],
    [
      "a ρ in one request",
      { "datasets/minutes/allow/rho": 4 },
      "datasets.minutes.allow must be at most ε = 10",
    ],
    [
      "a cap",
      { "analysts/alice/caps/unlisted": { epsilon: 1, delta: "1/100" } },
      "analysts.alice.caps.unlisted must be at most δ",
    ],
  ])("refuses %s that protects hardly anyone, unless it says so", (_, change, sentence) => {
    const [path] = Object.keys(change);
    const dataset = path.includes("minutes") ? "minutes" : "unlisted";
    expect(refusalOf(change)).toContain(sentence);
    expect(refusalOf(change)).toContain(`set datasets.${dataset}.allow.weakProtection to true.`);
    expect(refusalOf({ ...change, [`datasets/${dataset}/allow/weakProtection`]: true })).toBe("");
  });

  it("needs a key or a subject of each analyst over HTTP, not for an agent", () => {
    const config = readConfig(changedConfig({ "analysts/bob/keys": [] }));
    expect(() => edgesOf(config)).toThrow("analysts.bob must have keys or a subject.");
  });

  it("never repeats an address or a key", () => {
    expect(refusalOf({ ledger: { password: "hunter2" } })).not.toContain("hunter2");
    expect(refusalOf({ "datasets/visits/source": 7_777_777 })).not.toContain("7777777");
    expect(refusalOf({ "analysts/bob/keys": [424_242] })).not.toContain("424242");
  });

  it.each([
    [{ epsilon: "0.50" }, { measure: "pure", epsilon: "0.5" }],
    [
      { epsilon: 2, delta: "1e-6" },
      { measure: "approx", epsilon: "2", delta: "0.000001" },
    ],
    [{ rho: "1/3" }, { measure: "zcdp", rho: "1/3" }],
    [{ eta: 1 }, { measure: "base2", eta: "1" }],
    [
      { epsilon: 1, order: 8 },
      { measure: "renyi", order: "8", epsilon: "1" },
    ],
  ])("writes the limit %j as the ledger does", (limit, json) => {
    expect(budgetJsonOf(limit, "budget")).toEqual(json);
  });

  it("refuses a limit that promises nothing", () => {
    expect(() => budgetJsonOf({ epsilon: 1, delta: 1 }, "datasets.visits.budget")).toThrow(
      "datasets.visits.budget.delta must be a rational > 0 and < 1; got 1.",
    );
  });
});
