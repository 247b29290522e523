/**
 * The parts of the page, one function for each: attacks as cards, everything else as tables with a plot in each row.
 * @module
 */
import { forXml } from "winnow-release";
import type {
  AttackEntry,
  ExactEntry,
  FilesEntry,
  GameEntry,
  ReplayEntry,
  RunsEntry,
  TimingEntry,
  TreeEntry,
} from "../audit-report.js";
import { counted, duration, figure, percent } from "../figures.js";
import { failuresInWords } from "../file-failures.js";
import { lossPlot, shareBar, successPlot, timingPlot } from "./plots.js";

/** A heading and what it means, before the content. */
function section(id: string, title: string, explanation: string, content: string): string {
  return `<section id="${id}"><h2>${title}</h2><p class="soft">${explanation}</p>${content}</section>`;
}

/** A table; a title that starts with "#" is over numbers, one with "~" over plots. */
function tableOf(titles: readonly string[], rows: readonly (readonly string[])[]): string {
  const classes = titles.map((title) => CLASSES[title[0]] ?? "");
  const head = titles.map((title, column) => `<th${classes[column]}>${title.replace(/^[#~]/, "")}</th>`);
  const cells = (row: readonly string[]) => row.map((cell, column) => `<td${classes[column]}>${cell}</td>`);
  const body = rows.map((row) => `<tr>${cells(row).join("")}</tr>`);
  return `<div class="scroll"><table><thead><tr>${head.join("")}</tr></thead><tbody>${body.join("")}</tbody></table></div>`;
}

const CLASSES: Readonly<Record<string, string>> = { "#": ' class="number"', "~": ' class="plot"' };

export function mark(holds: boolean): string {
  return holds ? '<span class="mark">✓</span>' : '<span class="mark bad">✗ fails</span>';
}

export function attackSection(entries: readonly AttackEntry[]): string {
  return section(
    "attacks",
    "Attacks",
    "A coin decides whether a person is in the data; an adversary who knows everything else sees the answer and says which. The amber line is the most that anybody can win if the promise is kept: a dot may pass it by luck, its whole interval may not. On the right is the loss that the answers prove at least: above ε, the promise is refuted. Intervals hold with 99.9999 % confidence.",
    `<div class="cards">${entries.map(attackCard).join("")}</div>`,
  );
}

function attackCard(entry: AttackEntry): string {
  const { title, epsilon, delta, textbook, ours, mistake, trick, defence, source, holds } = entry;
  const promise = `ε = ${epsilon}${delta === "0" ? "" : `, δ = ${delta}`}`;
  return `<article class="card"><header><h3>${forXml(title)}</h3><span class="note">${forXml(promise)} ${mark(holds)}</span></header>
${successPlot(entry)}
<dl>${side(textbook, "theirs")}${side(ours, "ours")}</dl>
<details><summary>What goes wrong, and why not here</summary>
<p><b>Textbook code</b> ${forXml(mistake)}.</p><p><b>The adversary</b> ${forXml(trick)}.</p><p><b>Here</b> ${forXml(defence)}.</p><p class="soft">${forXml(source)}</p></details></article>`;
}

function side({ name, rate, loss, rounds }: GameEntry, kind: "theirs" | "ours"): string {
  return `<dt class="${kind}">${percent(rate)}</dt><dd>${forXml(name)}, ${counted(rounds, "round")}</dd><dd>ε ≥ ${figure(loss)}</dd>`;
}

export function claimSection(entries: readonly ExactEntry[]): string {
  return section(
    "promises",
    "Promises against exact laws",
    "Every neighbour of small inputs, every outcome, probabilities as certified enclosures. Nothing is estimated: the largest loss is what it is, and it must not pass the amber mark.",
    tableOf(
      ["", "mechanism", "instance", "#promised", "#found", "~share", "reached at", "#pairs"],
      entries.map(({ mechanism, instance, promise, unit, claimed, found, where, pairs, holds }) => [
        mark(holds),
        `<code>${forXml(mechanism)}</code>`,
        `${forXml(instance)}<br/><span class="note">${forXml(promise)}</span>`,
        `${unit} = ${figure(claimed)}`,
        figure(found),
        shareBar(found, claimed),
        `<span class="note">${forXml(where)}</span>`,
        pairs.toLocaleString("en"),
      ]),
    ),
  );
}

export function treeSection(entries: readonly TreeEntry[]): string {
  return section(
    "code",
    "Code against exact laws",
    "The functions of the library themselves, run on every string of random bits up to a depth. The mass of each outcome is exact, and the law must lie between it and it plus what is undecided.",
    tableOf(
      ["", "function", "instance", "#bits", "#strings run", "#undecided"],
      entries.map(({ mechanism, instance, depth, leaves, undecided, holds }) => [
        mark(holds),
        `<code>${forXml(mechanism)}</code>`,
        forXml(instance),
        String(depth),
        leaves.toLocaleString("en"),
        percent(undecided),
      ]),
    ),
  );
}

export function runsSection(entries: readonly RunsEntry[]): string {
  return section(
    "runs",
    "Runs against promises",
    "Where exact laws are too large: the loss that runs prove at least, the event chosen by one half of them and judged by the other. A planted fault must be found by the same number of runs.",
    tableOf(
      ["", "mechanism", "instance", "#promised", "#ours shows", "~losses", "#fault shows", "planted fault"],
      entries.map(({ mechanism, instance, epsilon, runs, ours, fault, faulty, holds }) => [
        mark(holds),
        `<code>${forXml(mechanism)}</code>`,
        `${forXml(instance)}<br/><span class="note">${counted(runs, "run")} on each side</span>`,
        `ε = ${figure(epsilon)}`,
        `ε ≥ ${figure(ours)}`,
        lossPlot(epsilon, ours, faulty),
        `ε ≥ ${figure(faulty)}`,
        forXml(fault),
      ]),
    ),
  );
}

export function replaySection(entries: readonly ReplayEntry[]): string {
  return section(
    "replay",
    "Replay on neighbouring data",
    "From rows to a release, and again without each person in turn, with the same answers of all private steps. Whatever differs then was not paid for. Planted faults must be found.",
    tableOf(
      ["", "what", "private steps", "#people left out", "found"],
      entries.map(({ name, expected, steps, neighbours, violations, holds }) => [
        mark(holds),
        expected === "none" ? `<code>${forXml(name)}</code>` : `<b>planted:</b> ${forXml(name)}`,
        forXml(steps.join(", ")),
        String(neighbours),
        violations.length === 0 ? "nothing" : violations.map(forXml).join("<br/>"),
      ]),
    ),
  );
}

export function timingSection(entries: readonly TimingEntry[]): string {
  return section(
    "timing",
    "Timing",
    "Two worlds under a stopwatch, in random turn. Between the amber lines no difference is seen; where constant work is promised that is where t must be, and the control, which leaks, must be outside.",
    tableOf(
      ["", "work", "~difference", "#t", "#world 0", "#world 1", "#smallest seen", "wanted"],
      entries.map((entry) => [
        mark(entry.holds),
        `${forXml(entry.name)}<br/><span class="note">${counted(entry.runs, "run")}</span>`,
        timingPlot(entry),
        entry.t.toFixed(1),
        duration(entry.means[0]),
        duration(entry.means[1]),
        duration(entry.smallest),
        entry.expected,
      ]),
    ),
  );
}

export function filesSection(entries: readonly FilesEntry[]): string {
  return section(
    "files",
    "From the file to the release",
    "Files that differ in one person's rows, hostile ones among them: read, counted and released with equal bits. A count may change by one, both files are read alike, and equal counts give equal answers.",
    tableOf(
      ["", "files", "#pairs", "#with a change", "#largest change", "#releases", "found"],
      entries.map(({ name, pairs, pairsWithChange, largestChange, releases, failures, holds }) => [
        mark(holds),
        forXml(name),
        pairs.toLocaleString("en"),
        String(pairsWithChange),
        String(largestChange),
        releases.toLocaleString("en"),
        forXml(failuresInWords(failures)),
      ]),
    ),
  );
}
