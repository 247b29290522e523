import { describe, expect, it } from "vitest";
import { Entropy } from "../../src/entropy.js";
import { WinnowError } from "../../src/errors.js";
import * as samplers from "../../src/sample/index.js";

const {
  bernoulli,
  bernoulliExp,
  bernoulliExpRatio,
  DiscreteGaussian,
  DiscreteLaplace,
  discreteGaussian,
  discreteLaplace,
  Geometric,
  geometric,
  lazyExponential,
  lazyGaussian,
  lazyGumbel,
  normalizedSample,
  shuffle,
  truncatedGeometric,
  uniformBelow,
} = samplers;

const RATIONAL = 'a rational number such as "1/3", "0.1", "1e-6", 1n or 0.1';
const INTEGER = "an integer >= 1";

/** What JavaScript may pass where TypeScript would not. */
const wrong = (value: unknown) => value as never;

const REFUSED: readonly [text: string, call: (entropy: Entropy) => unknown][] = [
  [`n must be ${INTEGER}; got 0`, (bits) => uniformBelow(0, bits)],
  [`n must be ${INTEGER}; got -1n`, (bits) => uniformBelow(-1n, bits)],
  [`n must be ${INTEGER}; got 1.5`, (bits) => uniformBelow(1.5, bits)],
  [`n must be ${INTEGER}; got NaN`, (bits) => uniformBelow(Number.NaN, bits)],
  [`n must be ${INTEGER}; got Infinity`, (bits) => uniformBelow(Number.POSITIVE_INFINITY, bits)],
  [`n must be ${INTEGER} (a bigint above 2^53); got 9007199254740992`, (bits) => uniformBelow(2 ** 53, bits)],
  [`n must be ${INTEGER}; got "6"`, (bits) => uniformBelow(wrong("6"), bits)],
  ["items must be an array or a typed array; got undefined", (bits) => shuffle(wrong(undefined), bits)],
  [
    "items must be an array or a typed array; got a value of type string",
    (bits) => shuffle(wrong("abc"), bits),
  ],
  [
    "items must be an array or a typed array; got a value of type object",
    (bits) => shuffle(wrong({ length: 3 }), bits),
  ],
  ['probability must be a rational from 0 to 1; got "-1/2"', (bits) => bernoulli("-1/2", bits)],
  ["probability must be a rational from 0 to 1; got 1.01", (bits) => bernoulli(1.01, bits)],
  [`probability must be ${RATIONAL}; got NaN`, (bits) => bernoulli(Number.NaN, bits)],
  [`probability must be ${RATIONAL}; got "half"`, (bits) => bernoulli("half", bits)],
  [`probability must be ${RATIONAL}; got "1/0"`, (bits) => bernoulli("1/0", bits)],
  [`probability must be ${RATIONAL}; got undefined`, (bits) => bernoulli(wrong(undefined), bits)],
  [`gamma must be a rational >= 0; got -0.5`, (bits) => bernoulliExp(-0.5, bits)],
  [`gamma must be ${RATIONAL}; got Infinity`, (bits) => bernoulliExp(Number.POSITIVE_INFINITY, bits)],
  ["p must be an integer >= 0; got -1", (bits) => bernoulliExpRatio(-1, 2, bits)],
  ["p must be an integer >= 0; got 0.5", (bits) => bernoulliExpRatio(0.5, 2, bits)],
  ["q must be an integer >= 1; got 0", (bits) => bernoulliExpRatio(1, 0, bits)],
  ["q must be an integer >= 1; got NaN", (bits) => bernoulliExpRatio(1, Number.NaN, bits)],
  ["rate must be a rational > 0; got 0", (bits) => geometric(0, bits)],
  ['rate must be a rational > 0; got "-1/3"', (bits) => geometric("-1/3", bits)],
  [`rate must be ${RATIONAL}; got NaN`, (bits) => geometric(Number.NaN, bits)],
  ["rate must be a rational > 0; got 0n", (bits) => truncatedGeometric(0n, 2, bits)],
  [`modulus must be ${INTEGER}; got 0`, (bits) => truncatedGeometric(1, 0, bits)],
  [`modulus must be ${INTEGER}; got 2.5`, (bits) => truncatedGeometric(1, 2.5, bits)],
  ["scale must be a rational > 0; got 0", (bits) => discreteLaplace(0, bits)],
  [`scale must be ${RATIONAL}; got ""`, (bits) => discreteLaplace("", bits)],
  ["sigmaSquared must be a rational > 0; got -4", (bits) => discreteGaussian(-4, bits)],
  [`sigmaSquared must be ${RATIONAL}; got "1e99999"`, (bits) => discreteGaussian("1e99999", bits)],
  ["rate must be a rational > 0; got -1", () => new Geometric(-1)],
  ['rate must be a rational >= 2^-40; got "1e-13"', () => new Geometric("1e-13")],
  ["scale must be a rational > 0; got 0", () => new DiscreteLaplace(0)],
  ["scale must be a rational <= 2^40; got 1099511627777", () => new DiscreteLaplace(2 ** 40 + 1)],
  ["sigmaSquared must be a rational > 0; got 0", () => new DiscreteGaussian(0)],
  ['sigmaSquared must be a rational <= 2^80; got "2e24"', () => new DiscreteGaussian("2e24")],
  [
    "target must be a typed array of kind Int32Array or Float64Array; got a value of type object",
    (bits) => new DiscreteLaplace(1).fill(wrong(new Uint8Array(3)), bits),
  ],
  [
    "target must be a typed array of kind Int32Array or Float64Array; got an array",
    (bits) => new Geometric(1).fill(wrong([0, 0]), bits),
  ],
];

describe("A bad parameter", () => {
  it.each(REFUSED)("is refused before a bit is drawn: %s", (text, call) => {
    let fetched = 0;
    const entropy = new Entropy({ fill: () => fetched++ });
    const thrown = errorOf(() => call(entropy));
    expect(thrown).toBeInstanceOf(WinnowError);
    expect(thrown).toMatchObject({ code: "invalid-parameter", message: text });
    expect(`${thrown.field} must be ${thrown.expected}; got ${thrown.got}`).toBe(text);
    expect([fetched, entropy.bitsUsed]).toEqual([0, 0]);
  });
});

describe("An entropy that throws", () => {
  const DRAWS: Readonly<Record<string, (entropy: Entropy) => unknown>> = {
    bernoulli: (bits) => bernoulli("1/3", bits),
    bernoulliExp: (bits) => bernoulliExp("1/3", bits),
    bernoulliExpRatio: (bits) => bernoulliExpRatio(1, 3, bits),
    DiscreteGaussian: (bits) => new DiscreteGaussian(100).sample(bits),
    DiscreteLaplace: (bits) => new DiscreteLaplace(100).fill(new Int32Array(3), bits),
    discreteGaussian: (bits) => discreteGaussian(100, bits),
    discreteLaplace: (bits) => discreteLaplace(100, bits),
    Geometric: (bits) => new Geometric(1).sample(bits),
    geometric: (bits) => geometric(1, bits),
    lazyExponential: (bits) => lazyExponential(bits).enclosure(),
    lazyGaussian: (bits) => lazyGaussian(bits),
    lazyGumbel: (bits) => lazyGumbel(bits).enclosure(),
    normalizedSample: (bits) => normalizedSample([1, 2], bits),
    shuffle: (bits) => shuffle([1, 2, 3], bits),
    truncatedGeometric: (bits) => truncatedGeometric(1, 2, bits),
    uniformBelow: (bits) => uniformBelow(3, bits),
  };

  it.each(Object.entries(DRAWS))("makes %s throw the same", (_, draw) => {
    const failure = new Error("no more randomness");
    const entropy = new Entropy({
      fill() {
        throw failure;
      },
    });
    expect(errorOf(() => draw(entropy))).toBe(failure);
    expect(entropy.bitsUsed).toBe(0);
  });

  it("is tried on every sampler that there is", () => {
    expect(Object.keys(DRAWS).sort()).toEqual(Object.keys(samplers).sort());
  });
});

function errorOf(call: () => unknown): WinnowError {
  try {
    call();
  } catch (thrown) {
    return thrown as WinnowError;
  }
  return expect.fail("nothing was thrown");
}
