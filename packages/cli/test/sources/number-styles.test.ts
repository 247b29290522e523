/** Numbers in other styles, and rows without a person or an item: the engine reads as the page does, and tells what it skipped. */
import { describe, expect, it } from "vitest";
import { NUMBER_STYLES, plainNumber } from "winnow-release";
import { openSource } from "../../src/sources/open-source.js";
import { type Folder, folder } from "../support/winnow.js";

const TEXTS = [
  ...["650,25", "1.234,50", "1,234.50", "1.234", "1,234", "1 234 567,5", "1\u{202f}234,5 €", "1'234.50"],
  ...["CHF 1’234.50", "$-12", "-£12.5", "12", "1e3", ".5", "n/a", "12,34,5", "1.23,5", "1 234'567,5", "-€-5"],
];

const read = async (place: Folder, name: string, numbers?: (typeof NUMBER_STYLES)[number]) => {
  const source = await openSource(place.file(name), { numbers });
  try {
    const counts = new Map<string, number>();
    const asked = { item: "amount", user: "user", candidates: { kind: "numbers" } } as const;
    for await (const { items, users } of source.histogram(asked))
      for (const [i, item] of items.entries()) counts.set(item, users[i]!);
    return { counts, values: source.skippedValues(), rows: source.skippedRows() };
  } finally {
    await source.close();
  }
};

describe("numbers in another style", () => {
  it.each(["rows.tsv", "rows.ndjson"])("are read alike by the engine and the page, from %s", async (name) => {
    const place = folder({
      "rows.tsv": `user\tamount\n${TEXTS.map((text, i) => `u${i}\t${text}\n`).join("")}`,
      "rows.ndjson": TEXTS.map((amount, i) => `${JSON.stringify({ user: `u${i}`, amount })}\n`).join(""),
    });
    for (const style of NUMBER_STYLES) {
      const expected = new Map<string, number>();
      for (const text of TEXTS) {
        const plain = plainNumber(text, style);
        if (plain !== undefined) expected.set(plain, (expected.get(plain) ?? 0) + 1);
      }
      const { counts, values } = await read(place, name, style);
      expect(counts).toEqual(expected);
      const skipped = TEXTS.filter((text) => plainNumber(text, style) === undefined);
      expect(values.skippedValues).toBe(skipped.length);
      const looksLike = (other: "point" | "comma") =>
        skipped.filter((text) => plainNumber(text, other) !== undefined).length;
      expect(values.writtenNumbers).toEqual(
        style === "plain" ? { point: looksLike("point"), comma: looksLike("comma") } : undefined,
      );
    }
  });

  it("are refused on a server, whose columns have types", async () => {
    await expect(openSource("postgres://127.0.0.1:1/x", { numbers: "comma" })).rejects.toThrow(
      "--numbers must go with files",
    );
  });
});

describe("rows without a person or an item", () => {
  it.each(["rows.csv", "rows.ndjson"])(
    "are counted exactly in %s, and nothing more is read without any",
    async (name) => {
      const rows = Array.from({ length: 300 }, (_, i) => ({
        user: i % 3 === 0 ? "" : `u${i}`,
        amount: i % 10 === 1 ? "" : "5",
      }));
      const place = folder({
        "rows.csv": `user,amount\n${rows.map(({ user, amount }) => `${user},${amount}\n`).join("")}broken\n`,
        "rows.ndjson": rows.map((row) => `${JSON.stringify(row)}\n`).join(""),
      });
      const skippedRows = rows.filter(({ user, amount }) => user === "" || amount === "").length;
      expect((await read(place, name)).rows).toEqual({ rows: 300, skippedRows });
      const whole = folder({ "rows.csv": "user,amount\na,1\nb,2\n" });
      expect((await read(whole, "rows.csv")).rows).toEqual({ skippedRows: 0 });
    },
  );
});

describe("winnow", () => {
  const QUANTILE = [
    "quantile",
    "pay.csv",
    "--column",
    "pay",
    "--user",
    "user",
    "-q",
    "0.5",
    "--range",
    "0..2000",
  ];
  const PAY = Array.from(
    { length: 2000 },
    (_, i) => `u${i};${i % 5 === 0 ? i % 20 : `${600 + (i % 100)},25`}\n`,
  );

  it("stops before a charge at decimal commas, names the style, reads them in it and records it", async () => {
    const place = folder({ "pay.csv": `user;pay\n${PAY.join("")}` });
    const asked = [...QUANTILE, "--epsilon", "1"];
    const stopped = await place.winnow(asked);
    expect(stopped.exit).toBe(2);
    expect(stopped.stderr).toContain('of them look like 1.234,50: numbers in the style "comma".');
    expect(stopped.stderr).toContain("may not be numbers as Winnow was told to read them");
    const read = await place.winnow([...asked, "--numbers", "comma", "--json"]);
    expect(read.exit, read.stderr).toBe(0);
    const release = JSON.parse(read.stdout);
    expect(Math.abs(Number(release.answer.winners[0].item) - 640)).toBeLessThan(30);
    expect(release.source.dialect.numbers).toBe("comma");
    const [id, again] = [
      ["--release-id", release.id],
      [...asked, "--numbers", "comma"],
    ];
    expect((await place.winnow([...again, ...id])).exit).toBe(0);
    const otherwise = await place.winnow([...asked, ...id]);
    expect(otherwise.stderr).toContain("whose rows were read in another way");
  });

  it("stops where one row in three has no person", async () => {
    const rows = Array.from({ length: 900 }, (_, i) => `${i % 3 ? `u${i}` : ""},area ${i % 2}\n`).join("");
    const place = folder({ "visits.csv": `user,item\n${rows}`, "areas.txt": "area 0\narea 1\n" });
    const asked = ["top", "visits.csv", "-k", "1", "--epsilon", "1", "--domain", "areas.txt"];
    const { exit, stderr } = await place.winnow(asked);
    expect(exit).toBe(2);
    expect(stderr).toContain("300 rows have no person or no item and were skipped.");
    expect((await place.winnow([...asked, "--yes"])).exit).toBe(0);
  });
});
