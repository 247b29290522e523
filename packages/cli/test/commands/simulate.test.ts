/** The laws of the vectors, by the real program: frequencies of outcomes against exact probabilities. */
import { describe, expect, it } from "vitest";
import { chiSquare } from "../../../core/test/support/chi-square.js";
import { vectors as more } from "../../../core/test/support/more-vectors.js";
import { vectors } from "../../../core/test/support/vectors.js";
import { winnowHere } from "../support/in-process.js";
import { type Folder, folder } from "../support/winnow.js";

const RUNS = 4000;
/** A right law is rejected once in a thousand seeds, and the seed is fixed; a wrong one far more often. */
const SMALLEST_P = 1e-3;

interface Simulated {
  readonly indices: readonly number[];
  readonly gaps?: readonly string[];
  readonly released?: boolean;
  readonly k?: number;
  readonly frequencies?: readonly number[];
  readonly values?: readonly string[];
  readonly times: number;
}

async function simulated(place: Folder, args: readonly string[]): Promise<readonly Simulated[]> {
  const { exit, stdout, stderr } = await winnowHere(place, [
    "simulate",
    ...args,
    ...["--scores", "scores.txt", "--runs", String(RUNS), "--seed", "a law", "--json"],
  ]);
  expect(stderr).toBe("");
  expect(exit).toBe(0);
  return JSON.parse(stdout).frequencies;
}

function scoresFile(scores: readonly (number | string)[]): Folder {
  return folder({ "scores.txt": scores.join("\n") });
}

/** Whether the frequencies fit the law, which is over names of outcomes. */
function fits(
  frequencies: readonly Simulated[],
  law: Readonly<Record<string, string>>,
  name: (one: Simulated) => string,
) {
  const observed = new Map<string, number>();
  for (const one of frequencies) observed.set(name(one), (observed.get(name(one)) ?? 0) + one.times);
  const named = Object.entries(law).map(([outcome, probability]) => ({
    observed: observed.get(outcome) ?? 0,
    expected: Number(probability) * RUNS,
  }));
  const rest = [...observed].filter(([outcome]) => !Object.hasOwn(law, outcome));
  const restObserved = rest.reduce((sum, [, times]) => sum + times, 0);
  const restExpected = RUNS - named.reduce((sum, { expected }) => sum + expected, 0);
  return chiSquare([...named, { observed: restObserved, expected: Math.max(restExpected, 1e-9) }]).pValue;
}

const byIndices = ({ indices }: Simulated) => String(indices);
const lawOf = (probabilities: readonly string[]) =>
  Object.fromEntries(probabilities.map((probability, index) => [String(index), probability]));
const lawOfOrders = (outcomes: readonly { indices: readonly number[]; prob: string }[]) =>
  Object.fromEntries(outcomes.map(({ indices, prob }) => [String(indices), prob]));

describe("winnow simulate has the law of its vectors:", () => {
  it("a quantile, of scores that are how many values each point has", async () => {
    const [{ counts, upper, p, tau, probs }] = more.quantile;
    const values = Array.from(
      { length: upper + 1 },
      (_, i) => counts.find(([value]) => value === i)?.[1] ?? 0,
    );
    const frequencies = await simulated(scoresFile(values), ["quantiles", "--quantiles", p, "--scale", tau]);
    expect(fits(frequencies, lawOf(probs), byIndices)).toBeGreaterThan(SMALLEST_P);
  });

  it("a frequency list, of scores that are how many people each item has", async () => {
    const [{ frequencies: scores, eta, outcomes }] = more.integer_partition;
    const law = Object.fromEntries(outcomes.map(({ partition, prob }) => [String(partition), String(prob)]));
    const args = ["integer-partition", "--eta", `${eta.x},${eta.y},${eta.z}`, "--monotone"];
    const found = await simulated(scoresFile(scores), args);
    expect(fits(found, law, ({ frequencies }) => String(frequencies))).toBeGreaterThan(SMALLEST_P);
  });

  it.each(vectors.permute_and_flip)("permute-and-flip on $scores", async ({ scores, scale, probs }) => {
    const frequencies = await simulated(scoresFile(scores), ["permute-and-flip", "--scale", scale]);
    expect(fits(frequencies, lawOf(probs), byIndices)).toBeGreaterThan(SMALLEST_P);
  });

  it.each(vectors.rnm)("report-noisy-max with $noise noise", async ({ scores, noise, probs, ...vector }) => {
    const size = "b" in vector ? ["--scale", String(vector.b)] : ["--variance", String(vector.sigma2)];
    const frequencies = await simulated(scoresFile(scores), ["report-noisy-max", "--noise", noise, ...size]);
    expect(fits(frequencies, lawOf(probs), byIndices)).toBeGreaterThan(SMALLEST_P);
  });

  it.each(vectors.gumbel_topk)(
    "top-k, the exponential mechanism $k times, on $scores",
    async ({ scores, tau, k, outcomes }) => {
      const args = ["top-k", "--noise", "gumbel", "--scale", tau, "-k", String(k)];
      const frequencies = await simulated(scoresFile(scores), args);
      expect(fits(frequencies, lawOfOrders(outcomes), byIndices)).toBeGreaterThan(SMALLEST_P);
    },
  );

  it.each(vectors.exp_oneshot_topk)(
    "top-k in one shot, k = $k, on $scores",
    async ({ scores, scale, k, outcomes }) => {
      const frequencies = await simulated(scoresFile(scores), ["top-k", "--scale", scale, "-k", String(k)]);
      expect(fits(frequencies, lawOfOrders(outcomes), byIndices)).toBeGreaterThan(SMALLEST_P);
    },
  );

  it.each(vectors.pf_peel_topk)(
    "top-k by peeling, k = $k, on $scores",
    async ({ scores, scale, k, outcomes }) => {
      const frequencies = await simulated(scoresFile(scores), [
        "top-k",
        "--method",
        "peel",
        "--scale",
        scale,
        "-k",
        String(k),
      ]);
      expect(fits(frequencies, lawOfOrders(outcomes), byIndices)).toBeGreaterThan(SMALLEST_P);
      // One shot has another law for two winners or more, and would be noticed.
      const oneShot = vectors.exp_oneshot_topk.find(
        (other) => String(other.scores) === String(scores) && other.k === k,
      );
      if (k > 1 && oneShot !== undefined && oneShot.scale === scale)
        expect(fits(frequencies, lawOfOrders(oneShot.outcomes), byIndices)).toBeLessThan(SMALLEST_P);
    },
  );

  it.each(vectors.noisy_topk_gap)(
    "top-k-with-gap, $name",
    async ({ scores, epsilon, k, gamma, monotone, cells }) => {
      const args = ["top-k-with-gap", "--epsilon", epsilon, "-k", String(k), "--resolution", gamma];
      const frequencies = await simulated(scoresFile(scores), [...args, ...(monotone ? ["--monotone"] : [])]);
      const tail = Number(String(cells.at(-1)!.gaps.at(-1)).slice(2));
      const unit = fraction(gamma);
      const name = ({ indices, gaps = [] }: Simulated) => {
        const units = gaps.map((gap) => Math.round(fraction(gap) / unit));
        return `${indices} by ${units.map((gap) => (gap >= tail ? `>=${tail}` : gap))}`;
      };
      const law = Object.fromEntries(cells.map(({ indices, gaps, prob }) => [`${indices} by ${gaps}`, prob]));
      expect(fits(frequencies, law, name)).toBeGreaterThan(SMALLEST_P);
    },
  );

  it.each(vectors.base2_em)("base2-exponential, $name", async (vector) => {
    const { x, y, z } = vector.eta;
    const bounds = ["--range", `${vector.utility_min}..${vector.utility_max}`];
    const args = ["base2-exponential", "--negate", "--eta", `${x},${y},${z}`, ...bounds];
    const frequencies = await simulated(scoresFile(vector.utilities), args);
    expect(fits(frequencies, lawOf(vector.probs), byIndices)).toBeGreaterThan(SMALLEST_P);
  });

  it.each(vectors.stable_topk)("stable-top-k on $histogram", async (vector) => {
    const args = ["stable-top-k", "--monotone", "--threshold-rule", "closed-form", "--delta", vector.delta_t];
    const noise = ["--choose-scale", `${2 / fraction(vector.epsilon_em)}`, "--test-variance", vector.sigma2];
    const regulariser = `--regulariser=${vector.regularizer.join(",")}`;
    const frequencies = await simulated(scoresFile(vector.histogram), [...args, ...noise, regulariser]);
    const law = Object.fromEntries(vector.outcomes.map(({ k, prob }) => [`released ${k}`, prob]));
    const name = ({ released, k }: Simulated) => (released ? `released ${k}` : "not released");
    expect(fits(frequencies, law, name)).toBeGreaterThan(SMALLEST_P);
  });

  describe.each(vectors.stable_topk_gap2)(
    "stable-top-k on $histogram when a person is replaced:",
    (vector) => {
      const { histogram, gap_sensitivity, epsilon_em, sigma2, delta_t, p_k, p_release_given_k } = vector;
      const outcomes = p_k.flatMap((chosen, index): [string, string][] => {
        const released = Number(chosen) * Number(p_release_given_k[index]);
        return [
          [`released ${index + 1}`, String(released)],
          [`not released ${index + 1}`, String(Number(chosen) - released)],
        ];
      });
      const law = Object.fromEntries(outcomes);
      const name = ({ released, k }: Simulated) => `${released ? "" : "not "}released ${k}`;
      /** As many runs with the noise that a gap wants which one person moves by so much. */
      const runs = (gapSensitivity: number, more: readonly string[] = []) =>
        simulated(scoresFile(histogram), [
          ...[
            "stable-top-k",
            "--threshold-rule",
            "closed-form",
            "--delta",
            delta_t,
            "--test-variance",
            sigma2,
          ],
          ...["--choose-scale", `${(2 * gapSensitivity) / fraction(epsilon_em)}`, ...more],
        ]);

      it("the chosen k, and whether its set is released", async () => {
        const frequencies = await runs(gap_sensitivity);
        expect(fits(frequencies, law, name)).toBeGreaterThan(SMALLEST_P);
        const silent = frequencies.filter(({ released }) => !released);
        const share = silent.reduce((sum, { times }) => sum + times, 0) / RUNS;
        const expected = Number(vector.p_not_released);
        expect(Math.abs(share - expected)).toBeLessThan(4 * Math.sqrt((expected * (1 - expected)) / RUNS));
      });

      it("which has not the law for a person who is added: half the noise, or a test that allows for half the change", async () => {
        expect(fits(await runs(1), law, name)).toBeLessThan(SMALLEST_P);
        expect(fits(await runs(gap_sensitivity, ["--monotone"]), law, name)).toBeLessThan(SMALLEST_P);
      });
    },
  );

  it.each(vectors.stable_topk_fixed)("stable-top-k-fixed on $histogram", async (vector) => {
    const { k, histogram } = vector;
    const frequencies = await simulated(scoresFile(histogram), [
      ...["stable-top-k-fixed", "-k", String(k), "--max-k", String(histogram.length - 1), "--monotone"],
      ...["--choose-scale", `${2 / fraction(vector.epsilon_em_select)}`, "--test-variance", vector.sigma2],
      ...["--rounds-scale", vector.em_peel_tau, "--penalty", vector.reg_lambda, "--gap-cap", "0"],
      ...["--threshold-rule", "closed-form", "--delta", vector.delta_t],
    ]);
    const law = Object.fromEntries(vector.outcomes.map(({ set, prob }) => [String(set), prob]));
    expect(fits(frequencies, law, byIndices)).toBeGreaterThan(SMALLEST_P);
  });
});

const byValues = ({ values }: Simulated) => String(values);

describe("winnow simulate has the law of noise on public numbers:", () => {
  it.each(vectors.discrete_laplace.slice(0, 2))("laplace, of rate $s/$t", async ({ s, t, pmf_abs }) => {
    const frequencies = await simulated(scoresFile([20]), ["laplace", "--scale", `${t}/${s}`]);
    const law = pmf_abs.flatMap((mass, away): [string, string][] =>
      (away === 0 ? [20] : [20 - away, 20 + away]).map((value) => [String(value), mass]),
    );
    expect(fits(frequencies, Object.fromEntries(law), byValues)).toBeGreaterThan(SMALLEST_P);
  });

  it("laplace, independent on each of two counts", async () => {
    const [{ pmf_abs }] = vectors.discrete_laplace;
    const near = [0, 1, 2];
    const law = near.flatMap((a) =>
      near.map((b) => [`${9 + a},${5 - b}`, String(Number(pmf_abs[a]) * Number(pmf_abs[b]))] as const),
    );
    const frequencies = await simulated(scoresFile([9, 5]), ["laplace", "--scale", "1"]);
    expect(fits(frequencies, Object.fromEntries(law), byValues)).toBeGreaterThan(SMALLEST_P);
  });

  it.each(vectors.geometric.slice(0, 2))("geometric, of rate $s/$t", async ({ s, t, pmf }) => {
    const frequencies = await simulated(scoresFile(["1/2"]), ["geometric", "--scale", `${t}/${s}`]);
    const law = Object.fromEntries(pmf.map((mass, y) => [`${y}.5`, mass]));
    expect(fits(frequencies, law, byValues)).toBeGreaterThan(SMALLEST_P);
  });

  it("clamped-laplace, on a grid of half steps", async () => {
    const args = ["clamped-laplace", "--range", "0..3/2", "--step", "1/2", "--eta", "1,1,1"];
    const law = { "0": "2/9", "0.5": "4/9", "1": "2/9", "1.5": "1/9" };
    const decimals = Object.fromEntries(
      Object.entries(law).map(([value, mass]) => [value, String(fraction(mass))]),
    );
    const frequencies = await simulated(scoresFile(["0.7"]), args);
    expect(fits(frequencies, decimals, byValues)).toBeGreaterThan(SMALLEST_P);
  });

  const released = ({ released, indices }: Simulated) => (released ? `released ${indices}` : "nothing");

  it.each(vectors.ptr.filter(({ gap_sensitivity }) => gap_sensitivity === 1))(
    "propose-test-release with $kind noise",
    async (vector) => {
      const isGaussian = vector.kind === "discrete_gaussian";
      const size = isGaussian ? ["--variance", vector.sigma2] : ["--epsilon", vector.epsilon];
      const { gap, p_exact } = vector.release.find(({ p_exact }) => Number(p_exact) > 0.1)!;
      const args = ["propose-test-release", "-k", "1", "--monotone", "--delta", vector.delta_t, ...size];
      const frequencies = await simulated(scoresFile([3, gap + 3]), args);
      expect(fits(frequencies, { "released 1": p_exact }, released)).toBeGreaterThan(SMALLEST_P);
    },
  );
});

describe("winnow simulate", () => {
  it.each([
    [["laplace", "--epsilon", "1/2"], "loss of one run: epsilon = 0.5"],
    [["geometric", "--scale", "2"], "loss of one run: epsilon = Infinity"],
    [["clamped-laplace", "--epsilon", "1", "--range", "0..9"], "loss of one run: "],
    [["propose-test-release", "--epsilon", "1", "--delta", "1e-6"], "not released "],
  ])("shows numbers, a promise for one run, and sets that aren't released: %j", async (args, line) => {
    const more = ["--scores", "scores.txt", "--runs", "20", "--seed", "a table"];
    const { exit, stdout } = await winnowHere(scoresFile([3]), ["simulate", ...args, ...more]);
    expect({ exit, stdout }).toEqual({ exit: 0, stdout: expect.stringContaining(line) });
  });

  it("shows a table of names and shares", async () => {
    const place = folder({ "scores.csv": "item,count\nmail,50\nnews,2\n" });
    const { stdout } = await winnowHere(place, [
      "simulate",
      "permute-and-flip",
      "--scores",
      "scores.csv",
      "--epsilon",
      "4",
    ]);
    expect(stdout).toMatch(
      /outcome +times +share\n.*\n +mail +10,000 +100\.00 %\n +loss of one run: epsilon = 4\n$/,
    );
  });

  it("refuses a mechanism that it does not know, with the nearest", async () => {
    const { exit, stderr } = await scoresFile([1]).winnow(["simulate", "top-kk", "--scores", "scores.txt"]);
    expect(exit).toBe(2);
    expect(stderr).toContain('Did you mean "top-k"?');
  });

  it.each([
    [
      ["permute-and-flip", "--epsilon", "1", "-k", "3"],
      "-k doesn't apply to permute-and-flip, which takes --epsilon,",
    ],
    [["largest-gap", "--epsilon", "1", "--delta", "1e-6"], "--delta doesn't apply to largest-gap"],
    [
      ["top-k", "--epsilon", "1", "--noise", "laplace"],
      "--noise of top-k must be exponential with --epsilon",
    ],
    [["top-k", "--epsilon", "1", "--noise", "gumbel"], "or gumbel with --rho or --scale"],
    [["top-k", "--rho", "1", "--noise", "exponential"], "or gumbel with --rho or --scale"],
    [["laplace", "--rho", "1"], "--rho doesn't apply to laplace, which takes --epsilon,"],
    [["laplace"], "exactly one of"],
    [["geometric"], "The noise needs --scale."],
    [["geometric", "--scale", "0"], 'The scale of the noise must be a rational > 0; got "0"'],
    [
      ["clamped-laplace", "--epsilon", "1", "--range", "0..9"],
      "The file for clamped-laplace must be of one value; got 3.",
    ],
    [["propose-test-release", "--epsilon", "1"], "--delta must be"],
    [["base2-exponential"], "exactly one of --eta and --epsilon"],
    [["base2-exponential", "--eta", "1,1,1", "--epsilon", "1"], "exactly one of --eta and --epsilon"],
    [["base2-exponential", "--eta", "1,x,1"], '--eta must be three integers x,y,z; got "1,x,1"'],
    [["stable-top-k", "--epsilon", "1"], "--delta must be a probability such as 1e-6"],
    [["stable-top-k", "--delta", "1e-6", "--choose-scale", "1"], "all of --choose-scale, --test-variance"],
    [
      ["stable-top-k", "--delta", "1e-6", "--choose-scale", "1", "--test-variance", "2", "--epsilon", "1"],
      "The noise needs --epsilon or --rho, or instead all of",
    ],
    [
      ["stable-top-k", "--epsilon", "1", "--delta", "1e-6", "--sensitivity", "1/2"],
      '--sensitivity must be an integer >= 1, for counts; got "1/2"',
    ],
  ])("refuses what would draw another law than was asked for: %j", async (args, sentence) => {
    const { exit, stdout, stderr } = await scoresFile([3, 1, 0]).winnow([
      "simulate",
      ...args,
      "--scores",
      "scores.txt",
    ]);
    expect({ exit, stdout }).toEqual({ exit: 2, stdout: "" });
    expect(stderr).toContain(sentence);
  });

  it("does without the defaults of a configuration that it has no use for", async () => {
    const place = folder({
      "scores.txt": "3\n1\n0",
      "winnow.json": JSON.stringify({ delta: "1e-6", epsilon: "1/2" }),
    });
    const simulate = async (...more: string[]) => {
      const args = ["simulate", "top-k", "--scores", "scores.txt", "--runs", "5", "--json", ...more];
      const { exit, stdout, stderr } = await winnowHere(place, args);
      expect({ exit, stderr }).toEqual({
        exit: 0,
        stderr: expect.stringContaining("Defaults from winnow.json"),
      });
      return JSON.parse(stdout).parameters;
    };
    expect(await simulate()).toEqual({ epsilon: "1/2", runs: 5 });
    expect(await simulate("--scale", "2")).toEqual({ scale: "2", runs: 5 });
  });

  it("refuses what a mechanism cannot mean", async () => {
    const { exit, stderr } = await scoresFile([1, 2]).winnow([
      "simulate",
      "top-k",
      "--scores",
      "scores.txt",
      "--epsilon",
      "-1",
    ]);
    expect(exit).toBe(2);
    expect(stderr).toContain('--epsilon must be a rational > 0; got "-1"');
  });
});

function fraction(text: string): number {
  const [numerator, denominator = "1"] = text.split("/");
  return Number(numerator) / Number(denominator);
}
