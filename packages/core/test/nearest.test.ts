import { describe, expect, it } from "vitest";
import { editDistance, nearest } from "../src/nearest.js";

describe("the nearest name", () => {
  it.each([
    ["usr", "user"],
    ["User", "user"],
    ["aera", "area"],
    ["epsilom", "epsilon"],
    ["K", "k"],
  ])("of %s is %s", (written, name) => {
    expect(nearest(written, ["user", "area", "epsilon", "delta", "k"])).toBe(name);
  });

  it("is none where nothing is near", () => {
    expect(nearest("quantity", ["user", "area"])).toBeUndefined();
    expect(nearest("x", ["user"])).toBeUndefined();
    expect(nearest("x", ["k"])).toBeUndefined();
    expect(nearest("user", [])).toBeUndefined();
  });
});

describe("the distance of two words", () => {
  it.each([
    ["", "", 0],
    ["abc", "abc", 0],
    ["abc", "acb", 1],
    ["abc", "ab", 1],
    ["abc", "abcd", 1],
    ["abc", "xbc", 1],
    ["", "abc", 3],
    ["kitten", "sitting", 3],
  ])("%s and %s: %i", (a, b, distance) => {
    expect(editDistance(a, b)).toBe(distance);
    expect(editDistance(b, a)).toBe(distance);
  });
});
