import { describe, expect, it } from "vitest";
import { byteSize, duration, positiveInteger, wholeNumber } from "../src/command-options.js";

describe("arguments that are numbers", () => {
  it.each([
    ["512M", 536_870_912],
    ["2G", 2_147_483_648],
    ["1500000", 1_500_000],
    ["64 KiB", 65_536],
  ])("a size of %s is %i bytes", (text, bytes) => {
    expect(byteSize("--memory-limit")(text)).toBe(bytes);
  });

  it.each([
    ["90s", 90_000],
    ["10m", 600_000],
    ["2h", 7_200_000],
    ["250ms", 250],
    ["5", 5000],
  ])("a time of %s is %i milliseconds", (text, milliseconds) => {
    expect(duration("--time-limit")(text)).toBe(milliseconds);
  });

  it.each(["", "0", "-1", "1.5", "ten", "1e3", "99999999999999999999"])(
    "%j is no number of winners",
    (text) => {
      expect(() => positiveInteger("-k")(text)).toThrow(
        `-k must be an integer >= 1; got ${JSON.stringify(text)}.`,
      );
    },
  );

  it("negative numbers are whole numbers too", () => {
    expect(wholeNumber("--cap")("-7")).toBe(-7);
    expect(() => wholeNumber("--cap")("7.5")).toThrow("--cap must be an integer");
  });

  it.each(["", "0", "ten", "-5M"])("%j is no size and no time", (text) => {
    expect(() => byteSize("--memory-limit")(text)).toThrow(
      "--memory-limit must be a size such as 512M or 2G",
    );
    expect(() => duration("--time-limit")(text)).toThrow("--time-limit must be a time such as 90s or 10m");
  });
});
