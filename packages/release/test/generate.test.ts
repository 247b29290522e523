import { describe, expect, it } from "vitest";
import { seededEntropy } from "winnow-dp/testing";
import { Zipf } from "../src/generate.js";
import { candidatesOf, countVisitors, generateCsv, generateVisits } from "../src/index.js";
import { ACCEPTED, deviation, draw } from "./support/draws.js";

describe("generated visits", () => {
  it("are the same for everyone, from the seed", () => {
    const first = [...generateVisits({ rows: 5 })];
    expect(first).toEqual([...generateVisits({ rows: 5 })]);
    expect(first).toMatchSnapshot();
    expect(first).not.toEqual([...generateVisits({ rows: 5, seed: "other" })]);
  });

  it("have as many rows as asked for, of these people, in areas of the public list", () => {
    const visits = [...generateVisits({ rows: 3_000, items: 50, users: 200 })];
    const areas = new Set(candidatesOf({ items: 50 }));
    expect([visits.length, areas.size]).toEqual([3_000, 50]);
    expect(visits.every(({ item }) => areas.has(item))).toBe(true);
    expect(new Set(visits.map(({ user }) => user)).size).toBeLessThanOrEqual(200);
  });

  it("as CSV have a header, one line each and no piece that is large", () => {
    const pieces = [...generateCsv({ rows: 20_000 })];
    const lines = pieces.join("").split("\n");
    expect([lines[0], lines.length]).toEqual(["user,area", 20_002]);
    expect(lines.slice(1, -1).every((line) => /^u\d+,[a-z\d-]+$/.test(line))).toBe(true);
    expect(pieces.length).toBeGreaterThan(2);
    expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThan(70_000);
  });

  it("count a person once for each area", () => {
    const options = { rows: 4_000, items: 12, users: 300 };
    const { items, users } = countVisitors(options);
    const rows = [...generateVisits(options)];
    expect(items).toEqual(candidatesOf(options));
    expect(items).toEqual(items.toSorted());
    items.forEach((item, index) => {
      const people = new Set(rows.filter((row) => row.item === item).map(({ user }) => user));
      expect(users[index]).toBe(people.size);
    });
  });

  it("refuse what cannot be meant", () => {
    expect(() => [...generateVisits({ rows: 0 })]).toThrow("rows must be an integer >= 1");
    expect(() => candidatesOf({ items: -1 })).toThrow("items must be");
  });
});

describe("Zipf's law", () => {
  it("makes rank r come up in proportion to 1/r", async () => {
    const zipf = new Zipf(8);
    const draws = await draw(50_000, "zipf", (entropy) => String(zipf.draw(entropy)));
    const sum = [1, 2, 3, 4, 5, 6, 7, 8].reduce((total, rank) => total + 1 / rank, 0);
    const law = Object.fromEntries(
      Array.from({ length: 8 }, (_, rank) => [String(rank), 1 / (rank + 1) / sum]),
    );
    expect(deviation(draws, law)).toBeLessThan(ACCEPTED);
    expect(deviation(draws, { ...law, 0: Number(law[0]) * 1.05 })).toBeGreaterThan(ACCEPTED);
  });

  it("stays within many ranks, and has one where there is one", () => {
    const entropy = seededEntropy("many ranks");
    const zipf = new Zipf(100_000);
    const ranks = Array.from({ length: 10_000 }, () => zipf.draw(entropy));
    expect(Math.max(...ranks)).toBeLessThan(100_000);
    expect(Math.max(...ranks)).toBeGreaterThan(50_000);
    expect(new Zipf(1).draw(entropy)).toBe(0);
  });
});
