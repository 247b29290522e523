import { describe, expect, it } from "vitest";
import { winnowHere } from "../support/in-process.js";
import { type Folder, folder } from "../support/winnow.js";

/** 200 teachers who agree: query 0 is a 2, query 1 a 0; on query 2 nobody says anything. */
const VOTES = `query,teacher,label\n${Array.from({ length: 200 }, (_, teacher) => `0,${teacher},2\n1,${teacher},0\n`).join("")}`;
const ASKED = ["pate", "votes.csv", "--queries", "3", "--teachers", "200", "--labels", "4"];
const PRICE = ["--epsilon", "4", "--delta", "1e-6"];

const logOf = async (place: Folder) =>
  JSON.parse((await winnowHere(place, ["budget", "log", "--json"])).stdout).entries;

describe("winnow pate", () => {
  it("releases the labels that the teachers agree on, and records them", async () => {
    const place = folder({ "votes.csv": VOTES });
    const { exit, stdout, stderr } = await winnowHere(place, [...ASKED, ...PRICE, "--json"]);
    expect(exit).toBe(0);
    const release = JSON.parse(stdout);
    expect(release).toMatchObject({
      schema: "winnow-labels/1",
      dataset: "votes.csv",
      question: {
        kind: "labels",
        task: "multi-class",
        teachers: { size: 200 },
        epsilon: "4",
        neighbours: "replace",
      },
      answer: [
        { query: "0", labels: ["2"] },
        { query: "1", labels: ["0"] },
        { query: "2", labels: [] },
      ],
      loss: { measure: "approx", delta: "0.000001" },
    });
    expect(stderr).toContain("The unit of privacy is everything in the data of one teacher");
    expect((await logOf(place)).map(({ release: { id } }: { release: { id: string } }) => id)).toEqual([
      release.id,
    ]);
  });

  it("prints the same labels again under the same id, and charges once", async () => {
    const place = folder({ "votes.csv": VOTES });
    const asked = [...ASKED, "--rho", "0.5", "--release-id", "june"];
    const first = await winnowHere(place, asked);
    const again = await winnowHere(
      place,
      asked.map((word) => (word === "0.5" ? "1/2" : word)),
    );
    expect(again).toMatchObject({ exit: 0, stdout: first.stdout });
    expect(again.stderr).toContain("nothing was charged");
    expect(await logOf(place)).toHaveLength(1);
    const other = await winnowHere(place, [...asked, "--unit", "one hospital"]);
    expect(other.exit).toBe(2);
  });

  it("takes any number of labels, and names for them", async () => {
    const place = folder({ "votes.csv": VOTES, "labels.txt": "0\n1\n2\n=HYPERLINK(1)\n" });
    const names = [...ASKED.slice(0, -1), "labels.txt", "--task", "multi-label", "--csv"];
    // Where nobody says anything some label passes its test by chance, with a probability far below δ.
    const { exit, stdout } = await winnowHere(place, [...names, "--rho", "4", "--delta", "1e-12", "--yes"]);
    expect(exit).toBe(0);
    expect(stdout).toBe("query,label\r\n0,2\r\n1,0\r\n2,\r\n");
  });

  it("says what it would cost and touches nothing", async () => {
    const place = folder();
    const { exit, stdout } = await winnowHere(place, [...ASKED, ...PRICE, "--dry-run"]);
    expect(exit).toBe(0);
    expect(stdout).toMatch(/The labels would cost ε = [23]\.\d+, δ = 0\.000001\.\n.*\n {2}Nothing was read/);
    expect((await winnowHere(place, ["budget", "show"])).exit).toBe(4);
  });

  it("says plainly when the answers cost less than was allowed, and charges no more", async () => {
    const place = folder({ "votes.csv": VOTES });
    const { stdout } = await winnowHere(place, [...ASKED, ...PRICE]);
    const [, cost] =
      /ε = 4 was allowed; 3 queries cost ε = (\S+) in total, and only that is charged\./.exec(stdout) ?? [];
    expect(Number(cost)).toBeLessThan(4);
    const [{ release }] = await logOf(place);
    expect(release.loss.readable).toBe(`ε = ${cost}, δ = 0.000001`);
    const inRho = await winnowHere(place, [...ASKED, "--rho", "1"]);
    expect(inRho.stdout).not.toContain("allowed");
  });

  it.each([
    ["no queries", ["pate", "votes.csv", ...PRICE], 2, "--queries must be a number"],
    ["no price", ASKED, 2, "exactly one of --epsilon"],
    ["no δ", [...ASKED, "--epsilon", "1"], 2, "--delta must be"],
    ["a δ that nothing needs", [...ASKED, "--rho", "1", "--delta", "1e-6"], 2, "--delta must be left out"],
    ["a ρ below 0", [...ASKED, "--rho", "-1"], 2, '--rho must be a rational > 0; got "-1".'],
    ["a file that is missing", [...ASKED.with(1, "none.csv"), ...PRICE], 4, "doesn't exist"],
  ])("with %s is refused, and nothing is charged", async (_, args, code, sentence) => {
    const place = folder({ "votes.csv": VOTES });
    const { exit, stdout, stderr } = await winnowHere(place, args);
    expect({ exit, stdout }).toEqual({ exit: code, stdout: "" });
    expect(stderr).toContain(sentence);
  });

  it("has no use for a δ of the configuration where none is needed", async () => {
    const place = folder({ "votes.csv": VOTES, "winnow.json": '{ "delta": "1e-6" }' });
    const { exit, stdout } = await winnowHere(place, [...ASKED, "--rho", "1", "--dry-run"]);
    expect({ exit, stdout }).toMatchObject({ exit: 0, stdout: expect.stringContaining("would cost ρ = 1.") });
  });

  it("over the budget is refused", async () => {
    const place = folder({ "votes.csv": VOTES });
    await winnowHere(place, ["budget", "init", "votes.csv", "--epsilon", "1", "--delta", "1e-6"]);
    const { exit, stdout } = await winnowHere(place, [...ASKED, ...PRICE]);
    expect({ exit, stdout }).toEqual({ exit: 3, stdout: "" });
  });
});
