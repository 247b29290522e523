/** Counts of people who are limited to so many items say so in every output; so do quantiles of some of a person's values. */
import { describe, expect, it } from "vitest";
import {
  caption,
  countedInWords,
  headline,
  type NewRelease,
  neighboursInWords,
  readRelease,
  statement,
  toCsv,
  toJson,
  toRegistryRecord,
  toSvg,
  unitInWords,
  unitOf,
} from "../../src/index.js";
import { countedColumn } from "../../src/question/labels.js";
import { ask, grid, releaseOf, UNKNOWN } from "../support/ask.js";
import { RELEASES } from "../support/releases.js";

const ITEMS = ["search", "news", "maps", "mail", "sports"];
const COUNTS = { items: ITEMS, users: [3200, 2100, 1500, 1100, 900] };
const NONE = { items: ITEMS, users: [1, 1, 1, 1, 1] };
const DELTA = { delta: "1e-6" };

/** Every mechanism that can be limited, with bounds of one and of several. */
const LIMITED: readonly (readonly [string, NewRelease])[] = await Promise.all(
  [1, 2, 1000].flatMap((maxItemsPerUser) => {
    const top = { domain: UNKNOWN, ...DELTA, maxItemsPerUser, epsilon: 1 };
    return (
      [
        ["names", ask({ ...top, kind: "names" }), COUNTS],
        ["names with counts", ask({ ...top, kind: "names", counts: true }), COUNTS],
        ["no names", ask({ ...top, kind: "names", counts: true }), NONE],
        ["threshold", ask({ ...top, k: 3, mechanism: "threshold-top-k" }), COUNTS],
        ["limited", ask({ ...top, k: 3, mechanism: "limited-top-k" }), COUNTS],
        ["limited with counts", ask({ ...top, k: 3, mechanism: "limited-top-k", counts: true }), COUNTS],
        ["limited with leads", ask({ ...top, k: 3, mechanism: "limited-top-k", resolution: 1 }), COUNTS],
        [
          "frequencies",
          ask({ kind: "frequencies", domain: UNKNOWN, maxItemsPerUser, epsilon: maxItemsPerUser }),
          { items: ["900", "3"], users: [1, 10] },
        ],
        [
          "quantiles",
          ask({ kind: "quantile", domain: grid(0, 10), quantiles: ["1/2"], epsilon: 1, maxItemsPerUser }),
          { items: ["4", "5"], users: [900, 900] },
        ],
      ] as const
    ).map(
      async ([name, question, counted]) =>
        [`${name}, at most ${maxItemsPerUser}`, await releaseOf(question, counted)] as const,
    );
  }),
);

/** The text of a picture, with the lines of a paragraph joined. */
function wordsOf(svg: string): string {
  return svg
    .replaceAll(/<\/text><text[^>]*class="(?:small quiet|title|quiet)"[^>]*>/g, " ")
    .replaceAll(/<\/text><text x="\d+" y="\d+">/g, " ")
    .replaceAll("\u{a0}", " ");
}

/** Everything that is read by someone, by name. */
function outputsOf(release: NewRelease): Record<string, string> {
  return {
    headline: release.answer.released ? headline(release) : countedInWords(release.question),
    caption: caption(release),
    paragraph: release.answer.released
      ? statement(release).paragraph
      : statement(release)
          .fields.map(([name, value]) => `${name}: ${value}`)
          .join("\n"),
    json: toJson(release),
    csv: toCsv(release),
    svg: wordsOf(toSvg(release)),
    "narrow svg": wordsOf(toSvg(release, { narrow: true })),
    "svg with a title of its own": wordsOf(toSvg(release, { title: "Ours" })),
    registry: toRegistryRecord(release),
  };
}

const AT_MOST = /at most [\d,]+\b|\bone value of each user\b|_max_\d+_(items?|values?)_per_user/;

/** "users" or "people" that nothing tells the limit of. */
function bareUsers(text: string): string[] {
  const told = text
    .replaceAll(/users \(each counted for at most [\d,]+ items?\)/g, "")
    .replaceAll(/each user is counted for at most [\d,]+ items?, and far more people may have an item/g, "")
    .replaceAll(/people who are counted for a limited number of items each/g, "")
    .replaceAll(/items that enough people have, of\b/g, "")
    .replaceAll(/noise that protects people/g, "");
  return told.match(/[^.;<>\n]*\b(?:users|people)\b[^.;<>\n]*/gi) ?? [];
}

describe.each(LIMITED)("what a limited count counts: %s", (_, release) => {
  it.each(Object.entries(outputsOf(release)))("is in the %s", (output, text) => {
    const isEmpty =
      !release.answer.released || !/count|gap|value|users/.test(toCsv(release).split("\r\n")[0]);
    if (output === "csv" && isEmpty) return;
    expect(text).toMatch(AT_MOST);
  });

  it("is nowhere a number of users without the limit", () => {
    const { json: _, csv, registry: __, ...outputs } = outputsOf(release);
    for (const [output, text] of Object.entries(outputs))
      expect([output, bareUsers(text)]).toEqual([output, []]);
    expect(csv.split("\r\n")[0].split(",")).not.toContain("count");
    expect(csv.split("\r\n")[0].split(",")).not.toContain("users");
  });

  it("is never called too high", () => {
    for (const text of Object.values(outputsOf(release))) expect(text).not.toContain("too high");
  });

  it("is a field of the document that can't be changed or left out", () => {
    const json = JSON.parse(toJson(release));
    expect(json.answer.counted).toBe(countedInWords(release.question));
    const changed = { ...json, answer: { ...json.answer, counted: "users" } };
    expect(() => readRelease(JSON.stringify(changed))).toThrow("release.answer.counted must be");
    const { counted: __, ...answer } = json.answer;
    expect(() => readRelease(JSON.stringify({ ...json, answer }))).toThrow('with the field "counted"');
  });
});

/** What every reader is told of whom a number protects, in the words of the outputs that say it. */
describe.each(RELEASES)("the unit of privacy: %s", (_, release) => {
  const { unit, neighbours } = release.question;
  const outputs = outputsOf(release);

  it("is with the loss wherever the loss is", () => {
    const words = `(${release.loss.readable}) ${unitInWords(release.question)}`;
    for (const output of ["caption", "svg", "narrow svg", "svg with a title of its own"])
      expect([output, outputs[output]]).toEqual([output, expect.stringContaining(words)]);
  });

  it("is exact in the statement and in what programs read", () => {
    const { text } = statement(release);
    expect(text).toContain(`Unit of privacy: ${unit}`);
    expect(text).toContain(`differ in that ${neighboursInWords(neighbours)}`);
    expect(JSON.parse(outputs.json).question).toMatchObject({ unit, neighbours });
    expect(outputs.registry).toContain(neighboursInWords(neighbours));
  });

  it("would be missed", () => {
    const other = { ...release.question, unit: unitOf("device") };
    expect(outputs.caption).not.toContain(unitInWords(other));
  });
});

const WITH_NUMBERS = RELEASES.filter(
  ([, { question, answer }]) =>
    answer.released && (question.counts || question.resolution || question.quantiles),
);

describe.each(WITH_NUMBERS)("what the numbers of an answer count: %s", (_, release) => {
  it("is in the words of the labels in every output", () => {
    const { csv, json: __, registry: ___, ...outputs } = outputsOf(release);
    for (const [output, text] of Object.entries(outputs))
      expect([output, text]).toEqual([output, expect.stringContaining(countedInWords(release.question))]);
    const [head] = csv.split("\r\n");
    if (release.question.counts) expect(head.split(",")).toContain(countedColumn("count", release.question));
  });
});

describe("an answer without a limit", () => {
  const free = RELEASES.filter(([, { question }]) => question.maxItemsPerUser === undefined);

  it.each(free)("counts users, and says no more: %s", (_, release) => {
    expect(countedInWords(release.question)).toBe("users");
    expect(JSON.parse(toJson(release)).answer).not.toHaveProperty("counted");
    for (const [output, text] of Object.entries(outputsOf(release)))
      if (output !== "json") expect(text).not.toMatch(/counted for at most/);
  });
});

describe("a quantile at an end of the range", () => {
  it.each([
    ["0", "the median is at an end of the range 0 to 10, and the exact one may lie beyond it"],
    ["10", "the median is at an end of the range 0 to 10, and the exact one may lie beyond it"],
    ["5", undefined],
  ])("says that the exact one may lie beyond it: %s", async (value, words) => {
    const question = ask({ kind: "quantile", domain: grid(0, 10), quantiles: ["1/2"], epsilon: 1000 });
    const release = await releaseOf(question, { items: [value], users: [1000] });
    for (const text of [caption(release), statement(release).text, wordsOf(toSvg(release))])
      if (words === undefined) expect(text).not.toContain("end of the range");
      else expect(text).toContain("at an end of the range");
    if (words !== undefined) expect(caption(release)).toContain(words);
  });
});
