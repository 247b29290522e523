/** Who entered a list, who left it and who moved: in tables of releases, and as a command. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { expectRefused } from "../support/expect-refused.js";
import { winnowHere } from "../support/in-process.js";
import { type Folder, folder } from "../support/winnow.js";

/** So many people in each week that noise at ε = 1 can't change a list. */
const WEEKS = { "2026-W02": ["mail", "news", "chess"], "2026-W03": ["news", "mail", "maps"] } as const;
const DAYS = { "2026-W02": "2026-01-06", "2026-W03": "2026-01-13" } as const;
const rows = Object.entries(WEEKS).flatMap(([week, areas]) =>
  areas.flatMap((area, place) =>
    Array.from(
      { length: 900 - 300 * place },
      (_, i) => `u${area}${i},${area},${DAYS[week as keyof typeof DAYS]},${i % 2 === 0 ? "DE" : "FR"}`,
    ),
  ),
);
const FILES = {
  "visits.csv": `user,area,day,country\n${rows.join("\n")}\n`,
  "areas.txt": "mail\nnews\nchess\nmaps\nshops\n",
  "countries.txt": "DE\nFR\n",
};

async function twoWeeks(...more: string[]): Promise<{ place: Folder; tables: readonly string[] }> {
  const place = folder(FILES);
  const said = async (...words: string[]) => {
    const ended = await winnowHere(place, words);
    expect(ended.exit, ended.stderr).toBe(0);
    return ended.stdout;
  };
  await said(
    ...["budget", "init", "visits.csv", "--epsilon", "40", "--yes", "--period", "week", "--horizon", "8"],
    ...["--from", "2026-01-07", "--promise", "person-period"],
  );
  const tables: string[] = [];
  for (const week of Object.keys(WEEKS)) {
    const asked = [
      "top",
      "visits.csv",
      "-k",
      "3",
      "--epsilon",
      "2",
      "--domain",
      "areas.txt",
      "--item",
      "area",
    ];
    const about = ["--user", "user", "--time", "day", "--period", week, "--release-id", week, "--yes"];
    tables.push(await said(...asked, ...about, ...more));
    writeFileSync(join(place.path, `${week}.json`), await said("show", week, "--json"));
  }
  return { place, tables };
}

describe("What changed", () => {
  it("is in the table of a release that has a predecessor, and in the command, with ranks", async () => {
    const { place, tables } = await twoWeeks();
    expect(tables[0]).not.toContain("Since");
    const lines = ["entered    maps (3)", "left       chess (3)", "moved      news 2 → 1, mail 1 → 2"];
    expect(tables[1]).toContain("Since 2026-W02");
    for (const line of lines) expect(tables[1]).toContain(line);
    const shown = await winnowHere(place, ["show", "2026-W03"]);
    expect(shown.stdout).toContain(lines[0]);
    for (const words of [
      ["2026-W03.json", "2026-W02.json"],
      ["--dataset", "visits.csv"],
    ]) {
      const compared = await winnowHere(place, ["changes", ...words]);
      expect(compared.exit, compared.stderr).toBe(0);
      expect(compared.stdout).toContain("2026-W03  since 2026-W02");
      for (const line of lines) expect(compared.stdout).toContain(line);
    }
    const drawn = await winnowHere(place, [
      ...["changes", "2026-W02.json", "2026-W03.json", "--json", "--plot", "ranks.svg"],
    ]);
    expect(JSON.parse(drawn.stdout)).toEqual({
      schema: "winnow-changes/1",
      steps: [
        {
          from: { id: "2026-W02", about: "2026-W02" },
          to: { id: "2026-W03", about: "2026-W03" },
          lists: [
            {
              entered: [{ item: "maps", to: 3 }],
              left: [{ item: "chess", from: 3 }],
              moved: [
                { item: "news", from: 2, to: 1 },
                { item: "mail", from: 1, to: 2 },
              ],
              stayed: 0,
            },
          ],
        },
      ],
    });
    expect(readFileSync(join(place.path, "ranks.svg"), "utf8")).toContain("entered maps (3)");
  });

  it("is shown for each group, and drawn for one", async () => {
    const grouped = ["--by", "country", "--groups", "countries.txt", "--max-groups-per-user", "1"];
    const { place, tables } = await twoWeeks(...grouped);
    expect(tables[1]).toMatch(/DE {2}entered maps \(3\) · left chess \(3\) · moved news 2 → 1, mail 1 → 2/);
    const releases = ["changes", "2026-W02.json", "2026-W03.json"];
    expectRefused(await winnowHere(place, [...releases, "--plot", "ranks.svg"]), {
      ...{ exit: 2, code: "usage", says: "--plot needs --group" },
    });
    const drawn = await winnowHere(place, [...releases, "--group", "FR", "--plot", "ranks.svg"]);
    expect(drawn.exit, drawn.stderr).toBe(0);
    expect(readFileSync(join(place.path, "ranks.svg"), "utf8")).toContain("2026-W03");
  });

  it("isn't said of releases about different questions, or of one alone", async () => {
    const { place } = await twoWeeks();
    const other = JSON.parse(readFileSync(join(place.path, "2026-W03.json"), "utf8"));
    writeFileSync(join(place.path, "other.json"), JSON.stringify({ ...other, dataset: "others.csv" }));
    const says = "must be about one question";
    expectRefused(await winnowHere(place, ["changes", "2026-W02.json", "other.json"]), {
      ...{ exit: 2, code: "usage", says },
    });
    for (const words of [["2026-W02.json"], [], ["areas.txt"]])
      expect((await winnowHere(place, ["changes", ...words])).exit).toBe(2);
  });
});
