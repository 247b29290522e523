/**
 * Names from private rows, published in four ways that leak although no row is shown.
 *
 * The first takes the candidates from the keys of a GROUP BY and selects under pure ε. The mechanism is exact and its
 * noise is right; the list is the mistake. A place that only Alice has been to is on the list because of her, and once
 * it is on the list it can be released.
 *
 * The second publishes every name that enough people have ("at least 14 people"). A rule without noise says of a name
 * at the threshold whether one more person has it.
 *
 * The third runs the right mechanism with the wrong δ: 0.99 for 0.99 %. Its δ is the probability with which a name that
 * one person alone has may be published, so nearly every such name is.
 *
 * The fourth runs the right mechanism for one item a person on counts in which people weren't limited.
 * @module
 */
import { makeLimitedTopK, selectPartitions, topK } from "winnow-dp";
import { type Adversary, defineAttack, type World } from "./attack.js";

const DELTA = "1e-6";

/** Visitors by place; the last place is Alice's alone. */
const PLACES = [
  { Alster: 40, Bille: 30, Dove: 20 },
  { Alster: 40, Bille: 30, Dove: 20, "Alice's garden": 1 },
];
const ALICES = "Alice's garden";
const K = 4;

export const unknownDomain = defineAttack({
  id: "unknown-domain",
  title: "Candidates taken from private rows",
  mistake: "runs a pure-ε selection over the keys that happen to be in the data",
  trick: "looks for a key that only one person can have brought",
  defence:
    "pure ε needs a public list; without one, a candidate that stands for all unsafe names ends the answer, and δ is paid",
  source: "house rule: candidate sets are public, or the mechanism tolerates unknown ones",
  epsilon: 1,
  delta: DELTA,
  rounds: 2000,
  textbook: {
    name: "an exact top 4 over the keys present",
    prepare: () => (world, entropy) => {
      const visitors = PLACES[world];
      const k = Math.min(K, Object.keys(visitors).length);
      return guess(ALICES, topK(visitors, { k, epsilon: 1, monotone: true, entropy }).winners);
    },
  },
  ours: {
    name: "limitedTopK",
    prepare: () => {
      // k rounds of 1/4 each.
      const measurement = makeLimitedTopK({ k: K, noise: "exponential", scale: 4, delta: DELTA });
      return (world, entropy) => guess(ALICES, measurement.invoke(PLACES[world], entropy).winners);
    },
  },
});

/** Patients by diagnosis. Alice is the fourteenth with the last one. */
const DIAGNOSES = [
  { asthma: 90, migraine: 60, porphyria: 13 },
  { asthma: 90, migraine: 60, porphyria: 14 },
];
const RARE = "porphyria";
const ENOUGH = 14;

export const bareThreshold = defineAttack({
  id: "bare-threshold",
  title: "Every name that enough people have",
  mistake: `publishes a name as soon as ${ENOUGH} people have it, without noise`,
  trick: "knows everyone's diagnosis except Alice's, and looks whether the rare one was published",
  defence:
    "a name with few people is kept by a coin, whose chances for n and n + 1 people differ by no more than (ε, δ) allows",
  source:
    "k-anonymous GROUP BY; Desfontaines, Voss, Gipson and Mandayam, Differentially private partition selection (2022)",
  epsilon: 1,
  delta: DELTA,
  rounds: 2000,
  textbook: {
    name: `HAVING count(DISTINCT user) >= ${ENOUGH}`,
    prepare: () => (world) => {
      const published = Object.entries(DIAGNOSES[world]).filter(([, people]) => people >= ENOUGH);
      return guess(
        RARE,
        published.map(([candidate]) => ({ candidate })),
      );
    },
  },
  ours: {
    name: "selectPartitions",
    prepare: () => (world, entropy) => {
      const options = { maxItemsPerUser: 1, epsilon: 1, delta: DELTA, entropy };
      return guess(RARE, selectPartitions(DIAGNOSES[world], options).winners);
    },
  },
});

/** In per cent, as someone may say it. */
const PER_CENT = "0.99";

export const deltaInPerCent = defineAttack({
  id: "delta-in-per-cent",
  title: "δ as a percentage",
  mistake: `promises δ = ${PER_CENT} % and passes ${PER_CENT}, a probability a hundred times as large`,
  trick: "looks for a name that only one person can have brought",
  defence:
    "δ is a probability in every interface, and a δ above 10⁻⁵ needs someone who agrees and reads what it means",
  source: "a mistake in parameters, which no proof of the mechanism can find",
  epsilon: 1,
  delta: "0.0099",
  rounds: 2000,
  textbook: { name: `selectPartitions with δ = ${PER_CENT}`, prepare: () => namesAt(PER_CENT) },
  ours: { name: "selectPartitions with δ = 0.0099", prepare: () => namesAt("0.0099") },
});

function namesAt(delta: string): Adversary {
  return (world, entropy) => {
    const options = { maxItemsPerUser: 1, epsilon: 1, delta, entropy };
    return guess(ALICES, selectPartitions(PLACES[world], options).winners);
  };
}

/** Ten names, each of which this many people have, and Alice has all of them. */
const TEN = Array.from({ length: 10 }, (_, i) => `name ${i}`);
const WITHOUT_ALICE = 13;
/** Tables for one name keep about 3 of ten at 13 people, and 6 at 14. */
const HALF = 5;

export const itemsWithoutLimit = defineAttack({
  id: "items-without-limit",
  title: "Everyone counts for all their items",
  mistake: "keeps names as if each person had one, on counts in which a person may have ten",
  trick: "counts how many of Alice's ten names were published",
  defence:
    "partition selection needs a limit on the items of a person, and its table is for that many names together",
  source: "a mistake in parameters: Desfontaines, Voss, Gipson and Mandayam bound contributions first",
  epsilon: 1,
  delta: DELTA,
  rounds: 2000,
  textbook: { name: "selectPartitions for one item a person", prepare: () => manyNames(1) },
  ours: { name: "selectPartitions for ten items a person", prepare: () => manyNames(TEN.length) },
});

function manyNames(maxItemsPerUser: number): Adversary {
  const decide = selectPartitions.prepare({ maxItemsPerUser, epsilon: 1, delta: DELTA });
  return (world, entropy) => {
    const keeps = decide(entropy);
    const kept = TEN.filter(() => keeps(WITHOUT_ALICE + world) !== undefined);
    return kept.length >= HALF ? 1 : 0;
  };
}

/** The world in which the name is there. */
function guess(name: string, released: readonly { readonly candidate: string }[]): World {
  return released.some(({ candidate }) => candidate === name) ? 1 : 0;
}
