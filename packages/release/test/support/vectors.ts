/** Laws computed independently of Winnow, as core's tests have them. */
import { readFileSync } from "node:fs";

interface Outcome {
  readonly indices: readonly number[];
  readonly prob: string;
}

interface Vectors {
  readonly exp_oneshot_topk: readonly { scores: number[]; scale: string; k: number; outcomes: Outcome[] }[];
  readonly gumbel_topk: readonly { scores: number[]; tau: string; k: number; outcomes: Outcome[] }[];
  readonly permute_and_flip: readonly { scores: number[]; scale: string; probs: string[] }[];
  readonly noisy_topk_gap: readonly {
    name: string;
    scores: string[];
    epsilon: string;
    k: number;
    gamma: string;
    monotone: boolean;
    noise_scale: string;
    cells: (Outcome & { gaps: (number | string)[] })[];
  }[];
  readonly stable_topk_gap2: readonly {
    histogram: number[];
    sigma2: string;
    delta_t: string;
    p_k: string[];
  }[];
}

export const vectors: Vectors = JSON.parse(
  readFileSync(new URL("../../../core/test/vectors.json", import.meta.url), "utf8"),
);
