/**
 * Keys of a GROUP BY under pure ε. The mechanism is exact and its noise is right. The mistake is the list of
 * candidates, which is taken from the private rows: a place that only Alice has been to is on the list because of her,
 * and once it is on the list it can be released.
 * @module
 */
import { makeStableTopKFixed, rational, rhoAtMost, type StableTopKFixedMeasurement, topK } from "winnow-dp";
import { defineAttack, type World } from "./attack.js";

/** Visitors by place; the last place is Alice's alone. */
const WORLDS = [
  [40, 30, 20],
  [40, 30, 20, 1],
];
const ALICES = 3;
const K = 4;
const DELTA = "1e-6";

export const unknownDomain = defineAttack({
  id: "unknown-domain",
  title: "Candidates taken from private rows",
  mistake: "runs a pure-ε selection over the keys that happen to be in the data",
  trick: "looks for a key that only one person can have brought",
  defence: "pure ε needs a public list; without one, only stable sets are released, and δ is paid",
  source: "house rule: candidate sets are public, or the mechanism tolerates unknown ones",
  epsilon: 1,
  delta: DELTA,
  rounds: 2000,
  textbook: {
    name: "an exact top 4 over the keys present",
    prepare: () => (world, entropy) => {
      const counts = WORLDS[world];
      const { winners } = topK(counts, {
        k: Math.min(K, counts.length),
        epsilon: 1,
        monotone: true,
        entropy,
      });
      return guess(winners.map(({ index }) => index));
    },
  },
  ours: {
    name: "stableTopKFixed, unknown domain",
    prepare: () => {
      const measurement = stableTop();
      return (world, entropy) => guess(measurement.invoke(WORLDS[world], entropy).indices);
    },
  },
});

/** (1, δ)-private: half of δ for the failure, half for the conversion of ρ, and half of ρ for each of two steps. */
function stableTop(): StableTopKFixedMeasurement {
  const delta = rational(DELTA).dividedBy(2n);
  const rho = rhoAtMost({ epsilon: 1, delta }).dividedBy(2n);
  const choose = { noise: "gumbel", rho } as const;
  return makeStableTopKFixed({
    k: K,
    domain: "unknown",
    choose,
    test: { rho },
    rounds: { rho },
    delta,
    monotone: true,
  });
}

function guess(released: readonly number[]): World {
  return released.includes(ALICES) ? 1 : 0;
}
