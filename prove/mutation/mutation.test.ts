import { execFile } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

interface Survivor {
  readonly file: string;
  /** The line of the source, what is changed in it, and to what. */
  readonly line: string;
  readonly from: string;
  readonly to: string;
  readonly reason: string;
}

interface Score {
  readonly mutants: number;
  readonly killed: number;
  readonly explained: number;
}

const source = (file: string) => new URL(`../../packages/core/src/${file}`, import.meta.url);
const json = (name: string) => JSON.parse(readFileSync(new URL(name, import.meta.url), "utf8"));
const survivors: readonly Survivor[] = json("survivors.json");
const scores: Readonly<Record<string, Score>> = json("scores.json");

const summary = import(new URL("summary.js", import.meta.url).href);

/** Small enough for every test run. */
const SAMPLE = "accounting/curve";

async function mutate(tests: string): Promise<{ status: unknown; stdout: string }> {
  const program = fileURLToPath(new URL("mutate.js", import.meta.url));
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("VITEST")));
  return await new Promise((resolve) => {
    execFile(process.execPath, [program, `--tests=${tests}`, SAMPLE], { env }, (error, stdout) =>
      resolve({ status: error?.code ?? 0, stdout }),
    );
  });
}

describe("mutants", () => {
  it(`of ${SAMPLE} are all killed or explained`, async () => {
    const { status, stdout } = await mutate(`packages/core/test/${SAMPLE}.test.ts`);
    expect(stdout).toMatch(/: [1-9]\d* of \d+ killed, \d+ explained, 0 open\n$/);
    expect(status).toBe(0);
  });

  // Half a minute more: not in every run.
  if (process.env.PROVE === "all")
    it("that no test reaches are found", async () => {
      const { status, stdout } = await mutate("packages/core/test/sha256.test.ts");
      expect(stdout).toMatch(/: 0 of \d+ killed, 0 explained, [1-9]\d* open\n/);
      expect(status).toBe(1);
    });
});

describe("the list of survivors", () => {
  it("is of mutants that the sources still have, each with a reason", () => {
    for (const { file, line, from, reason } of survivors) {
      const lines = readFileSync(source(file), "utf8").split("\n").map(oneLine);
      expect(lines).toContain(line);
      expect(oneLine(lines.join(" "))).toContain(from);
      expect(reason.length).toBeGreaterThan(10);
    }
  });

  it("leaves no mutant open in the files that were run, and 95 in 100 are killed that change more than time or memory", async () => {
    const all = Object.entries(scores);
    expect(all.filter(([file]) => !existsSync(source(file)))).toEqual([]);
    expect(all.filter(([, { mutants, killed, explained }]) => killed + explained < mutants)).toEqual([]);
    // One entry a mutant: two mutants of one description, of which one would go unseen, are more.
    const listed = (name: string) => survivors.filter(({ file }) => file === name).length;
    expect(all.filter(([file, { explained }]) => explained !== listed(file))).toEqual([]);
    const { sumOf } = await summary;
    const { killed, mutants, slower } = sumOf(Object.keys(scores), { scores, survivors });
    expect(killed / (mutants - slower)).toBeGreaterThanOrEqual(0.95);
  });
});

describe("the documents", async () => {
  const { readResults, sentencesOf, tableOf } = await summary;
  const page = (name: string) => readFileSync(new URL(`../../docs/${name}.md`, import.meta.url), "utf8");

  it("say what was run, as `node prove/mutation/summary.js` writes it", () => {
    expect(page("guide/mutants")).toContain(`\n${tableOf(readResults())}\n\n`);
    for (const sentence of sentencesOf(readResults()))
      expect(page("limits-unchecked")).toContain(`\n${sentence}\n`);
  });
});

function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}
