/**
 * How many of the true top k are found, at k = 3, 10, 50 and ε = 0.4, 0.8, 1, δ = 1/people [ZW22, Table 1]. The
 * paper's data sets (check-ins) are not to be had; these are baskets, clicks, page visits and a generated histogram.
 * @module
 */
import { type Entropy, type Rational, rational, rhoAtMost, stableTopKFixed, topK } from "winnow-dp";
import { seededEntropy } from "winnow-dp/testing";
import { type Dataset, datasets } from "../datasets.js";
import type { Section, Settings } from "../experiment.js";
import { largest, recall, spreadOf } from "../statistics.js";
import { table } from "../table.js";

const [SIZES, EPSILONS] = [
  [3, 10, 50],
  [0.4, 0.8, 1],
];

/** What (ε, 1/people) is worth: all of it as ρ, or half of δ for a test and the rest as ρ. */
interface Worth {
  readonly rho: Rational;
  readonly tested: { readonly rho: Rational; readonly delta: Rational };
}

/** As printed: of other data, so only the order of the methods can be compared. TS and LD are other people's mechanisms. */
const PAPER = [
  ["BrightKite (the paper's)", "TS", "1.00 0.77 0.14 1.00 0.80 0.16 1.00 0.80 0.18"],
  ["BrightKite (the paper's)", "LD", "1.00 0.47 0.10 1.00 0.79 0.25 1.00 0.88 0.28"],
  ["BrightKite (the paper's)", "stable top k", "1.00 0.91 0.61 1.00 1.00 0.67 1.00 1.00 0.67"],
  ["Foursquare (the paper's)", "TS", "1.00 0.64 0.11 1.00 0.90 0.18 1.00 0.90 0.18"],
  ["Foursquare (the paper's)", "LD", "0.68 0.62 0.13 0.75 0.85 0.24 0.91 0.94 0.28"],
  ["Foursquare (the paper's)", "stable top k", "1.00 0.72 0.48 1.00 1.00 0.67 1.00 1.00 0.67"],
].map(([data, method, shares]) => [data, method, ...shares.split(" ")]);

type Method = (counts: Float64Array, k: number, worth: Worth, entropy: Entropy) => readonly number[];

const METHODS: Readonly<Record<string, Method>> = {
  "exponential mechanism": (counts, k, { rho }, entropy) =>
    topK(counts, { k, rho, monotone: true, entropy }).winners.map(({ index }) => index),
  "stable top k": (counts, k, { tested }, entropy) =>
    stableTopKFixed(counts, { k, domain: "public", ...tested, monotone: true, entropy }).indices,
  "stable top k, unknown items": (counts, k, { tested }, entropy) =>
    stableTopKFixed(counts, { k, domain: "unknown", ...tested, monotone: true, entropy }).indices,
};

function worthOf({ people }: Dataset, epsilon: number): Worth {
  const delta = rational(1).dividedBy(people);
  const half = delta.dividedBy(2);
  const rho = rhoAtMost({ epsilon, delta });
  return { rho, tested: { rho: rhoAtMost({ epsilon, delta: half }), delta: half } };
}

export function proportionOfTopK({ trials, data }: Settings): Section {
  const header = [
    "data",
    "method",
    ...EPSILONS.flatMap((epsilon) => SIZES.map((k) => `ε ${epsilon}, k ${k}`)),
  ];
  const rows = datasets(data).flatMap((set) => {
    const worths = EPSILONS.map((epsilon) => worthOf(set, epsilon));
    return Object.entries(METHODS).map(([name, method]) => {
      console.error(`${set.name}: ${name}`);
      const cells = worths.flatMap((worth, i) =>
        SIZES.map((k) => {
          const truth = largest(set.counts, k);
          const { mean } = spreadOf(trials, (trial) => {
            const entropy = seededEntropy(`${set.name} ${name} ${EPSILONS[i]} ${k} ${trial}`);
            return recall(method(set.counts, k, worth, entropy), truth);
          });
          return mean.toFixed(2);
        }),
      );
      return [set.name, name, ...cells];
    });
  });
  return {
    title: "Proportion of the true top k",
    notes: `Mean of ${trials} trials, (ε, 1/people)-DP for one person more or less. The first two know the list of items; the third does not, and returns fewer than k where it must. The paper's check-ins are not to be had: these are stand-ins, and the last six rows are its own [ZW22, Table 1], of its constants, several of which are not safe.`,
    table: table(header, [...rows, ...PAPER]),
  };
}
