/**
 * The audit as text for a terminal: a table for each part, a mark for each claim, and the verdict last.
 * @module
 */
import { visible } from "winnow-release";
import { type Column, table } from "../render/table.js";
import type { Style } from "../render/terminal.js";
import {
  type AttackEntry,
  type AuditReport,
  duration,
  type ExactEntry,
  entriesOf,
  type FilesEntry,
  failuresInWords,
  figure,
  type GameEntry,
  percent,
  type ReplayEntry,
  type RunsEntry,
  type TimingEntry,
  type TreeEntry,
  verdictOf,
} from "./audit-report.js";

type Row = Readonly<Record<string, string>>;

/** The whole report, with a newline at the end. */
export function textReport(report: AuditReport, style: Style): string {
  const mark = (holds: boolean) => (holds ? style.good("✓") : style.bad("✗"));
  const part = <Entry extends { readonly holds: boolean }>(
    title: string,
    explanation: string,
    entries: readonly Entry[] | undefined,
    row: (entry: Entry) => Row,
  ): string[] => {
    if (entries === undefined || entries.length === 0) return [];
    const rows = entries.map((entry) => ({ mark: mark(entry.holds), ...row(entry) }));
    return ["", style.strong(title), style.faint(explanation), "", table(rows, columnsOf(rows[0])), ""];
  };
  return [
    ...part("Attacks", ATTACKS, report.attacks, attackRow),
    ...part("Promises against exact distributions", CLAIMS, report.claims, claimRow),
    ...part("Code against exact distributions", TREES, report.trees, treeRow),
    ...part("Runs against promises", RUNS, report.runs, runsRow),
    ...part("Replay on neighbouring data", REPLAYS, report.replays, replayRow),
    ...part("From the file to the release", FILES, report.files, filesRow),
    ...part("Timing", TIMINGS, report.timings, timingRow),
    verdict(report, style),
    "",
  ].join("\n");
}

const ATTACKS =
  "How often an adversary tells two neighbouring worlds apart, and the lower bound on the loss that follows; 99.9999 % confidence.";
const CLAIMS =
  "The largest loss between the distributions of all neighbours of small inputs: enclosed, not estimated. ε as in [Ding23, Definition 3.1] and [Ilv20, Definition 1.1], δ as in [ZW22, Definition 1], ρ by the divergences of [ZW22, Definition 2].";
const TREES = "The library's functions run on every string of random bits up to a depth.";
const RUNS =
  "A lower bound on the loss from many runs, and the same for a planted fault, which must be found.";
const REPLAYS =
  "The same answers from all private steps, without each person in turn; planted faults must be found.";
const TIMINGS =
  "Welch's t of the times in two worlds: must be below 4.5 where constant work is promised, and above for the control.";
const FILES = "Files that differ in one person's rows: read, counted and released with equal bits.";

/** One column for each cell, titled by its name. */
function columnsOf(row: Row): Column[] {
  return Object.keys(row).map((name) => ({
    name,
    title: name === "mark" ? "" : name,
    alignment: NUMBERS.has(name) ? "right" : "left",
    ...(WIDE.has(name) && { maxLen: 44 }),
  }));
}

const NUMBERS = new Set([
  "ε",
  "allowed",
  "claimed",
  "found",
  "pairs",
  "bits",
  "strings",
  "undecided",
  "ours",
  "faulty",
  "people",
  "with a change",
  "largest change",
  "releases",
  "t",
  "difference",
  "seen from",
]);
const WIDE = new Set(["instance", "fault", "what", "reached at", "found out", "data", "work"]);

function attackRow({ title, epsilon, mostSuccess, textbook, ours, source }: AttackEntry): Row {
  return {
    attack: title,
    ε: epsilon,
    allowed: percent(mostSuccess),
    "textbook code": game(textbook),
    "this library": game(ours),
    source,
  };
}

function game({ rate, lower, upper, loss }: GameEntry): string {
  const interval = `${(lower * 100).toFixed(0)}–${(upper * 100).toFixed(0)}`;
  return `${percent(rate)} (${interval}), ε ≥ ${figure(loss)}`;
}

function claimRow({ mechanism, instance, unit, claimed, found, where, pairs, source }: ExactEntry): Row {
  return {
    mechanism,
    instance,
    claimed: `${unit} ${figure(claimed)}`,
    found: figure(found),
    "reached at": where,
    pairs: pairs.toLocaleString("en"),
    source,
  };
}

function treeRow({ mechanism, instance, depth, leaves, undecided }: TreeEntry): Row {
  return {
    mechanism,
    instance,
    bits: String(depth),
    strings: leaves.toLocaleString("en"),
    undecided: percent(undecided),
  };
}

function runsRow({ mechanism, instance, epsilon, ours, fault, faulty }: RunsEntry): Row {
  return {
    mechanism,
    instance,
    claimed: `ε ${figure(epsilon)}`,
    ours: figure(ours),
    fault,
    faulty: figure(faulty),
  };
}

function replayRow({ name, expected, neighbours, violations }: ReplayEntry): Row {
  return {
    what: expected === "none" ? name : `fault: ${name}`,
    people: String(neighbours),
    "found out": violations[0] ?? "nothing",
  };
}

function timingRow({ name, means, t, smallest, expected, source }: TimingEntry): Row {
  return {
    work: name,
    t: t.toFixed(1),
    difference: duration(Math.abs(means[1] - means[0])),
    "seen from": duration(smallest),
    wanted: expected,
    source,
  };
}

function filesRow({ name, pairs, pairsWithChange, largestChange, releases, failures }: FilesEntry): Row {
  return {
    what: visible(name),
    pairs: pairs.toLocaleString("en"),
    "with a change": String(pairsWithChange),
    "largest change": String(largestChange),
    releases: releases.toLocaleString("en"),
    "found out": failuresInWords(failures),
  };
}

function verdict(report: AuditReport, style: Style): string {
  const words = `${verdictOf(entriesOf(report))}${report.quick ? " (quick: fewer runs)" : ""}.`;
  return report.holds ? style.good(words) : style.bad(words);
}
