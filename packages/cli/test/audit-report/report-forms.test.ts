import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, it } from "vitest";
import { seededEntropy } from "winnow-dp/testing";
import {
  type AuditReport,
  counted,
  duration,
  type FilesEntry,
  figure,
  type TimingEntry,
} from "../../src/audit-report/audit-report.js";
import { toHtml } from "../../src/audit-report/html-report.js";
import { runAudit } from "../../src/audit-report/run-audit.js";
import { textReport } from "../../src/audit-report/text-report.js";
import { styleOf } from "../../src/render/terminal.js";
import { fewSubjects, withBrokenAttack } from "./planted-subjects.js";

/** The report as text and as a page. */

const HOSTILE = '<script>alert("x")</script>&\u001b[31m';
const TIMING: TimingEntry = {
  name: "constant work",
  expected: "same",
  source: "[Ilv20, Proposition 3.8]",
  runs: 10_000,
  means: [31_000, 31_050],
  t: 0.7,
  smallest: 320,
  holds: true,
};
const FILES: FilesEntry = {
  name: HOSTILE,
  pairs: 8,
  pairsWithChange: 6,
  largestChange: 1,
  releases: 32,
  failures: [],
  holds: true,
};

let report: AuditReport;
let failing: AuditReport;

beforeAll(async () => {
  const setting = { quick: true, onSubject: async () => {}, entropy: seededEntropy("forms") };
  const found = await runAudit({ ...setting, parts: ["attacks", "exact", "replay"] }, fewSubjects());
  report = { ...found, timings: [TIMING], files: [FILES] };
  failing = await runAudit({ ...setting, parts: ["attacks"] }, withBrokenAttack());
});

it("says in words what a replay of files found, in the text and on the page", () => {
  const found = { ...report, files: [{ ...FILES, failures: ["refused-alone" as const], holds: false }] };
  for (const form of [textReport(found, styleOf({ isTTY: false, columns: 100 })), toHtml(found)])
    expect(form.replace(/\s+/g, " ")).toContain("one file was refused and its neighbour was not");
});

/** The names of elements in order, or an error if they are not nested as XML has it. */
function elementsOf(xml: string): string[] {
  const open: string[] = [];
  const seen: string[] = [];
  for (const [tag, end, name, , selfClosing] of xml.matchAll(
    /<(\/?)([a-zA-Z][\w:-]*)((?:\s+[\w:-]+="[^"<]*")*)\s*(\/?)>|<(?!!DOCTYPE html>)/g,
  )) {
    if (name === undefined) throw new Error(`a "<" that starts no tag after ${tag}`);
    if (end === "/" && open.pop() !== name) throw new Error(`${tag} closes another element`);
    if (end === "") seen.push(name);
    if (end === "" && selfClosing === "") open.push(name);
  }
  if (open.length > 0) throw new Error(`${open.join()} never ends`);
  return seen;
}

describe("The page", () => {
  it("is well-formed, with every element closed and every attribute quoted", () => {
    expect(elementsOf(toHtml(report))).toEqual(
      expect.arrayContaining(["html", "style", "svg", "table", "details"]),
    );
    expect(() => elementsOf("<p><b></p>")).toThrow("closes another");
  });

  it("has no script, and nothing from elsewhere", () => {
    const html = toHtml(report);
    expect(elementsOf(html)).not.toContain("script");
    expect(html).not.toMatch(/\son\w+=|javascript:|src=|href=|url\(|@import/i);
    expect(html).toContain("default-src 'none'");
  });

  it("shows names of strangers as text", () => {
    const html = toHtml(report);
    expect(html).not.toContain("<script");
    expect(html).toContain("&lt;script&gt;");
    expect(html).not.toContain("\u001b");
  });

  it("says that all claims hold, or how many fail", () => {
    expect(toHtml(report)).toContain("claims hold");
    expect(toHtml(failing)).toContain("1 claim of 1 failed");
  });

  it("has a plot for every attack", () => {
    const plots = elementsOf(toHtml(failing)).filter((name) => name === "svg");
    expect(plots).toHaveLength(failing.attacks?.length ?? 0);
  });
});

describe("The text", () => {
  const plain = styleOf({ isTTY: false, columns: 100 });

  it("has a part for everything that was audited, and the verdict last", () => {
    const text = textReport(report, plain);
    for (const title of ["Attacks", "Promises", "Code", "Runs", "Replay", "From the file", "Timing"])
      expect(text).toContain(title);
    expect(text.trimEnd().split("\n").at(-1)).toMatch(/^All \d+ claims hold/);
    expect(text).not.toContain("\u001b");
  });

  it("marks what fails", () => {
    const text = textReport(failing, plain);
    expect(text).toContain("✗");
    expect(text).toContain("1 claim of 1 failed");
  });
});

describe("Figures", () => {
  it("are read as people write them", () => {
    expect([0, 0.0625, 1.386, 12.34, 1234.5, Infinity].map(figure)).toEqual([
      "0",
      "0.063",
      "1.39",
      "12.3",
      "1,235",
      "∞",
    ]);
    expect(duration(320)).toBe("320 ns");
    expect(duration(31_000)).toBe("31 µs");
    expect(counted(1, "claim")).toBe("1 claim");
    expect(counted(1200, "run")).toBe("1,200 runs");
  });
});

describe("The version", () => {
  it("is that of the package", () => {
    const { version } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));
    expect(report.software.version).toBe(version);
  });
});
