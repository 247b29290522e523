import { describe, expect, it } from "vitest";
import {
  answerRows,
  caption,
  endInWords,
  headline,
  type NewRelease,
  shownCount,
  toSvg,
  visible,
} from "../../src/index.js";
import { ask, listed, releaseOf } from "../support/ask.js";
import { elementsOf, parseXml, textOf, type XmlElement } from "../support/parse-xml.js";
import { RELEASES, release } from "../support/releases.js";
import { PAYLOADS } from "./payloads.js";

const ELEMENTS = new Set(["svg", "title", "desc", "style", "rect", "path", "circle", "text", "g"]);
const ATTRIBUTES = new Set([
  "xmlns",
  "width",
  "height",
  "viewBox",
  "role",
  "aria-labelledby",
  "id",
  "class",
  "x",
  "y",
  "rx",
  "d",
  "cx",
  "cy",
  "r",
  "transform",
]);

function drawn(document: NewRelease, options = {}): XmlElement {
  return parseXml(toSvg(document, options));
}

/** Without spaces: lines of a picture have none between them. */
function letters(text: string): string {
  return text.replaceAll(/\s/g, "");
}

function named(root: XmlElement, name: string): XmlElement[] {
  return elementsOf(root).filter((element) => element.name === name);
}

/** Nothing but shapes and text, nothing from outside, and a style sheet without names in it. */
function expectHarmless(root: XmlElement): void {
  for (const { name, attributes } of elementsOf(root)) {
    expect(ELEMENTS).toContain(name);
    for (const attribute of Object.keys(attributes)) expect(ATTRIBUTES).toContain(attribute);
  }
  expect(named(root, "style").map(textOf).join()).not.toMatch(/url|import|expression|javascript/i);
}

describe("the picture of a release", () => {
  it.each(RELEASES)("is well-formed, harmless and says what it shows: %s", (_, document) => {
    const root = drawn(document);
    expectHarmless(root);
    expect(root.attributes).toMatchObject({ xmlns: "http://www.w3.org/2000/svg", role: "img" });
    const [title, description] = root.attributes["aria-labelledby"].split(" ");
    const labels = Object.fromEntries(
      elementsOf(root).map((element) => [element.attributes.id, textOf(element)]),
    );
    expect(labels[title]).toBe(headline(document));
    expect(labels[description]).toContain(caption(document));
    for (const { item } of document.answer.winners) expect(labels[description]).toContain(item);
    const shown = named(root, "text").map(textOf).join("\n").replaceAll("\u{a0}", " ");
    expect(shown).toContain(document.loss.readable);
    for (const { item } of document.answer.winners) expect(shown).toContain(item);
  });

  it.each([{}, { narrow: true }])("of leads is a staircase over the runner-up: %j", (options) => {
    const document = release("gaps");
    const root = drawn(document, options);
    const rects = (look: string) => named(root, "rect").filter(({ attributes }) => attributes.class === look);
    const [steps, below] = [rects("bar"), rects("below")];
    const whiskers = named(root, "path").filter(({ attributes }) => attributes.class === "whisker");
    const rows = answerRows(document);
    const left = Number(below[0].attributes.x);
    const perUser = Number(steps[0].attributes.width) / Number(rows[0].gap?.value);
    let start = rows.reduce((sum, { gap }) => sum + Number(gap?.value), 0);
    rows.forEach(({ gap }, rank) => {
      start -= Number(gap?.value);
      expect(Number(steps[rank].attributes.width)).toBeCloseTo(Number(gap?.value) * perUser, 0);
      expect(Number(steps[rank].attributes.x) - left).toBeCloseTo(start * perUser, 0);
      const [, from, to] = /^M([\d.]+) [\d.]+H([\d.]+)/.exec(whiskers[rank].attributes.d) ?? [];
      expect((Number(from) - left) / perUser - start).toBeCloseTo(Number(gap?.low), -1);
      expect((Number(to) - left) / perUser - start).toBeCloseTo(Number(gap?.high), -1);
    });
    expect([steps.length, below.length]).toEqual([4, 3]); // the last stands on the runner-up
    expect(textOf(root)).toContain("0 is the runner-up.");
  });

  it("of counts has bars from 0 and says what the lines are", () => {
    const document = release("counts of a list");
    const root = drawn(document);
    const bars = named(root, "rect").filter(({ attributes }) => attributes.class === "bar");
    const counts = answerRows(document).map((row) => shownCount(row) ?? 0);
    const perUser = Number(bars[0].attributes.width) / counts[0];
    expect(new Set(bars.map(({ attributes }) => attributes.x)).size).toBe(1);
    bars.forEach(({ attributes }, rank) => {
      expect(Number(attributes.width)).toBeCloseTo(counts[rank] * perUser, 0);
    });
    expect(textOf(root)).toContain("Lines are 95 % intervals, each on its own, of the true numbers.");
  });

  it("has the data set, the question and the date, and says how the list ended", () => {
    expect(textOf(drawn(release("gaps")))).toContain(
      "visits.csv  ·  top 4 of 7 candidates  ·  31 January 2026",
    );
    const ended = RELEASES.filter(([, document]) => document.answer.released && endInWords(document) !== "");
    expect(ended.length).toBeGreaterThan(0);
    for (const [, document] of ended)
      expect(letters(textOf(drawn(document)))).toContain(letters(endInWords(document)));
  });

  it("of joined emoji keeps them joined and whole where a name is cut", async () => {
    const family = "\u{1f469}\u{200d}\u{1f467}";
    const question = ask({ k: 1, domain: listed(2), epsilon: 1 });
    const shown = async (name: string) => {
      const document = await releaseOf(question, { items: [name, "other"], users: [90_000, 1] });
      return named(drawn(document), "text").map(textOf);
    };
    expect(await shown(`${family} family`)).toContain(`${family} family`);
    expect(await shown(family.repeat(15))).toContain(`${family.repeat(12)}…`);
  });

  it("says so where nothing can be released", () => {
    expect(textOf(drawn(release("nothing")))).toContain("No set of items stood out");
  });

  it("is light, dark, or as the reader's system prefers", () => {
    const style = (options: object) => textOf(named(drawn(release("gaps"), options), "style")[0]);
    expect(style({})).toContain("prefers-color-scheme");
    expect(style({ dark: true })).not.toContain("prefers-color-scheme");
    expect(style({ dark: true })).not.toBe(style({ dark: false }));
  });

  it("takes a title of your own", () => {
    expect(textOf(named(drawn(release("gaps"), { title: "Areas & <b>visitors</b>" }), "title")[0])).toBe(
      "Areas & <b>visitors</b>",
    );
  });

  it("of hundreds of winners ends where it would be too long", async () => {
    const users = Array.from({ length: 400 }, (_, index) => 10_000 - 20 * index);
    const items = users.map((_, index) => `item ${index}`);
    const ranked = await releaseOf(ask({ k: 300, domain: listed(400), epsilon: 1 }), { items, users });
    const unranked = await releaseOf(ask({ k: 300, domain: listed(400), rho: 1 }), { items, users });
    expect(textOf(drawn(ranked))).toContain("and 250 more");
    expect(textOf(drawn(unranked))).toContain("and 210 more");
    expect(Number(drawn(ranked).attributes.height)).toBeLessThan(2_500);
  });
});

describe("hostile names in a picture", () => {
  it.each(PAYLOADS.map((payload) => [JSON.stringify(payload).slice(0, 60), payload]))(
    "%s stays text",
    async (_, payload) => {
      const question = { ...ask({ k: 1, domain: listed(2), epsilon: 1 }), unit: `one ${payload} here` };
      const document = await releaseOf(question, { items: [payload, "other"], users: [90_000, 1] });
      const root = drawn(document, { title: payload });
      expectHarmless(root);
      expect(elementsOf(root).length).toBe(elementsOf(drawn(document, { title: "x" })).length);
      expect(textOf(named(root, "title")[0])).toBe(visible(payload));
      expect(textOf(named(root, "desc")[0])).toContain(visible(payload));
    },
  );
});
