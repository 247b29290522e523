/**
 * The numbers of the charts.
 * @module
 */
import type { PlanPoint } from "../../worker/api.js";
import { about, percent, short } from "../parts/numbers.js";
import { MECHANISMS } from "../state/mechanisms.js";
import { points } from "../state/plan-state.js";

interface Column {
  readonly title: string;
  readonly show: (point: PlanPoint) => string;
}

const MECHANISM: Column = { title: "Mechanism", show: ({ mechanism }) => MECHANISMS[mechanism].title };
const EPSILON: Column = { title: "ε", show: ({ epsilon }) => epsilon };
const FOUND: Column = {
  title: "Winners found",
  show: ({ recall, recallError }) => `${percent(recall)} ± ${percent(2 * recallError)}`,
};
const LEAD: Column = {
  title: "Lead off by",
  show: ({ gapError }) => (gapError === undefined ? "–" : short(gapError)),
};

export function PlanTable() {
  const rows = [...points.value].sort(
    (a, b) => a.mechanism.localeCompare(b.mechanism) || (about(a.epsilon) ?? 0) - (about(b.epsilon) ?? 0),
  );
  const several = new Set(rows.map(({ mechanism }) => mechanism)).size > 1;
  const leads = rows.some(({ gapError }) => gapError !== undefined);
  const columns = [...(several ? [MECHANISM] : []), EPSILON, FOUND, ...(leads ? [LEAD] : [])];
  return (
    <details>
      <summary>Show the numbers</summary>
      <table>
        <caption class="visually-hidden">What ε buys, in numbers</caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column.title} scope="col" class={alignment(column)}>
                {column.title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((point) => (
            <tr key={`${point.mechanism} ${point.epsilon}`}>
              {columns.map((column) => (
                <td key={column.title} class={alignment(column)}>
                  {column.show(point)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
}

function alignment(column: Column): string | undefined {
  return column === MECHANISM ? undefined : "number";
}
