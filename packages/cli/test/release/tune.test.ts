/** `--tune`: a mechanism chosen by looking at the rows, for a stated share of the loss, as an entry of the ledger before the release. */
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { rational } from "winnow-dp";
import { all } from "../../../release/test/ledger/laws/place.js";
import { findLedger } from "../../src/ledger/open-ledger.js";
import { chargesIn, expectRefused } from "../support/expect-refused.js";
import { winnowHere } from "../support/in-process.js";
import { folder } from "../support/winnow.js";

/** 3,000 people with 13 of 60 places each, of which the first are far more popular than the last. */
const ROWS = `user,area\n${Array.from({ length: 3000 }, (_, person) =>
  Array.from(
    { length: 13 },
    (_, i) => `u${person},a${Math.floor(60 * (((person * 13 + i * 7) % 101) / 101) ** 3)}`,
  ).join("\n"),
).join("\n")}\n`;
const ASKED = [
  "top",
  "visits.csv",
  "--item",
  "area",
  "--user",
  "user",
  "-k",
  "20",
  "--epsilon",
  "1",
  "--delta",
  "1e-6",
];
const TUNE = ["--tune", "1/10"];

async function entriesOf(place: ReturnType<typeof folder>) {
  const ledger = (await findLedger(place.file("winnow.ledger")))!;
  try {
    return await all(ledger.entries());
  } finally {
    await ledger.close();
  }
}

describe("winnow top --tune", () => {
  it("charges the choice before the answer, which gets the rest, and both are priced again", async () => {
    const place = folder({ "visits.csv": ROWS });
    await winnowHere(place, ["budget", "init", "visits.csv", "--epsilon", "1", "--delta", "1e-6"]);
    const { exit, stdout, stderr } = await winnowHere(place, [
      ...ASKED,
      ...TUNE,
      "--json",
      "--output",
      "r.json",
    ]);
    expect(exit, stderr).toBe(0);
    expect(stdout).toBe("");
    expect(stderr).toMatch(
      /--tune 0\.1: Winnow looks at the rows to choose between limited-top-k, threshold-top-k with at most 3 items a person, .* for at most ε = 0\.09\d+; the answer gets the rest of the loss\./,
    );
    const [choice, made] = (await entriesOf(place)).flatMap((entry) =>
      entry.kind === "release" ? [entry.release as unknown as Record<string, never>] : [],
    ) as unknown as [Choice, Made];
    expect(choice).toMatchObject({
      schema: "winnow-tune/1",
      id: `${made.id}#tune`,
      loss: { measure: "pure" },
    });
    expect(Object.keys(choice).sort()).toEqual(
      [
        ...["answer", "dataset", "id", "loss", "noise", "question", "schema", "software", "source", "time"],
      ].sort(),
    );
    expect(stderr).toContain(`Winnow chose ${choice.answer.mechanism}`);
    expect(made.question).toMatchObject({ ...choice.answer, epsilon: "0.9", delta: "0.000001" });
    expect(JSON.parse(readFileSync(place.file("r.json"), "utf8")).question).toEqual(made.question);
    const spent = rational(choice.loss.epsilon).plus(rational("0.9"));
    expect(spent.compare(1n)).toBeLessThanOrEqual(0);
    const checked = await winnowHere(place, ["budget", "verify"]);
    expect(checked.exit, checked.stderr).toBe(0);
    expect(checked.stdout + checked.stderr).not.toMatch(/not priced/);
    const script = new URL("../../verify.py", import.meta.url).pathname;
    const second = spawnSync("python3", [script, "winnow.ledger"], { encoding: "utf8", cwd: place.path });
    expect(second.status, second.stdout + second.stderr).toBe(0);
    expect(second.stdout + second.stderr).not.toMatch(/not priced/);
  });

  it("records of computed items only how they are called, as the release does", async () => {
    const place = folder({ "visits.csv": ROWS, "names.csv": "area,name\na0,one\na1,two\na2,three\n" });
    const asked = [...ASKED, ...TUNE, "--item", "lower(area)", "--map", "names.csv", "--yes"];
    const { exit, stderr } = await winnowHere(place, asked);
    expect(exit, stderr).toBe(0);
    const sources = (await entriesOf(place)).flatMap((entry) =>
      entry.kind === "release" ? [(entry.release as { source?: object }).source] : [],
    );
    expect(sources).toMatchObject([
      { item: "area, lower(area)", user: "user" },
      { item: "area, lower(area)", user: "user" },
    ]);
    expect(sources[0]).toEqual({ item: "area, lower(area)", user: "user" });
  });

  it("is made once: asking again prints the stored answer, and the rows may be gone", async () => {
    const place = folder({ "visits.csv": ROWS });
    const ask = [...ASKED, ...TUNE, "--release-id", "may", "--json"];
    const first = await winnowHere(place, ask);
    expect(first.exit, first.stderr).toBe(0);
    writeFileSync(place.file("visits.csv"), "user,area\n");
    const again = await winnowHere(place, ask);
    expect(again.stdout).toBe(first.stdout);
    expect(await chargesIn(place)).toBe(2);
  });

  it("is refused for a release that was made without it, and with other parameters", async () => {
    const place = folder({ "visits.csv": ROWS });
    await winnowHere(place, [...ASKED, "--release-id", "may"]);
    const again = [...ASKED, ...TUNE, "--release-id", "may"];
    expectRefused(await winnowHere(place, again), {
      ...{ exit: 2, code: "release-id-taken", says: "made without a choice by the rows" },
    });
    expect(await chargesIn(place)).toBe(1);
  });

  it("charges nothing if what both cost doesn't fit", async () => {
    const place = folder({ "visits.csv": ROWS });
    await winnowHere(place, ["budget", "init", "visits.csv", "--epsilon", "0.5", "--delta", "1e-6"]);
    expectRefused(await winnowHere(place, [...ASKED, ...TUNE]), { exit: 3, code: "over-budget" });
    expect(await chargesIn(place)).toBe(0);
  });

  it("is told in a dry run, which reads nothing", async () => {
    const place = folder({ "visits.csv": ROWS });
    const { exit, stdout, stderr } = await winnowHere(place, [...ASKED, ...TUNE, "--dry-run"]);
    expect(exit, stderr).toBe(0);
    expect(stderr).toContain("--tune 0.1: Winnow looks at the rows to choose between");
    expect(stdout).toContain("would cost ε = 1, δ = ");
    expect(await chargesIn(place)).toBe(0);
  });

  it.each([
    ["a guess", ["--guess", "people=3000,items-per-person=13"], "--tune doesn't go with --guess"],
    ["a mechanism", ["--mechanism", "limited-top-k"], "--tune doesn't go with --mechanism"],
    ["committed bits", ["--commit-bits", "o.json"], "--tune doesn't go with --commit-bits"],
    ["a list", ["--domain", "areas.txt"], "--tune must be absent with a public list"],
    ["all of the loss", ["--tune", "1"], "--tune must be a rational above 0 and below 1"],
  ])("is refused for nothing with %s", async (_, more, says) => {
    const place = folder({ "visits.csv": ROWS, "areas.txt": "a0\na1\na2\n" });
    const asked = more.includes("--domain") ? ASKED.with(ASKED.indexOf("20"), "2") : ASKED;
    expectRefused(await winnowHere(place, [...asked, ...TUNE, ...more]), { exit: 2, code: "usage", says });
    expect(await chargesIn(place)).toBe(0);
  });

  it("is found by the check of a ledger if its noise or its price isn't that of its question", async () => {
    const { priceOfChoice } = await import("../../src/tune/tuned-choice.js");
    const place = folder({ "visits.csv": ROWS });
    await winnowHere(place, [...ASKED, ...TUNE]);
    const [entry] = (await entriesOf(place)).filter(({ kind }) => kind === "release");
    const { release } = entry as unknown as { release: Choice };
    expect(priceOfChoice(release as never)).toMatchObject({ measure: "pure" });
    for (const wrong of [
      { noise: { ...release.noise, scale: "10" } },
      { question: { ...release.question, share: "1/20" } },
      { answer: { mechanism: "permute-and-flip" } },
    ])
      expect(() => priceOfChoice({ ...release, ...wrong } as never)).toThrow(
        "isn't one that its question leads to",
      );
  });
});

interface Choice {
  readonly id: string;
  readonly loss: { readonly epsilon: string };
  readonly noise: object;
  readonly question: object;
  readonly answer: { readonly mechanism: string; readonly maxItemsPerUser?: number };
}

interface Made {
  readonly id: string;
  readonly question: object;
}
