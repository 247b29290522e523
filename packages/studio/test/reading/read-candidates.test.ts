import { describe, expect, it } from "vitest";
import { newRelease, readQuestion, select, toCsv, toJson } from "winnow-release";
import { readCandidates } from "../../src/reading/open-file.js";

describe("a public list of candidates", () => {
  it("has one on each line, each once, and none on an empty line", async () => {
    const file = new File(["\uFEFFb\r\na\n\n b\ra\nb"], "list.txt");
    expect(await readCandidates(file)).toEqual(["b", "a", " b"]);
    expect(await readCandidates(["x", "", "y", "x"])).toEqual(["x", "y"]);
  });

  it("may be a release: its names come back exactly, from JSON and from CSV", async () => {
    const names = ["mail", "@alice", "=1+1", "'=1+1", "\\u{1b}", "\u202eevil", 'say "hi", now'].sort();
    const question = readQuestion({
      ...{ kind: "names", domain: { kind: "unknown" }, epsilon: 50, delta: "1e-6" },
      ...{ maxItemsPerUser: 7, unit: "one person" },
    });
    const answer = await select(question, [{ items: names, users: names.map(() => 900) }]);
    const release = newRelease({
      ...{ id: "a", dataset: "d", time: new Date(0), software: { name: "test", version: "1" } },
      ...{ question, answer, source: { item: "item", user: "user", dialect: {} } },
    });
    expect(await readCandidates(new File([toJson(release)], "names.json"))).toEqual(names);
    expect(await readCandidates(new File([toCsv(release)], "names.csv"))).toEqual(names);
  });

  it("is a column item of a CSV file, unless each line is one name", async () => {
    expect(await readCandidates(new File(["item,n\na,1\n'=b,2\n"], "list.csv"))).toEqual(["a", "'=b"]);
    expect(await readCandidates(new File(["a\n'=b\n"], "list.csv"))).toEqual(["a", "'=b"]);
  });

  it.each([
    ["has columns, and none is called item", new File(["name,n\na,1\n"], "list.csv"), "no-candidates"],
    ["is JSON and not a release", new File(["[]"], "list.json"), "no-candidates"],
    ["is empty", new File(["\n\n"], "list.txt"), "no-candidates"],
    ["is not UTF-8", new File([new Uint8Array([0x61, 0xff])], "list.txt"), "not-text"],
    [
      "is too large",
      Object.defineProperty(new File([""], "list.txt"), "size", { value: 2 ** 31 }),
      "too-large",
    ],
  ])("is refused if it %s", async (_, list, code) => {
    await expect(readCandidates(list)).rejects.toMatchObject({ code });
  });
});
