/**
 * Losses as JSON and back without rounding: every number is the text of a fraction, "1/3", or "Infinity" where nothing
 * is promised. A Rényi loss is a function, not a number, and cannot be written down; no release has one.
 * @module
 */
import {
  approx,
  base2,
  type Extended,
  type Loss,
  pure,
  type RationalLike,
  WinnowError,
  zcdp,
} from "winnow-dp";

/** One object for each measure; the numbers are exact text. */
export type LossJson =
  | { readonly measure: "pure"; readonly epsilon: string }
  | { readonly measure: "base2"; readonly eta: string }
  | { readonly measure: "zcdp"; readonly rho: string; readonly delta?: string }
  | { readonly measure: "approx"; readonly epsilon: string; readonly delta: string };

export function lossToJson(loss: Loss): LossJson {
  switch (loss.measure) {
    case "pure":
      return { measure: "pure", epsilon: String(loss.epsilon) };
    case "base2":
      return { measure: "base2", eta: String(loss.eta) };
    case "zcdp":
      return {
        measure: "zcdp",
        rho: String(loss.rho),
        ...(loss.delta === undefined ? {} : { delta: String(loss.delta) }),
      };
    case "approx":
      return { measure: "approx", epsilon: String(loss.epsilon), delta: String(loss.delta) };
    default:
      throw unreadable("a loss that can be written as numbers", loss.measure);
  }
}

/** Reads what `lossToJson` wrote; refuses anything else, for a loss that cannot be read must not count as none. */
export function lossFromJson(json: unknown): Loss {
  const fields: Readonly<Record<string, unknown>> =
    typeof json === "object" && json !== null ? { ...json } : {};
  switch (fields.measure) {
    case "pure":
      return pure(size(fields, "epsilon"));
    case "base2":
      return base2(size(fields, "eta"));
    case "zcdp":
      return zcdp(size(fields, "rho"), fields.delta === undefined ? 0n : size(fields, "delta"));
    case "approx":
      return approx(size(fields, "epsilon"), size(fields, "delta"));
    default:
      throw unreadable("a loss with a measure", String(fields.measure));
  }
}

/** Text only: a JSON number may have been rounded on its way. */
function size(fields: Readonly<Record<string, unknown>>, name: string): Extended | RationalLike {
  const text = fields[name];
  if (typeof text !== "string") throw unreadable(`an object with ${name} as text`, typeof text);
  return text === "Infinity" ? Infinity : text;
}

function unreadable(expected: string, got: string): WinnowError {
  return new WinnowError("invalid-parameter", `loss must be ${expected}; got ${got}`, {
    field: "loss",
    expected,
    got,
  });
}
