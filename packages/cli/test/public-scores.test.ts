import { describe, expect, it } from "vitest";
import { readCounts, readScores } from "../src/public-files.js";
import { folder } from "./support/winnow.js";

describe("public scores", () => {
  it("are numbers on lines, kept exactly", async () => {
    const place = folder({ "scores.txt": "3\n1/3\n0.1\n-2\n\n" });
    const { scores, names } = await readScores(place.file("scores.txt"));
    expect(scores.map(String)).toEqual(["3", "1/3", "0.1", "-2"]);
    expect(names).toBeUndefined();
  });

  it("may have names", async () => {
    const place = folder({ "scores.csv": 'item,count\nmail,3\n"news, world",12\n' });
    const { names, counts } = await readCounts(place.file("scores.csv"));
    expect(names).toEqual(["mail", "news, world"]);
    expect(counts).toEqual([3, 12]);
  });

  it.each([
    ["nothing", "", "empty-source"],
    ["a line that is no number", "3\nmany\n", "usage"],
    ["a header without scores", "item,colour\nmail,red\n", "unknown-column"],
    ["a row without a score", "item,count\nmail\n", "usage"],
  ])("with %s are refused", async (_, content, code) => {
    const place = folder({ scores: content });
    await expect(readScores(place.file("scores"))).rejects.toMatchObject({ code });
  });

  it("that count each user for a limited number of items are refused, with the reason", async () => {
    const place = folder({ "released.csv": "rank,item,count_max_2_items_per_user\r\n1,mail,330\r\n" });
    await expect(readScores(place.file("released.csv"))).rejects.toMatchObject({
      code: "usage",
      message: expect.stringMatching(
        /must have counts of all users of an item; its column "count_max_2_items_per_user" counts each user for a limited number/,
      ),
    });
  });

  it.each(["1/2\n", "-1\n"])(
    "that are no counts are refused where counts are wanted: %j",
    async (content) => {
      const place = folder({ scores: content });
      await expect(readCounts(place.file("scores"))).rejects.toThrow("must be whole numbers >= 0");
    },
  );
});
