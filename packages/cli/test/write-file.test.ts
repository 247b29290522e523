import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { Refusal } from "winnow-release";
import { createLedger } from "../src/ledger/ledger-file.js";
import { prepareFile } from "../src/write-file.js";
import { folder } from "./support/winnow.js";

describe("a file", () => {
  it("is there whole after it was written, and not before", async () => {
    const place = folder();
    const file = await prepareFile(place.file("out.svg"));
    expect(readdirSync(place.path)).not.toContain("out.svg");
    await file.write("whole");
    expect(readFileSync(place.file("out.svg"), "utf8")).toBe("whole");
    expect(readdirSync(place.path)).toEqual(["out.svg"]);
  });

  it("leaves no trace where it was not written", async () => {
    const place = folder();
    const file = await prepareFile(place.file("out.svg"));
    await file.discard();
    expect(readdirSync(place.path)).toEqual([]);
  });

  it("whose text is refused on its way isn't blamed for that", async () => {
    const place = folder();
    const file = await prepareFile(place.file("out.jsonl"));
    const lines = async function* () {
      yield "first\n";
      throw new Refusal("ledger-broken", "Entry 2 is missing.");
    };
    await expect(file.write(lines())).rejects.toMatchObject({ message: "Entry 2 is missing." });
    expect(readdirSync(place.path)).toEqual([]);
  });

  it("that exists is left as it is, unless it may be replaced", async () => {
    const place = folder({ "out.svg": "before" });
    await expect(prepareFile(place.file("out.svg"))).rejects.toMatchObject({ code: "file-exists" });
    await (await prepareFile(place.file("out.svg"), { force: true })).write("after");
    expect(readFileSync(place.file("out.svg"), "utf8")).toBe("after");
  });

  it("that came to be in the meantime is left as it is too", async () => {
    const place = folder();
    const file = await prepareFile(place.file("out.svg"));
    writeFileSync(place.file("out.svg"), "another's");
    await expect(file.write("ours")).rejects.toMatchObject({ code: "file-exists" });
    expect(readFileSync(place.file("out.svg"), "utf8")).toBe("another's");
    expect(readdirSync(place.path)).toEqual(["out.svg"]);
  });

  it("replaces nothing that is no plain file, and no link", async () => {
    const place = folder({ "plain.svg": "before" });
    mkdirSync(place.file("folder.svg"));
    symlinkSync("nowhere.svg", place.file("dangling.svg"));
    symlinkSync("plain.svg", place.file("link.svg"));
    for (const name of ["folder.svg", "dangling.svg", "link.svg"])
      for (const force of [false, true])
        await expect(prepareFile(place.file(name), { force })).rejects.toMatchObject({
          code: force ? "usage" : "file-exists", // advice to add --force wouldn't help
        });
    expect(readdirSync(place.path)).toHaveLength(4);
  });

  it("never replaces a ledger or its log, nor a file that the run reads, by whatever path", async () => {
    const place = folder({ "scores.txt": "1", "budgets-wal": "kept" });
    createLedger(place.file("budgets"));
    symlinkSync(".", place.file("here"));
    const before = readFileSync(place.file("budgets"));
    for (const name of ["budgets", "budgets-wal", "here/budgets"])
      await expect(prepareFile(place.file(name), { force: true })).rejects.toMatchObject({
        code: "usage",
        message: expect.stringContaining("is a ledger"),
      });
    const inputs = [place.file("scores.txt")];
    for (const name of ["scores.txt", "here/scores.txt"])
      await expect(prepareFile(place.file(name), { force: true, inputs })).rejects.toMatchObject({
        code: "usage",
        message: expect.stringContaining("is an input"),
      });
    expect(readFileSync(place.file("budgets"))).toEqual(before);
    expect(readFileSync(place.file("scores.txt"), "utf8")).toBe("1");
  });

  it("in a folder that doesn't exist is refused before anything happens", async () => {
    const place = folder();
    await expect(prepareFile(place.file("nowhere/out.svg"))).rejects.toMatchObject({
      code: "missing-source",
      message: `The folder for the file ${JSON.stringify(place.file("nowhere/out.svg"))} doesn't exist.`,
    });
  });

  it.each(["", "out/", "./"])("that has no name (%j) is refused before anything happens", async (path) => {
    await expect(prepareFile(path)).rejects.toMatchObject({ code: "usage" });
  });

  it("with too long a name is refused before anything happens", async () => {
    await expect(prepareFile(folder().file("x".repeat(250)))).rejects.toMatchObject({ code: "usage" });
  });

  it("is where its path leads, though a folder on the way is not there", async () => {
    const place = folder();
    await (await prepareFile(`${place.path}/nowhere/../out.svg`)).write("whole");
    expect(readdirSync(place.path)).toEqual(["out.svg"]);
  });
});
