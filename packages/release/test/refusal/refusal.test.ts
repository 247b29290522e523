import { describe, expect, it } from "vitest";
import { WinnowError } from "winnow-dp";
import { CATALOGUE, entryOf, type RefusalCode } from "../../src/refusal/catalogue.js";
import { Refusal, refusalOf } from "../../src/refusal/refusal.js";

const CODES = Object.keys(CATALOGUE) as RefusalCode[];
const SECRET = "alice bought 17 of them";

describe("the catalogue of refusals", () => {
  it("keeps its codes, exits and statuses, which programs rely on", () => {
    const table = CODES.map((code) => {
      const { exit, status, cli, service, page } = entryOf(code);
      const fronts = [cli && "cli", service && "service", page && "page"].filter(Boolean).join(" ");
      return `${code} ${exit} ${status} ${fronts}`;
    });
    expect(table.sort().join("\n")).toMatchSnapshot();
  });

  it("says what happened and what to do next in whole sentences", () => {
    for (const code of CODES) {
      const { title, happened = title, cli, service, page } = entryOf(code);
      const next = [cli, service, page].filter((text) => text !== undefined);
      expect(next.length, code).toBeGreaterThan(0);
      for (const sentence of [title, happened, ...next]) expect(sentence, code).toMatch(/^[A-Z`].*\.$/);
    }
  });

  it("has exit codes 2, 3 and 4, and 130 for what was stopped", () => {
    expect(new Set(CODES.map((code) => entryOf(code).exit))).toEqual(new Set([2, 3, 4, 130]));
  });
});

describe("a refusal", () => {
  it("carries its entry, and the next step of each front end", () => {
    const refusal = new Refusal("over-budget", "Too much.", { after: 2, release: "r" });
    expect(refusal).toMatchObject({ exit: 3, status: 403, title: CATALOGUE["over-budget"].title, after: 2 });
    expect(refusal.next("cli")).toBe(CATALOGUE["over-budget"].cli);
    expect(refusal.next("page")).toBe(CATALOGUE["over-budget"].page);
    expect(new Refusal("spreadsheet", "A sheet.").next("cli")).toBe(CATALOGUE.unexpected.cli);
  });

  it("is made of any error, and never holds the text of one that no one foresaw", () => {
    for (const error of [new Error(SECRET), new TypeError(SECRET), SECRET, undefined]) {
      const { code, message } = refusalOf(error);
      expect(code).toBe("unexpected");
      expect(message).not.toContain("alice");
    }
    const refusal = new Refusal("over-budget", "Too much.");
    expect(refusalOf(refusal)).toBe(refusal);
  });

  it("keeps the sentences of the library that are about parameters, and no others", () => {
    const parameter = new WinnowError("invalid-parameter", "k must be an integer >= 1; got 0");
    expect(refusalOf(parameter)).toMatchObject({
      code: "invalid-question",
      message: "k must be an integer >= 1; got 0.",
    });
    expect(refusalOf(new WinnowError("entropy-unavailable", "No bits")).code).toBe("no-entropy");
    expect(refusalOf(new WinnowError("invalid-score", SECRET)).message).not.toContain("alice");
  });

  it("is an interruption if work was stopped", () => {
    expect(refusalOf(new DOMException("stop", "AbortError"))).toMatchObject({
      code: "interrupted",
      exit: 130,
    });
  });
});
