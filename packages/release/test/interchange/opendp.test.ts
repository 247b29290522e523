import { describe, expect, it } from "vitest";
import { isBounded, makeNoisyTopK, rational } from "winnow-dp";
import { openDpTopK, readOpenDp, toOpenDp } from "../../src/index.js";
import type { OpenDpOptions } from "../../src/interchange/opendp.js";
import { describeWithPython, python } from "../support/python.js";

const TOP_3: OpenDpOptions = { k: 3, measure: "pure", scale: 2, monotone: true };

/** As dp.serialize of OpenDP 0.16.0 wrote it. */
const SERIALISED =
  '{"__function__": "make_noisy_top_k", "__module__": "measurements", "__kwargs__": {"input_domain": {"__function__": "vector_domain", "__module__": "domains", "__kwargs__": {"atom_domain": {"__function__": "atom_domain", "__module__": "domains", "__kwargs__": {"bounds": null, "nan": null, "T": "i64"}, "__version__": "0.16.0"}, "size": null}, "__version__": "0.16.0"}, "input_metric": {"__function__": "linf_distance", "__module__": "metrics", "__kwargs__": {"monotonic": true, "T": "i64"}, "__version__": "0.16.0"}, "output_measure": {"__function__": "max_divergence", "__module__": "measures", "__kwargs__": {}, "__version__": "0.16.0"}, "k": 3, "scale": 2.0, "negate": false}, "__version__": "0.16.0"}';

const MEASUREMENTS: readonly OpenDpOptions[] = [
  TOP_3,
  { k: 1, measure: "zcdp", scale: "1/2", negate: true },
  { k: 2, measure: "zcdp", scale: "1/10", roundScale: true, scores: "u32", size: 9 },
  { k: 4, measure: "pure", scale: "10/3", roundScale: true, scores: "i32" },
  { k: 5, measure: "pure", scale: "1e-7", roundScale: true, scores: "usize", monotone: true },
  { k: 2, measure: "pure", scale: "1e30", roundScale: true, scores: "u64" },
  { k: 2, measure: "pure", scale: 2n ** 53n },
  { k: 2, measure: "pure", scale: 0 },
];

describe("a noisy top k for OpenDP", () => {
  it("is the text that OpenDP writes", () => {
    expect(toOpenDp(openDpTopK(TOP_3))).toBe(SERIALISED);
  });

  it.each(MEASUREMENTS)("reads back as it was: %o", (options) => {
    const written = openDpTopK(options);
    expect(readOpenDp(toOpenDp(written))).toEqual(written);
  });

  it("is refused if its scale isn't a double, which 1/10 isn't", () => {
    expect(() => openDpTopK({ ...TOP_3, scale: "1/10" })).toThrow(
      'scale must be a double, as OpenDP\'s scales are, or be rounded up to one, 0.1; got "0.1"',
    );
  });

  it("peels with exponential noise, because OpenDP does; for one winner that is the same", () => {
    expect(openDpTopK(TOP_3).method).toBe("peel");
    expect(openDpTopK({ ...TOP_3, k: 1, method: "one-shot" }).method).toBe("peel");
    expect(openDpTopK({ ...TOP_3, measure: "zcdp" }).method).toBe("one-shot");
  });

  it("has a scale that is rounded up, never down, where that is asked for", () => {
    for (const scale of ["1/10", "1/3", "3/10", "1e-200", "123456789/1000"]) {
      const { scale: double } = openDpTopK({ ...TOP_3, scale, roundScale: true });
      expect(double.compare(scale)).toBeGreaterThanOrEqual(0);
      expect(double.toNumber("down")).toBe(double.toNumber("up"));
      expect(double.toNumber()).toBe(rational(scale).toNumber("up"));
    }
  });

  it.each<[OpenDpOptions, string]>([
    [{ ...TOP_3, resolution: 1 }, "resolution must be left out"],
    [{ ...TOP_3, domain: { size: 10 } }, "domain must be left out"],
    [{ ...TOP_3, method: "one-shot" }, 'method must be "peel" as in OpenDP'],
    [{ ...TOP_3, measure: "zcdp", method: "peel" }, 'method must be "one-shot" as in OpenDP'],
    [{ ...TOP_3, size: 2 }, "size must be an integer >= k = 3"],
    [{ ...TOP_3, scores: "f64" as "i64" }, "scores must be one of i64"],
    [{ ...TOP_3, scale: "1e300" }, "scale must be a rational from 1e-270 to 1e270"],
  ])("is refused where OpenDP has nothing like it: %o", (options, message) => {
    expect(() => openDpTopK(options)).toThrow(message);
  });
});

describe("a text of OpenDP", () => {
  it("has the exact scale of its double, not of its digits", () => {
    const { scale } = readOpenDp(SERIALISED.replace('"scale": 2.0', '"scale": 0.1'));
    expect(scale.compare("3602879701896397/36028797018963968")).toBe(0);
  });

  it("may have a scale without a point, as OpenDP takes it", () => {
    expect(readOpenDp(SERIALISED.replace("2.0", "2")).scale.compare(2)).toBe(0);
  });

  it.each([
    ["make_noisy_top_k", "make_noisy_max", "the measurement must be OpenDP's make_noisy_top_k"],
    ['"measurements"', '"combinators"', "the measurement must be OpenDP's make_noisy_top_k"],
    ["linf_distance", "l1_distance", "input_metric must be OpenDP's linf_distance"],
    ["max_divergence", "approximate", "output_measure must be OpenDP's max_divergence or zero"],
    ['"k": 3', '"k": 0', "k must be an integer >= 1"],
    ['"k": 3', '"k": true', "k and scale must be two numbers"],
    ['"scale": 2.0', '"scale": -0.0', "scale must be finite and >= 0"],
    ['"scale": 2.0', '"scale": 1e999', "scale must be finite and >= 0"],
    ['"scale": 2.0', '"scale": 5e-324', "scale must be a rational from 1e-270"],
    ['"scale": 2.0', '"scale": NaN', "the measurement must be the JSON"],
    ['"negate": false', '"negate": 0', "negate must be true or false"],
    ['"negate": false', '"negate": false, "seed": 1', "the measurement.__kwargs__ must be an object"],
    ['"size": null', '"size": 2', "size must be an integer >= k = 3"],
    ['"bounds": null', '"bounds": {"__tuple__": [0, 9]}', "bounds must be null"],
    ['"nan": null', '"nan": true', "nan must be null or false"],
    ['"monotonic": true, "T": "i64"', '"monotonic": true, "T": "i32"', "T must be i64 in the metric too"],
    ['null, "T": "i64"', 'null, "T": "f64"', "T must be one of i64"],
    ['"0.16.0"', '"0.14.1"', "from OpenDP 0.16"],
  ])("is refused with %s replaced by %s", (from, to, message) => {
    expect(() => readOpenDp(SERIALISED.replace(from, to))).toThrow(message);
  });
});

describeWithPython("opendp", "OpenDP itself", () => {
  it("loads what we write, writes it again in the same bytes, and has our privacy map, rounded up", () => {
    const texts = MEASUREMENTS.map((options) => toOpenDp(openDpTopK(options)));
    const judged = python(LOAD, JSON.stringify({ texts, distances: DISTANCES }));
    const answers = JSON.parse(judged) as readonly { again: string; losses: readonly (number | null)[] }[];
    for (const [i, { again, losses }] of answers.entries()) {
      expect(again).toBe(texts[i]);
      const { scores, size, ...options } = readOpenDp(again);
      const ours = makeNoisyTopK(options);
      for (const [place, distance] of DISTANCES.entries()) {
        const of = ours.map(distance);
        const loss = of.measure === "pure" ? of.epsilon : of.rho;
        const theirs = losses[place] ?? Infinity;
        const exact = isBounded(loss) ? loss.toNumber("up") : Infinity;
        expect(theirs, `${again} at ${distance}`).toBeGreaterThanOrEqual(exact);
        expect(theirs).toBeLessThanOrEqual(exact * (1 + 1e-14));
      }
    }
  });
});

const DISTANCES = [0, 1, 2, 7];

/** A loss that isn't finite is null, because JSON has no name for it. */
const LOAD = `
import json, math, sys
import opendp.prelude as dp
dp.enable_features("contrib")
given = json.load(sys.stdin)
answers = []
for text in given["texts"]:
    loaded = dp.deserialize(text)
    losses = [loaded.map(distance) for distance in given["distances"]]
    answers.append({"again": dp.serialize(loaded), "losses": [x if math.isfinite(x) else None for x in losses]})
json.dump(answers, sys.stdout)
`;
