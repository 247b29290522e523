import { describe, expect, it } from "vitest";
import { readCandidates } from "../../src/reading/open-file.js";

describe("a public list of candidates", () => {
  it("has one on each line, each once, and none on an empty line", async () => {
    const file = new File(["\uFEFFb\r\na\n\n b\ra\nb"], "list.txt");
    expect(await readCandidates(file)).toEqual(["b", "a", " b"]);
    expect(await readCandidates(["x", "", "y", "x"])).toEqual(["x", "y"]);
  });

  it.each([
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
