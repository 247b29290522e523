import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { WinnowError } from "../../src/errors.js";
import {
  approx,
  Budget,
  base2,
  compose,
  convert,
  type Loss,
  type LossLike,
  lossFromJson,
  lossToJson,
  type Measure,
  pure,
  type Rational,
  rational,
  readLoss,
  repeat,
  zcdp,
} from "../../src/index.js";

const text = (numerator: bigint, denominator: bigint) => `${numerator}/${denominator}`;
const sizes = fc.oneof(
  { weight: 9, arbitrary: fc.tuple(fc.bigInt(0n, 10n ** 30n), fc.bigInt(1n, 10n ** 30n)) },
  { weight: 9, arbitrary: fc.tuple(fc.bigInt(0n, 40n), fc.bigInt(1n, 97n)) },
);
const finite = sizes.map(([numerator, denominator]) => text(numerator, denominator));
const size = fc.oneof({ weight: 19, arbitrary: finite }, { weight: 1, arbitrary: fc.constant("Infinity") });
const chance = sizes.map(([part, rest]) => text(part, part + rest));

/** A loss as text, and with the fields of its measure in each of the ways in which it may come. */
const plain: fc.Arbitrary<Record<string, string>> = fc.oneof(
  size.map((epsilon) => ({ measure: "pure", epsilon })),
  size.map((eta) => ({ measure: "base2", eta })),
  size.map((rho) => ({ measure: "zcdp", rho })),
  fc.tuple(size, chance).map(([rho, delta]) => ({ measure: "zcdp", rho, delta })),
  fc.tuple(size, chance).map(([epsilon, delta]) => ({ measure: "approx", epsilon, delta })),
);

const number = (text: string) => (text === "Infinity" ? Infinity : text);

function own({ measure, epsilon = "", eta = "", rho = "", delta }: Record<string, string>): Loss {
  if (measure === "pure") return pure(number(epsilon));
  if (measure === "base2") return base2(number(eta));
  return measure === "zcdp" ? zcdp(number(rho), delta) : approx(number(epsilon), delta);
}

const ways: readonly ((loss: Record<string, string>) => LossLike)[] = [
  own,
  (loss) => JSON.parse(JSON.stringify(own(loss))),
  (loss) => lossFromJson(lossToJson(own(loss))),
  (loss) => structuredClone(own(loss)),
  (loss) => ({ ...own(loss) }),
  (loss) => structuredClone(loss) as unknown as LossLike,
];
const way = fc.constantFrom(...ways);

/** What was said, or the code of the error. */
function outcome<T>(of: () => T): T | string {
  try {
    return of();
  } catch (error) {
    return error instanceof WinnowError ? error.message : "not a WinnowError";
  }
}

const wrong = fc.constantFrom<unknown>(
  Number.NaN,
  -1,
  "-1/7",
  -Infinity,
  "-Infinity",
  "",
  "1/0",
  "one",
  null,
  true,
  {},
  [],
  [1],
  () => 1,
  { numerator: 1, denominator: 1 },
  { numerator: 1n },
  { numerator: "1", denominator: "1" },
  { numerator: 1n, denominator: 0n },
  { numerator: -1n, denominator: 2n },
  { numerator: Number.NaN, denominator: 1n },
);
const measures: readonly Measure[] = ["pure", "base2", "zcdp", "renyi", "approx"];

/** Plain data that says no loss: one thing in it is wrong. */
const mutated: fc.Arbitrary<unknown> = fc
  .tuple(
    plain,
    wrong,
    fc.nat(),
    fc.constantFrom("value", "missing", "extra", "unknown measure", "other measure"),
  )
  .map(([loss, value, place, kind]) => {
    const names = Object.keys(loss).filter((name) => name !== "measure");
    const name = names[place % names.length];
    if (kind === "value") return { ...loss, [name]: value };
    if (kind === "missing") return { ...loss, [names[0]]: undefined };
    if (kind === "extra") return { ...loss, [["gamma", "curve", "toJSON", "0"][place % 4]]: value };
    if (kind === "unknown measure")
      return { ...loss, measure: ["Pure", "", "gdp", "constructor", 1, null][place % 6] };
    // No two measures have the same fields, so the fields of one never make a loss of another.
    const others = measures.filter((other) => other !== loss.measure);
    return { ...loss, measure: others[place % others.length] };
  });

describe("a loss, in whatever way it comes,", () => {
  it("is read as the same loss, and composes, repeats and converts to the same", () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(plain, way), { minLength: 1, maxLength: 6 }), (losses) => {
        const [first, ...others] = losses.map(([loss]) => own(loss));
        const [sent, ...rest] = losses.map(([loss, send]) => send(loss));
        expect(readLoss(sent)).toEqual(first);
        expect(repeat(sent, 3)).toEqual(repeat(first, 3));
        expect(outcome(() => compose(sent, ...rest))).toEqual(outcome(() => compose(first, ...others)));
        expect(outcome(() => convert(sent, { to: "zcdp" }))).toEqual(
          outcome(() => convert(first, { to: "zcdp" })),
        );
        expect(lossToJson(sent)).toEqual(lossToJson(first));
      }),
    );
  });

  it("is charged to the same effect, and nothing is admitted beyond the limit", () => {
    const limit = fc.oneof(
      finite.map((rho) => ({ measure: "zcdp", rho, delta: "1/2" })),
      finite.map((epsilon) => ({ measure: "pure", epsilon })),
    );
    fc.assert(
      fc.property(limit, way, fc.array(fc.tuple(plain, way), { maxLength: 6 }), (most, send, losses) => {
        const [budget, twin] = [new Budget(own(most)), new Budget(send(most))];
        for (const [loss, sendCharge] of losses) {
          const expected = outcome(() => budget.charge(own(loss)));
          expect(outcome(() => twin.charge(sendCharge(loss)))).toEqual(expected);
        }
        expect(twin.spent).toEqual(budget.spent);
        const counted = twin.history.map((charge) => charge.counted);
        expect(compose(repeat(twin.limit, 0), ...counted)).toEqual(twin.spent);
        // What was spent can be charged at once, so it is within the limit.
        expect(new Budget(own(most)).admits(twin.spent)).toBe(true);
      }),
    );
  });

  it("is refused if anything about it is wrong, and changes no budget", () => {
    fc.assert(
      fc.property(mutated, (value) => {
        const loss = value as LossLike;
        const budget = new Budget(zcdp(1, "1/2"));
        for (const take of [
          () => readLoss(loss),
          () => lossToJson(loss),
          () => lossFromJson(loss),
          () => compose(loss),
          () => compose(pure(1), loss),
          () => repeat(loss, 0),
          () => convert(loss, { to: "approx", delta: "1e-6" }),
          () => new Budget(loss),
          () => budget.admits(loss),
          () => budget.admitsTimes(loss),
          () => budget.charge(loss),
        ])
          expect(take).toThrow(WinnowError);
        expect(budget.history).toEqual([]);
        expect(budget.spent).toEqual(zcdp(0));
      }),
    );
  });
});

describe("a parameter of any length", () => {
  const digits = (most: number) =>
    fc
      .tuple(fc.integer({ min: 1, max: most }), fc.bigInt(1n, 10n ** 40n))
      .map(([length, start]) => String(start).repeat(length).slice(0, length));
  const exponent = fc.oneof(fc.integer({ min: -10_000, max: 10_000 }), fc.constantFrom(-10_000, 10_000, 0));
  const parameter = fc.oneof(
    fc.tuple(digits(40), exponent).map(([first, power]) => `${first}e${power}`),
    fc.tuple(digits(15_000), digits(15_000), exponent).map(([a, b, power]) => `${a}.${b}e${power}`),
    fc.tuple(digits(15_000), digits(15_000)).map(([a, b]) => `${a}/${b}`),
    digits(60_000).map((text) => BigInt(text)),
    fc.tuple(digits(15_000), digits(30_000)).map(([a, b]) => rational(BigInt(a)).dividedBy(BigInt(b))),
    fc.double({ min: 0, noNaN: true, noDefaultInfinity: true }),
  );

  it("is refused, or the loss made from it has a JSON form that is read as the same loss", () => {
    const outcomes = new Set<string>();
    fc.assert(
      fc.property(parameter, (given) => {
        const loss = outcome(() => pure(given));
        outcomes.add(typeof loss);
        if (typeof loss === "string") {
          expect(loss).toMatch(/^epsilon must be a rational/);
          return;
        }
        expect(lossFromJson(JSON.parse(JSON.stringify(loss)))).toEqual(loss);
        expect(lossFromJson(lossToJson(loss))).toEqual(loss);
        expect(rational(String(loss.epsilon)).equals(loss.epsilon as Rational)).toBe(true);
      }),
      { numRuns: 60 },
    );
    expect(outcomes).toEqual(new Set(["string", "object"])); // some of each
  });

  it.each(["1e-10000", "1e10000", "0.1e-9999", "1e-9999"])("is accepted if it is %s", (epsilon) => {
    expect(lossFromJson(lossToJson(approx(epsilon, "1e-10000")))).toEqual(approx(epsilon, "1e-10000"));
  });
});
