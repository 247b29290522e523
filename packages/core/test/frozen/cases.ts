/**
 * What the frozen cases of all mechanisms share: data, budgets, and a table of ways to ask.
 * @module
 */
import type { Entropy } from "../../src/entropy.js";
import { eta } from "../../src/index.js";
import type { FrozenCases } from "../support/frozen.js";
import { drawn } from "./drawn.js";

export const SCORES = [31, 28, 28, 17, 35, 2, 0, 22, 34.5, -3, 30, 29];
export const NAMED = {
  ant: 210,
  bee: 195,
  cat: 188,
  dog: 60,
  eel: 41,
  fox: 40,
  gnu: 12,
  hen: 3,
  ibis: 1,
  jay: 0,
};
export const COUNTS = Object.values(NAMED);
export const NUMBERS = [3, 14, 15, 92, 65, 35, 89, 79, 32, 38, 46, 26, 43, 38, 32, 79, 50, 28, 84, 19];
export const delta = "1e-6";

/** The cases of one mechanism: for each way to spend, each way to ask. */
export function each<A, B>(
  mechanism: string,
  spend: Readonly<Record<string, A>>,
  ways: Readonly<Record<string, B>>,
  ask: (spend: A, way: B, entropy: Entropy) => unknown,
): FrozenCases {
  const cases: Record<string, () => unknown> = {};
  for (const [budget, a] of Object.entries(spend))
    for (const [way, b] of Object.entries(ways)) {
      const name = [mechanism, budget, way].filter((word) => word !== "").join(", ");
      cases[name] = () => drawn(name, (entropy) => ask(a, b, entropy));
    }
  return cases;
}

export const ONE_WAY = { "": {} };
export const EPSILONS = { "ε 1": { epsilon: 1 }, "ε 1/3": { epsilon: "1/3" } };
export const RHOS = { "ρ 1/10": { rho: "1/10" }, "ρ 2": { rho: 2 } };
export const SCALES = { "scale 3/2": { scale: "3/2" }, "scale 0": { scale: 0 } };
export const ETAS = { "η(1, 1)": { eta: eta(1, 1) }, "η(15, 4)": { eta: eta(15, 4) } };
