/** The refusal of a query, and the words that it is made of. */
import { mustBeButIs, Refusal } from "winnow-release";

/** The refusal of a query that could do more than map each row on its own. The query is the curator's, so it may be quoted. */
export function untrusted(got: string, hint = ""): Refusal {
  return new Refusal(
    "untrusted-query",
    mustBeButIs(
      "--query",
      "SELECT … FROM one table WHERE …, with expressions that read each row on its own",
      got,
    ) + hint,
  );
}
