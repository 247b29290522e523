/**
 * The true counts, for the curator's eyes only: hatched, and with a word of warning where they would be copied.
 * @module
 */
import { useLayoutEffect, useRef } from "preact/hooks";
import type { PrivateView } from "../../worker/api.js";
import { announce } from "../parts/announce.js";
import { ItemName } from "../parts/item-name.js";
import { leadFocus } from "../parts/lead-focus.js";
import { counted, whole } from "../parts/numbers.js";

const SHOWN = 8;

export function PrivateCounts({ counts }: { readonly counts: PrivateView }) {
  const summary = useRef<HTMLDListElement>(null);
  useLayoutEffect(() => {
    announce(`Counted ${counted(counts.users, "person", "people")}.`);
    leadFocus(summary.current);
  }, [counts]);
  return (
    <div class="stack private-counts">
      <dl ref={summary} tabIndex={-1} class="figures">
        <Figure name="people" value={counts.users} />
        <Figure name="items" value={counts.items} />
        <Figure name="rows" value={counts.rows} />
        <Figure name="lines skipped" value={counts.skipped} />
      </dl>
      {counts.skipped > 0 && (
        <p class="hint">A line that cannot be read counts for nobody. How many there are is private too.</p>
      )}
      <details open>
        <summary>True counts: do not copy</summary>
        <TrueCounts rows={counts.top.slice(0, SHOWN)} />
      </details>
    </div>
  );
}

function Figure({ name, value }: { readonly name: string; readonly value: number }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{whole(value)}</dd>
    </div>
  );
}

function TrueCounts({ rows }: { readonly rows: PrivateView["top"] }) {
  const most = Math.max(1, ...rows.map(({ users }) => users));
  return (
    <table>
      <caption class="visually-hidden">True counts, for your eyes only</caption>
      <thead>
        <tr>
          <th scope="col">Item</th>
          <th scope="col" class="number">
            People
          </th>
          <td class="bar-cell" />
        </tr>
      </thead>
      <tbody>
        {rows.map(({ item, users }) => (
          <tr key={item}>
            <th scope="row">
              <ItemName name={item} />
            </th>
            <td class="number">{whole(users)}</td>
            <td class="bar-cell" aria-hidden="true">
              <span class="bar bar-private" style={{ inlineSize: `${(100 * users) / most}%` }} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
