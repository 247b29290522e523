/**
 * The smoke test that runs, unchanged and unbundled, wherever Winnow is said to run: Node, Bun, Deno, a
 * browser's page and a browser's worker. It is plain JavaScript on the built package, so that nothing but the
 * runtime itself stands between the two.
 * @module
 */
import { rational, systemEntropy, WinnowError } from "../dist/index.js";
import { topKParallel } from "../dist/parallel.js";
import {
  bernoulli,
  bernoulliExp,
  DiscreteGaussian,
  DiscreteLaplace,
  discreteGaussian,
  discreteLaplace,
  Geometric,
  geometric,
  lazyExponential,
  lazyGumbel,
  shuffle,
  truncatedGeometric,
  uniformBelow,
} from "../dist/sample.js";
import { bitTree, seededEntropy } from "../dist/testing.js";

/** @typedef {import("../dist/index.js").Entropy} Entropy */
/** @typedef {{ readonly name: string, readonly problem?: string }} Check a check without a problem has passed */

/** What must hold, by name. A check throws where it does not. */
const CHECKS = {
  "a rational is read as it is written": () => {
    equal(rational("1/3").plus("1/6"), "0.5");
    equal(rational(0.1).plus(0.2), "0.3");
    equal(rational("-7/2").floor(), "-4");
    equal(rational("1e-6").dividedBy(3n), "1/3000000");
  },

  "a rational becomes the double on the side that was asked for": () => {
    const third = rational("1/3");
    equal(third.toNumber("down"), "0.3333333333333333");
    equal(third.toNumber("up"), "0.33333333333333337");
  },

  "the system's entropy hands out bits and counts them": () => {
    const entropy = systemEntropy();
    const words = Array.from({ length: 20_000 }, () => entropy.word());
    equal(entropy.bitsUsed, "640000");
    equal(
      words.every((word) => Number.isInteger(word) && word >= 0 && word < 4_294_967_296),
      "true",
    );
    // Two of 20,000 words agree with probability 0.05; a hundred of them only where the generator is broken.
    equal(new Set(words).size > 19_900, "true");
  },

  "threads select from chunks like one thread": async () => {
    const chunks = [0, 1, 2].map((part) => Float64Array.from({ length: 1000 }, (_, i) => 1000 * part + i));
    const { winners } = await topKParallel(chunks, { k: 2, scale: "1e-6", resolution: "0.4", workers: 2 });
    equal(winners.map(({ candidate, gap }) => `${candidate} ${gap}`).join(), "2999 0.8,2998 0.8");
    const bad = topKParallel([Float64Array.of(1, Number.NaN)], { k: 1, scale: 1, workers: 1 });
    equal(await bad.catch(({ code }) => code), "invalid-score");
  },

  "the system's entropy is wiped when the script yields": async () => {
    const entropy = systemEntropy();
    entropy.bits(5);
    await undefined;
    equal(entropy.bitsUsed, "32"); // the other 27 bits of the word are gone
  },

  "a seed gives the same words everywhere": () => {
    draws("2172831130,1188193477,4180014415,1673353900,1051101972,3896204928", (bits) => bits.word());
  },

  "one draw at a time, a seed gives the same numbers everywhere": () => {
    draws("518,44,358,582,841,588", (bits) => uniformBelow(1000, bits));
    draws(
      "569594643815241,646923314746614,263155516156322,867412591149064,270689364157482,999940596186679",
      (bits) => uniformBelow(10n ** 15n, bits),
    );
    draws("0,1,0,0,1,0", (bits) => Number(bernoulli("1/3", bits)));
    draws("1,1,0,1,1,0", (bits) => Number(bernoulliExp("1/3", bits)));
    draws("6,12,0,9,14,0", (bits) => geometric("1/10", bits));
    draws("6,5,0,2,0,0", (bits) => truncatedGeometric("1/10", 7, bits));
    draws("681412955,-27129245,942614005,97440956,3436126076,-174303215", (bits) =>
      discreteLaplace("1e9", bits),
    );
    draws("-942614,97441,118035,-97095,-184769,-966585", (bits) => discreteGaussian("1e12", bits));
    draws("nwniwo,nnowiw,nnowwi,owwinn,inwnwo,nwinow", (bits) =>
      shuffle(Array.from("winnow"), bits).join(""),
    );
  },

  "prepared samplers give the same numbers everywhere": () => {
    draws("709,324,3627,506,269,2390,59,1906,1850,2207,120,2399,57,1791,376,29,302,449", (bits) =>
      new Geometric("1/1000").fill(new Int32Array(3), bits),
    );
    draws("1,0,-5,1,0,3,0,3,-3,3,0,3,0,-3,0,0,0,1", (bits) =>
      new DiscreteLaplace("3/2").fill(new Int32Array(3), bits),
    );
    draws("681,-353,-2218,510,315,1685,-46,1436,-1406,1599,126,1687,-78,-1383,-398,39,323,496", (bits) =>
      new DiscreteGaussian("1e6").fill(new Float64Array(3), bits),
    );
  },

  "real variates are ordered the same everywhere": () => {
    draws("0,1,1,0,1,1", (bits) => Number(lazyExponential(bits).isBelow(lazyGumbel(bits))));
  },

  "the exact law of a sampler is the same everywhere": () => {
    const { mass, undecided } = bitTree((bits) => bernoulliExp("1/2", bits), { depth: 12 });
    equal([mass.get("true"), mass.get("false"), undecided], "0.6064453125,0.393310546875,0.000244140625");
  },

  "a refused parameter is an error with a code, a field and a sentence": () => {
    const error = refusal(() => rational("one third", "epsilon"));
    equal(error.code, "invalid-parameter");
    equal(error.field, "epsilon");
    equal(
      error.message,
      'epsilon must be a rational number such as "1/3", "0.1", "1e-6", 1n or 0.1; got "one third"',
    );
  },
};

export const CHECK_NAMES = Object.keys(CHECKS);

/**
 * Runs every check.
 * @returns {Promise<Check[]>}
 */
export async function smoke() {
  const report = [];
  for (const [name, check] of Object.entries(CHECKS)) {
    try {
      await check();
      report.push({ name });
    } catch (error) {
      report.push({ name, problem: String(error) });
    }
  }
  return report;
}

/**
 * Six draws from one seed.
 * @param {string} expected
 * @param {(bits: Entropy) => unknown} draw
 */
function draws(expected, draw) {
  const bits = seededEntropy("winnow");
  equal(
    Array.from({ length: 6 }, () => draw(bits)),
    expected,
  );
}

/**
 * @param {unknown} actual compared as text, so that bigints and rationals can be told in a report
 * @param {string} expected
 */
function equal(actual, expected) {
  if (String(actual) !== expected) throw new Error(`expected ${expected}, got ${actual}`);
}

/**
 * @param {() => unknown} attempt
 * @returns {WinnowError}
 */
function refusal(attempt) {
  try {
    attempt();
  } catch (error) {
    if (error instanceof WinnowError) return error;
    throw error;
  }
  throw new Error("nothing was refused");
}
