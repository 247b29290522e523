import { expect, it } from "vitest";
import { moreReleases } from "../../src/index.js";

it("says how far a budget goes", () => {
  expect(moreReleases(0)).toBe("no more releases like this");
  expect(moreReleases(1)).toBe("about 1 more release like this");
  expect(moreReleases(7, "the last")).toBe("about 7 more releases like the last");
  expect(moreReleases(Infinity)).toBe("any number of releases like this");
});
