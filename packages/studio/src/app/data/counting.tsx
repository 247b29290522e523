/**
 * How far the count is, and the way out.
 * @module
 */
import { percent } from "../parts/numbers.js";
import { cancelCounting, progress } from "../state/data-state.js";

export function Counting() {
  const share = progress.value;
  return (
    <div class="row progress-row">
      <progress aria-label="Counting people" max={1} value={share} />
      <span class="soft small number">{share === undefined ? "Starting…" : percent(share)}</span>
      <button type="button" onClick={() => void cancelCounting()}>
        Cancel
      </button>
    </div>
  );
}
