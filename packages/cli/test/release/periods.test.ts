/** A budget for a year of weeks: what each week may cost, whom it counts, and what it promises. */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { canonicalJson } from "winnow-release";
import { chargesIn, expectRefused } from "../support/expect-refused.js";
import { winnowHere } from "../support/in-process.js";
import { folder } from "../support/winnow.js";

/** 4,000 people who come in every week; in the second one they do something else. */
const rows = Array.from({ length: 4000 }, (_, i) => [
  `u${i},mail,2026-01-0${5 + (i % 5)}`,
  `u${i},news,2026-01-1${2 + (i % 7)} 08:30`,
  `u${i},chess,later`,
]).flat();
const FILES = { "visits.csv": `user,area,day\n${rows.join("\n")}\n`, "areas.txt": "mail\nnews\nchess\n" };
const INIT = [
  "budget",
  "init",
  "visits.csv",
  "--epsilon",
  "4",
  "--period",
  "week",
  "--horizon",
  "8",
  "--from",
  "2026-01-07",
];
const top = (...more: string[]) => [
  ...[
    "top",
    "visits.csv",
    "-k",
    "1",
    "--epsilon",
    "1",
    "--domain",
    "areas.txt",
    "--item",
    "area",
    "--user",
    "user",
  ],
  ...["--time", "day", "--json", "--yes", ...more],
];

/** The text of a ledger of these entries, with all hashes right. */
function rechained(entries: readonly object[]): string {
  let hash = "0".repeat(64);
  const texts = entries.map((entry, i) => {
    const text = canonicalJson({ ...entry, sequence: i + 1, previous: hash });
    hash = createHash("sha256").update(text).digest("hex");
    return text;
  });
  const first = canonicalJson({ format: "winnow-ledger-file/1", entries: texts.length, head: hash });
  return `${[first, ...texts].join("\n")}\n`;
}

async function opened(...more: string[]) {
  const place = folder(FILES);
  const made = await winnowHere(place, [...INIT, ...more]);
  expect(made.exit, made.stderr).toBe(0);
  return place;
}

describe("a budget with periods", () => {
  it("counts the rows of one week, and the most expensive weeks", async () => {
    const place = await opened("--promise", "person", "--max-periods-per-user", "3");
    const answers: string[] = [];
    for (const period of ["2026-W02", "2026-01-13", "2026-W03", "2026-W02"]) {
      const ended = await winnowHere(place, top("--period", period));
      expect(ended.exit, ended.stderr).toBe(0);
      const { question, answer } = JSON.parse(ended.stdout);
      answers.push(`${question.period.name} ${answer.winners[0].item}`);
      expect(question.period.promise).toEqual({
        ...{ unit: "person", period: "week", first: "2026-01-05", horizon: 8, maxPeriodsPerUser: 3 },
      });
      expect(question.where).toMatch(/^date\(day\) >= '2026-01-\d\d' and date\(day\) < '2026-01-\d\d'$/);
    }
    expect(answers).toEqual(["2026-W02 mail", "2026-W03 news", "2026-W03 news", "2026-W02 mail"]);
    expectRefused(await winnowHere(place, top("--period", "2026-W03")), {
      exit: 3,
      code: "over-budget",
      says: "remaining budget",
    });
    expect((await winnowHere(place, top("--period", "2026-W04", "--epsilon", "1/2"))).exit).toBe(3);
    expect(await chargesIn(place)).toBe(4);
  });

  it("counts no other week, whatever the condition beside it is", async () => {
    const place = await opened("--promise", "person-period");
    const typed = ["--where", "area = 'chess') or (area = 'news'"];
    expectRefused(await winnowHere(place, top("--period", "2026-W02", ...typed)), {
      exit: 2,
      code: "usage",
      says: "where must be",
    });
    const ended = await winnowHere(
      place,
      top("--period", "2026-W02", "--where", "area = 'news' or area = 'mail'"),
    );
    const { question } = JSON.parse(ended.stdout);
    expect(question.where).toBe(
      "(area = 'news' or area = 'mail') and date(day) >= '2026-01-05' and date(day) < '2026-01-12'",
    );
  });

  it("counts each person in as many weeks as it says, and everyone in some", async () => {
    const place = await opened("--promise", "person", "--max-periods-per-user", "3");
    // With so much ε the counts are those of the rows.
    const counts: number[] = [];
    const raise = [
      "budget",
      "init",
      "visits.csv",
      "--epsilon",
      "4000",
      "--replace",
      "--yes",
      ...INIT.slice(5),
    ];
    const raised = await winnowHere(place, [...raise, "--promise", "person", "--max-periods-per-user", "3"]);
    expect(raised.exit, raised.stderr).toBe(0);
    for (const period of ["2026-W02", "2026-W03"]) {
      const ended = await winnowHere(
        place,
        top("--period", period, "--epsilon", "1000", "--counts", "--yes"),
      );
      expect(ended.exit, ended.stderr).toBe(0);
      counts.push(Math.round(Number(JSON.parse(ended.stdout).answer.winners[0].count)));
    }
    for (const count of counts) expect(Math.abs(count - 1500)).toBeLessThan(150); // 3 of 8
  });

  it("has a budget for each week, where one week of a person is protected, and the statement says so", async () => {
    const place = await opened("--promise", "person-period");
    for (const period of ["2026-W02", "2026-W03"])
      for (const id of ["a", "b"])
        expect(
          (
            await winnowHere(
              place,
              top("--period", period, "--epsilon", "2", "--release-id", `${period}${id}`),
            )
          ).exit,
        ).toBe(0);
    expectRefused(await winnowHere(place, top("--period", "2026-W03")), {
      exit: 3,
      code: "over-budget",
      says: "",
    });
    const said = await winnowHere(place, [
      ...[
        "top",
        "visits.csv",
        "-k",
        "1",
        "--epsilon",
        "2",
        "--domain",
        "areas.txt",
        "--item",
        "area",
        "--user",
        "user",
      ],
      ...["--time", "day", "--period", "2026-W03", "--release-id", "2026-W03a", "--statement"],
    ]);
    expect(`${said.stdout}${said.stderr}`).toContain(
      "Whoever knows all but one person's data of one week learns at most ε = 4; of n weeks of one person at most the sum of these weeks' losses.",
    );
  });

  it("shows the horizon at a glance", async () => {
    const place = await opened("--promise", "person", "--max-periods-per-user", "3");
    for (const [period, epsilon] of [
      ["2026-W02", "1"],
      ["2026-W04", "1/2"],
    ] as const)
      expect((await winnowHere(place, top("--period", period, "--epsilon", epsilon))).exit).toBe(0);
    const shown = await winnowHere(place, ["budget", "show", "visits.csv"]);
    expect(shown.stdout).toContain(
      "2026-W02 █·▄····· 2026-W09: 2 of 8 weeks have releases; spent ε = 1.5, left ε = 2.5.",
    );
    expect(shown.stdout).toContain(
      "Whoever knows all but one person's data of the 8 weeks learns at most ε = 4.",
    );
    expect(shown.stdout).toContain("Each person is counted in 3 of the 8 weeks.");
    const { accounts } = JSON.parse((await winnowHere(place, ["budget", "show", "--json"])).stdout);
    expect(accounts[0]).toMatchObject({
      promise: { unit: "person", horizon: 8 },
      periods: {
        "2026-W02": { measure: "pure", epsilon: "1" },
        "2026-W04": { measure: "pure", epsilon: "0.5" },
      },
    });
  });

  it("is verified, also by the verifier that shares no code", async () => {
    const place = await opened("--promise", "person", "--max-periods-per-user", "3");
    for (const period of ["2026-W02", "2026-W03", "2026-W04", "2026-W05", "2026-W06"]) {
      const ended = await winnowHere(place, top("--period", period));
      expect(ended.exit, ended.stderr).toBe(0);
      writeFileSync(place.file("release.json"), ended.stdout);
    }
    expect((await winnowHere(place, ["budget", "verify"])).exit).toBe(0);
    const verified = await winnowHere(place, ["verify", "release.json"]);
    expect(verified.exit, verified.stderr).toBe(0);
    const script = new URL("../../verify.py", import.meta.url).pathname;
    const python = (path: string) =>
      spawnSync("python3", [script, path, place.file("release.json")], { encoding: "utf8" });
    const checked = python(place.file("winnow.ledger"));
    expect(checked.status, checked.stdout + checked.stderr).toBe(0);
    await winnowHere(place, ["budget", "export", "--output", "ledger.jsonl"]);
    const text = readFileSync(place.file("ledger.jsonl"), "utf8");
    expect(python(place.file("ledger.jsonl")).status).toBe(0);
    expect(text).toContain('"promise":{"first":"2026-01-05","horizon":8,"maxPeriodsPerUser":3');
  });

  it("is found out by both verifiers if its entries break the promise, though every hash is right", async () => {
    const place = await opened("--promise", "person", "--max-periods-per-user", "3");
    const ended = await winnowHere(place, top("--period", "2026-W02"));
    expect(ended.exit, ended.stderr).toBe(0);
    await winnowHere(place, ["budget", "export", "--output", "ledger.jsonl"]);
    const [, ...lines] = readFileSync(place.file("ledger.jsonl"), "utf8").trim().split("\n");
    const [budget, release] = lines.map((line) => JSON.parse(line));
    const again = (id: string, change: (period: Record<string, unknown>) => void = () => {}) => {
      const copy = structuredClone(release);
      copy.release.id = id;
      change(copy.release.question.period);
      return copy;
    };
    const honest = [budget, release, again("b"), again("c"), again("d")];
    const broken = {
      "a week that costs too much": [...honest, again("e")],
      "another promise later": [
        ...honest.slice(0, 2),
        { ...budget, promise: { ...budget.promise, horizon: 9 } },
      ],
      "no promise later": [...honest.slice(0, 2), { ...budget, promise: undefined }],
      "a promise that can't be read": [
        { ...budget, promise: { ...budget.promise, first: "2026-01-06" } },
        release,
      ],
      "a week outside the horizon": [
        ...honest,
        again("e", (period) => Object.assign(period, { name: "2026-W10" })),
      ],
      "a release for another promise": [
        ...honest.slice(0, 2),
        again("e", (period) =>
          Object.assign(period, { promise: { ...budget.promise, maxPeriodsPerUser: 2 } }),
        ),
      ],
      "a release without its key": [...honest.slice(0, 2), again("e", (period) => delete period.key)],
    };
    const script = new URL("../../verify.py", import.meta.url).pathname;
    let made = 0;
    const verdicts = async (entries: readonly object[]) => {
      writeFileSync(place.file("forged.jsonl"), rechained(entries));
      const python = spawnSync("python3", [script, place.file("forged.jsonl")], { encoding: "utf8" });
      const own = await winnowHere(place, [
        "budget",
        "import",
        "forged.jsonl",
        "--ledger",
        `${entries.length}-${made++}.ledger`,
      ]);
      return [python.status === 0, own.exit === 0];
    };
    expect(await verdicts(honest)).toEqual([true, true]);
    for (const [name, entries] of Object.entries(broken))
      expect(await verdicts(entries), name).toEqual([false, false]);
  });

  it.each([
    [["--period", "2026-W01"], "period must be one of the 8 weeks"],
    [["--period", "soon"], "period must be one of the 8 weeks"],
    [[], "--time and --period go together"],
  ])("refuses %j before a charge", async (more, says) => {
    const place = await opened("--promise", "person");
    expectRefused(await winnowHere(place, top(...more)), { exit: 2, code: "usage", says });
    expect(await chargesIn(place)).toBe(0);
  });

  it("refuses a release about all rows, and periods of a budget that has none", async () => {
    const place = await opened("--promise", "person");
    const all = [
      "top",
      "visits.csv",
      "-k",
      "1",
      "--epsilon",
      "1",
      "--domain",
      "areas.txt",
      "--item",
      "area",
      "--user",
      "user",
    ];
    expectRefused(await winnowHere(place, all), {
      exit: 3,
      code: "over-budget",
      says: "each release must be about one",
    });
    const plain = folder(FILES);
    await winnowHere(plain, ["budget", "init", "visits.csv", "--epsilon", "4"]);
    expectRefused(await winnowHere(plain, top("--period", "2026-W02")), {
      exit: 2,
      code: "usage",
      says: "has no periods",
    });
  });

  it.each([
    [["--period", "week"], "--horizon and --promise is missing"],
    [["--period", "hour", "--horizon", "8", "--promise", "person"], "period must be"],
    [["--period", "week", "--horizon", "x", "--promise", "person"], "--horizon must be an integer >= 1"],
    [["--period", "week", "--horizon", "8", "--promise", "all"], "promise must be"],
    [["--from", "2026-01-01"], "--period and --horizon and --promise is missing"],
  ])("needs all of its parts: %j", async (given, says) => {
    const place = folder(FILES);
    const ended = await winnowHere(place, ["budget", "init", "visits.csv", "--epsilon", "4", ...given]);
    expectRefused(ended, { exit: 2, code: "usage", says });
  });
});
