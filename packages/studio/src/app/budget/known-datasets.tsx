/**
 * The data sets that have a budget in this browser, to choose from. The same people under another name would have a second
 * budget, and neither would be the promise that it looks like.
 * @module
 */
import { ItemName } from "../parts/item-name.js";
import { knownDatasets } from "../state/budget-state.js";
import { dataset } from "../state/data-state.js";

export function KnownDatasets({ words }: { readonly words: string }) {
  if (knownDatasets.value.length === 0) return null;
  return (
    <div class="row">
      <span class="soft small">{words}</span>
      {knownDatasets.value.map((name) => (
        <button
          key={name}
          type="button"
          class="small-button"
          onClick={() => {
            dataset.value = name;
          }}
        >
          <ItemName name={name} />
        </button>
      ))}
    </div>
  );
}
