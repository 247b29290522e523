import { describe, expect, it } from "vitest";
import {
  changesBetween,
  changesOf,
  inOrderOfMoments,
  momentOf,
  predecessorOf,
  type Release,
  ranksSvg,
  seriesOf,
} from "../../src/index.js";
import { changesInOneLine } from "../../src/render/changes.js";
import { ask, grid, listed, numbered, releaseOf } from "../support/ask.js";
import { parseXml } from "../support/parse-xml.js";

const PROMISE = { unit: "person-period", period: "week", first: "2026-11-16", horizon: 52 } as const;
const DAYS = { "2026-W47": ["2026-11-16", "2026-11-23"], "2026-W48": ["2026-11-23", "2026-11-30"] } as const;

/** A release about a week, with these names in this order. */
async function weekly(
  name: keyof typeof DAYS,
  items: readonly string[],
  more: Partial<Release> & { readonly ordered?: boolean } = {},
): Promise<Release> {
  const [from, until] = DAYS[name];
  const where = `date(day) >= '${from}' and date(day) < '${until}'`;
  const question = ask({ k: 2, domain: listed(9), epsilon: 1, where, period: { name, promise: PROMISE } });
  const made = await releaseOf(question, numbered([9, 8, 7, 6, 5, 4, 3, 2, 1]));
  const { ordered = true, ...rest } = more;
  const winners = items.map((item) => ({ item }));
  return { ...made, id: name, ...rest, answer: { ...made.answer, winners, k: items.length, ordered } };
}

describe("What changed between two lists", () => {
  const list = (ordered: boolean, ...items: string[]) => ({
    ordered,
    winners: items.map((item) => ({ item })),
  });

  it("is who entered, who left and who moved, with their ranks", () => {
    const changes = changesBetween(list(true, "a", "b", "c", "d"), list(true, "b", "a", "c", "e"));
    expect(changes).toEqual({
      entered: [{ item: "e", to: 4 }],
      left: [{ item: "d", from: 4 }],
      moved: [
        { item: "b", from: 2, to: 1 },
        { item: "a", from: 1, to: 2 },
      ],
      stayed: 1,
    });
    expect(changesInOneLine(changes, (name) => name)).toBe(
      "entered e (4), left d (4), moved b 2 → 1, a 1 → 2 and as before 1 name",
    );
  });

  it("has no ranks of a set, in which no one moves", () => {
    expect(changesBetween(list(false, "a", "b"), list(false, "b", "c"))).toEqual({
      ...{ entered: [{ item: "c" }], left: [{ item: "a" }], moved: [], stayed: 1 },
    });
    expect(changesBetween(list(true, "a", "b"), list(false, "b"))).toEqual({
      ...{ entered: [], left: [{ item: "a", from: 1 }], moved: [], stayed: 1 },
    });
    expect(changesInOneLine(changesBetween(list(true), list(true)), String)).toBe("nothing to compare");
  });
});

describe("Releases about one question", () => {
  it("are those of other weeks, whatever they cost, and no others", async () => {
    const [one, two] = [await weekly("2026-W47", ["a", "b"]), await weekly("2026-W48", ["b", "c"])];
    expect(seriesOf(one)).toBe(seriesOf(two));
    const cheaper = { ...two, question: { ...two.question, epsilon: "1/2" } };
    expect(seriesOf(cheaper)).toBe(seriesOf(one));
    for (const other of [
      { ...two, dataset: "others.csv" },
      { ...two, source: { ...two.source, item: "page" } },
      { ...two, analyst: "alice" },
      { ...two, question: { ...two.question, where: `country = 'DE' and ${two.question.where}` } },
      { ...two, question: { ...two.question, unit: "one household" } },
    ])
      expect(seriesOf(other)).not.toBe(seriesOf(one));
    const values = ask({ kind: "quantile", quantiles: ["1/2"], domain: grid(0, 9), epsilon: 1 });
    expect(seriesOf(await releaseOf(values, numbered([1, 2, 3])))).toBeUndefined();
  });

  it("follow each other by what they are about, also if a week came late", async () => {
    const late = await weekly("2026-W47", ["a"], { time: "2026-12-24T00:00:00.000Z" });
    const next = await weekly("2026-W48", ["b"], { time: "2026-12-01T00:00:00.000Z" });
    expect(inOrderOfMoments([next, late]).map(momentOf)).toEqual(["2026-W47", "2026-W48"]);
    expect(predecessorOf(next, [late, next])).toBe(late);
    expect(predecessorOf(late, [late, next])).toBeUndefined();
    const again = await weekly("2026-W48", ["c"], { id: "again", time: "2026-12-02T00:00:00.000Z" });
    expect(predecessorOf(again, [late, next, again])).toBe(late);
  });

  it("follow each other by when they were made, where there are no periods", async () => {
    const made = async (id: string, time: string) => ({
      ...(await releaseOf(ask({ k: 2, domain: listed(4), epsilon: 1 }), numbered([4, 3, 2, 1]))),
      ...{ id, time },
    });
    const [one, two] = [
      await made("1", "2026-01-01T00:00:00.000Z"),
      await made("2", "2026-02-01T00:00:00.000Z"),
    ];
    expect(predecessorOf(two, [one, two])).toBe(one);
    expect(predecessorOf(one, [one, two])).toBeUndefined();
    expect(momentOf(one)).toBe("2026-01-01");
  });

  it("are compared group by group", async () => {
    const groups = { by: ["country"], list: { kind: "listed", size: 2, hash: "cd".repeat(32) } } as const;
    const question = ask({ k: 2, domain: listed(9), epsilon: 1, groups: { ...groups, maxGroupsPerUser: 1 } });
    const base = await weekly("2026-W47", []);
    const inGroups = (...names: readonly (readonly [string, readonly string[]])[]): Release => ({
      ...base,
      question,
      answer: {
        ...{ released: true, k: 2, winners: [], ordered: true },
        groups: names.map(([name, items]) => ({
          name: [name],
          answer: { released: true, k: 2, ordered: true, winners: items.map((item) => ({ item })) },
        })),
      },
    });
    const before = inGroups(["DE", ["a", "b"]], ["FR", ["c", "d"]]);
    const after = inGroups(["DE", ["b", "a"]], ["FR", ["c", "e"]], ["IT", ["x", "y"]]);
    const found = changesOf(before, after);
    expect(found.map(({ label }) => label)).toEqual(["DE", "FR"]);
    expect(found[1]!.changes).toMatchObject({
      entered: [{ item: "e", to: 2 }],
      left: [{ item: "d", from: 2 }],
    });
  });
});

describe("The picture of ranks", () => {
  it("has each name in each week, and hostile names are text", async () => {
    const hostile = '<script>alert("1")</script>\u202e';
    const releases = [
      await weekly("2026-W47", ["a", hostile, "c"]),
      await weekly("2026-W48", [hostile, "a", "d"]),
    ];
    const svg = ranksSvg(releases);
    const { texts } = summary(svg);
    expect(texts).toEqual(expect.arrayContaining(["2026-W47", "2026-W48", "a", "d"]));
    expect(svg).not.toContain("<script>");
    expect(svg).not.toContain("\u202e");
    expect(svg.match(/<circle/g)).toHaveLength(6);
    expect(svg).toContain("entered d (3), left c (3)");
  });

  it("gives each name of a set a row of its own", async () => {
    const releases = [
      await weekly("2026-W47", ["b", "a"], { ordered: false }),
      await weekly("2026-W48", ["c", "a"], { ordered: false }),
    ];
    const rows = [...ranksSvg(releases).matchAll(/<circle class="hue\d" cx="[\d.]+" cy="([\d.]+)"/g)];
    expect(new Set(rows.map(([, y]) => y)).size).toBe(3);
  });

  it("says what it leaves out", async () => {
    const names = Array.from({ length: 45 }, (_, i) => `name ${i}`);
    const releases = [await weekly("2026-W47", names), await weekly("2026-W48", names)];
    expect(ranksSvg(releases)).toContain("The picture has the first 40 rows.");
  });
});

function summary(svg: string) {
  parseXml(svg);
  return { texts: [...svg.matchAll(/<text[^>]*>([^<]*)<\/text>/g)].map(([, text]) => text) };
}
