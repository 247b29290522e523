import { describe, expect, it } from "vitest";
import * as core from "../../src/index.js";

type Call = (options: unknown) => unknown;

const COUNTS = { ant: 50, bee: 30 };
const BUDGET = { epsilon: 1, delta: "1/100" };

/** Every function of unknown domains with options: a call, and options that it takes. */
const PUBLIC: readonly (readonly [name: string, call: (options: never) => unknown, options: object])[] = [
  ["limitedTopK", (o) => core.limitedTopK(COUNTS, o), { k: 1, ...BUDGET }],
  ["makeLimitedTopK", (o) => core.makeLimitedTopK(o), { k: 1, noise: "gumbel", scale: 1, delta: "1/100" }],
  ["LimitedTopKStream", (o) => new core.LimitedTopKStream(o), { k: 1, ...BUDGET }],
  ["topKWithCounts", (o) => core.topKWithCounts(COUNTS, o), { k: 1, ...BUDGET }],
  ["measureCounts", (o) => core.measureCounts(COUNTS, ["ant"], o), { epsilon: 1 }],
  ["selectPartitions", (o) => core.selectPartitions(COUNTS, o), { maxItemsPerUser: 1, ...BUDGET }],
  ["histogramTopK", (o) => core.histogramTopK(COUNTS, o), { k: 1, maxItemsPerUser: 1, epsilon: 1 }],
  ["boundContributions", (o) => core.boundContributions([["u", "ant"]], o), { maxItemsPerUser: 1 }],
  ["boundValues", (o) => core.boundValues([["u", 7]], o), { maxValuesPerUser: 1 }],
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
    expect(thrownBy(call, { ...options, entropy: undefined, maxCandidates: undefined })).toSatisfy(
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
