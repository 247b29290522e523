import { describe, expect, it } from "vitest";
import { histogramOf, useFolder } from "./source-folder.js";

describe("the candidates that come back", () => {
  const { write } = useFolder();
  const rows = [
    "a,x",
    "b,x",
    "a,y",
    "c,z",
    "c,",
    ",y",
    "a,x",
    "a,3",
    "b,3",
    "a,03",
    "a,12",
    "b,99999999999999999999",
    "b,-1",
  ];
  const path = write("rows.csv", `user,item\n${rows.join("\n")}\n`);

  it("are every listed one once, with 0 users if it has no row, and no other", async () => {
    async function* listed() {
      yield* ["y", "none", "x", "x", "é"];
    }
    const { histogram } = await histogramOf(path, {}, { kind: "listed", items: listed() });
    expect(histogram).toEqual({ x: 2, y: 1, none: 0, é: 0 });
  });

  it("come in parts when the list is long", async () => {
    const items = Array.from({ length: 50_000 }, (_, i) => `item ${i}`);
    const { histogram } = await histogramOf(path, {}, { kind: "listed", items: [...items, "x"] });
    expect(Object.keys(histogram)).toHaveLength(50_001);
    expect(histogram.x).toBe(2);
    expect(Object.values(histogram).reduce((sum, users) => sum + users)).toBe(2);
  });

  it("are the whole numbers below a bound in plain decimal that have rows", async () => {
    expect((await histogramOf(path, {}, { kind: "integers", below: 13 })).histogram).toEqual({ 3: 2, 12: 1 });
    expect((await histogramOf(path, {}, { kind: "integers", below: 12 })).histogram).toEqual({ 3: 2 });
  });

  it("are the largest, at most so many", async () => {
    expect((await histogramOf(path, {}, { kind: "largest", rows: 2 })).histogram).toEqual({ 3: 2, x: 2 });
  });
});
