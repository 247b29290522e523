/**
 * A noisy top k as OpenDP writes it: the JSON of `opendp.mod.serialize`, which names a constructor, its module and
 * its arguments. `dp.deserialize` of OpenDP 0.16 turns the text into a measurement with the same noise and the same
 * privacy map, and Winnow reads the texts that `dp.serialize` writes.
 *
 * With `max_divergence` OpenDP runs permute-and-flip k times, each without the winners before, which is Winnow's method
 * "peel"; one shot of exponential noise for all ranks has the same loss and another distribution, unless k is 1. With
 * `zero_concentrated_divergence` it adds one shot of Gumbel noise, as Winnow does.
 *
 * Both sides must mean the same, so everything else is refused: other constructors and versions, scores in floating
 * point (OpenDP takes infinite ones, Winnow doesn't), bounds, gaps, and k = 0.
 *
 * A scale is a double in OpenDP and an exact rational in Winnow. Reading takes the exact value of the double: `0.1`
 * there is 3602879701896397/36028797018963968, not 1/10. Writing refuses a scale that isn't a double, unless
 * `roundScale` asks for the next double above it. More noise is never a larger loss.
 * @module
 */
import {
  invalidParameter,
  makeNoisyTopK,
  type NoisyTopKOptions,
  Rational,
  type RationalLike,
  rational,
} from "winnow-dp";

/** The types of scores that mean the same on both sides. */
export const OPENDP_SCORES = ["i64", "i32", "u64", "u32", "usize"] as const;
/** A type of scores that OpenDP knows. */
export type OpenDpScores = (typeof OPENDP_SCORES)[number];

/** The version of OpenDP whose format this is. */
export const OPENDP_VERSION = "0.16.0";

/** What both libraries know about a noisy top k. */
export interface OpenDpTopK {
  readonly k: number;
  /** `max_divergence` is "pure", with exponential noise; `zero_concentrated_divergence` is "zcdp", with Gumbel noise. */
  readonly measure: "pure" | "zcdp";
  /** "peel" with "pure", "one-shot" with "zcdp". */
  readonly method: "one-shot" | "peel";
  readonly scale: Rational;
  readonly monotone: boolean;
  readonly negate: boolean;
  /** The type of the scores in OpenDP. */
  readonly scores: OpenDpScores;
  /** The number of candidates, where OpenDP fixes it. */
  readonly size: number | undefined;
}

/**
 * A noisy top k that OpenDP can make too.
 *
 * @inline
 */
export interface OpenDpOptions extends NoisyTopKOptions {
  readonly scores?: OpenDpScores | undefined;
  readonly size?: number | undefined;
  /** Replace a scale that isn't a double by the next one above it. */
  readonly roundScale?: boolean | undefined;
}

/** The measurement that OpenDP would make, with the scale that its text holds. */
export function openDpTopK({
  scores = "i64",
  size,
  roundScale = false,
  ...options
}: OpenDpOptions): OpenDpTopK {
  for (const name of ["resolution", "domain"] as const)
    if (options[name] !== undefined) throw invalidParameter(name, "left out, because OpenDP doesn't have it");
  checkWinners(options.k);
  const { k, measure, scale, metric, negate } = makeNoisyTopK(options);
  const method = METHODS[measure];
  const isSame = options.method === undefined || options.method === method || (k === 1 && measure === "pure");
  if (!isSame) throw invalidParameter("method", `"${method}" as in OpenDP`, options.method);
  return {
    ...{ k, measure, method, monotone: metric.monotone, negate },
    scale: doubleFor(scale, roundScale),
    scores: scoresType("scores", scores),
    size: sizeFor("size", size, k),
  };
}

/** A measurement of no winners isn't worth a file. */
function checkWinners(k: number): void {
  if (k === 0) throw invalidParameter("k", "an integer >= 1", k);
}

function doubleFor(scale: Rational, roundScale: boolean): Rational {
  const double = exactly(scale.toNumber("up"));
  if (roundScale || double.compare(scale) === 0) return double;
  throw invalidParameter(
    "scale",
    `a double, as OpenDP's scales are, or be rounded up to one, ${scale.toNumber("up")}`,
    String(scale),
  );
}

/** The value of a finite double, every bit of it. */
function exactly(double: number): Rational {
  let [odd, places] = [double, 0n];
  while (!Number.isInteger(odd)) [odd, places] = [odd * 2, places + 1n];
  return Rational.of(BigInt(odd), 1n << places);
}

/** The text that `dp.serialize` would give for it. */
export function toOpenDp(topK: OpenDpTopK): string {
  const { k, measure, scale, monotone, negate, scores, size } = topK;
  const atoms = call("domains", "atom_domain", { bounds: "null", nan: "null", T: JSON.stringify(scores) });
  return call("measurements", "make_noisy_top_k", {
    input_domain: call("domains", "vector_domain", { atom_domain: atoms, size: String(size ?? null) }),
    input_metric: call("metrics", "linf_distance", {
      monotonic: String(monotone),
      T: JSON.stringify(scores),
    }),
    output_measure: call("measures", MEASURES[measure], {}),
    k: String(k),
    scale: pythonFloat(scale.toNumber("up")),
    negate: String(negate),
  });
}

const METHODS = { pure: "peel", zcdp: "one-shot" } as const;
const MEASURES = { pure: "max_divergence", zcdp: "zero_concentrated_divergence" } as const;

/** A constructor with the JSON of its arguments, spaced as Python spaces it. */
function call(module: string, name: string, given: Readonly<Record<string, string>>): string {
  const listed = Object.entries(given).map(([argument, value]) => `"${argument}": ${value}`);
  return `{"__function__": "${name}", "__module__": "${module}", "__kwargs__": {${listed.join(", ")}}, "__version__": "${OPENDP_VERSION}"}`;
}

/** A float as Python prints it: the same digits, always with a point or an exponent of two digits. */
function pythonFloat(double: number): string {
  if (double === 0) return "0.0";
  const [digits, exponent] = double.toExponential().split("e");
  const power = Number(exponent);
  if (power < -4 || power >= 16)
    return `${digits}e${power < 0 ? "-" : "+"}${String(Math.abs(power)).padStart(2, "0")}`;
  const text = String(double);
  return text.includes(".") ? text : `${text}.0`;
}

/** What the text describes. Throws for everything that Winnow wouldn't do in the same way. */
export function readOpenDp(text: string): OpenDpTopK {
  const given = readCall(parse(text), "the measurement", "measurements", ["make_noisy_top_k"], TOP_K);
  const domain = readCall(given.input_domain, "input_domain", "domains", ["vector_domain"], VECTOR);
  const atoms = readCall(domain.atom_domain, "atom_domain", "domains", ["atom_domain"], ATOM);
  const metric = readCall(given.input_metric, "input_metric", "metrics", ["linf_distance"], METRIC);
  if (atoms.bounds !== null) throw invalidParameter("bounds", "null, because Winnow's scores have no bounds");
  if (atoms.nan !== null && atoms.nan !== false) throw invalidParameter("nan", "null or false", atoms.nan);
  const scores = scoresType("T", atoms.T);
  if (metric.T !== scores) throw invalidParameter("T", `${scores} in the metric too`, metric.T);
  const measure = measureOf(given.output_measure);
  if (typeof given.k !== "number" || typeof given.scale !== "number")
    throw invalidParameter("k and scale", "two numbers");
  checkWinners(given.k);
  const { k, scale } = makeNoisyTopK({ k: given.k, measure, scale: positive(given.scale) });
  return {
    ...{ k, measure, method: METHODS[measure], scale, scores },
    monotone: flag("monotonic", metric.monotonic),
    negate: flag("negate", given.negate),
    size: sizeFor("size", domain.size ?? undefined, k),
  };
}

const TOP_K = ["input_domain", "input_metric", "output_measure", "k", "scale", "negate"];
const VECTOR = ["atom_domain", "size"];
const ATOM = ["bounds", "nan", "T"];
const METRIC = ["monotonic", "T"];

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw invalidParameter("the measurement", "the JSON of dp.serialize");
  }
}

type Arguments = Readonly<Record<string, unknown>>;

/** The arguments of a call of one of these constructors: these names, no more and no fewer. */
function readCall(
  value: unknown,
  what: string,
  module: string,
  functions: readonly string[],
  names: readonly string[],
): Arguments & { readonly function: string } {
  const read = object(value, what, ["__function__", "__module__", "__kwargs__", "__version__"]);
  const { __function__: name, __module__: from, __kwargs__: given, __version__: version } = read;
  if (typeof name !== "string" || !functions.includes(name) || from !== module)
    throw invalidParameter(what, `OpenDP's ${functions.join(" or ")}`, name);
  if (typeof version !== "string" || !/^0\.16\.\d+$/.test(version))
    throw invalidParameter(what, "from OpenDP 0.16", version);
  return { ...object(given, `${what}.__kwargs__`, names), function: name };
}

function object(value: unknown, what: string, names: readonly string[]): Arguments {
  const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
  const keys = isObject ? Object.keys(value) : [];
  if (!isObject || keys.length !== names.length || !names.every((name) => Object.hasOwn(value, name)))
    throw invalidParameter(what, `an object with ${names.length === 0 ? "no fields" : names.join(", ")}`);
  return value as Arguments;
}

function measureOf(value: unknown): "pure" | "zcdp" {
  const { function: name } = readCall(value, "output_measure", "measures", Object.values(MEASURES), []);
  return name === MEASURES.pure ? "pure" : "zcdp";
}

function scoresType(field: string, value: unknown): OpenDpScores {
  const known = OPENDP_SCORES.find((type) => type === value);
  if (known === undefined) throw invalidParameter(field, `one of ${OPENDP_SCORES.join(", ")}`, value);
  return known;
}

function sizeFor(field: string, value: unknown, k: number): number | undefined {
  if (value === undefined) return undefined;
  if (typeof value !== "number" || !Number.isSafeInteger(value) || value < k)
    throw invalidParameter(field, `an integer >= k = ${k}, or left out`, value);
  return value;
}

function flag(field: string, value: unknown): boolean {
  if (typeof value !== "boolean") throw invalidParameter(field, "true or false", value);
  return value;
}

/** OpenDP refuses −0, and JSON may hold 1e999. */
function positive(double: number): RationalLike {
  if (!Number.isFinite(double) || double < 0 || Object.is(double, -0))
    throw invalidParameter("scale", "finite and >= 0", String(double));
  return double === 0 ? rational(0n) : exactly(double);
}
