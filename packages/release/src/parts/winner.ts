import type { Rational } from "winnow-dp";
import type { Winner } from "../question/answer.js";

/** As it is released: numbers are exact texts. */
export function winner(item: string, gap?: Rational, count?: Rational): Winner {
  return {
    item,
    ...(gap !== undefined && { gap: String(gap) }),
    ...(count !== undefined && { count: String(count) }),
  };
}
