import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { chargesIn, expectRefused } from "../support/expect-refused.js";
import { winnowHere } from "../support/in-process.js";
import { AREAS, VISITS, visitsOf } from "../support/visits.js";
import { folder } from "../support/winnow.js";

const FILES = { "visits.csv": VISITS, "areas.txt": AREAS };
const TOP = ["top", "visits.csv", "--item", "area", "--user", "user", "-k", "3"];
const LISTED = [...TOP, "--epsilon", "2", "--domain", "areas.txt"];

describe("winnow top over a public list", () => {
  it("names the winners in their order with leads, and says what it cost, for whom", async () => {
    const place = folder(FILES);
    const { exit, stdout, stderr } = await place.winnow(LISTED);
    expect(exit, stderr).toBe(0);
    expect(stdout).toMatch(
      /^\n +rank +area +leads by +90 % within\n.*\n +1 +mail +\d+ +\d+ – \d+\n +2 +news .*\n +3 +maps .*\n\n/,
    );
    expect(stdout).toContain("ε = 2  per user (added or removed)\n");
    expect(stdout).toMatch(
      /visits\.csv · top-k-with-gap · winnow-cli \d.*\n {2}release [\da-f]{32} · no\. 1 of its ledger\n$/,
    );
    expect(await chargesIn(place)).toBe(1);
  });

  it("names the unit before the first release, and what is spent after each", async () => {
    const place = folder(FILES);
    const first = await winnowHere(place, [...LISTED, "--unit", "one visitor"]);
    expect(first.stderr).toContain('First release about "visits.csv". The unit of privacy is one visitor.');
    expect(first.stderr).toContain('Spent on "visits.csv" so far: ε = 2 in 1 release; it has no budget');
    const second = await winnowHere(place, LISTED);
    expect(second.stderr).not.toContain("First release");
    expect(second.stderr).toContain("ε = 4 in 2 releases");
  });

  it("says what is left as a number of releases", async () => {
    const place = folder(FILES);
    await winnowHere(place, ["budget", "init", "visits.csv", "--epsilon", "7"]);
    const { stderr } = await winnowHere(place, LISTED);
    expect(stderr).toContain(
      'Remaining budget of "visits.csv": ε = 5 of ε = 7, about 2 more releases like this.',
    );
  });

  it("names them as a set with --set, in the order of names, and says that it is all or nothing", async () => {
    const place = folder(FILES);
    const { exit, stdout, stderr } = await winnowHere(place, [...LISTED, "--set", "--json"]);
    expect(exit, stderr).toBe(0);
    expect(stderr).toContain("All or nothing:");
    const { question, answer, loss } = JSON.parse(stdout);
    expect(question).toMatchObject({ mechanism: "top-k-set", outsiderShare: "0.5" });
    expect(answer).toMatchObject({
      ordered: false,
      winners: ["mail", "maps", "news"].map((item) => ({ item })),
    });
    expect(loss).toMatchObject({ measure: "pure", epsilon: "2" });
    const counted = await winnowHere(place, [
      ...LISTED,
      "--set",
      "--counts",
      "--outsider-share",
      "2/3",
      "--json",
    ]);
    const winners: { item: string; count: string }[] = JSON.parse(counted.stdout).answer.winners;
    expect(winners.map(({ count }) => Number(count))).toEqual(
      winners.map(({ count }) => Number(count)).toSorted((a, b) => b - a),
    );
  });

  it.each([
    ["leads", ["--resolution", "1"], "--resolution must be absent with top-k-set, which releases no leads"],
    ["a δ", ["--delta", "1e-6"], "--delta must be absent with top-k-set"],
    ["another mechanism", ["--mechanism", "top-k"], "--set must be absent with top-k, which gives an order"],
  ])("refuses a set with %s", async (_, more, says) => {
    const place = folder(FILES);
    expectRefused(await winnowHere(place, [...LISTED, "--set", ...more]), { exit: 2, code: "usage", says });
  });

  it("refuses a set without a list, because names in private rows are private", async () => {
    const place = folder(FILES);
    const asked = [...TOP, "--epsilon", "1", "--delta", "1e-6", "--set"];
    expectRefused(await winnowHere(place, asked), {
      exit: 2,
      code: "usage",
      says: "because the items of private rows",
    });
  });

  it("ignores rows outside the list, silently", async () => {
    const place = folder({
      ...FILES,
      "visits.csv": visitsOf({ secret: 900, mail: 400, news: 300, maps: 200 }),
    });
    const { stdout, stderr } = await winnowHere(place, LISTED);
    expect(stdout).toMatch(/1 +mail .*\n +2 +news .*\n +3 +maps /);
    expect(stdout + stderr).not.toContain("secret");
    expect(stderr).toMatch(/not for release: 3 of 4 items in the rows are in the list of \d+ candidates\./);
  });

  it("tells the curator alone about users that differ only in case or spaces, and changes nothing else", async () => {
    const spelled = ["ann lee", "Ann Lee", " ann  lee", "ann\u00a0lee ", "ANN\tLEE", "annlee"];
    const rows = (users: readonly string[]) => `${VISITS}${users.map((user) => `${user},mail\n`).join("")}`;
    const run = (users: readonly string[]) =>
      winnowHere(folder({ ...FILES, "visits.csv": rows(users) }), LISTED);
    const similar = await run(spelled);
    const different = await run(spelled.map((_, i) => `other ${i}`));
    expect(similar.stderr).toContain(
      "not for release: 5 users differ only in case or spaces from another, and each counts as a person of their own.",
    );
    expect(different.stderr).not.toContain("differ only");
    expect(similar.stdout).not.toContain("differ only");
    expect(similar.exit).toBe(different.exit);
  });

  it("tells the curator alone about lines that could not be read", async () => {
    const place = folder({ ...FILES, "visits.csv": `${VISITS}p1,"mail\np2,mail,news\n` });
    const { stdout, stderr } = await winnowHere(place, LISTED);
    expect(stderr).toContain("not for release: 2 lines couldn't be parsed and were skipped.");
    expect(stdout).not.toContain("lines");
  });

  it("takes a column of a CSV file as the list, or numbers below a bound", async () => {
    const place = folder({
      ...FILES,
      "areas.csv": "id,area\n1,mail\n2,news\n3,maps\n4,about\n",
      "numbers.csv": visitsOf({ 7: 400, 3: 300, 12: 900 }),
    });
    const listed = await winnowHere(place, [
      ...TOP,
      "--epsilon",
      "2",
      "--domain",
      "areas.csv",
      "--domain-column",
      "area",
    ]);
    expect(listed.stdout).toMatch(/1 +mail .*\n +2 +news .*\n +3 +maps /);
    const numbers = ["top", "numbers.csv", "--item", "area", "--user", "user", "-k", "2", "--epsilon", "2"];
    const below = await winnowHere(place, [...numbers, "--domain-size", "10"]);
    expect(below.stdout).toMatch(/1 +7 .*\n +2 +3 /);
  });

  it("takes a ρ, without gaps", async () => {
    const { stdout } = await winnowHere(folder(FILES), [...TOP, "--rho", "1", "--domain", "areas.txt"]);
    expect(stdout).toMatch(/^\n +rank +area\n.*\n +1 +mail\n +2 +news\n +3 +maps\n\n {2}ρ = 1 /);
  });

  it("guesses the columns from the header, and reads standard input", async () => {
    const place = folder(FILES);
    const piped = ["top", "-", "--format", "csv", "--dataset", "visits", "-k", "3", "--epsilon", "2"];
    const { exit, stdout, stderr } = await place.winnow([...piped, "--domain", "areas.txt"], {
      input: VISITS,
    });
    expect(exit, stderr).toBe(0);
    expect(stdout).toContain("visits · top-k-with-gap");
    expect(stdout).toContain("per user (added or removed)");
  });
});

describe("winnow top over an unknown domain", () => {
  it("names a stable set by name, and explains in one line why there is a δ", async () => {
    // Equals followed by a gap: another number of winners is chosen, or the test failed, less than once in 10^13 runs.
    const place = folder({ "visits.csv": visitsOf({ news: 400, mail: 400, maps: 400, jobs: 100 }) });
    const stable = ["--epsilon", "2", "--delta", "1e-30", "--mechanism", "stable-top-k-fixed"];
    const { exit, stdout, stderr } = await winnowHere(place, [...TOP, ...stable]);
    expect(exit).toBe(0);
    expect(stdout).toMatch(
      /^\n +area\n.*\n +mail\n +maps\n +news\n\n {2}Sorted by name: the order says nothing/,
    );
    expect(stdout).toContain("ε = 2, δ = 1e-30  per user");
    expect(
      stderr.split("\n").filter((line) => line.includes("Without a public list of candidates (--domain)")),
    ).toHaveLength(1);
  });

  it("may answer that nothing can be released, which is charged", async () => {
    const place = folder({ "visits.csv": visitsOf({ mail: 2, news: 2, maps: 1 }) });
    const { exit, stdout } = await winnowHere(place, [...TOP, "--epsilon", "1/2", "--delta", "1e-9"]);
    expect(exit).toBe(0);
    expect(stdout).toContain("Nothing can be released: no item has enough users to be named safely.");
    expect(await chargesIn(place)).toBe(1);
  });
});

describe("winnow adaptive", () => {
  it("finds how many stand out", async () => {
    const place = folder({ "visits.csv": visitsOf({ mail: 400, news: 390, maps: 3, jobs: 2, help: 1 }) });
    const args = ["adaptive", "visits.csv", "-k", "4", "--epsilon", "2", "--delta", "1e-6", "--json"];
    const { answer, question } = JSON.parse((await winnowHere(place, args)).stdout);
    expect(question).toMatchObject({ kind: "adaptive", k: 4, mechanism: "stable-top-k" });
    expect(answer).toMatchObject({ released: true, k: 2, winners: [{ item: "mail" }, { item: "news" }] });
  });
});

describe("what comes out", () => {
  it("is JSON with everything that is needed to check the claim", async () => {
    const place = folder(FILES);
    const { stdout } = await winnowHere(place, [...LISTED, "--json"]);
    expect(JSON.parse(stdout)).toMatchObject({
      schema: "winnow-release/2",
      dataset: "visits.csv",
      software: { name: "winnow-cli" },
      question: {
        kind: "top",
        k: 3,
        domain: { kind: "listed", size: 5 },
        epsilon: "2",
        unit: "one value of column user",
      },
      mechanism: { name: "top-k-with-gap", parameters: { noise: "exponential", scale: "1.5" } },
      loss: { measure: "pure", epsilon: "2" },
      answer: {
        released: true,
        ordered: true,
        winners: [{ item: "mail" }, { item: "news" }, { item: "maps" }],
      },
      source: { item: "area", user: "user", dialect: { format: "csv", delimiter: "," } },
      ledger: { sequence: 1 },
    });
  });

  it("is CSV, a statement, or a picture", async () => {
    const place = folder(FILES);
    const csv = await winnowHere(place, [...LISTED, "--csv", "--plot", "areas.svg"]);
    expect(csv.stdout).toMatch(
      /^rank,item,gap,gap_low,gap_high\r\n1,mail,\d+,\d+,\d+\r\n2,news,.*\r\n3,maps,.*\r\n$/,
    );
    expect(readFileSync(place.file("areas.svg"), "utf8")).toMatch(/^<svg .*mail.*<\/svg>\n$/s);
    const { stdout } = await winnowHere(place, [...LISTED, "--statement"]);
    for (const field of [
      "Unit of privacy: one value of column user",
      "Mechanism: top-k-with-gap",
      "Privacy loss: ε = 2",
      "Software: winnow-cli",
    ])
      expect(stdout).toContain(field);
  });

  it("may be a file, which is written whole", async () => {
    const place = folder(FILES);
    const { stdout } = await winnowHere(place, [...LISTED, "--json", "--output", "release.json"]);
    expect(stdout).toBe("");
    expect(JSON.parse(readFileSync(place.file("release.json"), "utf8")).ledger.sequence).toBe(1);
    const verified = await winnowHere(place, ["budget", "verify", "--against", "release.json"]);
    expect(verified.exit, verified.stderr).toBe(0);
  });
});

describe("--dry-run", () => {
  it("refuses a query of a file of rows, as the release would", async () => {
    const asked = [...LISTED, "--query", "select 1"];
    for (const more of [[], ["--dry-run"]])
      expectRefused(await winnowHere(folder(FILES), [...asked, ...more]), {
        exit: 2,
        code: "usage",
        says: "need a database, not a file of rows",
      });
  });

  it("says what it would cost and touches nothing, not even a file that is not there", async () => {
    const place = folder({ "areas.txt": AREAS });
    const { exit, stdout } = await winnowHere(place, [...LISTED, "--dry-run"]);
    expect(exit).toBe(0);
    expect(stdout).toContain("The release would cost ε = 2");
    expect(stdout).toContain("No private row was counted; nothing was recorded or charged.");
    expect(await chargesIn(place)).toBe(0);
  });

  it("with a public twin takes the columns from it and says what the answer would be worth", async () => {
    const place = folder({ "areas.txt": AREAS, "twin.csv": VISITS });
    const args = [
      "top",
      "visits.csv",
      "-k",
      "3",
      "--epsilon",
      "2",
      "--domain",
      "areas.txt",
      "--public",
      "twin.csv",
      "--dry-run",
    ];
    const { exit, stdout, stderr } = await winnowHere(place, args);
    expect(exit, stderr).toBe(0);
    expect(stdout).toContain("columns    area by user");
    expect(stdout).toContain("names 100.0 % of the true winners of the public rows");
  });

  it("is refused by the budget as the release would be", async () => {
    const place = folder(FILES);
    await winnowHere(place, ["budget", "init", "visits.csv", "--epsilon", "1"]);
    expect((await winnowHere(place, [...LISTED, "--dry-run"])).exit).toBe(3);
  });
});

describe("public labels", () => {
  it("stand beside the items in the table and the CSV", async () => {
    const titles = 'id,title,more\nmail,"Mail, all of it",x\nnews,=cmd(),y\n';
    const place = folder({ "visits.csv": VISITS, "areas.txt": AREAS, "titles.csv": titles });
    const asked = ["top", "visits.csv", "-k", "3", "--epsilon", "2", "--domain", "areas.txt"];
    const table = await winnowHere(place, [...asked, "--labels", "titles.csv"]);
    expect(table.stdout).toMatch(/rank +area +label +leads by/);
    expect(table.stdout).toMatch(/1 +mail +Mail, all of it/);
    const csv = await winnowHere(place, [...asked, "--labels", "titles.csv", "--csv"]);
    expect(csv.stdout).toMatch(
      /^rank,item,gap,gap_low,gap_high,label\r\n1,mail,.*,"Mail, all of it"\r\n2,news,.*'=cmd/,
    );
    const own = await winnowHere(place, [...asked, "--labels", "visits.csv"]);
    expect(own).toMatchObject({ exit: 2, stderr: expect.stringContaining("[not-public]") });
    const json = await winnowHere(place, [...asked, "--labels", "titles.csv", "--json"]);
    expect(json.exit).toBe(2);
  });
});
