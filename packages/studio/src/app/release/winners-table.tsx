/**
 * The winners with their leads: a number with its uncertainty, and a bar with a whisker for the eye.
 * @module
 */
import type { Published, ReleasedRow } from "../../worker/api.js";
import { ItemName } from "../parts/item-name.js";
import { short, whole } from "../parts/numbers.js";

export function WinnersTable({ published: { rows, ordered } }: { readonly published: Published }) {
  const leads = rows.some(({ gap }) => gap !== undefined);
  const most = Math.max(1, ...rows.map(({ gap }) => gap?.high ?? 0));
  return (
    <>
      <table class="winners">
        <caption class="visually-hidden">Released winners</caption>
        <thead>
          <tr>
            {ordered && (
              <th scope="col" class="number">
                Rank
              </th>
            )}
            <th scope="col">Winner</th>
            {leads && (
              <th scope="col" class="lead-cell">
                Leads the next by
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.rank}>
              {ordered && <td class="number rank">{row.rank}</td>}
              <th scope="row">
                <ItemName name={row.item} />
              </th>
              {leads && (
                <td class="lead-cell">
                  <Lead gap={row.gap} most={most} />
                </td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
      <p class="hint">
        {ordered ? "Best first." : "In the order of their names: who came first is not part of the release."}
        {leads &&
          " A lead is how many more people have the winner than have the next; the thin line is the range that holds the true one nine times in ten."}
      </p>
    </>
  );
}

function Lead({ gap, most }: { readonly gap: ReleasedRow["gap"]; readonly most: number }) {
  if (gap === undefined) return <>–</>;
  const within = (value: number) => Math.min(Math.max(value, 0), most);
  const share = (value: number) => `${(100 * value) / most}%`;
  const [low, high] = [within(gap.low), within(gap.high)];
  return (
    <div class="lead">
      <span class="lead-number">
        {people(gap.value)}{" "}
        <span class="soft small">
          ({people(gap.low)} to {people(gap.high)})
        </span>
      </span>
      <span class="lead-picture" aria-hidden="true">
        <span class="bar" style={{ inlineSize: share(within(gap.value)) }} />
        <span class="whisker" style={{ insetInlineStart: share(low), inlineSize: share(high - low) }} />
      </span>
    </div>
  );
}

/** Leads are whole unless a finer resolution was asked for. */
function people(value: number): string {
  return Number.isInteger(value) ? whole(value) : short(value);
}
