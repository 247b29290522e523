/**
 * Which line is which mechanism: by its dashes, so that it can be told without colours.
 * @module
 */
import type { Mechanism } from "../../worker/api.js";
import { MECHANISMS } from "../state/mechanisms.js";
import { points } from "../state/plan-state.js";
import { applicable, named } from "../state/question-state.js";

const DASHES = ["", "7 4", "2 3", "9 3 2 3"];

export function dashesOf(mechanism: Mechanism): string {
  return DASHES[applicable.value.indexOf(mechanism)] ?? "";
}

export function PlanLegend() {
  const drawn = applicable.value.filter((name) => points.value.some(({ mechanism }) => mechanism === name));
  return (
    <ul class="legend-list">
      {drawn.map((name) => (
        <li key={name} data-chosen={name === named.value}>
          <svg width="26" height="8" viewBox="0 0 26 8" aria-hidden="true">
            <path d="M0 4h26" stroke="currentColor" stroke-width="2.2" stroke-dasharray={dashesOf(name)} />
          </svg>
          {MECHANISMS[name].title}
        </li>
      ))}
    </ul>
  );
}
