/**
 * Every charge so far, newest first, and each release to read again for nothing.
 * @module
 */
import type { LedgerEntry } from "../../worker/api.js";
import { show } from "../state/release-state.js";

export function BudgetLog({ entries }: { readonly entries: readonly LedgerEntry[] }) {
  if (entries.length === 0) return <p class="soft small">Nothing was released yet.</p>;
  return (
    <details>
      <summary>Log of releases</summary>
      <ol class="log" reversed>
        {entries.toReversed().map(({ sequence, time, loss, question, head, published }) => (
          <li key={sequence}>
            <strong>{loss}</strong>
            <span>{question}</span>
            <span class="soft small">
              <time dateTime={time}>{time.slice(0, 16).replace("T", " ")}</time>, record {sequence},{" "}
              <code title={head}>{head.slice(0, 12)}</code>
            </span>
            {published && (
              <button type="button" class="quiet" onClick={() => show(published)}>
                Show again<span class="visually-hidden"> record {sequence}</span>
              </button>
            )}
          </li>
        ))}
      </ol>
    </details>
  );
}
