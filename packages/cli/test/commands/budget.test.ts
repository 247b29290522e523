import { copyFileSync, existsSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { readQuestion } from "winnow-release";
import { exampleRelease } from "../../../release/test/ledger/laws/place.js";
import { openLedger } from "../../src/ledger/open-ledger.js";
import { expectRefused } from "../support/expect-refused.js";
import { winnowHere } from "../support/in-process.js";
import { type Folder, folder } from "../support/winnow.js";

/** A folder with a ledger in which `visits` has a budget of 3 and two releases, published as a.json and b.json, and an older copy. */
async function withLedger(): Promise<Folder> {
  const here = folder();
  const path = here.file("winnow.ledger");
  const first = await openLedger(path, { create: true });
  await first.setBudget("visits", { measure: "pure", epsilon: "3" });
  writeFileSync(here.file("a.json"), JSON.stringify(await first.record("visits", exampleRelease("a"))));
  first.close();
  copyFileSync(path, here.file("older.ledger"));
  const second = await openLedger(path);
  writeFileSync(here.file("b.json"), JSON.stringify(await second.record("visits", exampleRelease("b"))));
  second.close();
  return here;
}

describe("winnow budget init", () => {
  it.each([
    [["--epsilon", "3"], "ε = 3"],
    [["--epsilon", "1/3", "--delta", "1e-6"], "δ = 0.000001"],
    [["--rho", "0.5"], "ρ = 0.5"],
    [["--rho", "0.5", "--delta", "1e-6"], "ρ = 0.5, δ = 0.000001"],
    [["--eta", "4"], "η = 4"],
    [["--epsilon", "2", "--order", "8"], "ε(8) = 2"],
  ])("takes a budget in any one measure: %j", async (options, words) => {
    const here = folder();
    const { exit, stdout } = await winnowHere(here, ["budget", "init", "visits", ...options]);
    expect(exit).toBe(0);
    expect(stdout).toContain(words);
    expect(existsSync(here.file("winnow.ledger"))).toBe(true);
  });

  it.each([
    [[], /The budget must be exactly one of epsilon, rho and eta; got "none"/],
    [["--epsilon", "1", "--rho", "1"], /exactly one of/],
    [["--epsilon", "0"], /--epsilon must be a rational > 0; got "0"/],
    [["--epsilon", "much"], /--epsilon must be/],
    [["--epsilon", "1", "--delta", "2"], /--delta must be/],
    [["--epsilon", "1", "--delta", "1"], /--delta must be a rational > 0 and < 1; got "1"/],
    [["--rho", "1", "--delta", "0"], /--delta must be a rational > 0 and < 1; got "0"/],
    [["--rho", "1", "--order", "8"], /--order must be absent without epsilon/],
    [["--epsilon", "1", "--order", "1"], /--order must be a rational > 1; got "1"/],
    [["--rho", "-1"], /--rho must be a rational > 0; got "-1"/],
    [["--eta", "1", "--delta", "1e-6"], /--delta must be absent with eta/],
  ])("refuses %j and makes no ledger", async (options, sentence) => {
    const here = folder();
    const { exit, stdout, stderr } = await winnowHere(here, ["budget", "init", "visits", ...options]);
    expect({ exit, stdout }).toEqual({ exit: 2, stdout: "" });
    expect(stderr).toMatch(sentence);
    expect(existsSync(here.file("winnow.ledger"))).toBe(false);
  });

  it.each([
    [["--epsilon", "1000"], "must be at most ε = 10 without a confirmation"],
    [["--epsilon", "1", "--delta", "1/2"], "among 2 such people, expect one"],
    [["--rho", "4"], "must be at most ε = 10 without a confirmation"],
  ])("asks before it gives %j, which protects hardly anyone", async (options, sentence) => {
    const here = folder();
    const asked = ["budget", "init", "visits", ...options];
    expectRefused(await winnowHere(here, asked), { exit: 2, code: "unconfirmed", says: sentence });
    expect(existsSync(here.file("winnow.ledger"))).toBe(false);
    const agreed = await winnowHere(here, [...asked, "--yes"]);
    expect(agreed.exit).toBe(0);
    expect(agreed.stderr).toContain(sentence);
  });

  it("calls a file what a release of it would be called", async () => {
    const here = folder({ "visits.csv": "user,area\n" });
    for (const argument of ["visits.csv", here.file("visits.csv"), " visits.csv "]) {
      const { exit } = await winnowHere(here, ["budget", "init", argument, "--epsilon", "3"]);
      expect(exit).toBe(0);
    }
    const { accounts } = JSON.parse(
      (await winnowHere(here, ["budget", "show", "./visits.csv", "--json"])).stdout,
    );
    expect(accounts).toMatchObject([{ dataset: "visits.csv" }]);
    expect(
      (await winnowHere(here, ["budget", "init", "postgres://me:secret@host/shop", "--rho", "1"])).stdout,
    ).toMatch(/ postgres:\/\/host\/shop /);
    expect((await winnowHere(here, ["budget", "init", " ", "--rho", "1"])).exit).toBe(2);
  });

  it.each([":memory:", "file:l?mode=memory", "libsql:l"])(
    "takes --ledger %s for a file in the working directory, not for an address",
    async (name) => {
      const here = folder();
      const init = await winnowHere(here, ["budget", "init", "visits", "--epsilon", "3", "--ledger", name]);
      expect(init.exit, init.stderr).toBe(0);
      expect(existsSync(here.file(name))).toBe(true);
      expect((await winnowHere(here, ["budget", "show", "visits", "--ledger", name])).stdout).toContain(
        "ε = 3",
      );
    },
  );

  it("shows names that could act on a terminal as what they are", async () => {
    const here = folder();
    const init = ["budget", "init", "a\u009b31m\u202eb", "--epsilon", "1"];
    const outputs = [await winnowHere(here, init), await winnowHere(here, init)].map(({ stdout }) => stdout);
    for (const output of outputs) {
      expect(output).not.toMatch(/[\u009b\u202e]/);
      expect(output).toContain("a\\u{9b}31m\\u{202e}b");
    }
    expect(outputs[1]).toContain("already has this budget");
  });

  it("changes a budget only with --replace", async () => {
    const here = await withLedger();
    expect(await winnowHere(here, ["budget", "init", "visits", "--epsilon", "3.0"])).toMatchObject({
      exit: 0,
      stdout: expect.stringContaining("already has this budget"),
    });
    expect(await winnowHere(here, ["budget", "init", "visits", "--epsilon", "9"])).toMatchObject({
      exit: 2,
      stderr: expect.stringContaining("[budget-exists]"),
    });
    expect((await winnowHere(here, ["budget", "init", "visits", "--epsilon", "1", "--replace"])).exit).toBe(
      3,
    );
    const replaced = await winnowHere(here, ["budget", "init", "visits", "--epsilon", "9", "--replace"]);
    expect(replaced.stdout).toContain("about 7 more releases like the last");
  });
});

/** The curator says that the people are others than those of the accounts with a budget. */
const NEW = { isNewDataset: true };

describe("winnow budget show", () => {
  it("tells budget, spent, left and how far it goes", async () => {
    const here = await withLedger();
    const { exit, stdout } = await winnowHere(here, ["budget", "show"]);
    expect(exit).toBe(0);
    expect(stdout).toMatch(/visits +ε = 3 +ε = 2 +ε = 1 +2 +about 1 more release like the last/);
  });

  it("tells the same in exact numbers", async () => {
    const here = await withLedger();
    const { stdout } = await winnowHere(here, ["budget", "show", "visits", "--json"]);
    expect(JSON.parse(stdout)).toEqual({
      schema: "winnow-budget/1",
      accounts: [
        {
          dataset: "visits",
          budget: { measure: "pure", epsilon: "3" },
          spent: { measure: "pure", epsilon: "2" },
          left: { measure: "pure", epsilon: "1" },
          totals: [
            { measure: "pure", epsilon: "2" },
            { measure: "zcdp", rho: "0.9242343145200196" },
          ],
          parts: [{ measure: "pure", epsilon: "2" }],
          atDelta: { measure: "approx", epsilon: "1.999998128904084", delta: "0.000001" },
          units: [],
          releases: 2,
          moreLikeTheLast: 1,
        },
      ],
    });
  });

  it("tells the running total of a data set without a budget, in each measure that applies", async () => {
    const here = await withLedger();
    const ledger = await openLedger(here.file("winnow.ledger"));
    await ledger.record("sales", exampleRelease("s", { dataset: "sales" }), NEW);
    await ledger.record("mixed", exampleRelease("m", { dataset: "mixed" }), NEW);
    const loss = { measure: "zcdp", rho: "1/4" } as const;
    await ledger.record("mixed", exampleRelease("n", { dataset: "mixed", loss }));
    ledger.close();
    const { stdout } = await winnowHere(here, ["budget", "show"]);
    expect(stdout).toMatch(/sales +none +ε = 1 +— +1/);
    expect(stdout).toMatch(/mixed +none +ε = 1 and ρ = 0\.25; in total ε = \d\.\d+, δ = 0\.000001 +— +2/);
  });

  it("says so if the releases name several units of privacy", async () => {
    const here = await withLedger();
    const ledger = await openLedger(here.file("winnow.ledger"));
    for (const unit of ["one visitor", "one session"])
      await ledger.record("sales", { ...exampleRelease(unit), question: { unit } }, NEW);
    ledger.close();
    const { stdout } = await winnowHere(here, ["budget", "show"]);
    expect(stdout).toContain(
      'sales: the releases name several units of privacy ("one visitor", "one session"); the total holds only if they mean the same.',
    );
  });

  it("explains a first ρ in an (ε, δ) budget, and a dry run says what it reserves", async () => {
    const here = folder({ "v.csv": "user,item\na,1\nb,2\n" });
    const asked = ["top", "v.csv", "-k", "1", "--rho", "0.001", "--domain-size", "4"];
    await winnowHere(here, ["budget", "init", "v.csv", "--epsilon", "3", "--delta", "1e-5"]);
    const dry = await winnowHere(here, [...asked, "--dry-run"]);
    expect(dry.stdout).toContain("would cost ρ = 0.001 and reserve ε = 1.336, δ = 0.000005 of the budget");
    expect((await winnowHere(here, asked)).exit).toBe(0);
    const { stdout } = await winnowHere(here, ["budget", "show"]);
    expect(stdout).toContain("v.csv: the first ρ in an (ε, δ) budget takes most");
    const over = await winnowHere(here, [
      "top",
      "v.csv",
      "-k",
      "1",
      "--epsilon",
      "2.9",
      "--domain-size",
      "4",
    ]);
    expect(over.stderr).toContain(
      "is epsilon = 1.664, delta = 0.000005 of epsilon = 3, delta = 0.00001; at most epsilon = 1.664 would fit.",
    );
  });

  it("mentions open reservations, and that a promise may be above a budget that counts what was used", async () => {
    const here = folder({ "v.csv": "user,item\na,1\nb,2\n" });
    await winnowHere(here, ["budget", "init", "v.csv", "--rho", "1/4", "--delta", "1e-5"]);
    const ledger = await openLedger(here.file("winnow.ledger"));
    const domain = { kind: "unknown" } as const;
    const question = readQuestion({ k: 3, domain, rho: "0.01", delta: "1e-6", unit: "one user" });
    await ledger.reserve("v.csv", "never", question);
    await ledger.close();
    const reserved = await winnowHere(here, ["budget", "show"]);
    expect(reserved.stdout).toContain("v.csv: 1 reservation is open and counts in full");
    const asked = ["top", "v.csv", "-k", "3", "--rho", "0.15", "--delta", "1e-6"];
    expect((await winnowHere(here, asked)).exit).toBe(0);
    const { stdout } = await winnowHere(here, ["budget", "show"]);
    expect(stdout).toContain("v.csv: only what the answers used counts towards the budget");
    const lower = ["budget", "init", "v.csv", "--rho", "0.1", "--delta", "1e-5", "--replace"];
    expectRefused(await winnowHere(here, lower), {
      exit: 3,
      code: "over-budget",
      says: "Another budget counts in full what the releases promise, and not only what their answers used.",
    });
  });

  it("refuses an unknown data set and a missing ledger, and makes none", async () => {
    const here = await withLedger();
    expect(await winnowHere(here, ["budget", "show", "sales"])).toMatchObject({ exit: 2, stdout: "" });
    for (const command of ["show", "log", "verify"])
      expect(await winnowHere(here, ["budget", command, "--ledger", "none"])).toMatchObject({
        exit: 4,
        stderr: expect.stringContaining('There is no ledger at "none".'),
      });
    expect(existsSync(here.file("none"))).toBe(false);
  });
});

describe("winnow budget log", () => {
  it("lists every entry, oldest first", async () => {
    const here = await withLedger();
    const { stdout } = await winnowHere(here, ["budget", "log"]);
    expect(stdout.split("\n").slice(2)).toEqual([
      expect.stringMatching(/^ +1 +\d{4}-.* visits +budget +ε = 3 /),
      expect.stringMatching(/^ +2 +2026-01-02T03:04:05.678Z +visits +release +ε = 1 +1\.2\.3 +a$/),
      expect.stringMatching(/^ +3 .* b$/),
      "",
    ]);
    const { entries } = JSON.parse((await winnowHere(here, ["budget", "log", "visits", "--json"])).stdout);
    expect(entries[1].release).toEqual(exampleRelease("a"));
  });

  it("shows hostile names harmlessly", async () => {
    const here = folder();
    const ledger = await openLedger(here.file("winnow.ledger"), { create: true });
    const dataset = "evil\u001b]0;x\u0007\u202e\n\u009b31m<script>";
    await ledger.setBudget(dataset, { measure: "pure", epsilon: "3" });
    await ledger.record(dataset, exampleRelease("r", { dataset }));
    ledger.close();
    for (const args of [
      ["log"],
      ["log", "--json"],
      ["show"],
      ["show", "--json"],
      ["show", `${dataset}!`],
      ["verify"],
    ]) {
      const { stdout, stderr } = await winnowHere(here, ["budget", ...args]);
      expect((stdout + stderr).replaceAll("\n", ""), args.join(" ")).not.toMatch(/[\p{Cc}\p{Cf}]/u);
    }
  });
});

describe("winnow budget verify", () => {
  it("ends with 0 on a whole ledger that holds what was published", async () => {
    const here = await withLedger();
    expect(await winnowHere(here, ["budget", "verify", "--against", "a.json", "b.json"])).toMatchObject({
      exit: 0,
      stdout: expect.stringMatching(
        /^The ledger is intact: 3 entries, head [\da-f]{64}\.\nEntry 2 has an earlier time .*\n$/,
      ),
      stderr: "",
    });
  });

  it("ends with 4 on an older copy, by a release published after it", async () => {
    const here = await withLedger();
    const older = ["budget", "verify", "--ledger", "older.ledger"];
    expect((await winnowHere(here, older)).exit).toBe(0);
    expect((await winnowHere(here, [...older, "--against", "a.json"])).exit).toBe(0);
    expect(await winnowHere(here, [...older, "--against", "b.json"])).toMatchObject({
      exit: 4,
      stdout: expect.stringContaining("rolled back to an older copy"),
      stderr: expect.stringContaining("[ledger-broken]"),
    });
    const { stdout } = await winnowHere(here, [...older, "--against", "b.json", "--json"]);
    expect(JSON.parse(stdout)).toMatchObject({
      schema: "winnow-verification/1",
      whole: false,
      findings: [{ kind: "rolled-back", sequence: 3 }],
    });
  });

  it("ends with 2 on what is no published release, and with 4 on what is not there", async () => {
    const here = await withLedger();
    writeFileSync(here.file("x.json"), "{}");
    writeFileSync(here.file("y.json"), "not JSON");
    for (const file of ["x.json", "y.json"])
      expect((await winnowHere(here, ["budget", "verify", "--against", file])).exit).toBe(2);
    expect((await winnowHere(here, ["budget", "verify", "--against", "z.json"])).exit).toBe(4);
  });
});

describe("winnow verify --proof", () => {
  it("needs the release and the proof only, and says what the proof leads to", async () => {
    const here = await withLedger();
    const ledger = await openLedger(here.file("winnow.ledger"));
    const { root } = await ledger.head();
    writeFileSync(here.file("proof.json"), JSON.stringify(await ledger.proof("a")));
    await ledger.close();
    const run = (...words: string[]) => winnowHere(here, ["verify", ...words]);
    const proven = ["a.json", "--proof", "proof.json"];
    expect(await run(...proven)).toMatchObject({
      exit: 0,
      stdout: `Release "a" is entry 2 of the ledger with 3 entries and the root ${root}.\nCompare that root with one that someone else kept.\n`,
    });
    expect(JSON.parse((await run(...proven, "--root", root, "--json")).stdout)).toEqual({
      schema: "winnow-verification/1",
      whole: true,
      tree: { size: 3, root },
      findings: [],
    });
    for (const words of [
      ["b.json", "--proof", "proof.json"],
      [...proven, "--root", "0".repeat(64)],
    ])
      expect(await run(...words)).toMatchObject({
        exit: 4,
        stderr: expect.stringContaining("[not-proven]"),
      });
    for (const words of [
      ["a.json", "older.ledger", "--proof", "proof.json"],
      ["a.json", "--root", root],
      ["a.json", "--proof", "b.json"],
    ])
      expect(await run(...words)).toMatchObject({ exit: 2, stdout: "" });
    expect((await run("a.json", "--proof", "none.json")).exit).toBe(4);
  });
});

describe("winnow budget", () => {
  it.each([["show"], ["log"], ["verify"]])("%s says so if it could not be printed", async (command) => {
    const { exit, stderr } = await (await withLedger()).shell(["budget", command], { after: "> /dev/full" });
    expect(exit).toBe(4);
    expect(stderr).toContain("[disk-full]");
  });

  it("in (ε, δ) takes releases in ε, in ρ, and with a δ, and refuses what does not fit", async () => {
    const here = folder({ "visits.csv": "user,area\na,x\nb,x\nb,y\n" });
    await winnowHere(here, ["budget", "init", "visits.csv", "--epsilon", "3", "--delta", "1e-5"]);
    const asked = ["top", "visits.csv", "--item", "area", "--user", "user", "-k", "1"];
    const release = (...price: string[]) => winnowHere(here, [...asked, ...price, "--yes"]);
    for (const price of [
      ["--epsilon", "1", "--domain-size", "9"],
      ["--rho", "0.01", "--domain-size", "9"],
      ["--rho", "0.01", "--delta", "1e-6"],
      ["--epsilon", "0.1", "--delta", "1e-6"],
    ])
      expect(await release(...price), String(price)).toMatchObject({ exit: 0 });
    const { exit, stderr } = await release("--rho", "1", "--domain-size", "9");
    expect(exit).toBe(3);
    expect(stderr).toMatch(/The release costs rho = 1, .* at most rho = 0\.0\d+, delta = \S+ would fit\./);
    const { accounts } = JSON.parse((await winnowHere(here, ["budget", "show", "--json"])).stdout);
    expect(accounts[0]).toMatchObject({ releases: 4, spent: { measure: "approx" } });
  });
});
