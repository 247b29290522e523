/** `--guess`: which mechanism answers is decided by public numbers, never by the rows. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { readRelease } from "winnow-release";
import { chargesIn } from "../support/expect-refused.js";
import { winnowHere } from "../support/in-process.js";
import { VISITS } from "../support/visits.js";
import { folder } from "../support/winnow.js";

const ASKED = ["--item", "area", "--user", "user", "-k", "60", "--epsilon", "1", "--delta", "1e-6"];
const GUESS = ["--guess", "people=3000,items-per-person=13"];
const HEADER = `${VISITS.split("\n")[0]}\n`;

/** Rows, the same with one person more and one less, other rows, and none. */
const DATA: Readonly<Record<string, string>> = {
  "visits.csv": VISITS,
  "more.csv": `${VISITS}newcomer,mail\nnewcomer,secret\n`,
  "less.csv": VISITS.split("\n")
    .filter((line) => !line.startsWith(`${VISITS.split("\n")[1]?.split(",")[0]},`))
    .join("\n"),
  "other.csv": `${HEADER}${Array.from({ length: 900 }, (_, i) => `q${i % 300},z${i % 7}`).join("\n")}\n`,
  "none.csv": HEADER,
};

describe("winnow top --guess", () => {
  it("takes the same mechanism for neighbours, for other data and for none", async () => {
    const place = folder(DATA);
    const taken = new Set<string>();
    for (const [i, file] of Object.keys(DATA).entries()) {
      const out = ["--json", "--output", `${i}.json`, "--dataset", `data ${i}`, "--yes"];
      const { exit, stderr } = await winnowHere(place, ["top", file, ...ASKED, ...GUESS, ...out]);
      expect(exit, stderr).toBe(0);
      const { question } = readRelease(readFileSync(place.file(`${i}.json`), "utf8"));
      const line = stderr.split("\n").find((each) => each.includes("Winnow takes"));
      taken.add(JSON.stringify([question, line]));
    }
    expect(taken.size).toBe(1);
    expect([...taken][0]).toMatch(
      /threshold-top-k with at most 10 items a person: about \d+ of 60 right on the guess of 3,000 people with 13 items each\. Otherwise limited-top-k \d+ of 60/,
    );
  });

  it("is overridden by --mechanism, and without it nothing is compared before a release", async () => {
    const place = folder(DATA);
    const named = await winnowHere(place, [
      "top",
      "visits.csv",
      ...ASKED,
      ...GUESS,
      "--mechanism",
      "limited-top-k",
    ]);
    expect(named.stderr).toMatch(/As asked limited-top-k: about \d+ of 60 right/);
    expect(named.stdout).toContain("· limited-top-k ·");
    const usual = await winnowHere(place, ["top", "visits.csv", ...ASKED]);
    expect(usual.stderr).not.toContain("Winnow takes");
  });

  it("is told in a dry run, also without a guess, and what hangs on it", async () => {
    const place = folder(DATA);
    const dry = await winnowHere(place, ["top", "visits.csv", ...ASKED, "--dry-run"]);
    expect(dry.stderr).toMatch(/Winnow takes limited-top-k: an item needs about \d+ users more than/);
    expect(dry.stderr).toContain("--guess people=4000,items-per-person=13 compares");
    expect(await chargesIn(place)).toBe(0);
  });

  it("is refused for nothing if it can't be read", async () => {
    const place = folder(DATA);
    const { exit, stderr } = await winnowHere(place, [
      "top",
      "visits.csv",
      ...ASKED,
      "--guess",
      "people=many",
    ]);
    expect(exit).not.toBe(0);
    expect(stderr).toContain("--guess must be");
    expect(await chargesIn(place)).toBe(0);
  });

  it("is what winnow plan plans on, and says what winnow top would take", async () => {
    const place = folder(DATA);
    const args = ["plan", "-k", "20", "--delta", "1e-6", "--epsilon", "1", "--runs", "5", ...GUESS];
    const { stdout, stderr } = await winnowHere(place, args);
    expect(stdout).toContain("the guess of 3,000 people with 13 items each");
    expect(stderr).toMatch(/Winnow takes .* right on the guess of 3,000 people/);
  });
});
