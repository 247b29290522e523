/**
 * Names and values, one pair a line. A value may hold what a stranger wrote, such as the name of a column.
 * @module
 */
import { visible } from "winnow-release";

export function Terms({ terms }: { readonly terms: readonly (readonly [name: string, value: string])[] }) {
  return (
    <dl class="terms">
      {terms.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{visible(value)}</dd>
        </div>
      ))}
    </dl>
  );
}
