import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { type Release, readRelease, statement, toCsv, toSvg } from "winnow-release";
import { reportFailure } from "../../src/command-line.js";
import { createProgram } from "../../src/program.js";
import { chargesIn, expectRefused } from "../support/expect-refused.js";
import { folder } from "../support/winnow.js";

/** Two thousand people with one value each, from 0 to 999, and what is no value. */
const AMOUNTS = [
  "customer,amount,day",
  ...Array.from({ length: 2000 }, (_, i) => `c${i},${(i * 7919) % 1000}.5,monday`),
  "c1,n/a,monday",
  "c2,NaN,monday",
  ",5,monday",
  "c3,,monday",
  "",
].join("\n");

const ASKED = ["--column", "amount", "--user", "customer", "-q", "0.9,1/2", "--range", "0..2000"];
const QUANTILE = ["quantile", "orders.csv", ...ASKED, "--epsilon", "2"];

describe("winnow quantile", () => {
  it("releases values near the exact ones, and the same again under its id", async () => {
    const place = folder({ "orders.csv": AMOUNTS });
    const first = await place.winnow([
      ...QUANTILE,
      "--release-id",
      "a",
      "--json",
      "--plot",
      "a.svg",
      "--reserve",
    ]);
    expect(first.exit, first.stderr).toBe(0);
    const release = readRelease(first.stdout);
    expect(release.question).toMatchObject({
      kind: "quantile",
      quantiles: ["0.5", "0.9"],
      maxItemsPerUser: 1,
    });
    expect(release.source).toMatchObject({ item: "amount", user: "customer" });
    const [median, most] = release.answer.winners.map(({ item }) => Number(item));
    expect(Math.abs(median - 500)).toBeLessThan(30);
    expect(Math.abs(most - 900)).toBeLessThan(30);
    expect(first.stderr).toContain("the rank of each value is within 16 ranks of the exact one");
    expect(first.stderr).toContain("not for release: 2 different values aren't numbers and were skipped.");
    expect(readFileSync(place.file("a.svg"), "utf8")).toBe(toSvg(release));
    const again = ["--release-id", "a"];
    const { stdout: table } = await place.winnow([...QUANTILE, ...again, "--statement"]);
    expect(table).toMatch(
      /quantile +amount \(≤ 1 value per user\) +95 % within\n.*\n +median +\d+ +± 16 ranks\n +90 % quantile +\d+/,
    );
    expect(table).toContain("Quantiles of one value of each user, chosen at random.\n");
    expect(table).toContain("Values a person counts for: at most 1\n");
    expect(release.answer.counted).toBe("one value of each user, chosen at random");
    expect(table).toContain(statement(release).fields.find(([name]) => name === "Rank error")![1]);
    const { stdout: csv } = await place.winnow([...QUANTILE, ...again, "--csv"]);
    expect(csv).toBe(toCsv(release));
    expect(await chargesIn(place)).toBe(1);
    expectRefused(await place.winnow(QUANTILE.map((word) => (word === "amount" ? "amuont" : word))), {
      exit: 2,
      code: "unknown-column",
      says: 'no column "amuont" for --column',
    });
    expectRefused(await place.winnow([...QUANTILE, "--step", "2", ...again]), {
      exit: 2,
      code: "release-id-taken",
    });
    const { exit, stderr } = await place.winnow(["budget", "verify"]);
    expect(exit, stderr).toBe(0);
  });

  it("weighs a value as often as its person has it", async () => {
    // Of 23 rows of each person 13 % are below 3, 39 % below 4 and 74 % below 5; of the different values 40, 60 and 80 %.
    const rows = [1, 2, 2, ...Array(6).fill(3), ...Array(8).fill(4), ...Array(6).fill(5)];
    const people = Array.from({ length: 2000 }, (_, i) => rows.map((rating) => `u${i},${rating}\n`).join(""));
    const place = folder({ "ratings.csv": `user,rating\n${people.join("")}` });
    const { exit, stdout, stderr } = await place.winnow([
      ...["quantile", "ratings.csv", "--column", "rating", "--user", "user", "-q", "0.25,0.5,0.9"],
      ...["--range", "0.5..5", "--step", "0.5", "--epsilon", "10", "--json"],
    ]);
    expect(exit, stderr).toBe(0);
    expect(readRelease(stdout).answer.winners.map(({ item }) => item)).toEqual(["3", "4", "5"]);
  });

  it("says so where the answer is an end of the range, and refuses a range of one value", async () => {
    const place = folder({ "orders.csv": AMOUNTS });
    const narrow = QUANTILE.map((word) => (word === "0..2000" ? "0..10" : word));
    const { exit, stdout, stderr } = await place.winnow(narrow);
    expect(exit, stderr).toBe(0);
    expect(stdout).toContain(
      "The median and the 90 % quantile are at an end of the range 0 to 10, and the exact ones may lie beyond it.",
    );
    const point = QUANTILE.map((word) => (word === "0..2000" ? "0..0" : word));
    expectRefused(await place.winnow(point), { exit: 2, code: "usage", says: "--range must be" });
  });

  it("costs what a dry run says, and nothing is read for it", async () => {
    const place = folder({ "winnow.json": '{ "range": "0..2000", "quantiles": "0.25", "delta": "1e-6" }' });
    const { exit, stdout, stderr } = await place.winnow([
      ...["quantile", "absent.csv", "--column", "amount", "--user", "customer", "--rho", "1/2", "--dry-run"],
      "--json",
    ]);
    expect(exit, stderr).toBe(0);
    const { question, loss } = JSON.parse(stdout) as Release;
    expect(question.quantiles).toEqual(["0.25"]);
    expect(loss.readable).toBe("ρ = 0.5");
  });

  it("is refused by a budget that it does not fit", async () => {
    const place = folder({ "orders.csv": AMOUNTS });
    await place.winnow(["budget", "init", "orders.csv", "--epsilon", "1"]);
    expectRefused(await place.winnow(QUANTILE), { exit: 3, code: "over-budget", says: "costs epsilon = 2" });
    expect(await chargesIn(place)).toBe(0);
  });

  it("says that an answer at an end of the range may lie beyond it, in every form", async () => {
    const rows = Array.from({ length: 400 }, (_, i) => `c${i},${40 + (i % 20)}`);
    const place = folder({ "orders.csv": `customer,amount\n${rows.join("\n")}\n` });
    const asked = ["quantile", "orders.csv", "--column", "amount", "--user", "customer", "--epsilon", "2"];
    const id = ["-q", "0.25,0.5", "--range", "0..10", "--release-id", "june"];
    const said =
      "The 25 % quantile and the median are at an end of the range 0 to 10, and the exact ones may lie beyond it.";
    expect(JSON.parse((await place.winnow([...asked, ...id, "--json"])).stdout).notes).toEqual([said]);
    const { stdout } = await place.winnow([...asked, ...id, "--statement"]);
    expect(stdout.split(said)).toHaveLength(3); // in the table and in the statement
    const wide = await place.winnow([...asked, "-q", "0.5", "--range", "0..100", "--json"]);
    expect(JSON.parse(wide.stdout).notes).toEqual([]);
  });

  it("asks before it charges where nothing is a number", async () => {
    const place = folder({ "orders.csv": AMOUNTS });
    const days = QUANTILE.map((word) => (word === "amount" ? "day" : word));
    const asked = await place.winnow(days);
    expectRefused(asked, { exit: 2, code: "unconfirmed", says: "may not hold numbers" });
    expect(asked.stderr).toContain("not for release: No value in the rows could be read as a number.");
    expect(await chargesIn(place)).toBe(0);
    expect((await place.winnow([...days, "--yes"])).exit).toBe(0);
  });
});

describe("winnow quantile refuses", () => {
  const without = (option: string) => {
    const at = QUANTILE.indexOf(option);
    return QUANTILE.toSpliced(at, 2);
  };
  const withValue = (option: string, value: string) => QUANTILE.with(QUANTILE.indexOf(option) + 1, value);

  it.each([
    ["no range", without("--range"), "usage", "--range must be given, such as 0..10000; it is public"],
    [
      "a range of one end",
      withValue("--range", "100"),
      "usage",
      "--range must be two ends, such as 0..10000",
    ],
    [
      "a range of one point",
      withValue("--range", "0..0"),
      "usage",
      "--range must be from a lower to an upper end",
    ],
    [
      "a reversed range",
      withValue("--range", "9..0"),
      "usage",
      "--range must be from a lower to an upper end",
    ],
    ["an end that is a word", withValue("--range", "a..b"), "usage", "--range must be a rational"],
    [
      "no quantiles",
      without("-q"),
      "usage",
      "--quantiles must be a list of shares, such as 0.5 for the median",
    ],
    ["an empty list", withValue("-q", ","), "usage", "--quantiles must be a list of shares"],
    ["a share above 1", withValue("-q", "50"), "usage", '--quantiles must be from 0 to 1; got "50"'],
    [
      "a share twice",
      withValue("-q", "0.5,1/2"),
      "usage",
      "--quantiles must be a list with every quantile once",
    ],
    ["no column", without("--column"), "usage", "--column must name the column of numbers"],
    [
      "one column for both",
      withValue("--column", "customer"),
      "usage",
      "--column and --user must be different",
    ],
    ["no step", [...QUANTILE, "--step", "0"], "usage", '--step must be a rational > 0; got "0"'],
    ["no price", without("--epsilon"), "usage", "The price must be exactly one of epsilon and rho"],
  ])("%s", async (_, args, code, says) => {
    const place = folder();
    const told: string[] = [];
    const asked = createProgram().parseAsync([...args, "--ledger", place.file("winnow.ledger")], {
      from: "user",
    });
    const exit = await asked.then(
      () => 0,
      (error) => reportFailure(error, (text) => told.push(text)),
    );
    expectRefused({ exit, stdout: "", stderr: told.join("") }, { exit: 2, code, says });
    expect(await chargesIn(place)).toBe(0);
  });
});
