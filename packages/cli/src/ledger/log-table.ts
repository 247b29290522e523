/**
 * The log of a ledger as a table: names and ids in it come from elsewhere and are made harmless.
 * @module
 */
import { lossFromJson } from "winnow-dp";
import { datasetOf, forTerminal, type LedgerEntry, readableLoss, readBudget } from "winnow-release";
import type { Style } from "../render/style.js";
import { type Column, tableOrList } from "../render/table.js";

export function logTable(entries: readonly LedgerEntry[], style: Style): string {
  return tableOrList(entries.map(rowOf), COLUMNS, style);
}

const COLUMNS: readonly Column[] = [
  { name: "sequence", title: "#", alignment: "right" },
  { name: "time", title: "time" },
  { name: "dataset", title: "data set" },
  { name: "what", title: "what" },
  { name: "loss", title: "loss or limit" },
  { name: "version", title: "version" },
  { name: "id", title: "release id" },
];

function rowOf(entry: LedgerEntry): Record<string, string> {
  const { time, software } = entry.kind === "release" ? entry.release : entry;
  return {
    sequence: String(entry.sequence),
    time: forTerminal(time),
    dataset: forTerminal(datasetOf(entry)),
    what: entry.kind,
    loss: sizeOf(entry),
    version: forTerminal(software.version),
    id: entry.kind === "release" ? forTerminal(entry.release.id) : "",
  };
}

function sizeOf(entry: LedgerEntry): string {
  if (entry.kind === "release") return readableLoss(lossFromJson(entry.release.loss));
  const { loss, orders } = readBudget(entry.budget);
  return readableLoss(loss, "down", orders);
}
