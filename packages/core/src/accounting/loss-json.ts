/**
 * Losses from outside, and losses as JSON. A loss comes back from JSON, a structured clone, a worker or a second
 * installed copy of Winnow as plain data. `readLoss` makes it anew with its own constructor or refuses it, and every
 * function that takes a loss reads it that way; only losses that this copy made pass as they are.
 *
 * The JSON form is one object with a measure and each number as exact text, `{ "measure": "pure", "epsilon": "1/3" }`,
 * or "Infinity" where nothing is promised. Ledgers, releases and the page use the same form. A Rényi loss has none: its
 * curve is a function.
 * @module
 */

import { invalidParameter } from "../errors.js";
import type { RationalLike } from "../exact/rational.js";
import { probability } from "../options.js";
import { renyi } from "./curve.js";
import { extended, ownRational } from "./extended.js";
import {
  approx,
  base2,
  exactTexts,
  isMadeHere,
  type Loss,
  type LossOf,
  type Measure,
  pure,
  zcdp,
} from "./loss.js";
import { type RenyiCurve, readCurve } from "./renyi-curve.js";

/** The JSON form of a loss: one object for each measure, with exact text for each number. */
export type LossJson =
  | { readonly measure: "pure"; readonly epsilon: string }
  | { readonly measure: "base2"; readonly eta: string }
  | { readonly measure: "zcdp"; readonly rho: string; readonly delta?: string }
  | { readonly measure: "approx"; readonly epsilon: string; readonly delta: string };

/** Plain data of each measure that is read as a loss. */
interface PlainLoss {
  readonly pure: { readonly measure: "pure"; readonly epsilon: RationalLike };
  readonly base2: { readonly measure: "base2"; readonly eta: RationalLike };
  readonly zcdp: { readonly measure: "zcdp"; readonly rho: RationalLike; readonly delta?: RationalLike };
  readonly renyi: { readonly measure: "renyi"; readonly curve: RenyiCurve; readonly delta?: RationalLike };
  readonly approx: {
    readonly measure: "approx";
    readonly epsilon: RationalLike;
    readonly delta: RationalLike;
  };
}

/**
 * Accepted wherever a loss is expected: a loss, its JSON form, or an object with the same fields whose numbers are anything
 * `rational` reads.
 *
 * @typeParam M The measures that are accepted. Default: all.
 */
export type LossLike<M extends Measure = Measure> = LossOf[M] | PlainLoss[M];

/**
 * Reads a loss from plain data, such as a structured clone, parsed JSON or `{ measure: "pure", epsilon: "1/3" }`, or
 * refuses it. A loss that this copy of Winnow made is returned as it is.
 *
 * @param value What is read. An unknown measure and a missing or unknown field are refused.
 * @param field The name of the parameter in the error, should it be refused.
 *
 * @example
 * ```ts
 * import { pure, readLoss } from "winnow-dp";
 *
 * readLoss({ measure: "zcdp", rho: "1/3" }); // → { measure: "zcdp", rho: 1/3 }
 * readLoss(structuredClone(pure(1))); // → { measure: "pure", epsilon: 1 }
 * ```
 */
export function readLoss<M extends Measure>(value: LossLike<M>, field?: string): LossOf[M];

export function readLoss(value: unknown, field?: string): Loss;

export function readLoss(value: unknown, field = "loss"): Loss {
  return isMadeHere(value) ? value : lossOf(fieldsOf(value, field), field);
}

/**
 * The JSON form of a loss, without rounding. `JSON.stringify` of a loss writes the same.
 *
 * @param loss In any measure except Rényi.
 *
 * @example
 * ```ts
 * import { lossToJson, zcdp } from "winnow-dp";
 *
 * lossToJson(zcdp("1/3", "1e-6")); // → { measure: "zcdp", rho: "1/3", delta: "0.000001" }
 * ```
 */
export function lossToJson(loss: LossLike): LossJson {
  const own = readLoss(loss);
  if (own.measure === "renyi")
    throw invalidParameter("loss", "a loss without a curve, which JSON cannot carry", own.measure);
  return exactTexts(own) as LossJson;
}

/**
 * Reads the JSON form of a loss, or refuses it. A number must be text, because a JSON number may have been rounded.
 *
 * @param json Parsed JSON. The `readable` text beside the loss in a release is allowed, and ignored.
 * @param field The name of the JSON in the error, should it be refused.
 *
 * @example
 * ```ts
 * import { lossFromJson } from "winnow-dp";
 *
 * lossFromJson({ measure: "pure", epsilon: "1/2" }); // → { measure: "pure", epsilon: 0.5 }
 * lossFromJson({ measure: "pure", epsilon: 0.5 }); // → throws loss.epsilon must be text; got 0.5
 * ```
 */
export function lossFromJson(json: unknown, field = "loss"): Loss {
  const fields = fieldsOf(json, field);
  for (const [name, text] of Object.entries(fields))
    if (typeof text !== "string") throw invalidParameter(`${field}.${name}`, "text", text);
  return lossOf(fields, field);
}

type Fields = Readonly<Record<string, unknown>>;

/** The fields that a loss of each measure may have; that those it needs are there is found when they are read. */
const FIELDS: Readonly<Record<Measure, readonly string[]>> = {
  pure: ["epsilon"],
  base2: ["eta"],
  zcdp: ["rho", "delta"],
  renyi: ["curve", "delta"],
  approx: ["epsilon", "delta"],
};

/** The fields of a loss, each looked at once: a known measure, and no fields that it does not have. */
function fieldsOf(value: unknown, field: string): Fields {
  if (typeof value !== "object" || value === null)
    throw invalidParameter(field, 'a loss such as pure(1) or { measure: "pure", epsilon: "1/3" }', value);
  const fields: Fields = Object.fromEntries(Object.entries(value).filter(([, part]) => part !== undefined));
  const { measure } = fields;
  if (typeof measure !== "string" || !Object.hasOwn(FIELDS, measure))
    throw invalidParameter(`${field}.measure`, '"pure", "base2", "zcdp", "renyi" or "approx"', measure);
  const known = ["measure", ...FIELDS[measure as Measure], "readable"];
  const unknown = Object.keys(fields).find((name) => !known.includes(name));
  if (unknown !== undefined)
    throw invalidParameter(field, `a ${measure} loss with only the fields ${known.join(", ")}`, unknown);
  return fields;
}

function lossOf(fields: Fields, field: string): Loss {
  const at = (name: string) => fields[name] as RationalLike;
  const size = (name: string) => extended(at(name) === "Infinity" ? Infinity : at(name), `${field}.${name}`);
  const delta = (value: RationalLike) => probability(`${field}.delta`, ownRational(value, `${field}.delta`));
  const failure = () => delta("delta" in fields ? at("delta") : 0n);
  switch (fields.measure as Measure) {
    case "pure":
      return pure(size("epsilon"));
    case "base2":
      return base2(size("eta"));
    case "zcdp":
      return zcdp(size("rho"), failure());
    case "renyi":
      return renyi(readCurve(fields.curve, `${field}.curve`), failure());
    case "approx":
      return approx(size("epsilon"), delta(at("delta")));
  }
}
