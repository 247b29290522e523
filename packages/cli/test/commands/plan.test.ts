import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { winnowHere } from "../support/in-process.js";
import { AREAS, VISITS } from "../support/visits.js";
import { folder } from "../support/winnow.js";

const SCORES = Array.from({ length: 40 }, (_, i) => Math.round(1000 / (i + 1))).join("\n");
const PLAN = ["plan", "-k", "5", "--scores", "scores.txt", "--runs", "100", "--seed", "a plan"];

interface Row {
  readonly mechanism: string;
  readonly epsilon: string;
  readonly utility: { recall: { mean: number; standardError: number }; gapError?: { mean: number } };
}

describe("winnow plan", () => {
  it("shows for each mechanism that more ε buys more", async () => {
    const place = folder({ "scores.txt": SCORES });
    const { exit, stdout } = await winnowHere(place, [
      ...PLAN,
      "--epsilon",
      "0.05,0.5,5",
      "--delta",
      "1e-6",
      "--json",
    ]);
    expect(exit).toBe(0);
    const { schema, rows } = JSON.parse(stdout) as { schema: string; rows: Row[] };
    expect(schema).toBe("winnow-plan/1");
    const mechanisms = [...new Set(rows.map(({ mechanism }) => mechanism))];
    expect(mechanisms).toEqual(["top-k-with-gap", "top-k", "limited-top-k", "stable-top-k-fixed"]);
    for (const mechanism of mechanisms) {
      const recalls = rows
        .filter((row) => row.mechanism === mechanism)
        .map(({ utility }) => utility.recall.mean);
      expect(recalls).toEqual(recalls.toSorted((a, b) => a - b));
      expect(recalls.at(-1)).toBeGreaterThan(0.9);
    }
    const gapErrors = rows.flatMap(({ utility }) => utility.gapError?.mean ?? []);
    expect(gapErrors).toHaveLength(3);
    expect(gapErrors[0]).toBeGreaterThan(gapErrors[2]);
  });

  it("is made in ρ too, for public lists and unknown domains", async () => {
    const place = folder({ "scores.txt": SCORES });
    const asked = [...PLAN, "--rho", "0.001,1", "--delta", "1e-6"];
    const { rows } = JSON.parse((await winnowHere(place, [...asked, "--json"])).stdout);
    expect(
      rows.map(({ mechanism, rho }: { mechanism: string; rho: string }) => `${mechanism} ${rho}`),
    ).toEqual([
      ...["top-k 0.001", "top-k 1", "limited-top-k 0.001", "stable-top-k-fixed 0.001"],
      ...["limited-top-k 1", "stable-top-k-fixed 1"],
    ]);
    expect(rows[1].question).toMatchObject({ rho: "1" });
    expect((await winnowHere(place, asked)).stdout).toMatch(/mechanism +candidates +ρ +recall/);
    expect((await winnowHere(place, [...asked, "--recall", "0.9"])).exit).toBe(2);
  });

  it("is for one of several groups, which gets a part of the loss", async () => {
    const place = folder({ "scores.txt": SCORES });
    const rowsOf = async (...more: string[]) => {
      const ended = await winnowHere(place, [...PLAN, "--delta", "1e-6", "--json", ...more]);
      expect(ended.exit, ended.stderr).toBe(0);
      return JSON.parse(ended.stdout).rows;
    };
    const alone = await rowsOf("--epsilon", "0.25");
    const grouped = await rowsOf("--epsilon", "1", "--max-groups-per-user", "4");
    expect(grouped).toHaveLength(alone.length);
    expect(grouped[0]).toMatchObject({ epsilon: "1", question: { epsilon: "0.25" } });
    const recalls = (rows: Row[]) => rows.map(({ mechanism, utility }) => [mechanism, utility.recall.mean]);
    expect(recalls(grouped).slice(0, 2)).toEqual(recalls(alone).slice(0, 2));
    expect(grouped.at(-1).question.delta).toBe("0.00000025");
    const said = await winnowHere(place, [...PLAN, "--epsilon", "1", "--max-groups-per-user", "4"]);
    expect(said.stdout).toContain("Each group gets 1/4 of the loss, however many groups there are.");
  });

  it("is a table, and a picture without a script", async () => {
    const place = folder({ "scores.txt": SCORES });
    const { stdout } = await winnowHere(place, [...PLAN, "--epsilon", "0.1,1", "--plot", "plan.svg"]);
    expect(stdout).toMatch(/mechanism +candidates +ε +recall +lead off by\n/);
    expect(stdout).toMatch(/top-k-with-gap +public +0\.1 +\d+\.\d % +± \d\.\d % +\d/);
    expect(stdout).toContain("Top 5 of 40 on the public counts in scores.txt.\n  100 exact simulations each");
    const svg = readFileSync(place.file("plan.svg"), "utf8");
    expect(svg).toMatch(/^<svg [^>]*role="img"/);
    expect(svg).not.toMatch(/<script|href|NaN|undefined/);
    expect((await winnowHere(place, [...PLAN, "--plot", "plan.svg"])).exit).toBe(2);
  });

  it("claims no error where all runs gave the same", async () => {
    const place = folder({ "scores.txt": "9000\n5000\n1\n" });
    const asked = ["plan", "-k", "1", "--scores", "scores.txt", "--epsilon", "10", "--runs", "5"];
    const { stdout } = await winnowHere(place, asked);
    expect(stdout).toMatch(/top-k-with-gap +public +10 +100\.0 % +in all runs/);
    expect(stdout).not.toContain("± 0.0 %");
  });

  it("goes from a goal to an ε that reaches it, and no further than a step below", async () => {
    const place = folder({ "scores.txt": SCORES });
    const { stdout } = await winnowHere(place, [
      ...PLAN,
      "--recall",
      "0.9",
      "--mechanism",
      "top-k-with-gap",
      "--json",
    ]);
    const [{ epsilon, recall }] = JSON.parse(stdout).rows;
    expect(recall.mean).toBeGreaterThanOrEqual(0.9);
    const halved = ["--epsilon", String(epsilon / 2), "--mechanism", "top-k-with-gap", "--json"];
    const below = JSON.parse((await winnowHere(place, [...PLAN, ...halved])).stdout).rows[0].utility.recall
      .mean;
    expect(below).toBeLessThan(0.9);
  });

  it("plans on generated visits where nothing is given, and on public rows", async () => {
    const place = folder({ "twin.csv": `user,area\n${"a,mail\nb,mail\nc,news\n".repeat(3)}` });
    const generated = await winnowHere(place, [
      "plan",
      "-k",
      "3",
      "--items",
      "30",
      "--users",
      "500",
      "--epsilon",
      "1",
      "--runs",
      "20",
    ]);
    expect(generated.stdout).toContain("Top 3 of 30 on generated visits of 500 people to 30 items");
    const twin = await winnowHere(place, [
      "plan",
      "-k",
      "1",
      "--public",
      "twin.csv",
      "--epsilon",
      "1",
      "--runs",
      "20",
    ]);
    expect(twin.stdout).toContain("Top 1 of 2 on the public rows in twin.csv");
  });

  it("plans for a number of winners that the data choose", async () => {
    const place = folder({ "scores.txt": "900\n880\n850\n3\n2\n1\n" });
    const args = [...PLAN, "--adaptive", "--delta", "1e-6", "--epsilon", "5", "--json"];
    const [{ mechanism, utility }] = JSON.parse((await winnowHere(place, args)).stdout).rows;
    expect(mechanism).toBe("stable-top-k");
    expect(utility.released.mean).toBe(1);
  });

  it("plans for one mechanism alone, of either kind", async () => {
    const place = folder({ "scores.txt": SCORES });
    for (const mechanism of ["top-k", "stable-top-k-fixed"]) {
      const args = [...PLAN, "--mechanism", mechanism, "--delta", "1e-6", "--epsilon", "3", "--json"];
      const { stdout, stderr } = await winnowHere(place, args);
      expect(
        JSON.parse(stdout).rows.map((row: Row) => row.mechanism),
        stderr,
      ).toEqual([mechanism]);
    }
  });

  it("shows what δ over a public list buys, and a release asks for it alike", async () => {
    const scores = Array.from({ length: 40 }, (_, i) => `${9000 - 100 * i}\n`).join("");
    const place = folder({ "scores.txt": scores, "visits.csv": VISITS, "areas.txt": AREAS });
    const planned = await winnowHere(place, [
      ...["plan", "-k", "10", "--scores", "scores.txt", "--epsilon", "1", "--delta", "1e-6", "--runs", "2"],
    ]);
    expect(planned.stdout).toMatch(/top-k +public, with δ +1 /);
    const asked = ["top", "visits.csv", "-k", "2", "--domain", "areas.txt", "--dry-run"];
    const short = await winnowHere(place, [...asked, "--epsilon", "1", "--delta", "1e-6"]);
    expect(short.stderr).toContain("δ isn't spent: for 2 winners, exponential noise for ε alone is smaller");
    const named = [...asked, "--epsilon", "1", "--delta", "1e-6", "--mechanism", "top-k"];
    expect((await winnowHere(place, named)).stderr).toContain("Gumbel noise in (ε, δ), as asked");
  });

  it.each([
    ["no k", ["plan", "--scores", "scores.txt"], "-k must "],
    ["two things to plan on", [...PLAN, "--public", "scores.txt"], "--scores and --public"],
    ["a goal that is none", [...PLAN, "--recall", "1.5"], "--recall must be"],
    ["a mechanism that is none", [...PLAN, "--mechanism", "guess"], "guess"],
    ["more winners than candidates", [...PLAN.with(2, "41")], "-k must "],
    ["an adaptive k without δ", [...PLAN, "--adaptive"], "--delta"],
  ])("refuses %s", async (_, args, sentence) => {
    const { exit, stdout, stderr } = await winnowHere(folder({ "scores.txt": SCORES }), args);
    expect({ exit, stdout }).toEqual({ exit: 2, stdout: "" });
    expect(stderr).toContain(sentence);
  });
});
