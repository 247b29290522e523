import { describe, expect, it } from "vitest";
import { answerRows, readLabels, readRelease, shownCount, statement, toSvg } from "winnow-release";
import { intervalOf } from "../../src/render/picture.js";
import { RELEASES } from "../support/releases.js";

const counted = RELEASES.filter(([, { question, answer }]) => question.counts && answer.winners.length > 1);
const release = (name: string) => RELEASES.find(([own]) => own === name)![1];

describe("counts in a picture", () => {
  it("are whole, never below 0, never outside their own interval, and the fitted ones where there are some", () => {
    expect(counted.length).toBeGreaterThan(2);
    for (const [, document] of counted)
      for (const row of answerRows(document)) {
        const shown = shownCount(row)!;
        const { low = 0, high = Number.POSITIVE_INFINITY } = intervalOf(row);
        expect(Number.isInteger(shown)).toBe(true);
        expect(shown).toBeGreaterThanOrEqual(Math.max(0, low));
        expect(shown).toBeLessThanOrEqual(high);
      }
  });

  it("are brought back from below 0 and into their interval", () => {
    const row = { rank: 1, item: "a", count: { value: "-62", low: "0", high: "58" }, fitted: "-62" };
    expect(shownCount(row)).toBe(0);
    expect(shownCount({ ...row, fitted: "80.4" })).toBe(58);
    expect(shownCount({ rank: 1, item: "a" })).toBeUndefined();
  });

  it("have wider intervals if all of them are to hold at once", () => {
    for (const [, document] of counted)
      for (const row of answerRows(document)) {
        const [each, all] = [intervalOf(row), intervalOf(row, { intervals: "all" })];
        if (all.high === undefined || each.high === undefined) continue;
        expect(all.high).toBeGreaterThanOrEqual(each.high);
        expect(all.low!).toBeLessThanOrEqual(each.low!);
      }
  });
});

describe("a picture as it was chosen", () => {
  it("has other nouns in its heading and its caption, and never in the unit of privacy", () => {
    const document = release("counts of a list");
    const nouns = { items: ["film", "films"], people: ["viewer", "viewers"] } as const;
    const svg = toSvg(document, { nouns, namesDataset: false });
    expect(svg).toMatch(/The \d+ films with the most viewers/);
    expect(svg).not.toContain(`${document.dataset}  ·`);
    expect(toSvg(document)).toContain(`${document.dataset}  ·`);
    expect(statement(document).text).toContain(document.question.unit);
  });

  it("has labels from a public file, long ones on two lines", () => {
    const document = release("counts of a list");
    const [{ item }] = document.answer.winners;
    const labels = readLabels(
      `item,label\n${item},The one that nearly everyone of them has seen\n${item},again\n`,
    );
    const svg = toSvg(document, { labels });
    expect(svg).toContain(">The one that nearly everyone of<");
    expect(svg).toContain(">them has seen<");
    expect(() => readLabels("only\n1\n")).toThrow("must have a column of items and one of labels.");
    expect(() => readLabels("a,b\n1\n")).toThrow("can't be parsed at line 2.");
  });
});

describe("how ε was chosen", () => {
  it("is said in the statement, read back, and refused where it is something else", () => {
    const [, first] = RELEASES[0]!;
    const chosen = { ...first, schema: "winnow-release/2", epsilonFrom: "private-rows" } as const;
    const text = JSON.stringify(chosen);
    expect(readRelease(text).epsilonFrom).toBe("private-rows");
    expect(statement(readRelease(text)).text).toContain(
      "Its ε was chosen by looking at predictions from the private rows, which reveals a little about them that this loss doesn't cover.",
    );
    expect(statement(first).text).not.toContain("ε was");
    expect(() => readRelease(text.replace('"private-rows"', '"a guess"'))).toThrow(/epsilonFrom/);
  });
});
