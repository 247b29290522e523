/**
 * The rows of a plan by mechanism: what a curve of the chart or a block of the table shows.
 * @module
 */
import type { PlanRow, Question } from "winnow-release";

export interface Curve {
  readonly mechanism: string;
  readonly candidates: string;
  /** By ε, ascending as asked. */
  readonly points: readonly PlanRow[];
}

export function curvesOf(rows: readonly PlanRow[]): Curve[] {
  const curves = new Map<string, { mechanism: string; candidates: string; points: PlanRow[] }>();
  for (const row of rows) {
    const candidates = candidatesInWords(row.question);
    const key = `${row.mechanism}, ${candidates}`;
    const curve = curves.get(key) ?? { mechanism: row.mechanism, candidates, points: [] };
    curve.points.push(row);
    curves.set(key, curve);
  }
  return [...curves.values()];
}

export function candidatesInWords({ domain, rho }: Question): string {
  const known = domain.kind === "unknown" ? "unknown" : "public";
  return rho === undefined ? known : `${known}, with δ`;
}
