import { describe, expect, it } from "vitest";
import { newRelease, readQuestion, select, toCsv, toJson } from "winnow-release";
import { readDomain } from "../src/public-files.js";
import { folder } from "./support/winnow.js";

describe("the public list of candidates", () => {
  it("has one on each line, each once, whichever way lines end", async () => {
    const place = folder({ "areas.txt": "\uFEFFmail\r\nnews\n\nmail\nmaps" });
    expect(await readDomain(place.file("areas.txt"))).toEqual(["mail", "news", "maps"]);
  });

  it("keeps every other character of a name", async () => {
    const place = folder({ "areas.txt": ' mail\nnews \n"maps"\n7.0\n' });
    expect(await readDomain(place.file("areas.txt"))).toEqual([" mail", "news ", '"maps"', "7.0"]);
  });

  it("may be a column of a CSV file", async () => {
    const place = folder({ "areas.csv": 'id,name\n1,mail\n2,"news, world"\n3,mail\n' });
    expect(await readDomain(place.file("areas.csv"), "name")).toEqual(["mail", "news, world"]);
  });

  it.each([
    ["that is missing", undefined, undefined, "missing-source"],
    ["that is empty", "", undefined, "usage"],
    ["without the column", "id,name\n1,mail\n", "nmae", "unknown-column"],
    ["with a broken header", "id,id\n1,mail\n", "id", "broken-header"],
    ["with a broken line", 'id,name\n1,"mail\n', "name", "usage"],
    ["that is no text", new Uint8Array([0xff, 0xfe, 0x00]), undefined, "unreadable-source"],
  ])("%s is refused", async (_, content, column, code) => {
    const place = folder(content === undefined ? {} : { "areas.txt": content });
    await expect(readDomain(place.file("areas.txt"), column)).rejects.toMatchObject({ code });
  });

  it("may be a release or its CSV file, and has exactly the names that were published", async () => {
    const names = [
      "mail",
      "@alice",
      "=1+1",
      "'=1+1",
      "\\u{1b}",
      "\u202eevil",
      'say "hi", now',
      "one\ntwo",
    ].sort();
    const release = await releaseOf(names);
    const place = folder({ "names.json": toJson(release), "names.csv": toCsv(release) });
    expect(await readDomain(place.file("names.json"))).toEqual(names);
    expect(await readDomain(place.file("names.csv"), "item")).toEqual(names);
    expect(await readDomain(place.file("names.csv"), "item_escaped")).toEqual(names);
  });

  it("is refused where a name is no text that a row can have, or the JSON isn't a release", async () => {
    const place = folder({
      "half.json": toJson(await releaseOf(["\ud800", "mail"])),
      "list.json": '["mail"]',
    });
    await expect(readDomain(place.file("half.json"))).rejects.toThrow("half a surrogate pair");
    await expect(readDomain(place.file("list.json"))).rejects.toMatchObject({ code: "usage" });
    await expect(readDomain(place.file("list.json"))).rejects.toThrow("a release as Winnow writes it");
  });

  it("says which column was probably meant, and which line is broken", async () => {
    const place = folder({ "areas.csv": 'id,name\n1,mail\n2,"news\n' });
    await expect(readDomain(place.file("areas.csv"), "nmae")).rejects.toThrow('Did you mean "name"?');
    await expect(readDomain(place.file("areas.csv"), "name")).rejects.toThrow("can't be parsed at line 3");
  });
});

async function releaseOf(items: readonly string[]) {
  const question = readQuestion({
    kind: "names",
    domain: { kind: "unknown" },
    epsilon: 50,
    delta: "1e-6",
    maxItemsPerUser: 9,
    unit: "one person",
  });
  const answer = await select(question, [{ items, users: items.map(() => 900) }]);
  return newRelease({
    id: "names",
    dataset: "visits",
    time: new Date(0),
    software: { name: "test", version: "1" },
    question,
    answer,
    source: { item: "item", user: "user", dialect: {} },
  });
}
