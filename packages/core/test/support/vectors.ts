/**
 * The exact laws of ../vectors.json, typed. Decimals are texts of 28 significant digits (20 in `rnm` and
 * `stable_topk_gap2`), correctly rounded; `"a/b"` is an exact rational. Indices count from 0, best first. The
 * file's `schema` says what each law is of.
 * @module
 */
import { readFileSync } from "node:fs";

/** A correctly rounded decimal such as `"0.3678794411714423215955237702"`, or an exact `"1/3"`. */
export type Decimal = string;

export interface Vectors {
  readonly schema: Readonly<Record<string, string>>;
  readonly base2_em: readonly Base2ExponentialVector[];
  readonly em_base_e: readonly { scores: number[]; tau: Decimal; probs: Decimal[] }[];
  readonly permute_and_flip: readonly { scores: number[]; scale: Decimal; probs: Decimal[] }[];
  readonly pf_peel_topk: readonly TopKVector<"scale">[];
  readonly exp_oneshot_topk: readonly TopKVector<"scale">[];
  readonly gumbel_topk: readonly TopKVector<"tau">[];
  readonly noisy_topk_gap: readonly TopKWithGapVector[];
  readonly geometric: readonly GeometricVector[];
  readonly discrete_laplace: readonly { s: number; t: number; pmf_abs: Decimal[] }[];
  readonly discrete_gaussian: readonly { sigma2: Decimal; normalizer: Decimal; pmf_abs: Decimal[] }[];
  readonly bernoulli_exp: readonly { p: number; q: number; prob: Decimal }[];
  readonly ptr: readonly (GaussianReleaseVector | LaplaceReleaseVector)[];
  readonly stable_topk: readonly StableTopKVector[];
  readonly stable_topk_fixed: readonly StableTopKFixedVector[];
  readonly stable_topk_gap2: readonly StableTopKGap2Vector[];
  readonly blue: readonly BlueVector[];
  readonly accounting: readonly AccountingVector[];
  readonly rnm: readonly NoisyMaxVector[];
}

export interface Base2ExponentialVector {
  readonly name: string;
  readonly eta: { x: number; y: number; z: number };
  readonly utilities: readonly Decimal[];
  readonly utility_min: number;
  readonly utility_max: number;
  readonly probs_exact: readonly Decimal[];
  readonly probs: readonly Decimal[];
  readonly eps_general_sens1: Decimal;
  readonly eps_monotone_sens1: Decimal;
  readonly rho_general_sens1: Decimal;
}

/** An ordered top k and its probability. */
export interface OrderedOutcome {
  readonly indices: readonly number[];
  readonly prob: Decimal;
}

export type TopKVector<Scale extends string> = Readonly<Record<Scale, Decimal>> & {
  readonly scores: readonly number[];
  readonly k: number;
  readonly outcomes: readonly OrderedOutcome[];
};

export interface TopKWithGapVector {
  readonly name: string;
  readonly scores: readonly Decimal[];
  readonly scores_floored: readonly Decimal[];
  readonly epsilon: Decimal;
  readonly k: number;
  readonly gamma: Decimal;
  readonly monotone: boolean;
  readonly noise_scale: Decimal;
  readonly gap_unit: "gamma";
  readonly index_marginals: readonly OrderedOutcome[];
  /** A gap is a number of whole γ, or a text such as `">=12"` for the tail. */
  readonly cells: readonly (OrderedOutcome & { readonly gaps: readonly (number | string)[] })[];
}

export interface GeometricVector {
  readonly s: number;
  readonly t: number;
  readonly pmf: readonly Decimal[];
  /** For each modulus M, the law of the variate modulo M. */
  readonly truncated_mod_M: Readonly<Record<string, readonly Decimal[]>>;
}

export interface GaussianReleaseVector {
  readonly kind: "discrete_gaussian";
  readonly sigma2: Decimal;
  readonly delta_t: Decimal;
  readonly gap_sensitivity: number;
  readonly rho: Decimal;
  readonly lambda_subgaussian: number;
  readonly lambda_exact: number;
  readonly actual_delta_subgaussian: Decimal;
  readonly actual_delta_exact: Decimal;
  readonly release: readonly { gap: number; p_subgaussian: Decimal; p_exact: Decimal }[];
}

export interface LaplaceReleaseVector {
  readonly kind: "discrete_laplace";
  readonly epsilon: Decimal;
  readonly delta_t: Decimal;
  readonly gap_sensitivity: number;
  readonly lambda_exact: number;
  readonly lambda_paper: number;
  readonly actual_delta_exact: Decimal;
  readonly actual_delta_paper: Decimal;
  readonly release: readonly { gap: number; p_exact: Decimal; p_paper_lambda: Decimal }[];
}

export interface StableTopKVector {
  readonly histogram: readonly number[];
  readonly tie_break: "ascending index";
  readonly regularizer: readonly Decimal[];
  readonly epsilon_em: Decimal;
  readonly sigma2: Decimal;
  readonly delta_t: Decimal;
  readonly lam: number;
  readonly rho_em: Decimal;
  readonly rho_ptr: Decimal;
  readonly outcomes: readonly {
    k: number;
    set: number[];
    p_k: Decimal;
    p_release_given_k: Decimal;
    prob: Decimal;
  }[];
  readonly prob_bottom: Decimal;
}

export interface StableTopKFixedVector {
  readonly histogram: readonly number[];
  readonly k: number;
  readonly reg_lambda: Decimal;
  readonly epsilon_em_select: Decimal;
  readonly sigma2: Decimal;
  readonly delta_t: Decimal;
  readonly em_peel_tau: Decimal;
  readonly note: string;
  readonly outcomes: readonly { set: number[]; prob: Decimal }[];
}

export interface StableTopKGap2Vector {
  readonly histogram: readonly number[];
  readonly gap_sensitivity: number;
  readonly epsilon_em: Decimal;
  readonly sigma2: Decimal;
  readonly delta_t: Decimal;
  readonly lam: number;
  readonly p_k: readonly Decimal[];
  readonly p_release_given_k: readonly Decimal[];
  readonly p_not_released: Decimal;
}

export interface BlueVector {
  readonly measurements: readonly Decimal[];
  readonly gaps: readonly Decimal[];
  readonly lambda_var_ratio: Decimal;
  readonly estimates: readonly Decimal[];
  readonly variance_ratio: Decimal;
}

export interface AccountingVector {
  readonly fn: string;
  readonly args: Readonly<Record<string, Decimal | number | boolean>>;
  readonly value: Decimal;
}

export type NoisyMaxVector = { readonly scores: readonly number[]; readonly probs: readonly Decimal[] } & (
  | { readonly noise: "laplace"; readonly b: Decimal }
  | { readonly noise: "gaussian"; readonly sigma2: Decimal }
);

export const vectors: Vectors = JSON.parse(readFileSync(new URL("../vectors.json", import.meta.url), "utf8"));
