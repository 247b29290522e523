import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { newOpening, readOpening, readQuestion, reservedBits } from "winnow-release";
import { openLedger } from "../../src/ledger/open-ledger.js";
import { winnowHere } from "../support/in-process.js";
import { type Folder, folder } from "../support/winnow.js";

const ROWS = `area,user\n${Array.from({ length: 300 }, (_, i) => `a${(i * i) % 11},u${i % 90}`).join("\n")}\n`;
const AREAS = Array.from({ length: 11 }, (_, i) => `a${i}`).join("\n");
const VERIFY = fileURLToPath(new URL("../../verify.py", import.meta.url));

const place = () => folder({ "visits.csv": ROWS, "areas.txt": AREAS });

function ask(here: Folder, command: readonly string[], ...more: readonly string[]) {
  const columns = ["--item", "area", "--user", "user", "--dataset", "visits", "--json", "--yes"];
  return winnowHere(here, [command[0]!, "visits.csv", ...columns, ...command.slice(1), ...more]);
}

const TOP = ["top", "-k", "3", "--epsilon", "1", "--domain", "areas.txt"];

async function committed(here: Folder, id: string, command = TOP) {
  const { exit, stdout, stderr } = await ask(
    here,
    command,
    "--release-id",
    id,
    "--commit-bits",
    `${id}.opening`,
  );
  expect({ exit, stderr: exit === 0 ? "" : stderr }).toEqual({ exit: 0, stderr: "" });
  writeFileSync(here.file(`${id}.json`), stdout);
}

function verify(
  here: Folder,
  id: string,
  { rows = "visits.csv", opening = `${id}.opening`, list = true } = {},
) {
  const domain = list ? ["--domain", "areas.txt"] : [];
  return winnowHere(here, ["verify", `${id}.json`, "--rows", rows, "--opening", opening, ...domain]);
}

function python(here: Folder, ...args: readonly string[]): string {
  try {
    return execFileSync("python3", [VERIFY, ...args], { cwd: here.path, encoding: "utf8" });
  } catch (error) {
    return (error as { stdout: string }).stdout;
  }
}

describe("winnow --commit-bits", () => {
  it.each([
    [TOP],
    [["top", "-k", "3", "--rho", "1/2", "--domain", "areas.txt", "--counts"]],
    [["top", "-k", "3", "--rho", "1/2", "--delta", "1e-6"]],
    [["names", "--epsilon", "1", "--delta", "1e-6", "--max-items-per-user", "2"]],
    [["frequencies", "--epsilon", "1", "--max-items-per-user", "3"]],
    [["adaptive", "--rho", "1/2", "--delta", "1e-6", "--max-k", "5"]],
  ])("%j: someone with the rows and the opening draws the same answer again", async (command) => {
    const here = place();
    await committed(here, "june", command);
    expect(statSync(here.file("june.opening")).mode & 0o777).toBe(0o600);
    const list = command.includes("--domain");
    const { exit, stdout, stderr } = await verify(here, "june", { list });
    expect({ exit, stderr }).toEqual({ exit: 0, stderr: "" });
    expect(stdout).toMatch(
      /lead to release "june", bit for bit[^\n]*\nRelease "june" is entry 2 of the ledger/,
    );
    expect(python(here, "winnow.ledger", "june.json")).toMatch(/^All is well/);
  });

  it("as JSON, one document says that the ledger is whole and the answer was drawn again", async () => {
    const here = place();
    await committed(here, "june", TOP);
    const rows = ["--rows", "visits.csv", "--opening", "june.opening"];
    const { exit, stdout } = await winnowHere(here, [
      "verify",
      "june.json",
      ...rows,
      "--domain",
      "areas.txt",
      "--json",
    ]);
    expect(exit).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      schema: "winnow-verification/1",
      whole: true,
      redrawn: true,
      head: { sequence: 2 },
      findings: [],
    });
  });

  it("planted cheats are caught: other rows, another seed, another answer, an altered question", async () => {
    const here = place();
    await committed(here, "june");
    await committed(here, "july");
    writeFileSync(here.file("more.csv"), `${ROWS}a3,new\n`);
    const caught = async (sentence: RegExp, options: Parameters<typeof verify>[2], id = "june") => {
      const { exit, stdout } = await verify(here, id, options);
      expect(exit).toBe(4);
      expect(stdout).toMatch(sentence);
    };
    await caught(/rows aren't those that release "june" was drawn from/, { rows: "more.csv" });
    await caught(/opening isn't that of release "june"/, { opening: "july.opening" });
    const opening = readOpening(readFileSync(here.file("june.opening"), "utf8"));
    const change = (changes: object) =>
      writeFileSync(here.file("wrong.opening"), JSON.stringify({ ...opening, ...changes }));
    change({ seed: newOpening("june").seed });
    await caught(/opening isn't that/, { opening: "wrong.opening" });
    change({ countsBlinder: opening.seed });
    await caught(/rows aren't those/, { opening: "wrong.opening" });
    const release = JSON.parse(readFileSync(here.file("june.json"), "utf8")) as {
      answer: { winners: object[] };
    };
    const { winners } = release.answer;
    const write = (changed: object) => writeFileSync(here.file("forged.json"), JSON.stringify(changed));
    write({ ...release, answer: { ...release.answer, winners: winners.toReversed() } });
    await caught(/or its answer is another/, { opening: "june.opening" }, "forged");
    expect((await verify(here, "june", { list: false })).exit).toBe(2);
    expect((await verify(here, "june", { opening: "areas.txt" })).exit).toBe(2);
    expect((await winnowHere(here, ["verify", "june.json", "--rows", "visits.csv"])).exit).toBe(2);
  });

  it("a draw that wasn't kept stays as an open reservation, and both verifiers count it", async () => {
    const here = place();
    const question = readQuestion(
      (JSON.parse((await ask(here, TOP, "--release-id", "plain")).stdout) as { question: never }).question,
    );
    const ledger = await openLedger(here.file("winnow.ledger"));
    const bits = await reservedBits(newOpening("unloved"), { dataset: "visits", question });
    await ledger.reserve("visits", "unloved", question, { bits });
    await ledger.close();
    await committed(here, "loved");
    const { exit, stdout } = await verify(here, "loved");
    expect(exit).toBe(0);
    expect(stdout).toMatch(
      /1 reservation is open \(entry 2\): each is a run that ended early, or an answer that was drawn/,
    );
    expect(JSON.parse((await winnowHere(here, ["verify", "loved.json", "--json"])).stdout)).toMatchObject({
      open: [2],
    });
    expect(python(here, "winnow.ledger", "loved.json")).toMatch(/1 reservation is open \(entry 2\)/);
    expect(python(here, "winnow.ledger")).toMatch(/^All is well/);
  });

  it("a release whose reservation was dropped or replaced isn't borne out", async () => {
    const here = place();
    await committed(here, "june");
    await winnowHere(here, ["budget", "export", "-o", "log.jsonl"]);
    const [first, reservation, release] = readFileSync(here.file("log.jsonl"), "utf8").split("\n");
    const other = await reservedBits(newOpening("june"), { dataset: "visits", question: {} });
    const { createHash } = await import("node:crypto");
    const hash = (text: string) => createHash("sha256").update(text).digest("hex");
    const ledgerOf = (...lines: string[]) => {
      let previous = "0".repeat(64);
      const chained = lines.map((line, i) => {
        const text = line
          .replace(/"previous":"[\da-f]{64}"/, `"previous":"${previous}"`)
          .replace(/("release":.*|"question":.*)?"sequence":\d+/, (part) =>
            part.replace(/"sequence":\d+$/, `"sequence":${i + 1}`),
          );
        previous = hash(text);
        return text;
      });
      const head = first!
        .replace(/"entries":\d+/, `"entries":${lines.length}`)
        .replace(/"head":"[\da-f]+"/, `"head":"${previous}"`);
      writeFileSync(here.file("forged.jsonl"), [head, ...chained, ""].join("\n"));
    };
    ledgerOf(release!);
    expect(python(here, "forged.jsonl")).toMatch(/it commits to bits, and no reservation before it does/);
    ledgerOf(reservation!.replace(/"seed":"[\da-f]{64}"/, `"seed":"${other.seed}"`), release!);
    expect(python(here, "forged.jsonl")).toMatch(/it isn't drawn with the bits that were reserved for it/);
    ledgerOf(reservation!, release!);
    expect(python(here, "forged.jsonl")).toMatch(/^All is well/);
  });

  it("writes no opening, and charges nothing, where the run is refused; and never replaces one", async () => {
    const here = place();
    const refused = await ask(
      here,
      [...TOP.slice(0, 3), "--epsilon", "0", "--domain", "areas.txt"],
      "--commit-bits",
      "o",
    );
    expect(refused.exit).toBe(2);
    expect(existsSync(here.file("o"))).toBe(false);
    writeFileSync(here.file("o"), "mine");
    expect((await ask(here, TOP, "--commit-bits", "o")).exit).toBe(2);
    expect(readFileSync(here.file("o"), "utf8")).toBe("mine");
    await committed(here, "june");
    const again = await ask(here, TOP, "--release-id", "june", "--commit-bits", "again");
    expect(again).toMatchObject({ exit: 0, stdout: readFileSync(here.file("june.json"), "utf8") });
    expect(existsSync(here.file("again"))).toBe(false);
  });
});
