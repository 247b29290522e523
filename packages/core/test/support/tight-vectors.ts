/** The reference values of vectors-tight.json: its `schema` says what each section holds. Numbers are exact text. */
import { readFileSync } from "node:fs";

type Texts<Names extends string> = Readonly<Record<Names, string>>;

interface TightVectors {
  readonly bounded_range_exact: readonly (Texts<"epsilon" | "eta" | "delta"> & { readonly k: number })[];
  readonly bounded_range: readonly (Texts<
    "epsilon" | "eta" | "at_least" | "at_most" | "nonadaptive" | "t"
  > & {
    readonly k: number;
  })[];
  readonly bounded_range_heterogeneous: readonly (Texts<"epsilon" | "at_least" | "at_most"> & {
    readonly etas: readonly string[];
  })[];
  readonly with_counts: readonly (Texts<"epsilon" | "eta" | "mu" | "at_least" | "at_most"> & {
    readonly k: number;
  })[];
  readonly range_for: readonly (Texts<"epsilon" | "delta"> &
    Partial<Texts<"eta" | "eta_at_least" | "eta_at_most">> & { readonly k: number })[];
  readonly limited_threshold: readonly (Texts<"epsilon" | "delta" | "r_plus_T" | "today"> & {
    readonly k: number;
    readonly m: number;
  })[];
  readonly topk_instance: readonly (Texts<"epsilon" | "eta" | "delta"> & {
    readonly k: number;
    readonly scores_a: number;
    readonly scores_b: number;
  })[];
  readonly zcdp: readonly Texts<"x" | "pure" | "bounded_range" | "laplace">[];
  readonly laplace_curve: readonly Texts<"x" | "alpha" | "value">[];
  readonly noisy_max_profile: readonly Texts<
    "epsilon" | "x" | "delta_forward" | "delta_backward" | "bound"
  >[];
  readonly discrete_gaussian_delta: readonly (Texts<
    "variance" | "epsilon" | "delta" | "single" | "factor"
  > & {
    readonly m: number;
  })[];
  readonly discrete_gaussian_variance: readonly (Texts<"epsilon" | "delta" | "variance" | "zcdp_variance"> & {
    readonly m: number;
  })[];
}

export const tight: TightVectors = JSON.parse(
  readFileSync(new URL("../vectors-tight.json", import.meta.url), "utf8"),
);
