import { readFileSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { chargesIn, expectRefused } from "../support/expect-refused.js";
import { winnowHere } from "../support/in-process.js";
import { AREAS, VISITS } from "../support/visits.js";
import { folder } from "../support/winnow.js";

const TOP_3 = ["export", "opendp", "-k", "3", "--monotone"];

describe("winnow export opendp", () => {
  it("writes the measurement of one group, and says what all groups cost", async () => {
    const place = folder({});
    const inGroups = [...TOP_3, "--epsilon", "1", "--max-groups-per-user", "2"];
    const made = await winnowHere(place, inGroups);
    expect(made.exit, made.stderr).toBe(0);
    expect(made.stdout).toBe((await winnowHere(place, [...TOP_3, "--epsilon", "1/2"])).stdout);
    expect(made.stderr).toContain("a run costs ε = 0.5.");
    expect(made.stderr).toContain("All groups together cost ε = 1, however many there are");
    const scaled = [...TOP_3, "--scale", "8", "--measure", "pure", "--max-groups-per-user", "2"];
    expect((await winnowHere(place, scaled)).stderr).toContain("needs --epsilon or --rho");
  });

  it("writes what winnow import opendp reads", async () => {
    const place = folder();
    const written = await winnowHere(place, [
      ...[...TOP_3, "--scale", "2", "--measure", "pure", "--negate"],
      ...["--scores", "u32", "--size", "9", "-o", "top.json"],
    ]);
    expect(written).toMatchObject({ exit: 0, stdout: "" });
    expect(written.stderr).toContain("For a sensitivity of 1, a run costs ε = 1.5.");
    const read = await winnowHere(place, ["import", "opendp", "top.json"]);
    expect(read).toMatchObject({
      exit: 0,
      stdout:
        'makeNoisyTopK({ k: 3, measure: "pure", method: "peel", monotone: true, negate: true, scale: "2" })\n  Scores are u32, of 9 candidates. For a sensitivity of 1, a run costs ε = 1.5.\n',
    });
  });

  it("takes a loss instead of a scale, and says what rounding the scale made of it", async () => {
    const place = folder();
    const given = [...TOP_3, "--epsilon", "7/10"];
    const says = "The scale of the noise must be a double, as OpenDP's scales are";
    expectRefused(await winnowHere(place, given), { exit: 2, code: "usage", says });
    const rounded = await winnowHere(place, [...given, "--round-scale", "-o", "top.json"]);
    expect(rounded.stderr).toContain("The scale was rounded up from 30/7 to the double 4.2857142857142865.");
    const read = await winnowHere(place, ["import", "opendp", "top.json", "--sensitivity", "2", "--json"]);
    const { loss, scale, measure } = JSON.parse(read.stdout);
    expect(measure).toBe("pure");
    expect(Number(loss.epsilon.split("/")[0]) / Number(loss.epsilon.split("/")[1])).toBeCloseTo(1.4, 12);
    expect(scale).toMatch(/^\d+\/\d+$/);
  });

  it("takes ρ, with Gumbel noise", async () => {
    const { stdout } = await winnowHere(folder(), [...TOP_3, "--rho", "0.1", "--round-scale"]);
    expect(stdout).toContain("zero_concentrated_divergence");
  });

  it.each([
    [["export", "opendp", "--scale", "1", "--measure", "pure"], "-k must say how many"],
    [TOP_3, "Exactly one of --scale, --epsilon and --rho"],
    [[...TOP_3, "--scale", "1", "--rho", "1", "--measure", "pure"], "Exactly one of --scale"],
    [[...TOP_3, "--scale", "1"], "--measure must be given with --scale"],
    [[...TOP_3, "--rho", "1", "--measure", "zcdp"], "--measure must be given with --scale"],
  ])("refuses %j", async (given, says) => {
    expectRefused(await winnowHere(folder(), given), { exit: 2, code: "usage", says });
  });

  it("doesn't take its loss from the configuration of releases", async () => {
    const place = folder({ "winnow.json": '{ "epsilon": "1/2" }' });
    const ended = await winnowHere(place, [...TOP_3, "--scale", "1", "--measure", "pure"]);
    expect(ended.exit, ended.stderr).toBe(0);
  });
});

describe("winnow import opendp", () => {
  it("refuses what it wouldn't match", async () => {
    const place = folder({ "max.json": '{"__function__": "make_noisy_max"}' });
    const ended = await winnowHere(place, ["import", "opendp", "max.json"]);
    expectRefused(ended, {
      exit: 2,
      code: "usage",
      says: 'The measurement "max.json" cannot be used: the measurement must be an object with',
    });
  });
});

const FILES = { "visits.csv": VISITS, "areas.txt": AREAS };
const DESCRIBED = ["export", "csvw", "--item", "area", "--user", "user", "-o", "visits.json"];
const ASKED = ["top", "visits.csv", "-k", "2", "--epsilon", "1", "--metadata", "visits.json"];

describe("metadata", () => {
  it("that winnow export csvw wrote are the columns and the list of a question", async () => {
    const place = folder(FILES);
    await winnowHere(place, [...DESCRIBED, "--domain", "areas.txt"]);
    const { exit, stdout, stderr } = await winnowHere(place, [...ASKED, "--json"]);
    expect(exit, stderr).toBe(0);
    const { question, source } = JSON.parse(stdout);
    expect(question.domain).toMatchObject({ kind: "listed", size: AREAS.trim().split("\n").length });
    expect(source).toMatchObject({ item: "area", user: "user" });
    const listed = await winnowHere(place, [
      ...["top", "visits.csv", "--item", "area", "--user", "user", "-k", "2", "--epsilon", "1"],
      ...["--domain", "areas.txt", "--json"],
    ]);
    expect(JSON.parse(listed.stdout).question).toEqual(question);
  });

  it("bound what a person counts for, where that matters", async () => {
    const place = folder(FILES);
    await winnowHere(place, [...DESCRIBED, "--max-items-per-user", "2"]);
    const names = ["names", ...ASKED.slice(1).filter((word) => word !== "-k" && word !== "2")];
    const { stdout, stderr } = await winnowHere(place, [...names, "--delta", "1e-6", "--json"]);
    expect(JSON.parse(stdout).question.maxItemsPerUser, stderr).toBe(2);
    const fewer = [...names, "--delta", "1e-6", "--max-items-per-user", "1", "--json"];
    expect(JSON.parse((await winnowHere(place, fewer)).stdout).question.maxItemsPerUser).toBe(1);
  });

  it.each([
    [["--user", "area"], "usage", '--user "area" contradicts --metadata, which says "user".'],
    [["--item", "aera"], "unknown-column", '--metadata has no column "aera". Did you mean "area"?'],
    [["--domain", "other.txt"], "usage", '--domain "other.txt" contradicts --metadata, which says another'],
    [["--domain-size", "9"], "usage", "--domain-size 9 contradicts --metadata, which says a list."],
    [["--max-items-per-user", "4"], "usage", "--max-items-per-user 4 contradicts --metadata, which says 3."],
  ] as const)("refuse what contradicts them: %j", async (given, code, says) => {
    const place = folder({ ...FILES, "other.txt": "elsewhere\n" });
    await winnowHere(place, [...DESCRIBED, "--domain", "areas.txt", "--max-items-per-user", "3"]);
    expectRefused(await winnowHere(place, [...ASKED, ...given]), { exit: 2, code, says });
    expect(await chargesIn(place)).toBe(0);
  });

  it("don't make a list public that they don't call invariant", async () => {
    const place = folder(FILES);
    await winnowHere(place, [...DESCRIBED, "--domain", "areas.txt"]);
    const text = readFileSync(place.file("visits.json"), "utf8");
    writeFileSync(place.file("visits.json"), text.replace('"invariantPublicKeys": true', '"x": 1'));
    const ended = await winnowHere(place, ASKED);
    expect(ended.stderr).toContain("are not used as candidates, because invariantPublicKeys is not true");
    expectRefused(ended, { exit: 2, code: "usage", says: "--delta must be given" });
  });

  it("must be public: the rows themselves are refused unread", async () => {
    const place = folder(FILES);
    const ended = await winnowHere(place, [...ASKED.slice(0, -1), "visits.csv"]);
    expectRefused(ended, { exit: 2, code: "not-public", says: "--metadata must be a public file" });
  });
});
