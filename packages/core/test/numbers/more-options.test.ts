import { describe, expect, it } from "vitest";
import * as core from "../../src/index.js";

type Call = (options: unknown) => unknown;

const GRID = { lower: 0, upper: 9 };

/** Every function of sparse vector, quantiles and frequency lists with options: a call, and options that it takes. */
const PUBLIC: readonly (readonly [name: string, call: (options: never) => unknown, options: object])[] = [
  ["AboveThreshold", (o) => new core.AboveThreshold(o), { epsilon: 1 }],
  ["makeAboveThreshold", (o) => core.makeAboveThreshold(o), { thresholdScale: 1, queryScale: 1 }],
  ["noisyThreshold", (o) => core.noisyThreshold(3, o), { threshold: 1, eta: core.eta(1, 1) }],
  ["quantile", (o) => core.quantile([3], o), { ...GRID, quantile: "1/2", epsilon: 1 }],
  ["quantiles", (o) => core.quantiles([3], o), { ...GRID, quantiles: ["1/2"], epsilon: 1 }],
  ["upperBound", (o) => core.upperBound([3], o), { target: 1, epsilon: 1 }],
  ["integerPartition", (o) => core.integerPartition([3], o), { epsilon: 3 }],
];

const refusal = expect.objectContaining({ name: "WinnowError", code: "invalid-parameter" });
const thrownBy = (call: Call, options: unknown): unknown => {
  try {
    call(options);
  } catch (error) {
    return error;
  }
  return undefined;
};

describe.each(PUBLIC)("the options of %s", (_, typed, options) => {
  const call = typed as Call;

  it("are taken as they are, and those that are undefined count as absent", () => {
    expect(thrownBy(call, options)).toBeUndefined();
    expect(thrownBy(call, { ...options, entropy: undefined, monotone: undefined })).toSatisfy(
      (error) => error === undefined || /unknown name|not an option/.test(String(error)),
    );
  });

  it.each([[null], ["options"], [3], [[]], [() => 1]])("are refused if they are %o", (other) => {
    expect(thrownBy(call, other)).toEqual(refusal);
  });

  it("have no name that nobody knows, and the refusal does not repeat it", () => {
    const error = thrownBy(call, { ...options, "Alice Liddell": 41_270 });
    expect(error).toEqual(refusal);
    expect(String(error)).not.toMatch(/Alice|41270/);
  });

  it.each(Object.keys(options))("are refused if %s is null or a symbol", (name) => {
    for (const value of [null, Symbol("secret")])
      expect(thrownBy(call, { ...options, [name]: value })).toEqual(refusal);
  });
});
