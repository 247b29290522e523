import { CommanderError } from "commander";
import { describe, expect, it } from "vitest";
import { rational, WinnowError } from "winnow-dp";
import { Refusal } from "winnow-release";
import { reportFailure } from "../src/command-line.js";

function reported(error: unknown) {
  let text = "";
  const exit = reportFailure(error, (part) => {
    text += part;
  });
  return { exit, text };
}

describe("a failure", () => {
  it("is one sentence, the next step and the code", () => {
    expect(reported(new Refusal("missing-source", 'The file "a.csv" doesn\'t exist.'))).toEqual({
      exit: 4,
      text: 'winnow: The file "a.csv" doesn\'t exist.\n  Check the path. [missing-source]\n',
    });
  });

  it("of the library names the option", () => {
    const error = thrownBy(() => rational("x", "domainSize"));
    expect(reported(error)).toMatchObject({
      exit: 2,
      text: expect.stringMatching(/^winnow: --domain-size must be a rational/),
    });
    expect(reported(new WinnowError("budget-exceeded", "too much")).exit).toBe(3);
    expect(reported(new WinnowError("entropy-unavailable", "no bits")).exit).toBe(4);
  });

  it("of usage is told in our words; asking for help is none", () => {
    const unknown = new CommanderError(1, "commander.unknownOption", "error: unknown option '--x'");
    expect(reported(unknown)).toMatchObject({
      exit: 2,
      text: expect.stringContaining("winnow: Unknown option '--x'.\n"),
    });
    expect(reported(new CommanderError(0, "commander.helpDisplayed", "(help)"))).toEqual({
      exit: 0,
      text: "",
    });
  });

  it("that nobody foresaw shows its kind and place, never its text", () => {
    const { exit, text } = reported(new TypeError("canary in a private row"));
    expect(exit).toBe(4);
    expect(text).toMatch(/^winnow: An unexpected error occurred \(TypeError.*\)\.\n/);
    expect(text).not.toContain("canary");
    expect(reported("canary").text).not.toContain("canary");
  });

  it("says nothing that a terminal would act on", () => {
    expect(reported(new Refusal("usage", "a\u{1b}[2Jb.")).text).toContain("a\\u{1b}[2Jb.");
  });
});

function thrownBy(work: () => unknown): unknown {
  try {
    return work();
  } catch (error) {
    return error;
  }
}
