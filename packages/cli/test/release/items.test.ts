/** What is counted in a row: functions of a column, several columns, and a public map of items. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { chargesIn, expectRefused } from "../support/expect-refused.js";
import { winnowHere } from "../support/in-process.js";
import { folder } from "../support/winnow.js";

const rows = Array.from({ length: 500 }, (_, i) => {
  const zip = ["10115", "10117", "75001"][i % 3];
  return `u${i},${i % 2 === 0 ? " Mail" : "mail "},${i % 5 === 0 ? "news" : "Chess"},${zip},2026-1${i % 2}-03`;
});
const FILES = {
  "visits.csv": `user,first,second,zip,day\n${rows.join("\n")}\nu999,,mail,,soon\n`,
  "areas.txt": "mail\nnews\nchess\n",
  "months.txt": "2026-10-01\n2026-11-01\n",
  "regions.txt": "Berlin\nParis\n",
  "zip_to_region.csv": "zip,region\n10115,Berlin\n10117,Berlin\n75001,Paris\n,Nowhere\n",
};
const top = (domain: string, ...more: string[]) => [
  ...["top", "visits.csv", "-k", "1", "--epsilon", "5", "--domain", domain, "--user", "user", ...more],
];

describe("--item and --map", () => {
  it("count functions of a column, and the release says which", async () => {
    const place = folder(FILES);
    const made = await winnowHere(place, top("areas.txt", "--item", "LOWER(trim(first))", "--json"));
    expect(made.exit, made.stderr).toBe(0);
    const { answer, question, source } = JSON.parse(made.stdout);
    expect(answer.winners[0].item).toBe("mail");
    expect(Number(answer.winners[0].gap)).toBeGreaterThan(400);
    expect(question.items).toEqual(["lower(trim(first))"]);
    expect(source.item).toBe("lower(trim(first))");
    const months = top("months.txt", "--item", "date_trunc('month', day)", "--json");
    expect((await winnowHere(place, months)).exit).toBe(0);
  });

  it("count each of several columns, and a person once for an item", async () => {
    const place = folder(FILES);
    const items = ["--item", "lower(trim(first))", "--item", "lower(second)"];
    const made = await winnowHere(place, top("areas.txt", ...items, "--statement", "--counts", "-k", "2"));
    expect(made.exit, made.stderr).toBe(0);
    expect(made.stdout).toMatch(/1 {3}mail +(49|50)\d/); // 500 people, and the one who has it in the second column
    expect(made.stdout).toMatch(/2 {3}chess +(39|40)\d/);
    expect(made.stdout).toContain("Items of a row: lower(trim(first)), lower(second)");
    expect(made.stdout).toContain("Each row counts for lower(trim(first)) and lower(second).");
  });

  it("replace items by a public map, and skip those that it doesn't have", async () => {
    const place = folder(FILES);
    const mapped = top(
      "regions.txt",
      "--item",
      "zip",
      "--map",
      "zip_to_region.csv",
      "--release-id",
      "m",
      "--json",
    );
    const made = await winnowHere(place, mapped);
    expect(made.exit, made.stderr).toBe(0);
    const { answer, question } = JSON.parse(made.stdout);
    expect(answer.winners[0].item).toBe("Berlin");
    expect(question.map.size).toBe(3);
    expect(question.items).toBeUndefined();
    expect((await winnowHere(place, mapped)).stdout).toBe(made.stdout);
    writeFileSync(join(place.path, "zip_to_region.csv"), "zip,region\n10115,Paris\n");
    expectRefused(await winnowHere(place, mapped), {
      ...{ exit: 2, code: "release-id-taken", says: "other parameters" },
    });
    expect(await chargesIn(place)).toBe(1);
  });

  it("go with groups, conditions and a dry run", async () => {
    const place = folder({ ...FILES, "zips.txt": "10115\n10117\n75001\n" });
    const inGroups = ["--by", "zip", "--groups", "zips.txt", "--max-groups-per-user", "1"];
    const more = ["--item", "lower(trim(first))", "--where", "second = 'news'", ...inGroups, "--json"];
    const made = await winnowHere(place, top("areas.txt", ...more));
    expect(made.exit, made.stderr).toBe(0);
    const { answer } = JSON.parse(made.stdout);
    for (const group of answer.groups) expect(group.answer.winners[0].item).toBe("mail");
    const tried = await winnowHere(place, top("areas.txt", ...more, "--dry-run"));
    expect(JSON.parse(tried.stdout).source).toEqual({ item: "lower(trim(first))", user: "user" });
  });

  it.each([
    [["--item", "upper(first)"], "unknown-column", 'no column "upper(first)"'],
    [["--item", "lower(first, second)"], "usage", "item must be a column, or lower(x)"],
    [["--item", "lower(land)"], "unknown-column", 'no column "land"'],
    [["--item", "lower(user)"], "usage", "--item and --user must be different columns"],
    [["--map", "zip_to_region.csv"], "usage", "--map needs --item"],
    [["--item", "zip", "--map", "missing.csv"], "missing-source", "missing.csv"],
    [["--item", "zip", "--map", "visits.csv"], "not-public", "visits.csv"],
    [
      ["--item", "zip", "--map", "zip_to_region.csv", "--commit-bits", "o.json"],
      ...(["usage", "--commit-bits doesn't go with --map"] as const),
    ],
  ])("are refused before a charge: %s", async (given, code, says) => {
    const place = folder(FILES);
    const ended = await winnowHere(place, top("areas.txt", ...given));
    expect(ended.exit).not.toBe(0);
    expect(ended.stderr).toContain(says);
    expect(ended.stderr).toContain(`[${code}]`);
    expect(await chargesIn(place)).toBe(0);
  });
});
