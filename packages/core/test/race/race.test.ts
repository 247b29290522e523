import { describe, expect, it } from "vitest";
import type { Entropy } from "../../src/entropy.js";
import { Rational, rational } from "../../src/exact/rational.js";
import { exponential, gumbel, laplace } from "../../src/race/noise.js";
import { Race } from "../../src/race/race.js";
import { bitTree } from "../../src/testing/bit-tree.js";
import { seededEntropy } from "../../src/testing/seeded-entropy.js";
import { expectLaw } from "../support/expect-law.js";
import { lawOnStairs, STAIRS } from "./stairs.js";

const SCORES = [0.5, 0, 0.3, 0.1];

/** A race on stairs with the candidates of these indices. */
function entered(indices: readonly number[], places: number, entropy: Entropy): Race {
  const race = new Race(places, STAIRS, entropy);
  for (const index of indices) race.enter(index, SCORES[index], 0);
  return race;
}

function order(race: Race): string {
  return String(race.finish().map(({ id }) => id));
}

describe("A race on stairs, by exhaustion", () => {
  const orders = [
    [0, 1, 2, 3],
    [3, 2, 1, 0],
    [1, 3, 0, 2],
  ];

  it.each(orders.map((each) => ({ each })))("has its law whatever the order of entry: $each", ({ each }) => {
    for (const places of [1, 2, 3]) {
      const tree = bitTree((entropy) => order(entered(each, places, entropy)), { depth: 12 });
      expect(tree.undecided.toNumber()).toBe(0);
      expectLaw({ tree, probabilities: lawOnStairs(SCORES, places) });
    }
  });

  it.each([
    {
      parts: [
        [0, 1],
        [2, 3],
      ],
    },
    { parts: [[3], [0, 1, 2]] },
    { parts: [[2], [3, 1], [0]] },
    { parts: [[], [0, 1, 2, 3]] },
  ])("has its law when it is joined from $parts", ({ parts }) => {
    const tree = bitTree(
      (entropy) => {
        const [first, ...others] = parts.map((indices) => entered(indices, 2, entropy));
        for (const other of others) first.join(other);
        return order(first);
      },
      { depth: 12 },
    );
    expectLaw({ tree, probabilities: lawOnStairs(SCORES, 2) });
  });

  it("has its law when it settles after every entry", () => {
    const tree = bitTree(
      (entropy) => {
        const race = new Race(1, STAIRS, entropy);
        for (const [index, score] of SCORES.entries()) {
          race.enter(index, score, 0);
          race.settle();
        }
        return order(race);
      },
      { depth: 12 },
    );
    expectLaw({ tree, probabilities: lawOnStairs(SCORES, 1) });
  });

  it("has its law when zeros are drawn before the words", () => {
    const tree = bitTree(
      (entropy) => {
        const race = new Race(1, STAIRS, entropy);
        for (const [index, score] of SCORES.slice(0, 2).entries()) {
          const leading = entropy.bits(2);
          if (leading === 0) race.enter(index, score, 2);
          else race.consider(index, score, leading, 2);
        }
        return order(race);
      },
      { depth: 12 },
    );
    expectLaw({ tree, probabilities: lawOnStairs(SCORES.slice(0, 2), 1) });
  });
});

describe.each([exponential, gumbel, laplace])("A race with $name noise", (noise) => {
  const terms = { noise, scale: rational("5/2") };
  const race = (seed: string, places = 5) => new Race(places, terms, seededEntropy(seed));

  it("never lowers its cut, and has at least as many keys above it as places", () => {
    const each = race("cut", 5);
    let before = -Infinity;
    for (let index = 0; index < 2000; index++) {
      each.enter(index, index % 97, 0);
      expect(each.cut).toBeGreaterThanOrEqual(before);
      before = each.cut;
    }
    each.settle();
    expect(each.countAboveCut()).toBeGreaterThanOrEqual(5);
    each.guessCut(before - 1);
    expect(each.cut).toBeGreaterThanOrEqual(before);
  });

  it("keeps few contenders, however many enter", () => {
    const each = race("memory", 10);
    for (let index = 0; index < 100_000; index++) {
      each.enter(index, index / 1000, 0);
      if (index % 1000 === 0) expect(each.pool.count).toBeLessThan(200);
    }
  });

  it("returns its places best first, in the order of their keys", () => {
    const each = race("order", 20);
    for (let index = 0; index < 500; index++) each.enter(index, index % 7, 0);
    const winners = each.finish();
    expect(winners.length).toBe(20);
    const keys = winners.map((winner) => winner.key(terms)).map(({ lo, over }) => Rational.of(lo, over));
    for (let place = 1; place < 20; place++) expect(keys[place - 1].compare(keys[place])).toBe(1);
    expect(new Set(winners.map(({ id }) => id)).size).toBe(20);
  });

  it("keeps few contenders where scores are huge beside the noise, whole, fractional or beyond any double", () => {
    for (const base of [
      rational(10n ** 30n),
      rational("1e15"),
      rational("-1e200"),
      rational("1e400"),
      rational("-1e400"),
    ])
      for (const step of ["0", "1/3", "1e-9"]) {
        const each = race(`huge ${base.toNumber()} ${step}`, 3);
        const one = race("the same as it is", 3);
        for (let index = 0; index < 1000; index++) {
          const small = rational(step).times((index * 7) % 10);
          const score = base.plus(small);
          each.enter(index, score, 0);
          one.enter(index, small, 0);
          if (index > 500) expect(each.pool.count).toBeLessThan(60);
        }
        expect(each.finish().length).toBe(3);
        expect(one.finish().length).toBe(3);
      }
  });

  it("joins contenders that are counted from other origins", () => {
    const far = rational("1e18");
    for (const [here, there] of [
      [far, far.plus("1e12")],
      [far.plus("1e12"), far],
      [far, rational(0)],
      [rational(0), far],
    ]) {
      const [a, b] = [race("here", 2), race("there", 2)];
      for (let index = 0; index < 200; index++) {
        a.enter(index, here, 0);
        b.enter(1000 + index, there, 0);
      }
      a.join(b);
      const winners = a.finish().map(({ id }) => id);
      expect(winners.length).toBe(2);
      for (const id of winners) expect(id >= 1000).toBe(there.compare(here) > 0);
    }
  });
});
