import { describe, expect, it } from "vitest";
import { checkSizes, readVotes, type VoteLists } from "../../src/pate/votes.js";
import { folder } from "../support/winnow.js";

const LISTS: VoteLists = {
  task: "multi-class",
  queries: ["0", "1"],
  teachers: ["a", "b", "c"],
  labels: ["cat", "dog"],
};
const NONE = LISTS.labels.length;

function read(text: string | Uint8Array, lists = LISTS) {
  const place = folder({ "votes.csv": text });
  return readVotes(place.file("votes.csv"), lists, new AbortController().signal);
}

describe("votes on one right class", () => {
  it("are read whatever the order of rows and columns; who says nothing votes for no label", async () => {
    const { votes, skippedLines } = await read("label,query,teacher\ndog,1,a\ncat,0,a\ncat,0,c\n");
    expect([...votes]).toEqual([0, NONE, 0, 1, NONE, NONE]);
    expect(skippedLines).toBe(0);
  });

  it("count once for each teacher and query: the first", async () => {
    const { votes } = await read("query,teacher,label\n0,a,dog\n0,a,cat\n");
    expect([...votes]).toEqual([1, NONE, NONE, NONE, NONE, NONE]);
  });

  it.each([
    ["an open quote", '0,b,"cat'],
    ["another separator", "0;b;cat"],
    ["too many fields", "0,b,cat,dog"],
    ["a label that is none", "0,b,bird"],
    ["a teacher who is none", "0,z,cat"],
    ["a query that is none", "7,b,cat"],
    ["a space too many", "0,b, cat"],
    ["text that is none", Buffer.from([0x30, 0x2c, 0xff, 0xfe])],
  ])("of a line with %s count for nobody, and change no other line", async (_, line) => {
    const parts = [
      Buffer.from("query,teacher,label\n0,a,dog\n"),
      Buffer.from(line),
      Buffer.from("\n0,c,cat\n"),
    ];
    const { votes, skippedLines } = await read(Buffer.concat(parts));
    expect([...votes]).toEqual([1, NONE, 0, NONE, NONE, NONE]);
    expect(skippedLines).toBe(1);
  });
});

describe("votes on any number of labels", () => {
  it("are a yes for each line", async () => {
    const lists = { ...LISTS, task: "multi-label" } as const;
    const { votes } = await read("query,teacher,label\n0,a,cat\n0,a,dog\n0,a,dog\n1,c,dog\n", lists);
    expect([...votes]).toEqual([1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1]);
  });
});

describe("a file of votes", () => {
  it.each([
    ["that is empty", "", "empty-source"],
    ["without a column", "query,teacher,lable\n", "unknown-column"],
    ["with a broken header", "query,query,label\n", "broken-header"],
  ])("%s is refused", async (_, text, code) => {
    await expect(read(text)).rejects.toMatchObject({ code });
  });

  it("says which column is missing", async () => {
    await expect(read("query,teacher,lable\n")).rejects.toThrow(
      'has no column "label". Did you mean "lable"?',
    );
  });
});

describe("lists whose votes cannot be held are refused:", () => {
  const names = (count: number) => Array.from({ length: count }, (_, i) => String(i));

  it.each([
    ["more labels than a vote can name", { labels: names(65_536) }],
    ["more votes than memory holds", { queries: names(50_000), teachers: names(50_000) }],
  ])("%s", (_, lists) => {
    expect(() => checkSizes({ ...LISTS, ...lists })).toThrow(expect.objectContaining({ code: "usage" }));
  });

  it("but not the largest that can", () => {
    expect(() => checkSizes({ ...LISTS, labels: names(65_535) })).not.toThrow();
  });
});
