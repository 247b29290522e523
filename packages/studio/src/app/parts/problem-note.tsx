/**
 * A refusal where it belongs: what was wrong, and what to do next. Read out at once. A sentence may name a column or a data
 * set, which a stranger may have named.
 * @module
 */
import { visible } from "winnow-release";
import type { Problem } from "../state/problem.js";

export function ProblemNote({ problem }: { readonly problem: Problem | undefined }) {
  return (
    <div class="note" role="alert">
      {problem && (
        <div class="problem">
          <p>
            <strong>{visible(problem.sentence)}</strong>
          </p>
          <p>{problem.next}</p>
        </div>
      )}
    </div>
  );
}
