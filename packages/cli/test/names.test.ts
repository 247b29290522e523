import { describe, expect, it } from "vitest";
import { readNames } from "../src/public-files.js";
import { folder } from "./support/winnow.js";

describe("a public list of names", () => {
  it.each([
    ["3", ["0", "1", "2"]],
    ["t8..t11", ["t8", "t9", "t10", "t11"]],
    ["5..5", ["5"]],
    ["cat,dog, bird", ["cat", "dog", " bird"]],
  ])("may be written as %s", async (given, names) => {
    expect(await readNames("labels", given)).toEqual(names);
  });

  it("may be a file", async () => {
    const place = folder({ "labels.txt": "cat\n\ndog\n" });
    expect(await readNames("labels", place.file("labels.txt"))).toEqual(["cat", "dog"]);
  });

  it.each([undefined, "0", "cat,cat", "cat,,dog", "t9..t2", "1..99999999999"])("is not %s", async (given) => {
    await expect(readNames("labels", given)).rejects.toMatchObject({ code: "usage" });
  });

  it("is not a file that is missing", async () => {
    await expect(readNames("labels", "none.txt")).rejects.toMatchObject({ code: "missing-source" });
  });
});
