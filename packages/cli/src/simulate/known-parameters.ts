/**
 * What each mechanism can be told. An option that means nothing to it is refused, for whoever compares frequencies with a law
 * must know that the law they asked for is the one that was drawn; a default of the configuration is dropped instead.
 * @module
 */
import { optionName } from "../option-name.js";
import { Refusal } from "../refusal.js";
import type { SimulatedName } from "./mechanisms.js";
import type { Parameters } from "./parameters.js";

type Name = keyof Parameters;

const SHARED: readonly Name[] = ["sensitivity", "monotone"];
const STABLE: readonly Name[] = [
  ...SHARED,
  ...(["maxK", "epsilon", "rho", "delta", "noise", "threshold", "chooseScale", "testVariance"] as const),
];

const KNOWN: Readonly<Record<SimulatedName, readonly Name[]>> = {
  "permute-and-flip": [...SHARED, "epsilon", "scale", "negate"],
  "report-noisy-max": [...SHARED, "noise", "epsilon", "rho", "scale", "variance", "negate"],
  "base2-exponential": [...SHARED, "eta", "epsilon", "utilityMin", "utilityMax", "negate"],
  "top-k": [...SHARED, "k", "noise", "epsilon", "rho", "scale", "method", "negate"],
  "top-k-with-gap": [...SHARED, "k", "epsilon", "scale", "resolution", "negate"],
  "largest-gap": [
    ...SHARED,
    ...(["maxK", "noise", "epsilon", "rho", "scale", "variance", "regulariser", "cap"] as const),
  ],
  "stable-top-k": [...STABLE, "regulariser"],
  "stable-top-k-fixed": [...STABLE, "k", "roundsScale", "penalty", "cap"],
};

/** What says how much noise there is; one of them on the command line silences the others' defaults. */
const SIZES: ReadonlySet<string> = new Set<Name>([
  ...(["epsilon", "rho", "scale", "variance", "eta"] as const),
  ...(["chooseScale", "testVariance", "roundsScale"] as const),
]);

/** The parameters without idle defaults; what was typed must mean something to the mechanism. */
export function knownParameters(
  mechanism: SimulatedName,
  given: Parameters,
  defaults: readonly string[] = [],
): Parameters {
  const isTyped = (name: string) => !defaults.includes(name);
  const known: readonly string[] = KNOWN[mechanism];
  const names = Object.keys(given) as Name[];
  const idle = names.find((name) => isTyped(name) && !known.includes(name));
  if (idle !== undefined) throw meansNothing(idle, mechanism);
  const hasTypedSize = names.some((name) => isTyped(name) && SIZES.has(name));
  const kept = names.filter(
    (name) => known.includes(name) && (isTyped(name) || !(hasTypedSize && SIZES.has(name))),
  );
  return Object.fromEntries(kept.map((name) => [name, given[name]]));
}

function meansNothing(name: Name, mechanism: SimulatedName): Refusal {
  const known = KNOWN[mechanism].map(optionName).sort();
  return new Refusal(
    "usage",
    `${optionName(name)} means nothing to ${mechanism}, which takes ${known.join(", ")}.`,
  );
}
