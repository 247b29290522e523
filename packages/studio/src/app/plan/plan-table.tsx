/**
 * The numbers of the charts.
 * @module
 */
import { about, percent, short } from "../parts/numbers.js";
import { MECHANISMS } from "../state/mechanisms.js";
import { points } from "../state/plan-state.js";

export function PlanTable() {
  const rows = [...points.value].sort(
    (a, b) => a.mechanism.localeCompare(b.mechanism) || (about(a.epsilon) ?? 0) - (about(b.epsilon) ?? 0),
  );
  return (
    <details>
      <summary>Show the numbers</summary>
      <table>
        <caption class="visually-hidden">What ε buys, in numbers</caption>
        <thead>
          <tr>
            <th scope="col">Mechanism</th>
            <th scope="col" class="number">
              ε
            </th>
            <th scope="col" class="number">
              Winners found
            </th>
            <th scope="col" class="number">
              Lead off by
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ mechanism, epsilon, recall, recallError, gapError }) => (
            <tr key={`${mechanism} ${epsilon}`}>
              <td>{MECHANISMS[mechanism].title}</td>
              <td class="number">{epsilon}</td>
              <td class="number">
                {percent(recall)} ± {percent(2 * recallError)}
              </td>
              <td class="number">{gapError === undefined ? "–" : short(gapError)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
}
