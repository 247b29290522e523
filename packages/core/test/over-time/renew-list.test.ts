import { describe, expect, it } from "vitest";
import { pure } from "../../src/accounting/loss.js";
import { type Rational, rational } from "../../src/exact/rational.js";
import { type RenewListOptions, renewList } from "../../src/over-time/renew-list.js";
import { replayEntropy } from "../../src/testing/replay-entropy.js";
import { seededEntropy } from "../../src/testing/seeded-entropy.js";
import { largestRatio, type RenewalWorld, renewalLaw, type Wrong } from "../support/renewal-law.js";
import { vectors } from "../support/set-vectors.js";

const QUESTION = { k: 2, renewals: 2, tolerance: 20, monotone: true } as const;

describe("renewList", () => {
  it("costs what the theorem says", () => {
    for (const {
      renewals,
      threshold_scale,
      query_scale,
      set_loss,
      sensitivity,
      ...expected
    } of vectors.renew) {
      const list = rational(set_loss).times(BigInt(renewals + 1));
      const whole = rational(expected.loss_with_first_list);
      const renewal = renewList({
        ...{ k: 1, renewals, sensitivity, monotone: true, epsilon: whole },
        ...{ listShare: list.dividedBy(whole), scales: { threshold: threshold_scale, query: query_scale } },
      });
      expect(renewal.privacy).toMatchObject({ measure: "pure", epsilon: whole });
      expect(whole.minus(rational(set_loss))).toEqual(rational(expected.loss));
    }
  });

  it("splits the year as the theory does: five lists at 1/10, scales 10 and 20", () => {
    const renewal = renewList({ k: 10, renewals: 4, epsilon: 1, monotone: true });
    expect(renewal.settled(0)).toEqual(pure("1/5"));
    expect(renewal.settled(1)).toEqual(pure("2/5"));
    expect(renewal.settled(4)).toEqual(renewal.privacy);
  });

  it.each(["epsilon", "rho"] as const)("is never above its budget in %s, and uses most of it", (name) => {
    for (const renewals of [1, 2, 3, 7, 50])
      for (const monotone of [true, false])
        for (const sensitivity of [1, "3/2"])
          for (const listShare of ["1/100", "1/3", "9/10"]) {
            const asked = { k: 3, renewals, monotone, sensitivity, listShare, [name]: "7/10" };
            const { privacy } = renewList(asked as unknown as RenewListOptions);
            const size = (privacy.measure === "pure" ? privacy.epsilon : privacy.rho) as Rational;
            expect(size.compare("7/10")).toBeLessThanOrEqual(0);
            expect(size.compare("69/100")).toBeGreaterThan(0);
          }
  });

  it.each([{ epsilon: 1 }, { rho: "1/2" }] as const)("follows the counts, and freezes: %o", (budget) => {
    const renewal = renewList({ ...QUESTION, ...budget });
    const entropy = seededEntropy(7);
    let step = renewal.start([9000, 8000, 50, 40], entropy);
    expect(step).toMatchObject({ candidates: [0, 1], isRenewed: true, isFrozen: false });
    step = renewal.next(step.state, [9100, 7000, 60, 40], entropy);
    expect(step).toMatchObject({ candidates: [0, 1], isRenewed: false, isFrozen: false });
    step = renewal.next(step.state, [9100, 70, 8000, 40], entropy);
    expect(step).toMatchObject({ candidates: [0, 2], isRenewed: true, isFrozen: false });
    step = renewal.next(step.state, [9100n, 70n, 40n, 8000n], entropy);
    expect(step).toMatchObject({ candidates: [0, 3], isRenewed: true, isFrozen: true });
    const frozen = renewal.next(step.state, [1, 2, 8000, 9000], replayEntropy(""));
    expect(frozen).toMatchObject({ candidates: [0, 3], isRenewed: false, isFrozen: true });
    expect(frozen.state).toEqual(step.state);
  });

  it("promises bounds that hold for every noise", () => {
    const renewal = renewList({ k: 10, renewals: 4, tolerance: 50, epsilon: 1, monotone: true });
    const { miss, falseAlarm } = renewal.bounds("19/20", 52);
    expect(String(miss)).toBe("80"); // 50 + ⌈10·ln 20⌉
    expect(String(falseAlarm)).toBe("-89"); // 50 − ⌈20·ln 1040⌉
    expect(() => renewList({ ...QUESTION, rho: 1 }).bounds("1/2", 3)).toThrow("asked with epsilon only");
  });

  it.each([
    [{ k: 2, renewals: 0, epsilon: 1 }, "renewals must be an integer >= 1"],
    [{ k: 2, renewals: 1 }, "exactly one of"],
    [{ k: 2, renewals: 1, epsilon: 1, rho: 1 }, "exactly one of"],
    [{ k: 2, renewals: 1, epsilon: 1, listShare: 1 }, "listShare must be a rational > 0 and < 1"],
    [{ k: 2, renewals: 1, epsilon: 1, scales: { threshold: 1, query: 1 } }, "fit into the budget"],
    [
      { k: 2, renewals: 1, rho: 1, scales: { threshold: 9, query: 9 } },
      "scales must be absent without epsilon",
    ],
  ])("refuses %o", (options, message) => {
    expect(() => renewList(options as unknown as RenewListOptions)).toThrow(message);
  });

  it("refuses counts and states that don't fit before a bit is drawn", () => {
    const renewal = renewList({ ...QUESTION, epsilon: 1 });
    const none = replayEntropy("");
    for (const counts of [
      [1, 2.5, 3],
      [1, Number.NaN, 3],
      [1, Infinity, 3],
    ])
      expect(() => renewal.start(counts, none)).toThrow(/counts|scores/);
    expect(() => renewal.start([1, 2], none)).toThrow("k must be an integer from 1 to 1");
    const { state } = renewal.start([5, 4, 3], seededEntropy(1));
    expect(() => renewal.next(state, [1, 2, 3, 4], none)).toThrow("counts must be a list of 3 counts; got 4");
    const others = [
      { noise: "x" },
      { indices: [1] },
      { indices: [1, 0] },
      { indices: [0, 3] },
      { renewed: 3 },
    ];
    for (const other of others)
      expect(() => renewal.next(JSON.stringify({ ...JSON.parse(state), ...other }), [1, 2, 3], none)).toThrow(
        "state must be a state of this list",
      );
    for (const other of ["", "null", "[]", "{"])
      expect(() => renewal.next(other, [1, 2, 3], none)).toThrow("state must be a state of this list");
    expect(() => renewal.next(undefined as never, [1, 2, 3], none)).toThrow("state must be");
  });
});

describe("Neighbouring horizons", () => {
  const world: RenewalWorld = { k: 1, renewals: 1, tolerance: 0, threshold: 2, query: 4, listScale: 4 };
  const tests = 1 / 2 + 2 / 4;
  const claim = tests + 2 / 4;
  const random = seededEntropy("renewal worlds");
  const below = (n: number) => Number(random.bits(8)) % n;
  const weeks = () => [0, 1, 2].map(() => [below(4), below(4), below(4)]);
  const withPerson = (given: readonly (readonly number[])[]) =>
    given.map((week) => week.map((count) => count + below(2)));

  const worst = (wrong: Wrong, pairs: number) => {
    let largest = 0;
    for (let pair = 0; pair < pairs; pair++) {
      const one = weeks();
      const two = withPerson(one);
      largest = Math.max(largest, largestRatio(renewalLaw(one, world, wrong), renewalLaw(two, world, wrong)));
    }
    return largest;
  };

  it("differ by no more than the claim, and by most of it", () => {
    const largest = worst({}, 150);
    expect(largest).toBeLessThanOrEqual(claim);
    expect(largest).toBeGreaterThan(0.6 * claim);
  });

  it("differ by all of the tests' price for one fixed list", () => {
    const [one, two] = [
      [
        [9, 0, 0],
        [0, 1, 0],
        [1, 0, 0],
      ],
      [
        [9, 0, 0],
        [0, 2, 0],
        [2, 0, 0],
      ],
    ];
    // "No change" in a week in which the list became worse, then a renewal in a week in which it became better.
    const answers = (law: Map<string, number>) =>
      [...law].reduce((sum, [said, p]) => (/^0\|\.\|\d$/.test(said) ? sum + p : sum), 0);
    const ratio = Math.log(
      answers(renewalLaw(one, world, {}, [0])) / answers(renewalLaw(two, world, {}, [0])),
    );
    expect(Math.abs(ratio)).toBeGreaterThan(0.9 * tests);
    expect(Math.abs(ratio)).toBeLessThanOrEqual(tests + 1e-12);
  });

  it("differ by no more than the settlement of their renewals", () => {
    for (let pair = 0; pair < 100; pair++) {
      const one = weeks();
      const [a, b] = [renewalLaw(one, world), renewalLaw(withPerson(one), world)];
      for (const [said, p] of a) {
        const renewed = said.split("|").filter((part) => part !== ".").length - 1;
        const settled = 1 / 2 + (2 * renewed) / 4 + (renewed + 1) / 4;
        expect(Math.abs(Math.log(p / (b.get(said) ?? 0)))).toBeLessThanOrEqual(settled + 1e-12);
      }
    }
  });

  it("differ by more if the tests are wrong", () => {
    // Sums of weekly counts: one person who comes each week moves the third sum by 3.
    const sums = {
      weeks: 6,
      from: [0, 0, 0, 0, 0, 0].map(() => [5, 0]),
      to: [0, 0, 0, 0, 0, 0].map(() => [5, 1]),
    };
    const tight: RenewalWorld = { ...world, tolerance: -24, threshold: 20, query: 40, listScale: 1e6 };
    const law = (given: number[][]) => renewalLaw(given, tight, { sums: true }, [0]);
    expect(largestRatio(law(sums.from), law(sums.to))).toBeGreaterThan(1 / 20 + 2 / 40 + 1e-6);
    // How wrong an unchanged list is, is exact.
    expect(worst({ margin: true }, 5)).toBe(Infinity);
  });

  it("differ by more than the tests' price without noise on the tolerance", () => {
    const [one, two] = [
      [
        [9, 0],
        [0, 0],
        [0, 0],
        [0, 0],
        [0, 0],
        [0, 0],
      ],
      [
        [9, 0],
        [0, 1],
        [0, 1],
        [0, 1],
        [0, 1],
        [0, 1],
      ],
    ];
    const sharp = { ...world, tolerance: 3 };
    const law = (given: number[][], wrong: Wrong) => renewalLaw(given, sharp, wrong, [0]);
    const wrong = { sharpTolerance: true };
    expect(largestRatio(law(one, wrong), law(two, wrong))).toBeGreaterThan(tests);
    expect(largestRatio(law(one, {}), law(two, {}))).toBeLessThanOrEqual(tests + 1 / 4);
  });
});
