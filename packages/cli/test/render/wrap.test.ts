import { describe, expect, it } from "vitest";
import { wrap } from "../../src/render/terminal.js";

const TEXT = "No public list of candidates: the items are private too.";

describe("a remark", () => {
  it("stays one line where nobody looks", () =>
    expect(wrap(TEXT, { isTerminal: false, columns: 20 })).toBe(`  ${TEXT}`));

  it("is broken between words on a terminal, and no word is lost", () => {
    const lines = wrap(TEXT, { isTerminal: true, columns: 24 }).split("\n");
    expect(lines.length).toBeGreaterThan(2);
    for (const line of lines) expect(line).toMatch(/^ {2}\S.{0,21}$/);
    expect(lines.map((line) => line.trim()).join(" ")).toBe(TEXT);
  });

  it("keeps a size with its name", () => {
    const lines = wrap("Spent so far: ε = 1, δ = 0.000001", { isTerminal: true, columns: 22 }).split("\n");
    expect(lines).toEqual(["  Spent so far: ε = 1,", "  δ = 0.000001"]);
  });

  it("keeps a word that is wider than the terminal in one piece", () => {
    const lines = wrap(`see ${"x".repeat(60)} there`, { isTerminal: true, columns: 30 }).split("\n");
    expect(lines).toEqual(["  see", `  ${"x".repeat(60)}`, "  there"]);
  });

  it("is never wider than is good to read", () => {
    const lines = wrap("word ".repeat(80).trim(), { isTerminal: true, columns: 400 }).split("\n");
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(100);
  });
});
