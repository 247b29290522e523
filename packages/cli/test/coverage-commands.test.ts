/** The commands of docs/coverage.md run, and what an audit prints names the items that it is cited for. */
import { describe, expect, it } from "vitest";
import { seededEntropy } from "winnow-dp/testing";
import { cites, label, named, present } from "../../core/test/repository/coverage-page.js";
import { type AuditSubjects, auditSubjects, runAudit } from "../src/audit-report/run-audit.js";
import { textReport } from "../src/audit-report/text-report.js";
import { PLAIN } from "../src/render/terminal.js";
import { winnowHere } from "./support/in-process.js";
import { folder } from "./support/winnow.js";

const PLATEAU = [
  100,
  100,
  99,
  99,
  ...Array<number>(15).fill(98),
  54,
  53,
  53,
  52,
  ...Array<number>(20).fill(50),
];
const FILES = {
  "scores.txt": "30\n20\n10\n",
  "value.txt": "4\n",
  "plateau.txt": PLATEAU.join("\n"),
  "votes.csv": `query,teacher,label\n${Array.from({ length: 200 }, (_, teacher) => `0,${teacher},2\n1,${teacher},0\n`).join("")}`,
};

const commands = new Set(present.flatMap(({ command }) => named(command)));
const ran = [...commands].filter((command) => /^winnow (?!audit )/.test(command));

describe("the page of what is covered names commands that print something:", () => {
  it.each(ran)("%s", async (command) => {
    const args = command.split(" ").slice(1);
    const quick = args[0] === "simulate" ? ["--runs", "20", "--seed", "covered"] : [];
    const { exit, stdout } = await winnowHere(folder(FILES), [...args, ...quick]);
    expect(exit).toBe(0);
    expect(stdout.split("\n").length).toBeGreaterThan(3);
  });
});

describe("the two examples of [ZW22] that the page names", () => {
  const example = async (item: string) => {
    const [command] = named(present.find((row) => row.paper === "ZW22" && row.item === item)!.command);
    const args = [...command.split(" ").slice(1), "--runs", "20", "--seed", "covered", "--json"];
    const [{ indices, k }] = JSON.parse((await winnowHere(folder(FILES), args)).stdout).frequencies;
    return { indices, k };
  };
  const first = (count: number) => Array.from({ length: count }, (_, i) => i);

  it("release the 19 above the gap most often, though k = 3 would cut them", async () => {
    expect(await example("Example A")).toEqual({ indices: first(19), k: 19 });
  });

  it("add one to them where 20 are asked for", async () => {
    const { indices } = await example("Example B");
    expect(indices).toHaveLength(20);
    expect(indices).toEqual(expect.arrayContaining(first(19)));
  });
});

/** All subjects with their words, and none of their work. */
function withoutWork(subjects: AuditSubjects): AuditSubjects {
  const played = subjects.attacks
    .find(({ id }) => id === "ties-by-index")!
    .run({ rounds: 2, entropy: seededEntropy("played") });
  const found = { claimed: 1, found: { least: 1, most: 1 }, where: "", pairs: 1, holds: true };
  return {
    ...subjects,
    attacks: subjects.attacks.map((attack) => ({ ...attack, run: () => played })),
    claims: subjects.claims.map((claim) => ({ ...claim, check: () => found })),
    trees: [],
    runs: [],
    timings: subjects.timings.map((timed) => ({ ...timed, prepare: () => () => {} })),
  };
}

describe("the page of what is covered names an audit that names the item:", () => {
  it.each(["attacks", "exact", "timing"] as const)("winnow audit --%s", async (part) => {
    const setting = { parts: [part], quick: true, onSubject: async () => {} };
    const printed = textReport(await runAudit(setting, withoutWork(auditSubjects())), PLAIN);
    const cited = present.filter(({ command }) => command === `\`winnow audit --${part}\``);
    expect(cited.length).toBeGreaterThan(0);
    expect(cited.filter((row) => !cites(printed, row)).map(label)).toEqual([]);
  });
});
