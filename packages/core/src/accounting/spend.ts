/**
 * How much a call may spend, as its options say it: exactly one of `epsilon`, `rho`, `scale`, `variance` and `eta`, of which
 * each function takes some. The types refuse none and two; `exactlyOneOf` refuses them again when the call runs.
 * @module
 */
import type { RationalLike } from "../exact/rational.js";
import type { Base2Parameter } from "./base2-parameter.js";

/** The ways to say how much may be spent, or how much noise there is. A function takes exactly one of those that it lists. */
export interface Budgets {
  /** The ε of the whole answer: pure differential privacy, or (ε, δ) where there is a δ. */
  readonly epsilon: RationalLike;
  /** The ρ of the whole answer: zero-concentrated differential privacy, δ-approximate where there is a δ. */
  readonly rho: RationalLike;
  /** The scale of the noise, in units of the scores. */
  readonly scale: RationalLike;
  /** σ² of Gaussian noise. */
  readonly variance: RationalLike;
  /** A budget in base 2: the base of the noise, made by `eta` or `etaAtMost`; the loss is a multiple of its η. */
  readonly eta: Base2Parameter;
}

/**
 * A budget: exactly one of several, so that none, two and one of another kind do not compile.
 *
 * @typeParam Names Those of which one is given: `Spend<"epsilon" | "rho">`.
 */
export type Spend<Names extends keyof Budgets> = {
  [Name in Names]: Pick<Budgets, Name> & { readonly [Other in Exclude<keyof Budgets, Name>]?: undefined };
}[Names];

/** A budget before it is known that just one is given. */
export type LooseSpend<Names extends keyof Budgets = "epsilon" | "rho" | "scale"> = {
  readonly [Name in Names]?: Budgets[Name] | undefined;
};

/** Options with a budget, before it is known that just one is given. */
export type LooseOptions<Options extends Spend<keyof Budgets>> = Omit<Options, keyof Budgets> &
  LooseSpend<
    {
      [Name in keyof Budgets]: [Exclude<Options[Name], undefined>] extends [never] ? never : Name;
    }[keyof Budgets]
  >;
