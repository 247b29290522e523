import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { audit } from "../../src/commands/audit.js";
import { fewSubjects, withBrokenAttack } from "./planted-subjects.js";

let folder: string;
let printed: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "winnow-audit-"));
  printed = "";
  vi.spyOn(process.stdout, "write").mockImplementation((text) => {
    printed += text;
    return true;
  });
});

afterEach(() => {
  vi.restoreAllMocks();
  rmSync(folder, { recursive: true });
});

describe("winnow audit", () => {
  it("prints the text, writes JSON and the page, and is true when all claims hold", async () => {
    const [json, html] = [join(folder, "audit.json"), join(folder, "audit.html")];
    const options = { attacks: true, replay: true, quick: true, json, html };
    expect(await audit(options, fewSubjects())).toBe(true);
    expect(printed).toContain("hold (quick: fewer runs).");
    expect(JSON.parse(readFileSync(json, "utf8")).holds).toBe(true);
    expect(readFileSync(html, "utf8")).toMatch(/^<!DOCTYPE html>/);
  });

  it("is false when a claim fails, and says so everywhere", async () => {
    const json = join(folder, "audit.json");
    expect(await audit({ attacks: true, quick: true, json }, withBrokenAttack())).toBe(false);
    expect(printed).toContain("1 claim of 1 failed");
    expect(JSON.parse(readFileSync(json, "utf8")).holds).toBe(false);
  });

  it("does not write over a file unasked, and finds that out before it works", async () => {
    const json = join(folder, "audit.json");
    writeFileSync(json, "mine");
    await expect(audit({ attacks: true, json }, fewSubjects())).rejects.toThrow("exists already");
    expect(readFileSync(json, "utf8")).toBe("mine");
    expect(printed).toBe("");
  });

  it("leaves no file behind when another cannot be written", async () => {
    const json = join(folder, "audit.json");
    const html = join(folder, "nowhere", "audit.html");
    await expect(audit({ attacks: true, json, html }, fewSubjects())).rejects.toThrow();
    expect(existsSync(json)).toBe(false);
  });

  it("asks for the columns of one's own file", async () => {
    await expect(audit({ data: "visits.csv" })).rejects.toThrow("--item and --user");
  });
});
