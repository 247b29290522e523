import { readFileSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { KINDS } from "winnow-release";
import { chargesIn, expectRefused } from "../support/expect-refused.js";
import { winnowHere } from "../support/in-process.js";
import { AREAS, VISITS } from "../support/visits.js";
import { type Folder, folder } from "../support/winnow.js";

const PEOPLE = `user,age\n${Array.from({ length: 60 }, (_, i) => `u${i},${20 + (i % 40)}\n`).join("")}`;
const FILES = { "visits.csv": VISITS, "areas.txt": AREAS, "people.csv": PEOPLE };

/** A question of each kind. */
const ASKED: Readonly<Record<string, readonly string[]>> = {
  top: ["visits.csv", "-k", "2", "--epsilon", "1", "--domain", "areas.txt", "--counts"],
  adaptive: ["visits.csv", "-k", "3", "--epsilon", "1", "--delta", "1e-6"],
  names: ["visits.csv", "--epsilon", "1", "--delta", "1e-6", "--max-items-per-user", "2"],
  quantile: ["people.csv", "--column", "age", "-q", "0.5", "--range", "0..100", "--epsilon", "1"],
  frequencies: ["visits.csv", "--item", "area", "--epsilon", "1"],
};

/** A folder whose ledger has the release "june" of this kind, and what was printed. */
async function released(kind: string, ...format: readonly string[]): Promise<[Folder, string]> {
  const place = folder(FILES);
  const { exit, stdout } = await winnowHere(place, [
    kind,
    ...ASKED[kind]!,
    "--release-id",
    "june",
    ...format,
  ]);
  expect(exit).toBe(0);
  return [place, stdout];
}

describe("winnow show", () => {
  it.each(KINDS.map(({ name }) => name))(
    "prints a release of %s again in any format, and charges nothing",
    async (kind) => {
      const [place, table] = await released(kind);
      const again = [kind, ...ASKED[kind]!, "--release-id", "june"];
      expect((await winnowHere(place, ["show", "june"])).stdout).toBe(table);
      for (const format of ["--json", "--csv", "--statement"]) {
        const asked = await winnowHere(place, [...again, format]);
        expect(await winnowHere(place, ["show", "june", format])).toEqual({
          exit: 0,
          stdout: asked.stdout,
          stderr: "",
        });
      }
      await winnowHere(place, [...again, "--plot", "a.svg"]);
      const { exit } = await winnowHere(place, ["show", "june", "--plot", "b.svg", "--csv", "-o", "b.csv"]);
      expect(exit).toBe(0);
      expect(readFileSync(place.file("b.svg"), "utf8")).toBe(readFileSync(place.file("a.svg"), "utf8"));
      expect(readFileSync(place.file("b.csv"), "utf8")).toContain("\r\n");
      expect(await chargesIn(place)).toBe(1);
    },
  );

  it("needs no rows, and reads another ledger", async () => {
    const [place, json] = await released("top", "--json", "--ledger", "mine.ledger");
    writeFileSync(place.file("visits.csv"), "");
    const shown = await winnowHere(place, ["show", "june", "--json", "--ledger", "mine.ledger"]);
    expect(shown).toMatchObject({ exit: 0, stdout: json });
  });

  it("prints labels of teachers again", async () => {
    const votes = Array.from({ length: 200 }, (_, teacher) => `0,${teacher},2\n`).join("");
    const place = folder({ "votes.csv": `query,teacher,label\n${votes}` });
    const lists = ["--queries", "1", "--teachers", "200", "--labels", "4"];
    const asked = await winnowHere(place, [
      "pate",
      "votes.csv",
      ...lists,
      "--rho",
      "0.5",
      "--release-id",
      "june",
      "--csv",
    ]);
    expect((await winnowHere(place, ["show", "june", "--csv"])).stdout).toBe(asked.stdout);
    const refused = await winnowHere(place, ["show", "june", "--plot", "a.svg"]);
    expectRefused(refused, { exit: 2, code: "usage", says: "--plot doesn't apply to labels" });
  });

  it("refuses an id that the ledger doesn't have, and outputs that can't be", async () => {
    const [place] = await released("top");
    const missing = await winnowHere(place, ["show", "may"]);
    expectRefused(missing, { exit: 2, code: "not-found", says: 'has no release "may"' });
    const both = await winnowHere(place, ["show", "june", "--json", "--csv"]);
    expectRefused(both, { exit: 2, code: "usage", says: "cannot be combined" });
    const none = await winnowHere(folder(), ["show", "june"]);
    expectRefused(none, { exit: 4, code: "missing-ledger", says: "There is no ledger" });
  });
});
