/**
 * The smoke test that runs, unchanged and unbundled, wherever Winnow is said to run: Node, Bun, Deno, a
 * browser's page and a browser's worker. It is plain JavaScript on the built package, so that nothing but the
 * runtime itself stands between the two.
 * @module
 */
import { rational, systemEntropy, WinnowError } from "../dist/index.js";

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

  "the system's entropy is wiped when the script yields": async () => {
    const entropy = systemEntropy();
    entropy.bits(5);
    await undefined;
    equal(entropy.bitsUsed, "32"); // the other 27 bits of the word are gone
  },

  "a refused parameter is an error with a code, a field and a sentence": () => {
    const error = refusal(() => rational("one third", "epsilon"));
    equal(error.code, "invalid-parameter");
    equal(error.field, "epsilon");
    equal(
      error.message,
      '"epsilon" expected a rational number such as "1/3", "0.1", "1e-6", 1n or 0.1, got "one third"',
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
