/**
 * The name of an item, a file or a data set, which a stranger may have written: always text, never markup, and without characters that could
 * reorder or hide what stands beside it.
 * @module
 */
import { forTerminal } from "winnow-release";

/** Long enough to tell names apart, short enough that one of them cannot fill the page. */
const LONGEST = 120;

export function ItemName({ name }: { readonly name: string }) {
  return (
    <bdi class="item-name" dir="auto">
      {forTerminal(name, LONGEST)}
    </bdi>
  );
}
