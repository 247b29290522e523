import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { rational } from "winnow-dp";
import { type Release, readRelease } from "winnow-release";
import { all } from "../../../release/test/ledger/laws/place.js";
import { openLedger } from "../../src/ledger/open-ledger.js";
import { chargesIn } from "../support/expect-refused.js";
import { winnowHere } from "../support/in-process.js";
import { VISITS, visitsOf } from "../support/visits.js";
import { folder } from "../support/winnow.js";

const FILES = { "visits.csv": VISITS };
const TOP = ["top", "visits.csv", "--item", "area", "--user", "user"];
const PRICE = ["--epsilon", "4", "--delta", "1e-6"];

describe("winnow top without a list", () => {
  it("names items in order, as far as that is safe, and says how the list ended", async () => {
    const place = folder({ "visits.csv": `${VISITS}p1,secret\n` });
    const { exit, stdout, stderr } = await winnowHere(place, [...TOP, "-k", "6", ...PRICE]);
    expect(exit, stderr).toBe(0);
    expect(stdout).toMatch(
      /1 +mail\n +2 +news\n +3 +maps\n +4 +jobs\n\n {2}4 of 6: the next name could not be published safely\.\n/,
    );
    expect(stdout + stderr).not.toContain("secret");
    expect(stdout).toContain("· limited-top-k ·");
    expect(stderr).toMatch(
      /To be named, an item needs about \d+ more users than the best item outside the first 1,000/,
    );
    expect(await chargesIn(place)).toBe(1);
  });

  it("gives counts with their intervals in the table, the CSV, the JSON and the picture", async () => {
    const place = folder(FILES);
    const counted = [...TOP, "-k", "3", "--epsilon", "8", "--delta", "1e-6", "--counts"];
    const { stdout } = await winnowHere(place, [...counted, "--plot", "top.svg", "--release-id", "one"]);
    expect(stdout).toMatch(/rank +area +users +95 % within\n.*\n +1 +mail +\d+ +\d+ – \d+\n/);
    const svg = readFileSync(place.file("top.svg"), "utf8");
    expect(svg).toContain("95 % intervals");
    const again = [...counted, "--release-id", "one"];
    const json = readRelease((await winnowHere(place, [...again, "--json"])).stdout);
    expect(json).toMatchObject({ schema: "winnow-release/2", answer: { stopped: false } });
    for (const { count } of json.answer.winners) expect(Number(count)).toBeGreaterThan(150);
    const csv = (await winnowHere(place, [...again, "--csv"])).stdout.split("\r\n");
    expect(csv[0]).toBe(
      "rank,item,count,count_low,count_high,count_fitted,count_all_low,count_all_high,count_in_order_low,count_in_order_high",
    );
    const [, item, count, low, high] = csv[1]!.split(",");
    expect(item).toBe("mail");
    expect([count, low, high].map(Number).toSorted((a, b) => a - b)).toEqual([low, count, high].map(Number));
  });

  it("counts what was used towards a budget, and says what was reserved", async () => {
    const place = folder(FILES);
    await winnowHere(place, ["budget", "init", "visits.csv", "--rho", "1", "--delta", "1e-3", "--yes"]);
    const args = [...TOP, "-k", "20", "--rho", "1/2", "--delta", "1e-6"];
    const { stdout, stderr } = await winnowHere(place, [...args, "--json"]);
    const release = JSON.parse(stdout) as Release;
    expect(release.answer).toMatchObject({ stopped: true });
    const rounds = release.answer.winners.length + 1;
    expect(release.charge?.reserved).toMatchObject({ measure: "zcdp" });
    const settled = release.charge?.settled as { readonly rho: string };
    expect(rational(settled.rho).toNumber()).toBeCloseTo(rounds / 40, 8);
    expect(stderr).toMatch(/Remaining budget of "visits\.csv": ρ = 0\.\d+/);
    const table = (await winnowHere(place, [...args, "--statement"])).stdout;
    expect(table).toMatch(/reserved ρ = 0\.5, δ = [\d.e-]+ · counted towards the budget ρ = 0\.\d+/);
    expect(table).toContain("what the release promises on its own is the whole loss");
    expect((await winnowHere(place, ["budget", "log"])).stdout).toContain("counted as ρ = ");
    // All of another one must fit, whatever it will use.
    const { exit } = await winnowHere(place, [...TOP, "-k", "20", "--rho", "0.9", "--delta", "1e-6"]);
    expect(exit).toBe(3);
  });

  it("takes a limit on the items of a person for long lists only, unless the mechanism is named", async () => {
    const place = folder(FILES);
    const bound = ["--max-items-per-user", "1"];
    const short = await winnowHere(place, [...TOP, "-k", "4", ...PRICE, ...bound, "--json"]);
    expect(JSON.parse(short.stdout)).toMatchObject({ question: { mechanism: "limited-top-k" } });
    expect(short.stderr).toContain("names more only from -k 5 on");
    const long = await winnowHere(place, [...TOP, "-k", "5", ...PRICE, ...bound, "--json"]);
    const { question, answer } = JSON.parse(long.stdout) as Release;
    expect(question).toMatchObject({ mechanism: "threshold-top-k", maxItemsPerUser: 1, counts: true });
    // Everybody in the file has mail, most have more: each counts once.
    const total = answer.winners.reduce((sum, { count }) => sum + Number(count), 0);
    expect(Math.abs(total - 400)).toBeLessThan(60);
    const many = await winnowHere(place, [...TOP, "-k", "50", ...PRICE, "--dry-run"]);
    expect(many.stderr).toContain("With --max-items-per-user 10, Winnow could name more of the 50");
  });

  it("refuses what has no meaning there", async () => {
    const place = folder(FILES);
    for (const [args, sentence] of [
      [["-k", "3", "--epsilon", "1"], "--delta must be given"],
      [["-k", "3", ...PRICE, "--max-items-per-user", "0"], "--max-items-per-user must be"],
      [
        ["-k", "3", "--rho", "1", "--delta", "1e-6", "--resolution", "1"],
        "--resolution must be absent with rho",
      ],
      [["-k", "3", ...PRICE, "--mechanism", "threshold-top-k"], "--max-items-per-user must be an integer"],
      [["-k", "3", ...PRICE, "--mechanism", "stable-top-k-fixed", "--counts"], "--counts must be absent"],
    ] as const) {
      const { exit, stderr } = await winnowHere(place, [...TOP, ...args]);
      expect([exit, stderr.includes(sentence) ? sentence : stderr]).toEqual([2, sentence]);
    }
    expect(await chargesIn(place)).toBe(0);
  });
});

describe("winnow names", () => {
  it("names every item that enough people have, by name, and nothing else", async () => {
    const place = folder({ "visits.csv": `${visitsOf({ mail: 400, news: 300, rare: 2 })}p9,secret\n` });
    const args = ["names", "visits.csv", "--item", "area", "--user", "user", ...PRICE];
    const { exit, stdout, stderr } = await winnowHere(place, [...args, "--max-items-per-user", "3", "--csv"]);
    expect(exit, stderr).toBe(0);
    expect(stdout).toBe("item\r\nmail\r\nnews\r\n");
    expect(stderr).toMatch(
      /An item needs about \d+ users to be named in half of the runs, where each person counts for at most 3 items/,
    );
    expect((await winnowHere(place, args)).stderr).toContain("--max-items-per-user must be an integer >= 1");
  });

  it("gives names that come back unchanged as the list of the next question, from JSON and from CSV", async () => {
    const names = [
      "@alice",
      "=1+1",
      "'=1+1",
      "+49 30",
      "-5 or less",
      "\\u{1b}",
      "\u202eevil",
      "\u001b[31mred",
      "mail",
    ];
    const lines = names.flatMap((item) =>
      Array.from({ length: 300 }, (_, i) => JSON.stringify({ user: `u${i}`, item })),
    );
    const place = folder({ "visits.ndjson": lines.join("\n") });
    const source = ["visits.ndjson", "--item", "item", "--user", "user", "--dataset", "visits"];
    const asked = ["--epsilon", "9", "--delta", "1e-6", "--max-items-per-user", "9", "--release-id", "names"];
    for (const [format, file] of [
      ["--json", "names.json"],
      ["--csv", "names.csv"],
    ] as const) {
      const { exit, stderr } = await winnowHere(place, ["names", ...source, ...asked, format, "-o", file]);
      expect(exit, stderr).toBe(0);
    }
    for (const list of [["names.json"], ["names.csv", "--domain-column", "item"]]) {
      const top = ["top", ...source, "-k", "9", "--epsilon", "9", "--counts", "--json", "--domain", ...list];
      const { exit, stdout, stderr } = await winnowHere(place, [...top, "--yes"]);
      expect(exit, stderr).toBe(0);
      const { question, answer } = JSON.parse(stdout) as Release;
      expect(question.domain).toMatchObject({ kind: "listed", size: 9 });
      expect(answer.winners.map(({ item }) => item).sort()).toEqual([...names].sort());
      for (const { count } of answer.winners) expect(Math.abs(Number(count) - 300)).toBeLessThan(150);
    }
  });

  it("says in table, footer, CSV and JSON for how many items people are counted", async () => {
    const place = folder({ "visits.csv": visitsOf({ mail: 400, news: 300 }) });
    const args = ["--item", "area", "--user", "user", ...PRICE, "--max-items-per-user", "1"];
    for (const [command, id] of [
      [["names", "visits.csv", ...args, "--counts"], "names"],
      [["top", "visits.csv", ...args, "-k", "5"], "threshold"],
      [["top", "visits.csv", ...args, "-k", "2", "--mechanism", "limited-top-k", "--counts"], "limited"],
    ] as const) {
      const again = (...more: string[]) =>
        winnowHere(place, [...command, "--release-id", id, "--yes", ...more]);
      const { stdout: table, stderr } = await again("--statement");
      expect(table, stderr).toMatch(/area +users \(≤ 1 item each\)/);
      expect(table).toContain(
        "Each user is counted for at most 1 item, and far more people may have an item than its count says.",
      );
      expect(table).not.toContain("too high");
      expect((await again("--csv")).stdout).toMatch(/^(rank,)?item,count_max_1_item_per_user(,|\r\n)/);
      expect((JSON.parse((await again("--json")).stdout) as Release).answer.counted).toBe(
        "users (each counted for at most 1 item)",
      );
    }
  });
});

describe("a durable reservation", () => {
  const args = [...TOP, "-k", "3", "--rho", "1/10", "--delta", "1e-6", "--reserve", "--release-id", "july"];

  it("is settled by its release", async () => {
    const place = folder(FILES);
    await winnowHere(place, ["budget", "init", "visits.csv", "--rho", "1", "--delta", "1e-3", "--yes"]);
    expect((await winnowHere(place, args)).exit).toBe(0);
    const ledger = await openLedger(place.file("winnow.ledger"));
    expect(await ledger.account("visits.csv")).toMatchObject({ reservations: 0, releases: 1 });
    expect((await all(ledger.entries())).map(({ kind }) => kind)).toEqual([
      "budget",
      "reservation",
      "release",
    ]);
    ledger.close();
    const again = await winnowHere(place, args);
    expect(again.stderr).toContain("this is its stored answer, and nothing was charged");
  });

  it("stays and counts in full if the run ends before its answer, and its id says so", async () => {
    const place = folder({ ...FILES, "others.txt": "one\ntwo\nthree\nfour\n" });
    await winnowHere(place, ["budget", "init", "visits.csv", "--rho", "1", "--delta", "1e-3", "--yes"]);
    // A list that matches nothing is asked about after the rows were counted, and nobody is there to answer.
    const listed = [...TOP, "-k", "3", "--rho", "1/10", "--domain", "others.txt"];
    const reserving = [...listed, "--reserve", "--release-id", "july"];
    const { exit, stderr } = await winnowHere(place, reserving);
    expect([exit, stderr.includes("[unconfirmed]")]).toEqual([2, true]);
    expect(stderr).toContain("The reservation for release july stays: ρ = 0.1 counts in full.");
    const ledger = await openLedger(place.file("winnow.ledger"));
    expect(await ledger.account("visits.csv")).toMatchObject({ reservations: 1, releases: 0 });
    ledger.close();
    const again = await winnowHere(place, [...reserving, "--yes"]);
    expect([again.exit, again.stderr.includes("[reservation-open]")]).toEqual([2, true]);
  });
});
