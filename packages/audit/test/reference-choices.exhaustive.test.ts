import { describe, expect, it } from "vitest";
import { Interval } from "../../core/src/exact/interval.js";
import { Rational, type RationalLike, rational } from "../../core/src/exact/rational.js";
import { type ChoiceTree, type Choose, choiceTree } from "../../core/src/testing/choice-tree.js";
import { replayEntropy } from "../../core/src/testing/replay-entropy.js";
import { expectLaw } from "../../core/test/support/expect-law.js";
import { lawFromZero, symmetricLaw } from "../../core/test/support/law.js";
import {
  chooseFollowed,
  complement,
  expOfMinus,
  flip,
  geometricMasses,
  laplaceMasses,
  PRECISION,
} from "../../core/test/support/primitive-masses.js";
import { vectors } from "../../core/test/support/vectors.js";
import { Reference } from "../src/reference-samplers.js";

/**
 * The composed samplers, walked over the outcomes of their primitives instead of over bits: each primitive is
 * replaced by a choice with the probabilities that its own tree (here or in reference.test.ts) has proven.
 */

/** Leaves the tree where a variate is too large to be enumerated. */
class Beyond extends Error {}
/** Leaves the tree where a rejection loop begins its second round. */
class Again extends Error {}

/** A reference whose bits are never asked for. */
abstract class Bitless extends Reference {
  readonly choose: Choose;

  constructor(choose: Choose) {
    super(replayEntropy(""));
    this.choose = choose;
  }
}

/** `bernoulliExp` over the outcomes of its coins of bias e^(−γ) with γ ≤ 1. */
class SmallCoins extends Bitless {
  override bernoulliExpUpToOne(p: bigint, q: bigint): boolean {
    return flip(this.choose, expOfMinus(Rational.of(p, q)));
  }
}

/** The other samplers over the outcomes of bits, uniform integers and coins of bias e^(−γ). */
class Choosing extends Bitless {
  override bit(): 0 | 1 {
    return flip(this.choose, Interval.from("1/2", PRECISION)) ? 1 : 0;
  }

  override uniformBelow(n: bigint): bigint {
    const each = Interval.from(Rational.of(1n, n), PRECISION);
    return BigInt(this.choose(Array.from({ length: Number(n) }, () => each)));
  }

  override bernoulliExp(p: bigint, q: bigint): boolean {
    return flip(this.choose, expOfMinus(Rational.of(p, q)));
  }
}

/** `geometric` and `truncatedGeometric`, up to the end of the first round of their rejection loop. */
class GeometricRound extends Choosing {
  #candidates = 0;

  override uniformBelow(n: bigint): bigint {
    if (this.#candidates++ > 0) throw new Again();
    return super.uniformBelow(n);
  }
}

/** `discreteLaplace` over the outcomes 0 … 40t/s of `geometric`. */
class LaplaceRound extends Choosing {
  #candidates = 0;

  override geometric(s: bigint, t: bigint): bigint {
    if (this.#candidates++ > 0) throw new Again();
    return chooseFollowed(this.choose, geometricMasses(Rational.of(t, s))) ?? beyond();
  }
}

/** `discreteGaussian` over the outcomes −40t … 40t of `discreteLaplace`, which is always asked for scale t. */
class GaussianRound extends Choosing {
  #candidates = 0;

  override discreteLaplace(s: bigint, t: bigint): bigint {
    if (this.#candidates++ > 0) throw new Again();
    const masses = laplaceMasses(Rational.of(t, s));
    return chooseFollowed(this.choose, masses, 1 - masses.length / 2) ?? beyond();
  }
}

function beyond(): never {
  throw new Beyond();
}

/**
 * The law of a rejection loop from the tree of its first round. Rounds are independent and alike, so
 * P(x) = P(the round gives x) / (1 − P(the round asks for another)). What is undecided may belong to either.
 */
function lawOfRounds(smallestMass: RationalLike, round: (choose: Choose) => bigint): ChoiceTree {
  const { mass, undecided } = choiceTree((choose) => outcome(() => round(choose)), { smallestMass });
  const nothing = Interval.from(0, PRECISION);
  const [again, beyond] = [mass.get("again") ?? nothing, mass.get("beyond") ?? nothing];
  mass.delete("again");
  mass.delete("beyond");
  const unknown = undecided.plus(beyond);
  const accepted = complement(again.plus(Interval.hull(0, unknown.upper(), PRECISION)));
  return {
    mass: new Map([...mass].map(([x, each]) => [x, each.dividedBy(accepted)])),
    undecided: unknown.dividedBy(accepted),
  };
}

function outcome(run: () => bigint): string {
  try {
    return String(run());
  } catch (thrown) {
    if (thrown instanceof Again) return "again";
    if (thrown instanceof Beyond) return "beyond";
    throw thrown;
  }
}

describe("The tree of the primitives' outcomes", () => {
  it.each(vectors.bernoulli_exp)(
    "gives bernoulliExp its law for γ = $p/$q, from coins with γ ≤ 1",
    (vector) => {
      const tree = choiceTree(
        (choose) => new SmallCoins(choose).bernoulliExp(BigInt(vector.p), BigInt(vector.q)),
        { smallestMass: "1e-30" },
      );
      expectLaw({ tree, probabilities: { true: vector.prob } });
      expect(tree.undecided.isBelow("1e-29")).toBe(true);
    },
  );

  it.each(vectors.geometric)("gives geometric its law for s/t = $s/$t", ({ s, t, pmf }) => {
    const tree = lawOfRounds("1e-12", (choose) => new GeometricRound(choose).geometric(BigInt(s), BigInt(t)));
    expectLaw({ tree, probabilities: lawFromZero(pmf) });
    expect(tree.undecided.isBelow("1e-10")).toBe(true);
  });

  it.each(
    vectors.geometric.flatMap(({ s, t, truncated_mod_M }) =>
      Object.entries(truncated_mod_M).map(([M, pmf]) => ({ s, t, M, pmf })),
    ),
  )("gives truncatedGeometric its law for s/t = $s/$t and M = $M", ({ s, t, M, pmf }) => {
    const tree = lawOfRounds("1e-12", (choose) =>
      new GeometricRound(choose).truncatedGeometric(BigInt(s), BigInt(t), BigInt(M)),
    );
    expectLaw({ tree, probabilities: lawFromZero(pmf) });
    expect(tree.undecided.isBelow("1e-10")).toBe(true);
  });

  it.each(vectors.discrete_laplace)("gives discreteLaplace its law for scale $t/$s", ({ s, t, pmf_abs }) => {
    const tree = lawOfRounds("1e-30", (choose) =>
      new LaplaceRound(choose).discreteLaplace(BigInt(s), BigInt(t)),
    );
    expectLaw({ tree, probabilities: symmetricLaw(pmf_abs) });
    expect(tree.undecided.isBelow("1e-17")).toBe(true);
  });

  it.each(vectors.discrete_gaussian)(
    "gives discreteGaussian its law for σ² = $sigma2",
    ({ sigma2, pmf_abs }) => {
      const { numerator, denominator } = rational(sigma2);
      const tree = lawOfRounds("1e-30", (choose) =>
        new GaussianRound(choose).discreteGaussian(numerator, denominator),
      );
      expectLaw({ tree, probabilities: symmetricLaw(pmf_abs) });
      expect(tree.undecided.isBelow("1e-17")).toBe(true);
    },
  );

  it("visits each order of five items once in shuffle", () => {
    const tree = choiceTree((choose) => new Choosing(choose).shuffle([..."abcde"]).join(""), {
      smallestMass: "1e-6",
    });
    expect(tree.mass.size).toBe(120);
    expectLaw({
      tree,
      probabilities: Object.fromEntries([...tree.mass.keys()].map((order) => [order, "1/120"])),
    });
  });
});

// With all rounds the trees are bushy and leave more undecided, but assume nothing about the rounds.
describe("The tree of all rounds", () => {
  it("gives geometric its law for s/t = 3/7 with 3 % undecided", () => {
    const { s, t, pmf } = vectors.geometric[2];
    const tree = choiceTree((choose) => new Choosing(choose).geometric(BigInt(s), BigInt(t)), {
      smallestMass: "1e-5",
    });
    expectLaw({ tree, probabilities: lawFromZero(pmf) });
    expect(tree.undecided.isBelow("0.03")).toBe(true);
  });

  it("gives discreteLaplace its law for scale 1 with 0.02 % undecided", () => {
    const tree = choiceTree((choose) => new Choosing(choose).discreteLaplace(1n, 1n), {
      smallestMass: "1e-5",
    });
    expectLaw({ tree, probabilities: symmetricLaw(vectors.discrete_laplace[0].pmf_abs) });
    expect(tree.undecided.isBelow("0.0002")).toBe(true);
  });

  it("gives discreteGaussian its law for σ² = 1/4 with 12 % undecided", () => {
    const tree = choiceTree((choose) => new Choosing(choose).discreteGaussian(1n, 4n), {
      smallestMass: "1e-5",
    });
    expectLaw({ tree, probabilities: symmetricLaw(vectors.discrete_gaussian[3].pmf_abs) });
    expect(tree.undecided.isBelow("0.12")).toBe(true);
  });
});
