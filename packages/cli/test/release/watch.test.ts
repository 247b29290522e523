/** A list that is looked at every week and renewed only when it is wrong: cron twice, crashes, late weeks, a restored backup. */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { copyFileSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { canonicalJson } from "winnow-release";
import { amount } from "../../../core/test/support/amount.js";
import { builtProgram } from "../support/built-program.js";
import { chargesIn, expectRefused } from "../support/expect-refused.js";
import { winnowHere } from "../support/in-process.js";
import { folder } from "../support/winnow.js";

type Place = ReturnType<typeof folder>;

const ITEMS = ["mail", "news", "chess", "maps"];
const FIRST = Date.UTC(2026, 0, 5);
const dayOf = (week: number) => new Date(FIRST + week * 7 * 86_400_000).toISOString().slice(0, 10);

/** Every week 3,000 people visit its item, and 10 another one. */
function visits(weeks: readonly string[]): string {
  const rows = weeks.flatMap((item, week) => {
    const other = ITEMS[(ITEMS.indexOf(item) + 1) % ITEMS.length];
    return Array.from({ length: 3000 }, (_, i) => `u${i},${i < 10 ? other : item},${dayOf(week)}`);
  });
  return `user,area,day\n${rows.join("\n")}\n`;
}

const files = (weeks: readonly string[]) => ({
  "visits.csv": visits(weeks),
  "areas.txt": `${ITEMS.join("\n")}\n`,
});
const ask = (day: string, ...more: string[]) => [
  ...[
    "watch",
    "visits.csv",
    "--series",
    "areas",
    "-k",
    "1",
    "--epsilon",
    "1",
    "--renewals",
    "2",
    "--tolerance",
    "100",
  ],
  ...[
    "--domain",
    "areas.txt",
    "--every",
    "week",
    "--from",
    "2026-01-05",
    "--horizon",
    "52",
    "--item",
    "area",
  ],
  ...["--user", "user", "--time", "day", "--period", day, "--json", ...more],
];

async function look(place: Place, week: number, ...more: string[]) {
  const ended = await winnowHere(place, ask(dayOf(week), ...more));
  expect(ended.exit, ended.stderr).toBe(0);
  return { ...JSON.parse(ended.stdout), said: ended.stderr };
}

const price = async (place: Place) => {
  const shown = await winnowHere(place, ["budget", "show", "--json"]);
  return JSON.parse(shown.stdout).accounts[0].totals[0];
};

describe("winnow watch", () => {
  it("renews the list when it is wrong, at one price, and says when it is frozen", async () => {
    const place = folder(files(["mail", "mail", "news", "news", "maps", "mail"]));
    const looks = [];
    for (const week of [0, 1, 2, 3, 4, 5]) looks.push(await look(place, week));
    expect(looks.map(({ answer }) => answer)).toEqual([
      { list: ["mail"], isRenewed: false, renewed: 0, isFrozen: false },
      { list: ["mail"], isRenewed: false, renewed: 0, isFrozen: false },
      { list: ["news"], isRenewed: true, renewed: 1, isFrozen: false },
      { list: ["news"], isRenewed: false, renewed: 1, isFrozen: false },
      { list: ["maps"], isRenewed: true, renewed: 2, isFrozen: true },
      { list: ["maps"], isRenewed: false, renewed: 2, isFrozen: true },
    ]);
    expect(looks.map(({ loss }) => loss.epsilon)).toEqual([looks[0].loss.epsilon, "0", "0", "0", "0", "0"]);
    expect(await price(place)).toMatchObject({ measure: "pure", epsilon: looks[0].loss.epsilon });
    const shown = await winnowHere(
      place,
      ask(dayOf(5)).filter((word) => word !== "--json"),
    );
    expect(shown.stdout).toContain(
      "It is frozen: it was renewed as often as it may be, and stays as it is, right or wrong.",
    );
    for (const published of looks) expect(JSON.stringify(published)).not.toMatch(/sealed|noise":"\d/);
  });

  it("looks at a week once: asking again prints what was published, and nothing is read", async () => {
    const place = folder(files(["mail", "news"]));
    const first = await look(place, 0);
    writeFileSync(place.file("visits.csv"), "user,area,day\n");
    const again = await look(place, 0);
    expect(again.said).toContain("was looked at for 2026-W02 already");
    expect({ ...again, said: "" }).toEqual({ ...first, said: "" });
    expect(await chargesIn(place)).toBe(1);
  });

  it("asks before it pays for a list that matches nothing, and charges nothing without a yes", async () => {
    const place = folder({ ...files(["mail", "news"]), "areas.txt": "Mail\nPosts\nOther\n" });
    const asked = await winnowHere(place, ask(dayOf(0)));
    expectRefused(asked, { exit: 2, code: "unconfirmed", says: "may not match the rows" });
    expect(await chargesIn(place)).toBe(0);
    const { said } = await look(place, 0, "--yes");
    expect(said).toContain("items in the rows are in the list of 3 candidates");
    expectRefused(await winnowHere(place, ask(dayOf(1))), {
      exit: 2,
      code: "unconfirmed",
      says: "may not match the rows",
    });
    expect(await chargesIn(place)).toBe(1);
  });

  it("is renewed less often than it is looked at", async () => {
    const place = folder(files(["mail"]));
    const often = ask(dayOf(0)).map((word, i, words) => (words[i - 1] === "--renewals" ? "52" : word));
    expectRefused(await winnowHere(place, often), { exit: 2, code: "usage", says: "must be at most 51" });
  });

  it("may skip weeks and run late, but never goes back", async () => {
    const place = folder(files(["mail", "mail", "mail", "news"]));
    await look(place, 0);
    await look(place, 3);
    expectRefused(await winnowHere(place, ask(dayOf(2))), { exit: 2, code: "usage", says: "is too late" });
    expect((await look(place, 0)).answer.renewed).toBe(0);
  });

  it("is one list, however many runs start at the same moment", async () => {
    const place = folder(files(["mail", "news", "maps", "chess"]));
    await look(place, 0);
    const asked = [1, 1, 2, 1, 2].map((week) => place.winnow(ask(dayOf(week))));
    const ended = await Promise.all(asked);
    const good = ended.filter(({ exit }) => exit === 0).map(({ stdout }) => JSON.parse(stdout));
    expect(good.length).toBeGreaterThanOrEqual(2);
    for (const { exit, stderr } of ended) if (exit !== 0) expect(stderr).toMatch(/is too late/);
    const byWeek = new Map(good.map((one) => [one.question.about, JSON.stringify(one.answer)]));
    for (const one of good) expect(JSON.stringify(one.answer)).toBe(byWeek.get(one.question.about));
    expect(new Set(good.map(({ id }) => id)).size).toBe(byWeek.size);
  });

  it("keeps other parameters out, and opens its state with its own key only", async () => {
    const place = folder({
      ...files(["mail", "news"]),
      "key.txt": "k".repeat(40),
      "other.txt": "o".repeat(40),
    });
    await look(place, 0, "--seal-key", "key.txt");
    const other = ask(dayOf(1), "--seal-key", "key.txt").map((word) => (word === "100" ? "99" : word));
    expectRefused(await winnowHere(place, other), {
      exit: 2,
      code: "release-id-taken",
      says: "other parameters",
    });
    for (const wrong of [["--seal-key", "other.txt"], []])
      expectRefused(await winnowHere(place, ask(dayOf(1), ...wrong)), {
        exit: 2,
        code: "usage",
        says: "with this key",
      });
    expect((await look(place, 1, "--seal-key", "key.txt")).answer.list).toEqual(["news"]);
    const text = await winnowHere(place, ["budget", "export"]);
    expect(text.stdout).not.toMatch(/"noise":"-?\d+"/);
  });

  it("refuses a ledger without the last published list: an older copy was put back", async () => {
    const place = folder(files(["mail", "news", "maps"]));
    await look(place, 0);
    copyFileSync(place.file("winnow.ledger"), place.file("backup"));
    const last = await look(place, 1);
    writeFileSync(place.file("last.json"), JSON.stringify({ ...last, said: undefined }));
    expect((await look(place, 2, "--against", "last.json")).answer.list).toEqual(["maps"]);
    copyFileSync(place.file("backup"), place.file("winnow.ledger"));
    expectRefused(await winnowHere(place, ask(dayOf(2), "--against", "last.json")), {
      exit: 4,
      code: "ledger-broken",
      says: "",
    });
    expect(await price(place)).toMatchObject({ epsilon: "1" });
  });

  it("survives kills at any moment: no week twice, one price, never renewed too often", async () => {
    builtProgram();
    const year = ["mail", "news", "news", "maps", "mail", "chess"];
    const weeks = Array.from({ length: amount(6, 52) }, (_, week) => year[week % year.length]!);
    const place = folder(files(weeks));
    let published = "";
    for (const week of weeks.keys()) {
      for (let kill = 0; kill < amount(1, 3); kill++)
        await killed(place, ask(dayOf(week)), 200 + (((week * 7 + kill) * 97) % 700));
      if (week % 6 === 3) copyFileSync(place.file("winnow.ledger"), place.file("backup"));
      const one = await look(place, week, ...(published === "" ? [] : ["--against", "last.json"]));
      expect(one.answer.renewed).toBeLessThanOrEqual(2);
      published = JSON.stringify({ ...one, said: undefined });
      writeFileSync(place.file("last.json"), published);
      if (week % 6 === 3) await refusesBackup(place, week + 1);
    }
    expect(await chargesIn(place)).toBe(weeks.length);
    expect(await price(place)).toMatchObject({ epsilon: "1" });
    const verified = await winnowHere(place, ["verify", "last.json"]);
    expect(verified.exit, verified.stderr).toBe(0);
    expect(python(place, place.file("winnow.ledger")).status).toBe(0);
  }, 300_000);

  it("is found out by both verifiers if its looks don't follow each other, though every hash is right", async () => {
    const place = folder(files(["mail", "news", "maps"]));
    for (const week of [0, 1, 2]) await look(place, week);
    const exported = await winnowHere(place, ["budget", "export"]);
    const entries = exported.stdout
      .trim()
      .split("\n")
      .slice(1)
      .map((line) => JSON.parse(line));
    const [first, second, third] = entries;
    const changed = (entry: object, change: (release: Record<string, never>) => void) => {
      const copy = structuredClone(entry) as { release: Record<string, never> };
      change(copy.release);
      return copy;
    };
    const set = (parts: object) => (release: Record<string, never>) => void Object.assign(release, parts);
    const cheap = { measure: "pure", epsilon: "1/9", readable: "ε = 0.112" };
    const broken = {
      "a second look without the first": [second],
      "a look left out": [first, third],
      "a first look that costs less": [changed(first, set({ loss: cheap })), second],
      "a list that changed without being renewed": [
        first,
        changed(second, set({ answer: { ...second.release.answer, isRenewed: false, renewed: 0 } })),
      ],
      "less noise than is said": [changed(first, set({ noise: { ...first.release.noise, query: "1" } }))],
    };
    let made = 0;
    const verdicts = async (some: readonly object[]) => {
      writeFileSync(place.file("forged.jsonl"), rechained(some));
      const own = await winnowHere(place, [
        "budget",
        "import",
        "forged.jsonl",
        "--ledger",
        `${made++}.ledger`,
      ]);
      return [python(place, place.file("forged.jsonl")).status === 0, own.exit === 0];
    };
    expect(await verdicts(entries)).toEqual([true, true]);
    for (const [name, some] of Object.entries(broken))
      expect(await verdicts(some), name).toEqual([false, false]);
  });
});

/** The backup of the week before is put in the ledger's place, is refused, and is taken out again. */
async function refusesBackup(place: Place, week: number): Promise<void> {
  copyFileSync(place.file("winnow.ledger"), place.file("own"));
  copyFileSync(place.file("backup"), place.file("winnow.ledger"));
  expectRefused(await winnowHere(place, ask(dayOf(week), "--against", "last.json")), {
    exit: 4,
    code: "ledger-broken",
    says: "",
  });
  copyFileSync(place.file("own"), place.file("winnow.ledger"));
}

function python(place: Place, ledger: string) {
  const script = new URL("../../verify.py", import.meta.url).pathname;
  return spawnSync("python3", [script, ledger], { encoding: "utf8", cwd: place.path });
}

/** A run that is killed after some milliseconds, if it isn't over by then. */
function killed(place: Place, args: readonly string[], after: number): Promise<void> {
  return new Promise((resolve) => {
    const child: ChildProcess = spawn(process.execPath, [builtProgram(), ...args], {
      cwd: place.path,
      stdio: "ignore",
    });
    const timer = setTimeout(() => child.kill("SIGKILL"), after);
    child.once("exit", () => {
      clearTimeout(timer);
      resolve();
    });
  });
}

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
