/**
 * The bits of a round, one by one: U, the sign, the offset in the strip and V are given as numbers and laid out in words
 * as the description of `StripSampler` says. A round must give what the numbers say, and take these words and no more.
 */
import { describe, expect, it } from "vitest";
import { rational } from "../../src/exact/rational.js";
import { StripSampler } from "../../src/sample/strip-sampler.js";
import { type LogQuadratic, layOut, stepExponent } from "../../src/sample/strips.js";
import { OutOfBits, replayEntropy } from "../../src/testing/replay-entropy.js";
import { seededEntropy } from "../../src/testing/seeded-entropy.js";
import { binaryDigits, digitsAbove, digitsBelow, Real, withSign } from "./binary-digits.js";
import {
  cumulativeProbabilities,
  gaussianLaw,
  geometricLaw,
  laplaceLaw,
  mostStripsFor,
  realWeight,
} from "./real-strips.js";

interface Case {
  readonly name: string;
  readonly law: LogQuadratic;
  readonly signed: boolean;
  /** Strips have 2^b integers. */
  readonly b: number;
  readonly guideBits: number;
  readonly wordBits: number;
  readonly mostStrips?: number;
}

/** Not quite ln 2: the first strip ends at 1/2 and a little more, in the first unit of a bucket. */
const NEARLY_HALF = "0.6931471807";

const CASES: readonly Case[] = [
  { name: "geometric", law: geometricLaw(NEARLY_HALF), signed: false, b: 0, guideBits: 12, wordBits: 32 },
  {
    name: "geometric",
    law: geometricLaw(rational(NEARLY_HALF).dividedBy(4)),
    signed: false,
    b: 2,
    guideBits: 3,
    wordBits: 10,
  },
  { name: "geometric", law: geometricLaw(1), signed: false, b: 0, guideBits: 12, wordBits: 32 },
  { name: "geometric", law: geometricLaw("1/3"), signed: false, b: 0, guideBits: 8, wordBits: 8 },
  { name: "Gaussian", law: gaussianLaw(9), signed: true, b: 0, guideBits: 7, wordBits: 8 },
  { name: "Gaussian", law: gaussianLaw(9), signed: true, b: 0, guideBits: 3, wordBits: 8 },
  { name: "Laplace", law: laplaceLaw(10), signed: true, b: 3, guideBits: 3, wordBits: 10 },
  { name: "Laplace", law: laplaceLaw(10), signed: true, b: 3, guideBits: 12, wordBits: 32 },
  { name: "Gaussian", law: gaussianLaw(100), signed: true, b: 2, guideBits: 4, wordBits: 12 },
  { name: "geometric", law: geometricLaw("1/10"), signed: false, b: 2, guideBits: 3, wordBits: 8 },
  { name: "Laplace", law: laplaceLaw(1000), signed: true, b: 8, guideBits: 12, wordBits: 8 },
  {
    name: "Laplace",
    law: laplaceLaw(1n << 40n),
    signed: true,
    b: 39,
    guideBits: 12,
    wordBits: 32,
    mostStrips: 64,
  },
  { name: "Gaussian", law: gaussianLaw("1e12"), signed: true, b: 16, guideBits: 12, wordBits: 32 },
  { name: "Gaussian", law: gaussianLaw(9), signed: true, b: 1, guideBits: 12, wordBits: 1 },
];

/** The digits of U and V, the last bit of the first word, and which integer of its strip. */
interface Numbers {
  readonly u: string;
  readonly sign: "0" | "1";
  readonly offset: number;
  readonly v: string;
}

/** What the digits of a number tell about a threshold, whose digits are given: below (−1), not below (1) or nothing (0). */
function side(digits: string, threshold: string): -1 | 0 | 1 {
  const start = threshold.slice(0, digits.length);
  return digits === start ? 0 : digits < start ? -1 : 1;
}

/** The same by the logarithm of the digits of V, L − 1/word < −ln V ≤ L; nothing where they are those of the bound. */
function tellsByDouble(v: string, threshold: string, bound: string): boolean | undefined {
  const word = Number.parseInt(v, 2);
  if (side(v, bound) === 0 || word === 0) return undefined;
  const gamma = -Math.log(Number.parseInt(threshold.slice(0, 60), 2) / 2 ** 60);
  const most = v.length * Math.LN2 - Math.log(word);
  return most < gamma ? false : most - 1 / word > gamma ? true : undefined;
}

/** The strips of a case in real numbers. */
function modelOf({ law, signed, b, guideBits, wordBits, mostStrips = mostStripsFor(law, b) }: Case) {
  const strips = layOut(law, signed, mostStrips);
  const boundaries = cumulativeProbabilities(strips).map(binaryDigits);
  const width = 2 ** b;

  /** The strip in which every U with these digits is, if it is one. */
  function stripOf(digits: string): number | undefined {
    const strip = boundaries.findIndex((boundary) => side(digits, boundary) <= 0);
    return side(digits, boundaries[strip]) < 0 ? strip : undefined;
  }

  const made = new Map<string, string>();
  function once(name: string, digits: () => string): string {
    const known = made.get(name) ?? digits();
    made.set(name, known);
    return known;
  }

  /** The digits of f(x)/f(first), which is 1 for the first. */
  function acceptance(strip: number, offset: number): string {
    if (offset === 0) return "1".repeat(800);
    const weight = (x: number) => realWeight(law, strip * width + x);
    return once(`${strip} ${offset}`, () => binaryDigits(weight(offset).div(weight(0))));
  }

  /** The digits of the smallest acceptance of a strip, that of the first integer of the next. */
  function least(strip: number): string {
    const { numerator, denominator } = stepExponent(strips, BigInt(strip));
    const exponent = () => new Real(String(-numerator)).div(String(denominator));
    return once(`${strip}`, () => binaryDigits(Real.exp(exponent())));
  }

  /** The words of a round, and what it gives. */
  function layOutBits({ u, sign, offset, v }: Numbers): { bits: string; x: number } {
    const offsetDigits = b === 0 ? "" : offset.toString(2).padStart(b, "0");
    const room = wordBits - guideBits - 1;
    const bucket = stripOf(u.slice(0, guideBits));
    if (b > 0 && room - b >= 3 && bucket !== undefined) {
      const known = room - b;
      const bits = `${u.slice(0, guideBits)}${offsetDigits}${v.slice(0, known)}${sign}`;
      return judge(bits, bucket, known, { sign, offset, v });
    }
    let digits = wordBits - 1;
    while (stripOf(u.slice(0, digits)) === undefined) digits += wordBits;
    const strip = stripOf(u.slice(0, digits))!;
    const start = withSign(u.slice(0, digits), sign, wordBits);
    if (b === 0) return { bits: start, x: signed && sign === "1" && strip > 0 ? -strip : strip };
    if (wordBits > b)
      return judge(start + offsetDigits + v.slice(0, wordBits - b), strip, wordBits - b, { sign, offset, v });
    const ownWords = offsetDigits.padEnd(Math.ceil(b / wordBits) * wordBits, "1");
    return judge(start + ownWords + v.slice(0, wordBits), strip, wordBits, { sign, offset, v });
  }

  /** The rest of the words, where so many digits of V are among those before. */
  function judge(bits: string, strip: number, known: number, { sign, offset, v }: Omit<Numbers, "u">) {
    const x = strip * width + offset;
    const negative = signed && sign === "1";
    if (x === 0) return { bits, x: negative ? Number.NaN : 0 };
    const accepted = (isAccepted: boolean, all = bits) => ({
      bits: all,
      x: isAccepted ? (negative ? -x : x) : Number.NaN,
    });
    if (side(v.slice(0, known), least(strip)) < 0) return accepted(true);
    const threshold = acceptance(strip, offset);
    const told = tellsByDouble(v.slice(0, known), threshold, least(strip));
    if (told !== undefined) return accepted(told);
    const whole = Math.min(wordBits, 31);
    if (known < whole) {
      const more = v.slice(known, whole).padEnd(wordBits, "1"); // the rest of that word is not used
      return judge(bits + more, strip, whole, { sign, offset, v });
    }
    let digits = known;
    for (; side(v.slice(0, digits), threshold) === 0; digits += wordBits)
      bits += v.slice(digits, digits + wordBits);
    return accepted(side(v.slice(0, digits), threshold) < 0, bits);
  }

  return { mostStrips, strips, boundaries, width, acceptance, least, layOutBits };
}

type Model = ReturnType<typeof modelOf>;
const OUT_OF_BITS = "out of bits";

/** Those of these numbers that give something else than they should, or take fewer or more words. */
function wrong(
  { law, signed, guideBits, wordBits }: Case,
  { mostStrips, layOutBits }: Model,
  all: readonly Numbers[],
) {
  const sampler = new StripSampler(law, { signed, mostStrips, guideBits });
  const attempt = (bits: string) => {
    try {
      return sampler.attempt(replayEntropy(bits, { wordBits }));
    } catch (error) {
      if (error instanceof OutOfBits) return OUT_OF_BITS;
      throw error;
    }
  };
  return all.flatMap((numbers) => {
    const { bits, x } = layOutBits(numbers);
    const [whole, short] = [attempt(bits), attempt(bits.slice(0, -wordBits))];
    return Object.is(whole, x) && short === OUT_OF_BITS ? [] : [{ bits, x, whole, short }];
  });
}

describe.each(CASES)(
  "A round, $name, strips of 2^$b, $guideBits digits a bucket, words of $wordBits bits",
  (each) => {
    const { guideBits, wordBits } = each;
    const model = modelOf(each);
    const { boundaries, strips, width, acceptance, least } = model;

    it("takes as many words of U as tell its strip", () => {
      const places = [
        0,
        1,
        2,
        3,
        guideBits - 2,
        guideBits - 1,
        guideBits,
        wordBits - 2,
        wordBits - 1,
        wordBits,
      ];
      const all: Numbers[] = [];
      for (const strip of [0, 1, 2, 3, 4, 5, strips.count >> 1, strips.count - 2])
        for (const from of [...places, 40, 75, 130, 200].filter((place) => place >= 0))
          for (const u of [digitsBelow(boundaries[strip], from), digitsAbove(boundaries[strip], from)])
            for (const sign of ["0", "1"] as const)
              all.push({ u, sign, offset: width >> 1, v: "0".repeat(800) });
      for (const strip of [0, 1, strips.count >> 1])
        for (const digits of [guideBits, wordBits - 1].filter((places) => places > 0)) {
          const cell = BigInt(`0b${boundaries[strip].slice(0, digits)}`);
          const beside = [cell - 1n, cell + 1n].filter((place) => place >= 0n);
          for (const u of beside.map((place) => place.toString(2).padStart(digits, "0")))
            all.push({ u: u.padEnd(800, "0"), sign: "0", offset: 0, v: "0".repeat(800) });
        }
      for (const u of ["0".repeat(800), "1".padStart(9, "0").padEnd(800, "0")])
        all.push({ u, sign: "0", offset: 0, v: "0".repeat(800) });
      const listed = all.filter(({ u }) => u < boundaries[strips.count - 1]);
      expect(listed.length).toBeGreaterThan(50);
      expect(wrong(each, model, listed)).toEqual([]);
    });

    if (each.b > 0)
      it("takes as many words of V as tell whether it is accepted", () => {
        const all: Numbers[] = [];
        for (const strip of [0, 3])
          for (const offset of [0, Math.floor(width / 3), width - 1])
            for (const from of [0, 2, 4, 6, 9, 15, 16, 29, 30, 31, 32, 75]) {
              const thresholds = offset === 0 ? [least(strip)] : [least(strip), acceptance(strip, offset)];
              for (const digits of thresholds)
                for (const v of [digitsBelow(digits, from), digitsAbove(digits, from)])
                  for (const place of [0, wordBits - 2])
                    all.push({
                      u: digitsBelow(boundaries[strip], place),
                      sign: from % 2 === 0 ? "0" : "1",
                      offset,
                      v,
                    });
            }
        expect(wrong(each, model, all)).toEqual([]);
      });
  },
);

it("A boundary within the error of the tables above 1/2 is above a U that is 1/2 for all that is known", () => {
  const rate = new Real(2).ln().plus(new Real(2).pow(-122)).toFixed(60);
  const sampler = new StripSampler(geometricLaw(rate), { signed: false });
  const entropy = replayEntropy("1".padEnd(128, "0"), { wordBits: 32 });
  expect(sampler.attempt(entropy)).toBe(0);
  expect(entropy.bitsUsed).toBe(128);
});

describe("The tail", () => {
  const word = (u: number) =>
    Math.floor(u * 2 ** 32)
      .toString(2)
      .padStart(32, "0");
  /** A round with U in the tail and these words, and how many of them it takes. */
  const tailOf = (sampler: StripSampler, sign: "0" | "1", ...words: readonly number[]) => {
    const bits = `${"1".repeat(31)}${sign}${"1".repeat(32)}${words.map(word).join("")}`;
    const entropy = replayEntropy(bits, { wordBits: 32 });
    return [sampler.attempt(entropy), entropy.bitsUsed / 32 - 2];
  };

  it("of a geometric law goes on as the law does", () => {
    const sampler = new StripSampler(geometricLaw(1), { signed: false }); // strips 0 … 23
    expect(tailOf(sampler, "1", Math.exp(-0.5))).toEqual([24, 1]);
    expect(tailOf(sampler, "0", Math.exp(-2.5))).toEqual([26, 1]);
  });

  it("of a Gaussian law is geometric at the rate of its first step, and thinned", () => {
    const sampler = new StripSampler(gaussianLaw(9), { signed: true }); // strips 0 … 21; the first step is 45/18
    expect(tailOf(sampler, "0", Math.exp(-2.4))).toEqual([22, 1]);
    expect(tailOf(sampler, "1", Math.exp(-2.6))).toEqual([-23, 1]);
    // f(24)/f(22) = e^(−2·45/18 − 2/18): the third is accepted with probability e^(−2/18), or all begins anew.
    expect(tailOf(sampler, "0", Math.exp(-5.1), Math.exp(-2.1 / 18))).toEqual([24, 2]);
    expect(tailOf(sampler, "0", Math.exp(-5.1), Math.exp(-1.9 / 18), 0.9)).toEqual([22, 3]);
  });

  it("of wide strips is drawn by strips, and V decides in each", () => {
    const law = gaussianLaw(100);
    const sampler = new StripSampler(law, { signed: true, mostStrips: mostStripsFor(law, 2) }); // strips 0 … 17
    const fourth = [Math.exp(-3.1 * 2.96), Math.exp(-0.08 * 6.1)]; // the first step is 2.96, and bends by 0.08 · 3 · 2
    expect(tailOf(sampler, "1", fourth[0], Math.exp(-0.08 * 5.9), 0.9, 0.01)).toEqual([-72, 4]);
    const acceptance = Math.exp(-(85 ** 2 - 84 ** 2) / 200);
    expect(tailOf(sampler, "0", ...fourth, 0.25 + (acceptance - 0.001) / 4)).toEqual([85, 3]);
    expect(tailOf(sampler, "0", ...fourth, 0.25 + (acceptance + 0.001) / 4)).toEqual([Number.NaN, 3]);
  });

  it("is refused where it leaves the safe integers", () => {
    const sampler = new StripSampler(laplaceLaw(1n << 45n), { signed: true }); // 737 strips of 2^40, a rate of 1/32 each
    const strip = (beyond: number) => {
      const digits = binaryDigits(Real.exp(new Real(-beyond - 0.5).div(32)));
      const bits = `${"1".repeat(31)}0${"1".repeat(32)}${digits.slice(0, 416)}${"0".repeat(96)}`;
      return Math.floor(sampler.attempt(replayEntropy(bits, { wordBits: 32 })) / 2 ** 40);
    };
    expect(strip(7453)).toBe(8190); // with the last integer of that strip below 2^53 − 2^40
    expect(() => strip(7454)).toThrow(
      expect.objectContaining({
        code: "sample-out-of-range",
        message: "a draw is beyond the safe integers; use a smaller scale",
      }),
    );
  });
});

describe("StripSampler.sample and fill", () => {
  it("draw rounds until one is accepted", () => {
    const sampler = new StripSampler(gaussianLaw(9), { signed: true, mostStrips: 6 });
    const [whole, rounds] = [seededEntropy("rounds"), seededEntropy("rounds")];
    for (let draw = 0; draw < 200; draw++) {
      let x = Number.NaN;
      while (Number.isNaN(x)) x = sampler.attempt(rounds);
      expect(sampler.sample(whole)).toBe(x);
    }
    expect(whole.bitsUsed).toBe(rounds.bitsUsed);
  });

  it("draw the same, one by one and into an array", () => {
    const sampler = new StripSampler(laplaceLaw("1e9"), { signed: true });
    const [batch, single] = [seededEntropy("fill"), seededEntropy("fill")];
    const target = new Float64Array(300);
    expect(sampler.fill(target, batch)).toBe(target);
    expect([...target]).toEqual(Array.from({ length: 300 }, () => sampler.sample(single)));
    expect(batch.bitsUsed).toBe(single.bitsUsed);
    expect(target.some((x) => Math.abs(x) > 2 ** 31)).toBe(true);
  });

  it("zero an Int32Array and throw where a draw does not fit", () => {
    const target = new Int32Array(100).fill(7);
    const sampler = new StripSampler(laplaceLaw("1e10"), { signed: true });
    expect(() => sampler.fill(target, seededEntropy("too large"))).toThrow(
      expect.objectContaining({
        code: "sample-out-of-range",
        message: "a draw does not fit the array; use a Float64Array or a smaller scale",
      }),
    );
    expect(target.every((x) => x === 0)).toBe(true);
  });

  it("fill an Int32Array that has room", () => {
    const small = new StripSampler(gaussianLaw("1e6"), { signed: true });
    const [integers, doubles] = [new Int32Array(300), new Float64Array(300)];
    small.fill(integers, seededEntropy("room"));
    small.fill(doubles, seededEntropy("room"));
    expect([...integers]).toEqual([...doubles]);
  });
});
