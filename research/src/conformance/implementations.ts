/**
 * What the conformance file is run on: Winnow in this process, two float versions that must fail, and programs that
 * speak the protocol of docs/guide/conformance.md over standard input and output.
 * @module
 */
import { type ChildProcessByStdio, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import type { Readable, Writable } from "node:stream";
import {
  type ConformanceAnswer,
  type ConformanceRequest,
  type ConformanceResponse,
  floatTopKWithGap,
  type Implementation,
} from "winnow-audit";
import {
  base2Exponential,
  boundedRangeDelta,
  compose,
  convert,
  type Entropy,
  eta,
  makeNoisyTopK,
  makeStableTopK,
  pure,
  type ReportNoisyMaxOptions,
  rational,
  reportNoisyMax,
  selectPartitions,
  systemEntropy,
  zcdp,
} from "winnow-dp";

type Parameters = Readonly<Record<string, string>>;

/** Winnow, in this process. */
export function winnow(entropy: Entropy = systemEntropy()): Implementation {
  return ({ task, parameters, scores = [], runs = 0 }) => {
    if (task in LOSSES) return { loss: LOSSES[task](parameters) };
    const draw = DRAWS[task](scores, parameters as Parameters, entropy);
    return { answers: Array.from({ length: runs }, draw) };
  };
}

type Draw = () => ConformanceAnswer;

const DRAWS: Readonly<
  Record<string, (scores: readonly string[], given: Parameters, entropy: Entropy) => Draw>
> = {
  "noisy-max": (scores, { noise, scale, variance }, entropy) => {
    const { numbers, factor } = wholeNumbers(scores);
    if (noise === "exponential" || noise === "gumbel") {
      const measure = noise === "gumbel" ? "zcdp" : "pure";
      const measurement = makeNoisyTopK({ k: 1, measure, scale: rational(scale).times(factor) });
      return () => ({ winners: [measurement.invoke(numbers, entropy).winners[0].candidate] });
    }
    const size =
      noise === "laplace"
        ? { scale: rational(scale).times(factor) }
        : { variance: rational(variance).times(factor).times(factor) };
    const options = { noise, ...size, entropy } as ReportNoisyMaxOptions;
    return () => ({ winners: [reportNoisyMax(numbers, options).candidate] });
  },
  "top-k": (scores, { k, scale, noise, method }, entropy) => {
    const measure = noise === "gumbel" ? "zcdp" : "pure";
    const way = method as "one-shot" | "peel";
    const measurement = makeNoisyTopK({ k: Number(k), measure, scale, method: way });
    const numbers = scores.map(Number);
    return () => ({
      winners: measurement.invoke(numbers, entropy).winners.map(({ candidate }) => candidate),
    });
  },
  "top-k-with-gap": (scores, { k, scale, resolution }, entropy) => {
    const numbers = scores.map(Number);
    const measurement = makeNoisyTopK({ k: Number(k), measure: "pure", scale, resolution });
    return () => {
      const { winners } = measurement.invoke(numbers, entropy);
      const gaps = winners.map(({ gap }) => Number(rational(gap ?? 0).dividedBy(resolution)));
      return { winners: winners.map(({ candidate }) => candidate), gaps };
    };
  },
  "stable-top-k": (scores, { maxK, chooseScale, testVariance, delta }, entropy) => {
    const measurement = makeStableTopK({
      ...{ maxK: Number(maxK), monotone: true, delta },
      choose: { noise: "gumbel", scale: chooseScale },
      test: { variance: testVariance },
    });
    const counts = scores.map(Number);
    return () => {
      const { k, ...release } = measurement.invoke(counts, entropy);
      return { k, indices: release.released ? release.candidates : null };
    };
  },
  "base2-exponential": (scores, { x, y, z, utilityMin, utilityMax }, entropy) => {
    const utilities = scores.map((score) => Number(rational(score)));
    const [least, most] = [Number(utilityMin), Number(utilityMax)];
    const range = { lower: least, upper: most, maxCandidates: utilities.length };
    const options = {
      eta: eta(Number(x), Number(y), Number(z)),
      ...range,
      mode: "optimised",
      entropy,
    } as const;
    return () => ({ winners: [base2Exponential(utilities, (utility) => utility, options).candidate] });
  },
  "select-partitions": (people, { epsilon, delta, maxItemsPerUser }, entropy) => {
    const counts = new Map(people.map((count, name) => [String(name), Number(count)]));
    const options = { epsilon, delta, maxItemsPerUser: Number(maxItemsPerUser), method: "optimal" } as const;
    return () => {
      const { winners } = selectPartitions(counts, { ...options, entropy });
      return { winners: winners.map(({ candidate }) => Number(candidate)) };
    };
  },
};

/** Fractions times their common denominator: the noise grows with them. */
function wholeNumbers(scores: readonly string[]): { numbers: number[]; factor: bigint } {
  const exact = scores.map((score) => rational(score));
  const factor = exact.reduce((product, { denominator }) => product * denominator, 1n);
  return { numbers: exact.map((score) => Number(score.times(factor))), factor };
}

type Given = ConformanceRequest["parameters"];

const LOSSES: Readonly<Record<string, (given: Given) => number>> = {
  "noisy-top-k-loss": ({ measure, k, scale, sensitivity, monotone }) => {
    const options = { k: Number(k), measure: measure as "pure" | "zcdp", scale: String(scale) };
    const loss = makeNoisyTopK({ ...options, monotone: monotone === true }).map(String(sensitivity));
    return Number(loss.measure === "pure" ? loss.epsilon : loss.rho);
  },
  composition: ({ measure, losses }) => {
    const sizes = losses as readonly string[];
    return measure === "pure"
      ? Number(compose(...sizes.map((size) => pure(size))).epsilon)
      : Number(compose(...sizes.map((size) => zcdp(size))).rho);
  },
  "zcdp-to-approx": ({ rho, delta }) =>
    Number(convert(zcdp(String(rho)), { to: "approx", delta: String(delta) }).epsilon),
  "pure-to-approx": ({ epsilon, times, delta }) => {
    const each = convert(pure(String(epsilon)), { to: "renyi" });
    const all = compose(...Array.from({ length: Number(times) }, () => each));
    return Number(convert(all, { to: "approx", delta: String(delta) }).epsilon);
  },
  "bounded-range-to-approx": ({ range, rounds, epsilon }) =>
    Number(boundedRangeDelta({ epsilon: String(epsilon), range: String(range), rounds: Number(rounds) })),
};

/** UNSAFE: chances in doubles, of an ε that is larger as the share is smaller. */
function floatPartitions(
  people: readonly string[],
  { epsilon, delta }: Given,
  runs: number,
  entropy: Entropy,
  share: number,
): ConformanceResponse {
  const [growth, d] = [Math.exp(Number(rational(String(epsilon))) / share), Number(rational(String(delta)))];
  const chances = people.map((count) => {
    let kept = 0;
    for (let n = 0; n < Number(count); n++)
      kept = Math.min(growth * kept + d, 1 - (1 - kept - d) / growth, 1);
    return kept;
  });
  const isKept = (chance: number) => entropy.word() / 2 ** 32 < chance;
  const answers = Array.from({ length: runs }, () => ({
    winners: chances.flatMap((chance, name) => (isKept(chance) ? [name] : [])),
  }));
  return { answers };
}

/** UNSAFE: exponential noise is added to scores in doubles. `share` of the scale, to try whether a wrong one is found. */
export function floatNoise(entropy: Entropy = systemEntropy(), share = 1): Implementation {
  return ({ task, parameters, scores = [], runs = 0 }): ConformanceResponse => {
    if (task === "select-partitions") return floatPartitions(scores, parameters, runs, entropy, share);
    const { noise = "exponential", method = "one-shot", k = 1, scale, resolution = "1" } = parameters;
    const isTopK = ["noisy-max", "top-k", "top-k-with-gap"].includes(task) && method === "one-shot";
    if (!isTopK || noise !== "exponential") return { unsupported: "exponential noise only" };
    const numbers = scores.map((score) => Number(rational(score)));
    const options = { k: Number(k), scale: Number(rational(String(scale))) * share, entropy };
    const unit = Number(rational(String(resolution)));
    const answers = Array.from({ length: runs }, () => {
      const drawn = floatTopKWithGap(numbers, options);
      const winners = drawn.map(({ index }) => index);
      if (task !== "top-k-with-gap") return { winners };
      return { winners, gaps: drawn.map(({ gap }) => Math.floor(gap / unit)) };
    });
    return { answers };
  };
}

/** A program: it reads a request on each line and writes a response on each. */
export class Program {
  readonly #child: ChildProcessByStdio<Writable, Readable, null>;
  readonly #lines: AsyncIterator<string>;

  constructor([command, ...words]: readonly string[]) {
    this.#child = spawn(command, words, { stdio: ["pipe", "pipe", "inherit"] });
    this.#lines = createInterface({ input: this.#child.stdout })[Symbol.asyncIterator]();
  }

  readonly ask: Implementation = async (request) => {
    this.#child.stdin.write(`${JSON.stringify(request)}\n`);
    const { value, done } = await this.#lines.next();
    if (done) throw new Error(`The program ended before it answered ${request.id}.`);
    return JSON.parse(value) as ConformanceResponse;
  };

  close(): void {
    this.#child.stdin.end();
  }
}
