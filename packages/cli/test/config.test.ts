import { describe, expect, it } from "vitest";
import { readConfiguration } from "../src/config.js";
import { winnowHere } from "./support/in-process.js";
import { folder } from "./support/winnow.js";

const KNOWN = ["epsilon", "domainSize", "multiline"];

describe("a configuration", () => {
  it("gives options their values, in either spelling", () => {
    const text = '{ "epsilon": "1/2", "domain-size": 12, "multiline": true }';
    expect(readConfiguration(text, "winnow.json", KNOWN)).toEqual({
      epsilon: "1/2",
      domainSize: "12",
      multiline: true,
    });
  });

  it("with a key that no command knows is refused, with the nearest", () => {
    expect(() => readConfiguration('{ "epsilom": 1 }', "winnow.json", KNOWN)).toThrow(
      'The configuration "winnow.json" has the key "epsilom", which no command knows. Did you mean "epsilon"?',
    );
  });

  it.each(["", "[1]", "null", "7", "{ epsilon: 1 }"])("%j is none", (text) => {
    expect(() => readConfiguration(text, "winnow.json", KNOWN)).toThrow("must be one JSON object of options");
  });

  it("takes no lists and no objects", () => {
    expect(() => readConfiguration('{ "epsilon": [1] }', "winnow.json", KNOWN)).toThrow(
      '"epsilon" of "winnow.json" must be text, a number, true or false.',
    );
  });
});

describe("winnow.json in the working directory", () => {
  const dryRun = ["top", "visits.csv", "--dry-run", "--json"];
  const questionOf = (stdout: string) => JSON.parse(stdout).question;

  it("has defaults, and the command line goes before", async () => {
    const place = folder({
      "winnow.json": '{ "k": 3, "epsilon": "1/2", "domain-size": 10 }',
    });
    const byFile = await winnowHere(place, dryRun);
    expect(questionOf(byFile.stdout)).toMatchObject({ k: 3, epsilon: "0.5" });
    const given = await winnowHere(place, [...dryRun, "-k", "4", "--rho", "0.1"]);
    expect(questionOf(given.stdout)).toMatchObject({ k: 4, rho: "0.1" });
    expect(questionOf(given.stdout)).not.toHaveProperty("epsilon");
  });

  it("is announced in one line with what it sets; a file that was named is not", async () => {
    const place = folder({ "winnow.json": '{ "k": 3, "epsilon": "1/2", "domain-size": 10 }' });
    const { stderr } = await winnowHere(place, [...dryRun, "--epsilon", "1"]);
    expect(stderr).toContain("  Defaults from winnow.json: -k 3, --domain-size 10.\n");
    expect(stderr.match(/Defaults from/g)).toHaveLength(1);
    const named = await winnowHere(place, [...dryRun, "--config", "winnow.json"]);
    expect(named.stderr).not.toContain("Defaults from");
  });

  it.each([
    ["ledger", '"other.ledger"'],
    ["dataset", '"other"'],
    ["multiline", "true"],
    ["unit", '"one visit"'],
    ["user", '"account"'],
    ["neighbours", '"replace"'],
  ])("cannot set %s, and a file that was named can", async (key, value) => {
    const text = `{ "k": 3, "epsilon": 1, "domain-size": 10, "${key}": ${value} }`;
    const place = folder({ "winnow.json": text });
    const { exit, stderr } = await winnowHere(place, dryRun);
    expect(exit).toBe(2);
    expect(stderr).toContain(`"${key}" must be on the command line or in a file named with --config`);
    expect((await winnowHere(place, [...dryRun, "--config", "winnow.json"])).exit).toBe(0);
  });

  it("may be another file", async () => {
    const place = folder({ "other.json": '{ "k": 2, "epsilon": 3, "domain-size": 10 }' });
    const { stdout } = await winnowHere(place, [...dryRun, "--config", "other.json"]);
    expect(questionOf(stdout)).toMatchObject({ k: 2, epsilon: "3" });
  });

  it("is checked like what is typed", async () => {
    const place = folder({ "winnow.json": '{ "k": "many" }' });
    const { exit, stderr } = await winnowHere(place, dryRun);
    expect(exit).toBe(2);
    expect(stderr).toContain('-k must be an integer >= 1; got "many".');
  });

  it("takes true or false for what is a flag, and nothing else", async () => {
    const place = folder({ "my.json": '{ "multiline": "yes" }' });
    const { exit, stderr } = await winnowHere(place, [...dryRun, "--config", "my.json"]);
    expect(exit).toBe(2);
    expect(stderr).toContain('"multiline" of "my.json" must be true or false.');
  });

  it("takes one of the choices for what has some", async () => {
    const place = folder({ "my.json": '{ "neighbours": "all" }' });
    const { exit, stderr } = await winnowHere(place, [...dryRun, "--config", "my.json"]);
    expect(exit).toBe(2);
    expect(stderr).toContain('"neighbours" of "my.json" must be one of add-remove, replace.');
  });

  it("may have a δ for unknown domains: over a public list it is spent only if it is typed", async () => {
    const place = folder({ "winnow.json": '{ "k": 8, "epsilon": 1, "delta": "1e-6" }' });
    const [listed, unknown] = [
      await winnowHere(place, [...dryRun, "--domain-size", "10"]),
      await winnowHere(place, dryRun),
    ];
    expect(questionOf(listed.stdout)).not.toHaveProperty("delta");
    expect(listed.stderr).not.toContain("δ");
    expect(questionOf(unknown.stdout)).toMatchObject({ delta: "0.000001", mechanism: "limited-top-k" });
    const typed = await winnowHere(place, [...dryRun, "--domain-size", "10", "--delta", "1e-6"]);
    expect(questionOf(typed.stdout)).toMatchObject({ mechanism: "top-k", delta: "0.000001" });
    expect(typed.stderr).toContain("Gumbel noise in (ε, δ): for 8 winners it is");
    const leads = [...dryRun, "--domain-size", "10", "--delta", "1e-6", "--mechanism", "top-k-with-gap"];
    const refused = await winnowHere(place, leads);
    expect(refused.exit).toBe(2);
    expect(refused.stderr).toContain(
      "--delta must be absent with top-k-with-gap, whose leads need exponential noise",
    );
  });

  it("may have defaults for one kind of question that another has no use for", async () => {
    const text =
      '{ "resolution": "1/10", "mechanism": "top-k-with-gap", "domain-column": "name", "delta": "1e-6" }';
    const place = folder({ "winnow.json": text });
    const price = ["-k", "3", "--domain-size", "10", "--rho", "0.1"];
    const [top, adaptive] = [
      await winnowHere(place, [...dryRun, ...price]),
      await winnowHere(place, ["adaptive", ...dryRun.slice(1), ...price]),
    ];
    expect(questionOf(top.stdout)).toMatchObject({ mechanism: "top-k", rho: "0.1" });
    expect(questionOf(top.stdout)).not.toHaveProperty("resolution");
    expect(questionOf(adaptive.stdout)).toMatchObject({ mechanism: "stable-top-k", delta: "0.000001" });
  });

  it("knows -k for every command that has it, and says what belongs to one run", async () => {
    const place = folder({ "winnow.json": '{ "k": 3, "epsilon": 1, "delta": "1e-6" }' });
    const { stdout, stderr } = await winnowHere(place, ["adaptive", ...dryRun.slice(1)]);
    expect(questionOf(stdout), stderr).toMatchObject({ kind: "adaptive", k: 3 });
    const once = folder({ "winnow.json": '{ "release-id": "june" }' });
    const ended = await winnowHere(once, dryRun);
    expect(ended.stderr).toContain('"release-id" must be on the command line, because it belongs to one run');
    expect(ended.stderr).toContain("See `winnow help top` for the options");
  });

  it.each(["__proto__", "constructor", "toString", "defaults"])("has no key %s", async (key) => {
    const place = folder({ "winnow.json": `{ "${key}": "x" }` });
    const { exit, stderr } = await winnowHere(place, dryRun);
    expect(exit).toBe(2);
    expect(stderr).toContain(`has the key "${key}", which no command knows.`);
  });

  it("says nothing about budgets: those are said on the command line", async () => {
    const place = folder({ "winnow.json": '{ "epsilon": 3 }' });
    const { exit } = await winnowHere(place, ["budget", "init", "visits"]);
    expect(exit).toBe(2);
  });
});
