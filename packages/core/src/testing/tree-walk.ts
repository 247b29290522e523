/**
 * The walk beneath `bitTree` and `choiceTree`: runs a function that asks for choices once for every sequence
 * of answers it can get. A run that asks for more than was decided so far gets option 0 and the tree grows
 * there, so each leaf costs one run, inner nodes nothing, and only questions that were really asked have
 * branches.
 * @module
 */

interface Path {
  /** What the run returned at this leaf. */
  readonly label: string | undefined;
  /** The answers that led to it. Reused by the next path: read it before asking for that. */
  readonly answers: readonly number[];
}

/**
 * Thrown when the same answers lead to different behaviour: the tree of such a function means nothing.
 *
 * @example
 * ```ts
 * import { bitTree, NotDeterministic } from "winnow-dp/testing";
 *
 * let runs = 0;
 * try {
 *   bitTree((bits) => (runs++ % 2 === 0 ? bits.bit() : bits.bits(2)), { depth: 4 });
 * } catch (error) {
 *   console.log(error instanceof NotDeterministic);
 * }
 * ```
 */
export class NotDeterministic extends Error {
  /** Always `"NotDeterministic"`. */
  override readonly name = "NotDeterministic";

  /** An error that says so. */
  constructor() {
    super("the same answers led to different behaviour: the walked function keeps state between its runs");
  }
}

/** Every leaf of the tree, depth first. `ask(n)` answers with an option from 0 to n − 1. */
export function* everyPath(
  run: (ask: (options: number) => number) => string | undefined,
): Generator<Path, void> {
  const options: number[] = [];
  const answers: number[] = [];
  const follow = () => {
    let step = 0;
    const label = run((count) => {
      if (step === answers.length) {
        options.push(count);
        answers.push(0);
      }
      if (options[step] !== count) throw new NotDeterministic();
      return answers[step++];
    });
    if (step < answers.length) throw new NotDeterministic();
    return label;
  };

  const first = follow();
  yield { label: first, answers };
  while (advance(answers, options)) yield { label: follow(), answers };
  if (follow() !== first) throw new NotDeterministic(); // a spare kept from another run shows here at last
}

/** To the next branch in depth-first order; false, with no answers left, when that was the last. */
function advance(answers: number[], options: number[]): boolean {
  while (answers.length > 0) {
    const last = answers.length - 1;
    if (++answers[last] < options[last]) return true;
    answers.pop();
    options.pop();
  }
  return false;
}
