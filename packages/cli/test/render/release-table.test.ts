import { describe, expect, it } from "vitest";
import { pure } from "winnow-dp";
import { newRelease, readQuestion } from "winnow-release";
import { releaseTable } from "../../src/render/release-table.js";
import { PLAIN, styleOf } from "../../src/render/terminal.js";

const question = readQuestion({
  k: 2,
  domain: { kind: "integers", below: 9 },
  epsilon: "1/2",
  unit: "one guest",
});

function tableFor(columns: number, environment: NodeJS.ProcessEnv = {}): string {
  const style = columns === 0 ? PLAIN : styleOf({ isTTY: true, columns }, environment);
  return releaseTable(
    newRelease({
      id: "june",
      dataset: "visits",
      time: new Date(0),
      software: { name: "winnow-cli", version: "0.0.0" },
      question,
      source: { item: "area", user: "guest", dialect: {} },
      answer: {
        released: true,
        k: 2,
        ordered: true,
        loss: pure("1/2"),
        winners: [
          { item: "7", gap: "1200" },
          { item: "3", gap: "300" },
        ],
      },
    }),
    style,
  );
}

const ESCAPE = "\u{1b}";

describe("the table of a release", () => {
  it("is plain in a pipe: no bars, no colours", () => {
    const plain = tableFor(0);
    for (const mark of ["█", ESCAPE]) expect(plain).not.toContain(mark);
    expect(plain).toMatch(
      /rank +area +leads by +90 % within\n.*\n +1 +7 +1,200 +1,\d+ – 1,\d+\n +2 +3 +300 /,
    );
  });

  it("has bars and colours on a terminal, and lines that fit it", () => {
    const shown = tableFor(80);
    expect(shown).toContain(`${ESCAPE}[36m`);
    const [first, second] = [...shown.matchAll(/█+/g)].map(([bar]) => bar.length);
    expect(first / second).toBeCloseTo(4, 0);
    for (const line of withoutColour(shown).split("\n")) expect(line.length).toBeLessThanOrEqual(80);
  });

  it.each([
    [48, ["90 % within"]],
    [36, ["█"]],
    [28, []],
  ])("shows what fits a terminal of %d columns beside the gaps: %j", (columns, shown) => {
    const lines = withoutColour(tableFor(columns)).split("\n").slice(1, 5);
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(columns);
    expect(lines[2]).toMatch(/^ +1 +7 +1,200/);
    const has = (mark: string) => lines.some((line) => line.includes(mark));
    expect(["90 % within", "█"].filter(has)).toEqual(shown);
  });

  it.each([{ NO_COLOR: "1" }, { TERM: "dumb" }])(
    "has no colours where none are wanted: %j",
    (environment) => {
      const shown = tableFor(80, environment);
      expect(shown).not.toContain(ESCAPE);
      expect(shown).toContain("█");
    },
  );

  it("says what it cost and who is protected", () => {
    expect(tableFor(0)).toContain("  ε = 0.5  per guest (added or removed)\n");
  });
});

function withoutColour(text: string): string {
  return text.replaceAll(new RegExp(`${ESCAPE}\\[\\d+m`, "g"), "");
}
