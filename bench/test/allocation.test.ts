import { expect, it } from "vitest";
import { bytesPerRun } from "../src/allocation.js";

it("work that keeps an array buffer of a megabyte is seen to allocate a megabyte", () => {
  const kept: Uint8Array[] = [];
  const bytes = bytesPerRun(() => kept.push(new Uint8Array(1_000_000)));
  expect(bytes).toBeGreaterThan(990_000);
  expect(bytes).toBeLessThan(1_100_000);
});

it("work that allocates nothing is seen to allocate next to nothing", () => {
  const array = new Float64Array(1000);
  expect(bytesPerRun(() => array.fill(1))).toBeLessThan(1000);
});
