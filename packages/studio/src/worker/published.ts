/**
 * A recorded release as the page shows it: rows for the table, parameters in words, and every form to take away.
 * @module
 */
import { rational } from "winnow-dp";
import {
  type BudgetLeft,
  caption,
  gapRows,
  type Release,
  statement,
  toCsv,
  toJson,
  toSvg,
} from "winnow-release";
import type { Documents, Published, ReleasedRow } from "./api.js";
import { asCommand } from "./as-command.js";
import { asTypeScript } from "./as-typescript.js";

export function published(release: Release, budget: BudgetLeft = {}): Published {
  const { id, answer, loss } = release;
  return {
    id,
    release,
    released: answer.released,
    ordered: answer.ordered,
    rows: gapRows(release).map(rowOf),
    parameters: parametersOf(release),
    loss: loss.readable,
    documents: documentsOf(release, budget),
  };
}

function rowOf({ rank, item, gap }: ReturnType<typeof gapRows>[number]): ReleasedRow {
  if (gap === undefined) return { rank, item };
  const [value, low, high] = [gap.value, gap.low, gap.high].map((text) => rational(text).toNumber());
  return { rank, item, gap: { exact: gap.value, value: value!, low: low!, high: high! } };
}

/** Each name once, in the order in which a reader asks. */
function parametersOf({ question, mechanism, dataset, time, software, source, ledger }: Release) {
  const { domain, unit, ...asked } = question;
  const parameters = new Map([
    ["data set", dataset],
    ["one person is", unit],
    ["candidates", domain.kind === "listed" ? `a public list of ${domain.size}` : "unknown"],
    ...Object.entries(asked).map(([name, value]): [string, string] => [name, String(value)]),
    ...Object.entries(mechanism.parameters),
    ["item column", source.item],
    ["user column", source.user],
    ...Object.entries(source.dialect),
    ["time", time],
    ["software", `${software.name} ${software.version}`],
  ]);
  if (ledger !== undefined)
    parameters.set("ledger entry", String(ledger.sequence)).set("ledger head", ledger.head);
  return [...parameters];
}

function documentsOf(release: Release, budget: BudgetLeft): Documents {
  return {
    json: toJson(release),
    csv: toCsv(release),
    svg: { light: toSvg(release, { dark: false }), dark: toSvg(release, { dark: true }) },
    caption: caption(release),
    statement: statement(release, budget).text,
    typescript: asTypeScript(release),
    command: asCommand(release),
  };
}
