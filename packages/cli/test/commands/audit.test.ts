import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { audit } from "../../src/commands/audit.js";
import { fewSubjects, withBrokenAttack } from "../audit-report/planted-subjects.js";
import { folder } from "../support/winnow.js";

let place: string;
let printed: string;

beforeEach(() => {
  place = mkdtempSync(join(tmpdir(), "winnow-audit-"));
  printed = "";
  vi.spyOn(process.stdout, "write").mockImplementation((text) => {
    printed += text;
    return true;
  });
});

afterEach(() => {
  vi.restoreAllMocks();
  rmSync(place, { recursive: true });
});

describe("winnow audit", () => {
  it("prints the text, writes JSON and the page, and is true when all claims hold", async () => {
    const [json, html] = [join(place, "audit.json"), join(place, "audit.html")];
    const options = { attacks: true, replay: true, quick: true, json, html };
    expect(await audit(options, fewSubjects())).toBe(true);
    expect(printed).toContain("hold (quick: fewer runs).");
    expect(JSON.parse(readFileSync(json, "utf8")).holds).toBe(true);
    expect(readFileSync(html, "utf8")).toMatch(/^<!DOCTYPE html>/);
  });

  it("is false when a claim fails, and says so everywhere", async () => {
    const json = join(place, "audit.json");
    expect(await audit({ attacks: true, quick: true, json }, withBrokenAttack())).toBe(false);
    expect(printed).toContain("1 claim of 1 failed");
    expect(JSON.parse(readFileSync(json, "utf8")).holds).toBe(false);
  });

  it("does not write over a file unasked, and finds that out before it works", async () => {
    const json = join(place, "audit.json");
    writeFileSync(json, "mine");
    await expect(audit({ attacks: true, json }, fewSubjects())).rejects.toThrow("exists already");
    expect(readFileSync(json, "utf8")).toBe("mine");
    expect(printed).toBe("");
  });

  it("leaves no file behind when another cannot be written", async () => {
    const json = join(place, "audit.json");
    const html = join(place, "nowhere", "audit.html");
    await expect(audit({ attacks: true, json, html }, fewSubjects())).rejects.toThrow();
    expect(existsSync(json)).toBe(false);
  });

  it("asks for the columns of one's own file", async () => {
    await expect(audit({ data: "visits.csv" })).rejects.toThrow("--item and --user");
  });
});

describe("winnow audit refuses", () => {
  it("a description of a file that is not named, unless it is a default", async () => {
    await expect(audit({ item: "area" })).rejects.toThrow("--item needs --data, the file that it describes");
    const options = { attacks: true, quick: true, item: "area", user: "user", defaults: ["item", "user"] };
    expect(await audit(options, fewSubjects())).toBe(true);
  });

  it("one file for two reports", async () => {
    const [json, html] = [join(place, "audit"), `${place}/./audit`];
    await expect(audit({ attacks: true, json, html }, fewSubjects())).rejects.toThrow(
      "must be different files",
    );
    expect(existsSync(json)).toBe(false);
  });
});

describe("the program", () => {
  it("audits what it is asked for and ends with 0", async () => {
    const here = folder();
    const { exit, stdout, stderr } = await here.winnow([
      "audit",
      "--replay",
      "--quick",
      "--html",
      "audit.html",
    ]);
    expect(stderr).toBe("");
    expect(stdout).toContain("From the file to the release");
    expect(stdout).not.toContain("Attacks");
    expect(exit).toBe(0);
    expect(readFileSync(here.file("audit.html"), "utf8")).toContain("</html>");
  });

  it("says that what it tells of one's own file is not for release", async () => {
    const rows = Array.from({ length: 30 }, (_, i) => `u${i},a${i % 3}`).join("\n");
    const here = folder({ "rows\u202e.csv": `user,item\n${rows}\n` });
    const { exit, stderr } = await here.winnow([
      ...["audit", "--data", "rows\u202e.csv", "--item", "item", "--user", "user"],
      ...["--people", "1", "--json", "audit.json"],
    ]);
    expect(stderr).toContain("not for release: The report is about your own file");
    expect(exit).toBe(0);
    const json = readFileSync(here.file("audit.json"), "utf8");
    expect(json).not.toContain("\u202e");
    expect(JSON.parse(json)).toMatchObject({ holds: true });
  });

  it("says in one sentence what is wrong with its options", async () => {
    const { exit, stderr } = await folder().winnow(["audit", "--data", "visits.csv"]);
    expect(exit).toBe(2);
    expect(stderr).toContain("--item and --user");
  });
});
