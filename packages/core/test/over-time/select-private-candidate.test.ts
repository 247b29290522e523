import { describe, expect, it } from "vitest";
import { pure } from "../../src/accounting/loss.js";
import { Entropy } from "../../src/entropy.js";
import { WinnowError } from "../../src/errors.js";
import {
  type CandidateOptions,
  selectPrivateCandidate,
} from "../../src/over-time/select-private-candidate.js";
import { replayEntropy } from "../../src/testing/replay-entropy.js";
import { seededEntropy } from "../../src/testing/seeded-entropy.js";

const loss = pure("1/10");
const runs = { law: "truncated-negative-binomial", eta: 1, gamma: "1/5" } as const;

describe("selectPrivateCandidate", () => {
  it("releases the first of the best scores, compared exactly", () => {
    const scores: (number | bigint)[] = [2n ** 60n, 2n ** 60n + 1n, 1e18, 0.5];
    let place = 0;
    const answer = selectPrivateCandidate(() => ({ output: place, score: scores[place++ % 4] }), {
      ...{ loss, runs: { ...runs, gamma: "1/1000" } },
      entropy: seededEntropy(3),
    });
    expect(answer.released && answer.output).toBe(1);
    expect(answer.released && answer.score).toBe(2n ** 60n + 1n);
  });

  it("releases nothing if every run throws, and says neither why nor how often it ran", () => {
    let count = 0;
    const run = () => {
      count++;
      throw new Error("the age of u17 is not a number");
    };
    const answer = selectPrivateCandidate(run, { loss, runs, entropy: seededEntropy(1) });
    expect(answer).toEqual({ released: false, privacy: answer.privacy });
    expect(JSON.stringify(answer)).not.toContain("u17");
    expect(count).toBeGreaterThan(0);
  });

  it("puts NaN, infinities and what isn't a number below every number, and a run that throws beside them", () => {
    const outcomes = [Number.NaN, "9", undefined, Infinity, -5];
    let place = 0;
    const answer = selectPrivateCandidate(
      () => {
        const score = outcomes[place++ % 5] as number;
        if (place % 2 === 0) throw new Error();
        return { output: place, score };
      },
      { loss, runs: { ...runs, gamma: "1/1000" }, entropy: seededEntropy(5) },
    );
    expect(answer.released && answer.score).toBe(-5);
  });

  it("stops at the first run that reaches the threshold", () => {
    let place = 0;
    const run = () => ({ output: `run ${++place}`, score: place });
    const options = { loss, threshold: 4, stop: "1/1000000", entropy: seededEntropy(1) };
    expect(selectPrivateCandidate(run, options)).toMatchObject({ released: true, output: "run 4", score: 4 });
  });

  it("gives up by the coin when no run reaches the threshold", () => {
    const options = { loss, threshold: 4, stop: "1/3", entropy: seededEntropy(1) };
    expect(selectPrivateCandidate(() => ({ output: 1, score: 0 }), options).released).toBe(false);
  });

  it("may release nothing after no run at all, with a Poisson number", () => {
    const options = { loss, runs: { law: "poisson", mean: "1e-9" } as const, entropy: seededEntropy(1) };
    expect(selectPrivateCandidate(() => ({ output: 1, score: 0 }), options).released).toBe(false);
  });

  it("fails when bits run out, also inside a run", () => {
    const broken = new Entropy({
      fill: () => {
        throw new WinnowError("entropy-unavailable", "no more bits");
      },
    });
    const run = (entropy: Entropy) => ({ output: entropy.bit(), score: 1 });
    expect(() => selectPrivateCandidate(run, { loss, threshold: 2, stop: "1/2", entropy: broken })).toThrow(
      "no more bits",
    );
  });

  it.each([
    [{ loss }, "runs must be given, or a threshold, and not both"],
    [{ loss, runs, threshold: 1, stop: "1/2" }, "runs must be given, or a threshold, and not both"],
    [{ loss, threshold: 1 }, "stop must be given with a threshold, and only then"],
    [{ loss, runs, stop: "1/2" }, "stop must be given with a threshold, and only then"],
    [{ loss, threshold: 1, stop: 0 }, "stop must be a rational > 0 and < 1; got 0"],
    [{ runs }, "loss must be"],
  ])("refuses %o before a bit is drawn", (options, message) => {
    const run = () => {
      throw new Error("it ran");
    };
    expect(() =>
      selectPrivateCandidate(run, { ...(options as CandidateOptions), entropy: replayEntropy("") }),
    ).toThrow(message);
  });

  it("refuses an async function, whose promise is no candidate", () => {
    const run = (async () => ({ output: 1, score: 1 })) as never;
    expect(() => selectPrivateCandidate(run, { loss, runs })).toThrow(
      "run must be a function that returns its candidate",
    );
  });
});
