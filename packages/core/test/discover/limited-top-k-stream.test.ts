import { describe, expect, it } from "vitest";
import { LimitedTopKStream } from "../../src/discover/limited-top-k-stream.js";
import { seededEntropy } from "../../src/testing/seeded-entropy.js";

const options = { k: 1, scale: "1/100", noise: "gumbel", delta: "1e-6" } as const;
const stream = (more: object = {}) =>
  new LimitedTopKStream({ ...options, entropy: seededEntropy("stream"), ...more });
const winnersOf = (each: LimitedTopKStream) => each.finish().winners.map(({ candidate }) => candidate);

describe("A stream of names", () => {
  it("takes them one by one, in lists, over time and from other streams", async () => {
    expect(winnersOf(stream().push("ant", 3).push("bee", 50n))).toEqual(["bee"]);
    expect(winnersOf(stream().pushAll({ ant: 30, bee: 5 }))).toEqual(["ant"]);
    const late = await stream().pushFrom(
      (async function* () {
        yield ["ant", 3] as const;
        yield ["bee", 50] as const;
      })(),
    );
    expect(winnersOf(late)).toEqual(["bee"]);
    expect(winnersOf(stream().push("ant", 3).merge(stream().push("cow", 40)))).toEqual(["cow"]);
  });

  it("takes lists over time too, and is closed when its signal is aborted", async () => {
    expect(winnersOf(await stream().pushFrom([["ant", 30], ["bee", 5]]))).toEqual(["ant"]); // biome-ignore format: one line
    const [kept, left] = [new AbortController(), new AbortController()];
    expect(winnersOf(await stream().pushFrom([["ant", 30]], { signal: kept.signal }))).toEqual(["ant"]);
    left.abort(new Error("not wanted"));
    const late = stream();
    await expect(late.pushFrom([["ant", 30]], { signal: left.signal })).rejects.toThrow("not wanted");
    expect(() => late.finish()).toThrow(expect.objectContaining({ code: "stream-finished" }));
    await expect(stream().pushFrom(7 as never)).rejects.toThrow("pairs must be an iterable");
    await expect(stream().pushFrom([], { signal: 7 as never })).rejects.toThrow(
      "signal must be an AbortSignal",
    );
    await expect(stream().pushFrom([], { sinal: left.signal } as never)).rejects.toThrow(
      "did you mean signal",
    );
  });

  it("merges with another one under the same terms only", () => {
    const other = "other must be another LimitedTopKStream; got a value of type object";
    const one = stream();
    expect(() => one.merge(one)).toThrow(other);
    expect(() => one.merge({} as never)).toThrow(other);
    for (const terms of [{ scale: "1/99" }, { k: 2 }, { noise: "exponential" }, { sensitivity: 2 }])
      expect(() => one.merge(stream(terms))).toThrow("other must be a stream with the same options");
    expect(winnersOf(one.push("ant", 9))).toEqual(["ant"]);
  });

  it("is used up by its answer, a merge or a failure", async () => {
    const used = expect.objectContaining({
      code: "stream-finished",
      message:
        "this stream is used up: its answer was taken, it was merged into another, or it failed while it took names",
    });
    const [answered, merged, failed, late] = [stream(), stream(), stream(), stream()];
    answered.finish();
    stream().merge(merged);
    expect(() => failed.pushAll([["ant", -1]])).toThrow("histogram must be");
    const failing = (async function* () {
      yield ["ant", -1] as const;
    })();
    await expect(late.pushFrom(failing)).rejects.toThrow("histogram must be");
    for (const each of [answered, merged, failed, late]) {
      expect(() => each.push("ant", 1)).toThrow(used);
      expect(() => each.pushAll([])).toThrow(used);
      expect(() => each.merge(stream())).toThrow(used);
      expect(() => stream().merge(each)).toThrow(used);
      expect(() => each.finish()).toThrow(used);
    }
  });
});
