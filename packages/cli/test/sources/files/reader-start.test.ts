import { once } from "node:events";
import { describe, expect, it } from "vitest";
import { startEarly, startReader } from "../../../src/sources/files/reader-start.js";
import { histogramOf, useFolder } from "../source-folder.js";

describe("a reader that was started early", () => {
  const { write } = useFolder();
  const path = write("rows.csv", "user,item\na,x\n");

  it("is the one that reads, once", async () => {
    startEarly();
    startEarly();
    const first = startReader();
    const second = startReader();
    expect(second.pid).not.toBe(first.pid);
    for (const child of [first, second]) child.kill();
  });

  it("reads as any other", async () => {
    startEarly();
    expect((await histogramOf(path)).histogram).toEqual({ x: 1 });
    expect((await histogramOf(path)).histogram).toEqual({ x: 1 });
  });

  it("ends with the program that did not need it", async () => {
    startEarly();
    const unused = startReader();
    unused.disconnect();
    expect(await once(unused, "exit")).toEqual([0, null]);
  });
});
