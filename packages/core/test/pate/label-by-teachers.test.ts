import { describe, expect, it } from "vitest";
import { Budget } from "../../src/accounting/budget.js";
import { renyi, zcdpCurve } from "../../src/accounting/curve.js";
import { approx, pure, zcdp } from "../../src/accounting/loss.js";
import { Entropy } from "../../src/entropy.js";
import { rational } from "../../src/exact/rational.js";
import { labelByTeachers, type TeacherOptions, TeacherRun } from "../../src/pate/label-by-teachers.js";
import { reportNoisyMax } from "../../src/select/report-noisy-max.js";
import { makeStableTopK } from "../../src/standout/stable-top-k.js";
import { replayEntropy } from "../../src/testing/replay-entropy.js";
import { seededEntropy } from "../../src/testing/seeded-entropy.js";

const [TEACHERS, LABELS] = [100, 5];

/** Votes on one query: so many teachers give each label, the same ones first. */
function votesOf(counts: readonly number[]): Uint8Array {
  return Uint8Array.from({ length: TEACHERS * counts.length }, (_, i) =>
    Math.floor(i / counts.length) < counts[i % counts.length] ? 1 : 0,
  );
}

const steps = {
  choose: { noise: "gumbel", scale: 4 },
  test: { variance: 25 },
  delta: "1e-6",
} as const;

const multiLabel = { task: "multi-label", teachers: TEACHERS, labels: LABELS, ...steps } as const;

const multiClass = {
  task: "multi-class",
  teachers: 10,
  labels: 3,
  choose: { noise: "gumbel", scale: 1 },
} as const;

/** ρ of one query: 2/τ² + 2/σ². */
const EACH = rational("2/16").plus("2/25");

describe("multi-label queries", () => {
  const clear = votesOf([99, 2, 98, 1, 97]);
  const unclear = votesOf([60, 55, 50, 45, 40]);

  it("are answered with the labels that stand out, and not where none do", () => {
    const { answers, queries, abstentions } = labelByTeachers([clear, unclear, clear], {
      ...multiLabel,
      entropy: seededEntropy("labels"),
    });
    expect(answers).toEqual([
      { released: true, labels: [0, 2, 4] },
      { released: false },
      { released: true, labels: [0, 2, 4] },
    ]);
    expect({ queries, abstentions }).toEqual({ queries: 3, abstentions: 1 });
  });

  it("are stableTopK on the counts, for teachers that are replaced", () => {
    const measurement = makeStableTopK({ ...steps, maxK: LABELS - 1, monotone: false });
    const counts = [70, 68, 30, 25, 4];
    for (let seed = 0; seed < 100; seed++) {
      const { answers } = labelByTeachers([votesOf(counts)], { ...multiLabel, entropy: seededEntropy(seed) });
      const release = measurement.invoke(counts, seededEntropy(seed));
      expect(answers).toEqual([
        release.released ? { released: true, labels: release.candidates } : { released: false },
      ]);
    }
  });

  it("may be one dense array, any iterable, or plain arrays, with the same answers", () => {
    const queries = [clear, unclear, clear, unclear];
    const dense = Uint8Array.from(queries.flatMap((query) => [...query]));
    const run = (votes: Parameters<typeof labelByTeachers>[0]) =>
      labelByTeachers(votes, { ...multiLabel, entropy: seededEntropy("forms") }).answers;
    const expected = run(queries);
    expect(run(dense)).toEqual(expected);
    expect(run(queries.map((query) => [...query]))).toEqual(expected);
    expect(run(new Set(queries.map((query) => query.slice())).values())).toEqual(expected);
  });

  it("cost the same whatever the answer", () => {
    const cost = (votes: Uint8Array) =>
      labelByTeachers([votes], { ...multiLabel, entropy: seededEntropy(1) }).privacy;
    expect(cost(clear)).toEqual(cost(unclear));
    expect(cost(clear)).toEqual({ measure: "zcdp", rho: EACH, delta: rational("1e-6") });
  });

  it("take the options of stableTopK", () => {
    const certain = { released: true, labels: [0, 2] };
    const votes = votesOf([99, 2, 98, 1, 1]);
    const of = (options: object) =>
      labelByTeachers([votes], { ...multiLabel, ...options, entropy: seededEntropy(2) } as TeacherOptions)
        .answers[0];
    expect(of({})).toEqual(certain);
    expect(of({ maxK: 2 })).toEqual(certain);
    expect(of({ maxK: 1 })).toEqual({ released: false });
    expect(of({ regulariser: [0, -1000, 0, 0] })).toEqual({ released: false });
  });
});

describe("multi-class queries", () => {
  it("are answered by noisy max on the counts", () => {
    const votes = [2, 2, 2, 2, 2, 2, 2, 1, 0, 2];
    for (let seed = 0; seed < 100; seed++) {
      const { answers, abstentions } = labelByTeachers([votes], {
        ...multiClass,
        entropy: seededEntropy(seed),
      });
      const { candidate: index } = reportNoisyMax([1, 1, 8], {
        noise: "gumbel",
        scale: 1,
        entropy: seededEntropy(seed),
      });
      expect(answers).toEqual([{ released: true, labels: [index] }]);
      expect(abstentions).toBe(0);
    }
  });

  it("cost what moving one vote from a class to another can tell", () => {
    const cost = (choose: object) => {
      const options = { ...multiClass, choose, entropy: seededEntropy(3) } as TeacherOptions;
      return labelByTeachers([Array(10).fill(0)], options).privacy;
    };
    expect(cost({ noise: "gumbel", scale: 10 })).toEqual(zcdp("1/200"));
    expect(cost({ noise: "laplace", scale: 10 })).toEqual(zcdp("1/50"));
    expect(cost({ noise: "exponential", scale: 10 })).toEqual(zcdp("1/50"));
    expect(cost({ noise: "gaussian", variance: 1600 })).toEqual(zcdp("1/1600"));
    expect(cost({ noise: "gaussian", rho: "1/1600" })).toEqual(zcdp("1/1600"));
    expect(cost({ noise: "gumbel", rho: "1/200" })).toEqual(zcdp("1/200"));
  });
});

describe("a limit", () => {
  const votes = Array.from({ length: 20 }, () => votesOf([99, 2, 98, 1, 97]));
  const run = (limit: TeacherOptions["limit"], seed = "limit") =>
    labelByTeachers(votes, { ...multiLabel, limit, entropy: seededEntropy(seed) });

  it("in zCDP admits as many queries as fit, and ends the run", () => {
    const { answers, queries, isExhausted, privacy } = run(zcdp(EACH.times(7), "1e-3"));
    expect(answers).toHaveLength(7);
    expect({ queries, isExhausted }).toEqual({ queries: 7, isExhausted: true });
    expect(privacy).toEqual(zcdp(EACH.times(7), "7e-6"));
    expect(run(zcdp(100, "5e-6")).queries).toBe(5); // δ runs out first
    expect(run(zcdp(100, "1e-3"))).toMatchObject({ queries: 20, isExhausted: false });
  });

  it("in (ε, δ) admits as many as it converts to, and not one more", () => {
    const limited = run(approx(8, "1e-4"));
    expect(limited.isExhausted).toBe(true);
    expect(limited.privacy.measure).toBe("approx");
    const { epsilon, delta } = limited.privacy as ReturnType<typeof approx>;
    expect(delta).toEqual(rational("1e-4"));
    expect(rational(epsilon).compare(8)).toBeLessThanOrEqual(0);
    const next = labelByTeachers(votes.slice(0, limited.queries + 1), {
      ...multiLabel,
      limit: approx(1000, "1e-4"),
      entropy: seededEntropy("next"),
    });
    expect(next.queries).toBe(limited.queries + 1);
    expect(rational((next.privacy as ReturnType<typeof approx>).epsilon).compare(8)).toBe(1);
  });

  it("in (ε, δ) ends where the tests alone use δ up", () => {
    expect(run(approx(Infinity, "3.5e-6")).queries).toBe(3);
    expect(run(approx(Infinity, "1e-6"))).toMatchObject({ queries: 0, isExhausted: true });
  });

  it("may be plain data, which ends the run where the same loss would", () => {
    const limit = zcdp(EACH.times(3), "1e-3");
    const same = { queries: 3, isExhausted: true };
    expect(run(limit)).toMatchObject(same);
    expect(run({ measure: "zcdp", rho: String(EACH.times(3)), delta: "1e-3" })).toMatchObject(same);
    expect(run(structuredClone(limit))).toMatchObject(same);
    expect(run(JSON.parse(JSON.stringify(limit)))).toMatchObject(same);
    expect(run({ measure: "approx", epsilon: 8, delta: 1e-4 }).queries).toBe(run(approx(8, "1e-4")).queries);
  });

  it.each([
    [null, "limit must be an object; got null"],
    [{ measure: "zcdp", rho: Number.NaN }, "limit.rho must be a rational number"],
    [{ measure: "approx", epsilon: 8, delta: null }, "limit.delta must be a rational number"],
    [{ measure: "approx", epsilon: 8, delta: 0 }, "limit must be a Budget, a zcdp loss, or an approx loss"],
    [{ measure: "pure", epsilon: 8 }, "limit must be a Budget, a zcdp loss, or an approx loss"],
    [{ limit: zcdp(1), admits: () => true }, "limit.measure must be"],
  ])("is refused if it cannot be read (%#)", (limit, message) => {
    expect(() => run(limit as never)).toThrow(message);
  });

  it("may be a budget that is charged for each query, beside others", () => {
    const budget = new Budget(zcdp(EACH.times(5), "1e-3"));
    budget.charge(zcdp(EACH.dividedBy(2n)), "something else");
    const { queries, isExhausted, privacy } = run(budget);
    expect({ queries, isExhausted }).toEqual({ queries: 4, isExhausted: true });
    expect(privacy).toEqual(zcdp(EACH.times(4), "4e-6"));
    expect(budget.spent).toEqual(zcdp(EACH.times("4.5"), "4e-6"));
    expect(budget.history.at(-1)?.label).toBe("a query to teachers");
  });

  it("may be a budget of a Rényi curve", () => {
    const { curve } = makeStableTopK({ ...steps, maxK: 4 }).renyi;
    const three = curve.times(3n).plus(zcdpCurve("1e-9")); // and what rounding may add
    const budget = new Budget(renyi(three, "1e-5"), { orders: [2, 8] });
    expect(run(budget)).toMatchObject({ queries: 3, isExhausted: true });
  });

  it("that is not there admits everything and keeps the account", () => {
    const { queries, isExhausted, privacy } = run(undefined);
    expect({ queries, isExhausted }).toEqual({ queries: 20, isExhausted: false });
    expect(privacy).toEqual(zcdp(EACH.times(20), "2e-5"));
  });

  it("is charged before the answer is drawn", () => {
    const budget = new Budget(zcdp(1, "1e-3"));
    const broken = new Entropy({
      fill() {
        throw new Error("no bits");
      },
    });
    const teachers = new TeacherRun({ ...multiLabel, limit: budget });
    expect(() => teachers.answer(votes[0], broken)).toThrow("no bits");
    expect(budget.spent).toEqual(zcdp(EACH, "1e-6"));
  });

  it("is not charged for votes that are none", () => {
    const budget = new Budget(zcdp(1, "1e-3"));
    const bad = votes[0].slice().fill(2, 3, 4);
    expect(() => labelByTeachers([bad], { ...multiLabel, limit: budget })).toThrow("votes must be 0 or 1");
    expect(budget.history).toEqual([]);
  });
});

describe("a run of queries that come one at a time", () => {
  it("answers and reports as it goes, and answers no more once the limit is reached", () => {
    const teachers = new TeacherRun({
      ...multiLabel,
      limit: zcdp(EACH.times(2), "1e-3"),
      entropy: seededEntropy(5),
    });
    expect(teachers.report()).toMatchObject({ queries: 0, abstentions: 0, isExhausted: false });
    const votes = votesOf([99, 2, 98, 1, 97]);
    expect(teachers.answer(votes)).toEqual({ released: true, labels: [0, 2, 4] });
    expect(teachers.report()).toMatchObject({ queries: 1, privacy: zcdp(EACH, "1e-6") });
    expect(teachers.answer(votes)).toBeDefined();
    expect(teachers.report().isExhausted).toBe(false);
    for (const _ of [1, 2]) expect(teachers.answer(votes)).toBeUndefined();
    expect(teachers.report()).toMatchObject({ queries: 2, isExhausted: true });
  });

  it.each([1e8, 1e9, 1e100])("has no end within reach where there is so much noise: scale %s", (scale) => {
    const choose = { noise: "gumbel", scale } as const;
    const run = new TeacherRun({
      task: "multi-class",
      teachers: 3,
      labels: 2,
      choose,
      limit: approx(1, "1e-6"),
    });
    run.answer([0, 1, 1]);
    expect(run.report()).toMatchObject({ queries: 1, isExhausted: false });
  });

  it("has cost nothing before the first query", () => {
    expect(new TeacherRun({ ...multiLabel, limit: approx(1, "1e-5") }).report().privacy).toEqual(
      approx(0, 0),
    );
  });
});

describe("labelByTeachers refuses, before it draws a bit,", () => {
  const refusal = (
    options: object,
    votes: Parameters<typeof labelByTeachers>[0] = [votesOf([1, 1, 1, 1, 1])],
  ) =>
    expect(() =>
      labelByTeachers(votes, { ...multiLabel, ...options, entropy: replayEntropy("") } as TeacherOptions),
    );

  it("tasks and sizes that make no sense", () => {
    refusal({ task: "ranking" }).toThrow('task must be "multi-label" or "multi-class"; got "ranking"');
    refusal({ teachers: 0 }).toThrow("teachers must be an integer >= 1; got 0");
    refusal({ labels: 1.5 }).toThrow("labels must be an integer >= 1; got 1.5");
  });

  it("noise that makes no sense", () => {
    refusal({ choose: { noise: "gumbel" } }).toThrow("budget must be exactly one of epsilon, rho and scale");
    refusal({ test: {} }).toThrow(
      'budget must be exactly one of rho, epsilon, variance and scale; got "none"',
    );
    refusal({ delta: 0 }).toThrow("delta must be a rational > 0 and < 1; got 0");
  });

  it("limits that make no sense", () => {
    const expected = "limit must be a Budget, a zcdp loss, or an approx loss with a delta > 0";
    refusal({ limit: pure(1) }).toThrow(expected);
    refusal({ limit: approx(1, 0) }).toThrow(expected);
    refusal({ accounting: "pure" }).toThrow('accounting must be "zcdp" or "renyi"; got "pure"');
  });

  it("votes that do not fit", () => {
    refusal({}, new Uint8Array(750)).toThrow(
      "votes must be of a length that is a multiple of 500, the votes on a query",
    );
    refusal({}, [new Uint8Array(499)]).toThrow("votes must be a list of 500 votes for each query");
  });
});

describe("queries that arrive over time", () => {
  const query = new Uint8Array(10).fill(2);
  const reason = new Error("enough");
  async function* arriving(queries = 3): AsyncGenerator<Uint8Array> {
    for (let made = 0; made < queries; made++) yield query;
  }

  it("are answered as all at once, up to the limit", async () => {
    const options = () => ({ ...multiClass, limit: zcdp("5/4"), entropy: seededEntropy("over time") });
    const { answers, ...report } = await labelByTeachers(arriving(), options());
    expect({ answers, ...report }).toEqual(labelByTeachers([query, query, query], options()));
    expect(report).toMatchObject({ queries: 2, isExhausted: true });
  });

  it("are not answered once the signal is aborted; a run tells what was spent", async () => {
    const controller = new AbortController();
    const options = { ...multiClass, signal: controller.signal };
    function* stopping() {
      yield query;
      controller.abort(reason);
      yield query;
    }
    const run = new TeacherRun(options);
    run.answer(query);
    expect(() => labelByTeachers(stopping(), options)).toThrow(reason);
    expect(() => run.answer(query)).toThrow(reason);
    expect(run.report().queries).toBe(1);
    await expect(labelByTeachers(arriving(), options)).rejects.toBe(reason);
    expect(() => new TeacherRun({ ...multiClass, signal: "stop" as never })).toThrow(
      "signal must be an AbortSignal; got a value of type string",
    );
  });
});
