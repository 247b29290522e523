import { describe, expect, it } from "vitest";
import { everyPath, NotDeterministic } from "../../src/testing/tree-walk.js";

type Ask = (options: number) => number;

const walk = (run: (ask: Ask) => string | undefined) =>
  Array.from(everyPath(run), ({ label, answers }) => [label, ...answers]);

describe("everyPath", () => {
  it("visits every sequence of answers once, depth first", () => {
    const run = (ask: Ask) => (ask(2) === 0 ? "short" : `long ${ask(3)}`);
    expect(walk(run)).toEqual([
      ["short", 0],
      ["long 0", 1, 0],
      ["long 1", 1, 1],
      ["long 2", 1, 2],
    ]);
  });

  it("has one empty path for a run that asks nothing", () => {
    expect(walk(() => "sure")).toEqual([["sure"]]);
  });

  it("goes through questions with one answer only", () => {
    expect(walk((ask) => `${ask(1)}${ask(2)}${ask(1)}`)).toEqual([
      ["000", 0, 0, 0],
      ["010", 0, 1, 0],
    ]);
  });

  it("runs once for each leaf, and once more to see that the first is still the same", () => {
    let runs = 0;
    const run = (ask: Ask) => {
      runs++;
      return String(ask(4) + ask(4));
    };
    expect(walk(run).length).toBe(16);
    expect(runs).toBe(17);
  });

  it.each<[string, (ask: Ask, run: number) => string]>([
    ["asks another question", (ask, run) => String(ask(2) + ask(2 + (run % 2)))],
    ["asks fewer questions", (ask, run) => (run === 0 ? String(ask(2) + ask(2)) : "none")],
    ["gives another label in the end", (ask, run) => String(ask(2) + run)],
  ])("refuses a run that %s than before on the same answers", (_, behave) => {
    let runs = 0;
    expect(() => walk((ask) => behave(ask, runs++))).toThrow(NotDeterministic);
  });

  it("passes on what a run throws", () => {
    const run = (ask: Ask) => {
      if (ask(2) === 1) throw new Error("no such answer");
      return "fine";
    };
    expect(() => walk(run)).toThrow("no such answer");
  });
});
