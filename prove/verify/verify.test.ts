import { spawnSync } from "node:child_process";
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import Database from "libsql";
import { afterAll, beforeAll, expect, it } from "vitest";
import { canonicalJson, KINDS, MECHANISM_NAMES, type PublishedRelease } from "winnow-release";
import { openLedger } from "../../packages/cli/src/ledger/open-ledger.js";
import { winnowHere } from "../../packages/cli/test/support/in-process.js";
import { Folder } from "../../packages/cli/test/support/winnow.js";
import { all } from "../../packages/release/test/ledger/laws/place.js";
import { describeWith } from "../tool.js";
import { type Fields, FORGERIES, forge, HONEST, rechained } from "./forgeries.js";
import { expectCountedAlike, NAMES, recordAll, recordDifferent, recordRandom } from "./recorded.js";

const SCRIPT = fileURLToPath(new URL("../../packages/cli/verify.py", import.meta.url));

let place: Folder;
let published: PublishedRelease[];
/** The ledger as text. */
let lines: string[];

beforeAll(async () => {
  place = new Folder(mkdtempSync(join(tmpdir(), "winnow-verify-")));
  published = await recordAll(place.file("ledger"), process.env.PROVE !== "all");
  const ledger = await openLedger(place.file("ledger"), { readOnly: true });
  lines = await all(ledger.exported());
  ledger.close();
  const { text, release } = forge(lines, HONEST);
  written("small.jsonl", text);
  written("small.json", release);
  await winnowHere(place, ["budget", "import", "small.jsonl", "--ledger", "small"]);
}, 600_000);
afterAll(() => rmSync(place.path, { recursive: true, force: true }));

interface Verdict {
  readonly exit: number | null;
  readonly said: string;
}

/** `verify.py` for each list of words, in one process: starting one takes longer than most checks. */
const MANY = `import contextlib, io, json, sys; sys.dont_write_bytecode = True; sys.path.insert(0, sys.argv[1]); import verify
for words in json.load(sys.stdin):
    with contextlib.redirect_stdout(io.StringIO()) as said: exit = verify.main(words)
    print(json.dumps({"exit": exit, "said": said.getvalue()}))`;

function python(...asked: readonly (readonly string[])[]): Verdict[] {
  const { stdout, stderr } = spawnSync("python3", ["-c", MANY, dirname(SCRIPT)], {
    cwd: place.path,
    input: JSON.stringify(asked),
    encoding: "utf8",
  });
  if (stderr !== "") return [{ exit: null, said: stderr }];
  return stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Verdict);
}

/** `winnow verify`: what it finds, or why it refuses. */
async function ours(ledger: string, release: string): Promise<Verdict> {
  const { exit, stdout, stderr } = await winnowHere(place, ["verify", release, ledger]);
  return { exit, said: stdout === "" ? `${stderr.split("\n")[0]}\n` : stdout };
}

function written(name: string, content: unknown): string {
  writeFileSync(place.file(name), typeof content === "string" ? content : JSON.stringify(content));
  return name;
}

/** Both refuse it, each in one sentence. */
function expectRefused(theirs: Verdict, mine: Verdict, sentence: RegExp, what: string): void {
  expect(theirs, what).toEqual({ exit: 1, said: expect.stringMatching(sentence) });
  expect(mine.exit, what).not.toBe(0);
  expect(mine.said, what).toMatch(sentence);
  for (const { said } of [theirs, mine]) expect(said.trim().split("\n"), what).toHaveLength(1);
}

describeWith(["python3"], "two verifiers that share no code", () => {
  it("agree that every release was charged what it costs", async () => {
    const files = published.map((release, i) => written(`release-${i}.json`, release));
    expect(files.length).toBeGreaterThan(80);
    const [theirs] = python(["ledger", ...files]);
    expect(theirs).toEqual({
      exit: 0,
      said: expect.stringContaining(`${lines.length - 1} entries`),
    });
    expect(theirs!.said).toContain(`${files.length} releases`);
    expect(await ours(written("ledger.jsonl", lines.join("")), files[0]!)).toEqual({
      exit: 0,
      said: expect.stringContaining(`${files.length} releases in ${lines.length - 1} entries`),
    });
    const seen = (field: (release: Fields) => string) =>
      [...new Set(published.map((release) => field(release as Fields)))].sort();
    expect(seen(({ mechanism }) => mechanism?.name ?? "labels")).toEqual(
      [...MECHANISM_NAMES, "labels"].sort(),
    );
    expect(seen(({ loss }) => loss.measure)).toEqual(["approx", "pure", "zcdp"]);
    expect(seen(({ question }) => question.kind)).toEqual(
      [...KINDS.map(({ name }) => name), "labels"].sort(),
    );
    expect(seen(({ charge }) => charge?.settled.measure ?? "")).toEqual(["", "approx", "pure", "zcdp"]);
  });

  it("agree on what the commands record", async () => {
    written("visits.csv", visits());
    written(
      "votes.csv",
      `query,teacher,label\n${Array.from({ length: 60 }, (_, i) => `0,${i},2`).join("\n")}\n`,
    );
    const rows = ["visits.csv", "--user", "user", "--dataset", "visits", "--yes", "--json"];
    const items = [...rows, "--item", "area"];
    const commands: readonly (readonly string[])[] = [
      ["budget", "init", "visits", "--epsilon", "9", "--delta", "1e-3", "--yes"],
      [
        "top",
        ...items,
        "-k",
        "2",
        "--epsilon",
        "1/3",
        "--delta",
        "1e-6",
        "--counts",
        "--reserve",
        "--release-id",
        "é",
      ],
      ["names", ...items, "--epsilon", "1", "--delta", "1e-6", "--max-items-per-user", "2"],
      ["top", ...items, "-k", "2", "--rho", "0.01", "--domain-size", "5"],
      ["adaptive", ...items, "-k", "3", "--rho", "0.1", "--delta", "1e-6"],
      ["quantile", ...rows, "--column", "age", "-q", "0.1,0.5", "--range", "0..99", "--epsilon", "1/2"],
      ["frequencies", ...items, "--epsilon", "1"],
      [
        "pate",
        "votes.csv",
        "--queries",
        "2",
        "--teachers",
        "60",
        "--labels",
        "3",
        "--rho",
        "1/2",
        "--new-dataset",
        "--json",
      ],
    ];
    const files: string[] = [];
    for (const [i, command] of commands.entries()) {
      const { exit, stdout, stderr } = await winnowHere(place, [...command, "--ledger", "made"]);
      expect(exit, stderr).toBe(0);
      if (i > 0) files.push(written(`made-${i}.json`, stdout));
    }
    expect(python(["made", ...files])).toEqual([
      { exit: 0, said: expect.stringContaining("9 entries, 2 data sets, 7") },
    ]);
    expect((await ours("made", files.at(-1)!)).exit).toBe(0);
  });

  it("agree at random parameters", async () => {
    const runs = process.env.PROVE === "all" ? 300 : 20;
    const releases = await recordRandom(place.file("random"), runs);
    expect(releases.length).toBeGreaterThan(runs / 2);
    const file = written("random.json", releases.at(-1));
    expect(python(["random", file])).toEqual([{ exit: 0, said: expect.stringContaining("All is well") }]);
    expect((await ours("random", file)).exit).toBe(0);
  });

  it("agree on accounts with more different prices than are told apart, which stay small", async () => {
    const counts = process.env.PROVE === "all" ? [10_000, 500, 500] : [100, 100, 100];
    const releases = await recordDifferent(place.file("different"), counts);
    expect(releases).toHaveLength(counts.reduce((a, b) => a + b));
    const file = written("different.json", releases.at(-1));
    expect(python(["different", file])).toEqual([{ exit: 0, said: expect.stringContaining("All is well") }]);
    expect((await ours("different", file)).exit).toBe(0);
    const database = new Database(place.file("different"), { readonly: true });
    const kept = database.prepare("SELECT summary FROM accounts WHERE dataset NOT LIKE '[%'").all();
    database.close();
    expect(kept).toHaveLength(counts.length);
    for (const { summary } of kept as { summary: string }[]) {
      expect(summary.length).toBeLessThan(20_000);
      expect(JSON.parse(summary).folded.counted).toBeDefined();
    }
    for (const dataset of new Set(releases.map((release) => release.dataset)))
      await expectCountedAlike(place.file("different"), dataset, releases);
    const sql = `UPDATE accounts SET summary = replace(summary, '"squares":"0.', '"squares":"0.0')`;
    const changed = broken("folded", sql, "different");
    expect(python([changed, file])[0]!.said).toMatch(/stored totals differ/);
    expect((await ours(changed, file)).said).toMatch(/stored totals differ/);
  });

  it("read a ledger in SQLite and the same as text", async () => {
    for (const { exit } of python(["small", "small.json"], ["small.jsonl", "small.json"]))
      expect(exit).toBe(0);
    for (const ledger of ["small", "small.jsonl"]) expect((await ours(ledger, "small.json")).exit).toBe(0);
  });

  it(`reject ${FORGERIES.length} forgeries in which every hash is right`, async () => {
    const files = FORGERIES.map((forgery, i) => {
      const { text, release } = forge(lines, forgery);
      return [written(`forged-${i}.jsonl`, text), written(`forged-${i}.json`, release)] as const;
    });
    const theirs = python(...files);
    for (const [i, [name, , , , sentence]] of FORGERIES.entries())
      expectRefused(theirs[i]!, await ours(...files[i]!), sentence, name);
  });

  it("count an ε in ρ by the rule of the format: ε·tanh(ε/2), neither less nor ε²/2", async () => {
    // ε = 1/3: ε²/2 is 0.0556, ε·tanh(ε/2) 0.05505.
    const verdicts = async (rho: string) => {
      const limited: Parameters<typeof forge>[1] = [
        "a limit",
        { k: 2, counts: true },
        /add-remove zcdp/,
        (_, budget) => Object.assign(budget, { rho }),
        /./,
      ];
      const { text, release } = forge(lines, limited);
      const files = [written("limit.jsonl", text), written("limit.json", release)] as const;
      return [python(files)[0]!, await ours(...files)];
    };
    for (const { exit, said } of await verdicts("0.0551")) expect({ exit, said }).toMatchObject({ exit: 0 });
    for (const { exit } of await verdicts("0.0550")) expect(exit).not.toBe(0);
  });

  it("say which releases they could not price, and vouch for none of them", async () => {
    const entries = lines.slice(1).map((line) => JSON.parse(line) as Fields);
    const honest = () =>
      structuredClone(
        entries.find(({ release }) => release?.question.rho === "1/7" && release.question.k === 3)!,
      );
    const foreign = honest();
    Object.assign(foreign.release, { schema: "someone-elses/1", id: "foreign" });
    const older = honest();
    Object.assign(older.release, { id: "older" });
    older.release.software.packages["winnow-release"] = "0.0.9";
    const other = "(entry 1)";
    for (const [entry, sentence, isPricedByThem] of [
      [foreign, "1 release was not priced, because its document isn't one that Winnow knows", false],
      [older, "1 release was not priced, because another version of Winnow recorded it", true],
    ] as const) {
      const own = rechained([entry]);
      const [text, release] = [written("own.jsonl", own.text), written("own.json", own.release)];
      expect(await ours(text, release)).toEqual({ exit: 4, said: `${sentence} (entry 1).\n` });
      const [theirs] = python([text, release]);
      expect(theirs!.exit).toBe(isPricedByThem ? 0 : 1);
      if (!isPricedByThem) expect(theirs!.said).toContain(`${sentence} ${other}`);
      const beside = rechained([entry, honest()]);
      const files = [written("beside.jsonl", beside.text), written("beside.json", beside.release)] as const;
      const mine = await ours(...files);
      expect(mine).toEqual({ exit: 0, said: expect.stringContaining(`${sentence} ${other}`) });
      expect(mine.said).toContain("1 releases in 2 entries were charged");
      const [also] = python(files);
      expect(also!.exit).toBe(0);
      if (!isPricedByThem) expect(also!.said).toContain(`${sentence} ${other}`);
    }
  });

  it("reject a published file that was changed", async () => {
    const changes: readonly [(release: Fields) => unknown, RegExp][] = [
      [({ answer }) => answer.winners.reverse(), /does not say what the ledger recorded/],
      [({ answer }) => otherForm(answer.winners), /does not say what the ledger recorded/],
      [({ loss }) => Object.assign(loss, { rho: "1/8" }), /does not say what the ledger recorded/],
      [({ ledger }) => Object.assign(ledger, { head: "0".repeat(64) }), /another entry/],
      [({ ledger }) => Object.assign(ledger, { sequence: 9999 }), /ends at entry/],
      [(release) => delete release.ledger, /isn't a release with its place/],
    ];
    const files = changes.map(([change], i) => {
      const release = JSON.parse(readFileSync(place.file("small.json"), "utf8")) as Fields;
      change(release);
      return written(`changed-${i}.json`, release);
    });
    const theirs = python(...files.map((file) => ["small", file]));
    for (const [i, [change, sentence]] of changes.entries())
      expectRefused(theirs[i]!, await ours("small", files[i]!), sentence, String(change));
  });

  it("reject a ledger that was changed", async () => {
    const changes: readonly [string, RegExp][] = [
      ["UPDATE log SET text = replace(text, 'one person', 'one device')", /Entry 1 was changed/],
      [`UPDATE log SET text = replace(text, '"previous":"', '"previous":"0')`, /Entry 1 was changed/],
      ["UPDATE log SET sequence = 2", /Entry 2 was moved/],
      ["DELETE FROM log", /cut off/],
      ["UPDATE head SET hash = replace(hash, '0', '1')", /head/],
      [`UPDATE accounts SET summary = replace(summary, '"times":1', '"times":0')`, /stored totals differ/],
      [
        `UPDATE accounts SET summary = replace(summary, '"releases":1', '"releases":2')`,
        /stored totals differ/,
      ],
      ["DELETE FROM accounts", /stored totals differ/],
      ["DELETE FROM releases", /stored totals differ/],
    ];
    const files = changes.map(([sql], i) => broken(`broken-${i}`, sql));
    const theirs = python(...files.map((file) => [file, "small.json"]));
    for (const [i, [sql, sentence]] of changes.entries()) {
      expect(theirs[i], sql).toEqual({ exit: 1, said: expect.stringMatching(sentence) });
      expect((await ours(files[i]!, "small.json")).said, sql).toMatch(sentence);
    }
  });

  it("write JSON alike: numbers, escapes, the order of keys", () => {
    const numbers = [0.1, 1e21, 1e-7, 5e-324, 123456789.125, -1.5e-9, 2 ** 53, 1e300, 1 / 3];
    const value = { "\uf8ff": 1, "😀": 2, é: 3, "e\u0301": 4, "": [[], {}, null, true], numbers, NAMES };
    const script = `import sys; sys.dont_write_bytecode = True; sys.path.insert(0, sys.argv[1]); import verify
sys.stdout.buffer.write(verify.canonical(verify.parse(sys.stdin.buffer.read().decode())).encode())`;
    const input = JSON.stringify(value);
    const { stdout } = spawnSync("python3", ["-c", script, dirname(SCRIPT)], { input, encoding: "utf8" });
    expect(stdout).toBe(canonicalJson(value));
  });

  it("agree on proofs that a release is in the ledger, without the ledger", async () => {
    const ledger = await openLedger(place.file("ledger"), { readOnly: true });
    const proofs = [];
    for (const { id } of published) proofs.push((await ledger.proof(id))!);
    const { root } = await ledger.head();
    await ledger.close();
    const files = proofs.map((proof, i) => [
      written(`proof-${i}.json`, proof),
      written(`proven-${i}.json`, published[i]),
    ]);
    const theirs = python(...files.map((pair) => ["--proof", ...pair, root]));
    expect(new Set(theirs.map(({ exit, said }) => `${exit} ${said}`))).toEqual(
      new Set([
        `0 All is well: the release is in the ledger with ${lines.length - 1} entries and the root ${root}.\n`,
      ]),
    );
    const [proof, release, other] = [proofs[40]!, published[40] as Fields, proofs[41]!];
    const ended = async (changedProof: object, changedRelease: object, known = root) => {
      written("proof.json", changedProof);
      written("proven.json", changedRelease);
      const words = ["verify", "proven.json", "--proof", "proof.json", "--root", known];
      const { exit, stdout, stderr } = await winnowHere(place, words);
      const [theirs] = python(["--proof", "proof.json", "proven.json", known]);
      return [{ exit, said: `${stdout}${stderr}` }, theirs!] as const;
    };
    expect((await ended(proof, release)).map(({ exit }) => exit)).toEqual([0, 0]);
    const flipped = (text: string) => (text[0] === "0" ? "1" : "0") + text.slice(1);
    for (const [what, sentence, ...given] of [
      ["another proof", "proof is", other, release],
      ["another number", "proof is", { ...proof, sequence: 2 }, release],
      ["another answer", "does not say", proof, { ...release, notes: ["!"] }],
      ["another analyst", "does not say", proof, { ...release, analyst: "mallory" }],
      ["another entry before", "does not say", { ...proof, previous: root }, release],
      [
        "a changed node",
        "does not lead",
        { ...proof, path: proof.path.with(2, flipped(proof.path[2]!)) },
        release,
      ],
      ["a path that is too short", "does not lead", { ...proof, path: proof.path.slice(1) }, release],
      ["a path that is too long", "does not lead", { ...proof, path: [...proof.path, root] }, release],
      ["another size", "does not lead", { ...proof, size: 10 ** 6 }, release],
      ["one entry more", "does not lead", { ...proof, size: proof.size + 1 }, release],
      ["one entry less", "does not lead", { ...proof, size: proof.size - 1 }, release],
      ["another root in it", "does not lead", { ...proof, root: flipped(root) }, release, flipped(root)],
      ["another root than is known", "another root", proof, release, flipped(root)],
      ["no proof", "isn't a proof", { ...proof, path: [1] }, release],
    ] as const) {
      const verdicts = await ended(...(given as unknown as [object, object, string?]));
      expect(
        verdicts.map(({ exit }) => exit === 0),
        what,
      ).toEqual([false, false]);
      for (const { said } of verdicts) expect(said, what).toContain(sentence);
    }
  });

  it("need the standard library alone, and print no name that was released", () => {
    const source = readFileSync(SCRIPT, "utf8");
    const imports = [...source.matchAll(/^(?:import|from) (\w+)/gm)].map(([, name]) => name);
    const allowed = [
      "base64",
      "datetime",
      "fractions",
      "functools",
      "hashlib",
      "json",
      "math",
      "pathlib",
      "re",
      "sqlite3",
      "sys",
      "unicodedata",
    ];
    expect(imports.sort()).toEqual(allowed);
    const { winners } = (JSON.parse(readFileSync(place.file("small.json"), "utf8")) as Fields).answer;
    const [{ said } = { said: "" }] = python(["small", "small.json"]);
    expect(winners.filter(({ item }: Fields) => said.includes(item) && item.length > 1)).toEqual([]);
  });
});

/** Numbers for areas, so that a public domain is a number too. */
function visits(): string {
  const rows = Array.from({ length: 300 }, (_, i) => `p${i % 120},${i % 7 === 0 ? 3 : i % 3},${i % 90}`);
  return `user,area,age\n${rows.join("\n")}\n`;
}

/** Composed and decomposed letters look the same. */
function otherForm(winners: Fields[]): void {
  const winner = winners.find(({ item }) => item === NAMES[0] || item === NAMES[1])!;
  winner.item = winner.item === NAMES[0] ? NAMES[1] : NAMES[0];
}

/** A copy of a ledger, changed by somebody who puts the triggers back. */
function broken(name: string, sql: string, of = "small"): string {
  copyFileSync(place.file(of), place.file(name));
  const database = new Database(place.file(name));
  const triggers = database.prepare("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'").all();
  for (const { name } of triggers as Fields[]) database.exec(`DROP TRIGGER ${name}`);
  database.exec(sql);
  for (const { sql } of triggers as Fields[]) database.exec(sql);
  database.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  database.close();
  return name;
}
