/**
 * The report as one self-contained page: no script, no external font, no external image. It is also well-formed XML.
 * Attacks are cards; everything else is a table with a plot in each row. The page has one column, follows the reader's
 * light or dark theme, and is readable in print and on a phone.
 * @module
 */
import { forXml } from "winnow-release";
import {
  type AttackEntry,
  type AuditReport,
  counted,
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
import { lossPlot, shareBar, successPlot, timingPlot } from "./html-plots.js";

export function toHtml(report: AuditReport): string {
  const { attacks, claims, trees, runs, replays, files, timings } = report;
  const sections = [
    attacks && attackSection(attacks),
    claims && claimSection(claims),
    trees && treeSection(trees),
    runs && runsSection(runs),
    replays && replaySection(replays),
    files && filesSection(files),
    timings && timingSection(timings),
  ];
  return `<!DOCTYPE html>
<html lang="en" xmlns="http://www.w3.org/1999/xhtml">
<head>
<meta charset="utf-8"/>
<meta name="viewport" content="width=device-width, initial-scale=1"/>
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'"/>
<title>Winnow audit</title>
<style>${PAGE_STYLE}</style>
</head>
<body>
<main>
${heading(report)}
${sections.filter((part) => part !== undefined).join("\n")}
${footer(report)}
</main>
</body>
</html>
`;
}

function heading(report: AuditReport): string {
  const words = verdictOf(entriesOf(report));
  const verdict = report.holds
    ? `<p class="verdict">✓ ${words}</p>`
    : `<p class="verdict bad">✗ ${words}</p>`;
  return `<header><h1>Winnow audit</h1>
<p class="soft">Claims of ${forXml(report.software.name)} ${forXml(report.software.version)}, checked on this machine on ${forXml(report.time.slice(0, 10))}${report.quick ? ", with fewer runs than usual" : ""}.</p>
${verdict}
<div class="tiles">${tilesOf(report).join("")}</div></header>`;
}

function tilesOf({ attacks, claims, trees, replays, timings }: AuditReport): string[] {
  const tile = (figure: string, words: string) =>
    `<div class="tile"><b>${figure}</b><span>${words}</span></div>`;
  const share = (of: readonly boolean[]) => `${of.filter(Boolean).length} / ${of.length}`;
  const pairs = claims?.reduce((sum, claim) => sum + claim.pairs, 0) ?? 0;
  const strings = trees?.reduce((sum, tree) => sum + tree.leaves, 0) ?? 0;
  return [
    attacks && tile(share(attacks.map(({ textbook }) => textbook.isBroken)), "attacks break textbook code"),
    attacks && tile(share(attacks.map(({ ours }) => ours.isBroken)), "break this library"),
    claims && tile(pairs.toLocaleString("en"), "pairs of neighbours compared exactly"),
    trees && tile(strings.toLocaleString("en"), "strings of random bits tried"),
    replays && tile(share(replays.map(({ holds }) => holds)), "replays as expected"),
    timings && tile(share(timings.map(({ holds }) => holds)), "timings as expected"),
  ].filter((shown) => shown !== undefined);
}

function footer({ machine, software, confidence }: AuditReport): string {
  return `<footer class="note"><p>${forXml(machine.processor)}, ${forXml(machine.platform)}, Node ${forXml(machine.node)}. Made by <code>winnow audit --html</code>, version ${forXml(software.version)}; statistical statements hold with a confidence of ${forXml(confidence)} each.</p></footer>`;
}

/** A heading and its explanation, before the content. */
function section(id: string, title: string, explanation: string, content: string): string {
  return `<section id="${id}"><h2>${title}</h2><p class="soft">${explanation}</p>${content}</section>`;
}

/** A table; a title that starts with "#" heads a column of numbers, one with "~" a column of plots. */
function tableOf(titles: readonly string[], rows: readonly (readonly string[])[]): string {
  const classes = titles.map((title) => CLASSES[title[0]] ?? "");
  const head = titles.map((title, column) => `<th${classes[column]}>${title.replace(/^[#~]/, "")}</th>`);
  const cells = (row: readonly string[]) => row.map((cell, column) => `<td${classes[column]}>${cell}</td>`);
  const body = rows.map((row) => `<tr>${cells(row).join("")}</tr>`);
  return `<div class="scroll"><table><thead><tr>${head.join("")}</tr></thead><tbody>${body.join("")}</tbody></table></div>`;
}

const CLASSES: Readonly<Record<string, string>> = { "#": ' class="number"', "~": ' class="plot"' };

function mark(holds: boolean): string {
  return holds ? '<span class="mark">✓</span>' : '<span class="mark bad">✗ fails</span>';
}

function attackSection(entries: readonly AttackEntry[]): string {
  return section(
    "attacks",
    "Attacks",
    "A coin decides whether a person is in the data. An adversary who knows everything else sees the answer and guesses. The amber line is the highest success rate that anyone can reach if the promise is kept: a dot may pass it by luck, but its whole interval may not. On the right is a lower bound on the loss, from the answers: above ε, the promise is refuted. Intervals hold with 99.9999 % confidence.",
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

function claimSection(entries: readonly ExactEntry[]): string {
  return section(
    "promises",
    "Promises against exact distributions",
    "Every neighbour of small inputs and every outcome, with probabilities as certified enclosures. Nothing is estimated: this is the largest loss itself, and it must not pass the amber mark.",
    tableOf(
      ["", "mechanism", "instance", "#promised", "#found", "~share", "reached at", "#pairs"],
      entries.map(({ mechanism, instance, promise, source, unit, claimed, found, where, pairs, holds }) => [
        mark(holds),
        `<code>${forXml(mechanism)}</code>`,
        `${forXml(instance)}<br/><span class="note">${forXml(`${promise} ${source}`.trim())}</span>`,
        `${unit} = ${figure(claimed)}`,
        figure(found),
        shareBar(found, claimed),
        `<span class="note">${forXml(where)}</span>`,
        pairs.toLocaleString("en"),
      ]),
    ),
  );
}

function treeSection(entries: readonly TreeEntry[]): string {
  return section(
    "code",
    "Code against exact distributions",
    "The library's own functions, run on every string of random bits up to a depth. The mass of each outcome is exact, and its probability must lie between that mass and that mass plus the undecided mass.",
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

function runsSection(entries: readonly RunsEntry[]): string {
  return section(
    "runs",
    "Runs against promises",
    "Where exact distributions are too large: a lower bound on the loss from many runs. One half of the runs chooses the event, the other half judges it. The same number of runs must find a planted fault.",
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

function replaySection(entries: readonly ReplayEntry[]): string {
  return section(
    "replay",
    "Replay on neighbouring data",
    "From rows to a release, and again without each person in turn, with the same answers from all private steps. Any remaining difference was not paid for. Planted faults must be found.",
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

function timingSection(entries: readonly TimingEntry[]): string {
  return section(
    "timing",
    "Timing",
    "Two neighbouring worlds, timed in random order. Between the amber lines no difference is detected. Where constant work is promised, t must be there; the control, which leaks, must be outside.",
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

function filesSection(entries: readonly FilesEntry[]): string {
  return section(
    "files",
    "From the file to the release",
    "Files that differ in one person's rows, some of them hostile: read, counted and released with equal bits. A count may change by one, both files must be read the same way, and equal counts must give equal answers.",
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

const PAGE_STYLE = `
:root {
  color-scheme: light dark;
  --page: #f6f5f1; --card: #ffffff; --ink: #1d2327; --soft: #5d666d; --line: #dfdcd3; --track: #ebe8e0;
  --ours: #00736a; --theirs: #b8336a; --bound: #a86a00; --good: #00736a; --bad: #b3261e; --wash: #00736a14;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #14181b; --card: #1c2226; --ink: #e9ecee; --soft: #9aa6ad; --line: #313a40; --track: #2a3237;
    --ours: #4fd1b8; --theirs: #ff7fa8; --bound: #f0b455; --good: #4fd1b8; --bad: #ff8a80; --wash: #4fd1b81f;
  }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--page); color: var(--ink); line-height: 1.5;
  font: 16px/1.5 system-ui, -apple-system, "Segoe UI", sans-serif; font-variant-numeric: tabular-nums; }
main { max-width: 64rem; margin: 0 auto; padding: 3rem 1.25rem 4rem; }
h1 { font-size: clamp(1.9rem, 5vw, 2.8rem); line-height: 1.1; letter-spacing: -0.02em; margin: 0 0 0.5rem; }
h2 { font-size: 1.35rem; letter-spacing: -0.01em; margin: 3rem 0 0.25rem; }
h3 { font-size: 1rem; margin: 0; }
p { margin: 0.25rem 0 1rem; max-width: 46rem; }
.soft, figcaption, .note { color: var(--soft); }
.note { font-size: 0.875rem; }
.verdict { display: inline-flex; gap: 0.6rem; align-items: center; margin: 1rem 0 0; padding: 0.55rem 1rem;
  border-radius: 999px; font-weight: 600; background: var(--wash); color: var(--good); }
.verdict.bad { color: var(--bad); background: none; border: 2px solid var(--bad); }
.tiles { display: grid; grid-template-columns: repeat(auto-fit, minmax(9.5rem, 1fr)); gap: 0.75rem; margin: 1.5rem 0 0; }
.tile, .card { background: var(--card); border: 1px solid var(--line); border-radius: 0.9rem; padding: 1rem 1.1rem; }
.tile b { display: block; font-size: 1.6rem; letter-spacing: -0.02em; }
.tile span { color: var(--soft); font-size: 0.875rem; }
.cards { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 25rem), 1fr)); gap: 0.9rem; }
.card header { display: flex; justify-content: space-between; gap: 1rem; align-items: baseline; }
.card dl { display: grid; grid-template-columns: auto 1fr auto; gap: 0.1rem 0.6rem; margin: 0.4rem 0 0; font-size: 0.875rem; }
.card dt::before { content: "●"; margin-right: 0.4rem; }
.card dt.ours { color: var(--ours); } .card dt.theirs { color: var(--theirs); }
.card dd { margin: 0; color: var(--soft); } .card dd:nth-child(3n) { color: var(--ink); text-align: right; }
details { margin-top: 0.6rem; font-size: 0.875rem; } summary { cursor: pointer; color: var(--soft); }
details p { margin: 0.5rem 0 0; }
.mark { font-weight: 700; color: var(--good); } .mark.bad { color: var(--bad); }
.scroll { overflow-x: auto; background: var(--card); border: 1px solid var(--line); border-radius: 0.9rem; }
table { border-collapse: collapse; width: 100%; font-size: 0.875rem; }
th, td { text-align: left; padding: 0.5rem 0.8rem; border-top: 1px solid var(--line); vertical-align: middle; }
thead th { border-top: 0; color: var(--soft); font-weight: 500; white-space: nowrap; }
td.number, th.number { text-align: right; white-space: nowrap; }
td.plot { min-width: 9rem; }
svg { display: block; width: 100%; height: auto; overflow: visible; font: inherit; }
svg text { fill: var(--soft); font-size: 11px; }
.track { fill: var(--track); } .grid { stroke: var(--line); stroke-width: 1; }
.bound { stroke: var(--bound); stroke-width: 2; } text.bound { fill: var(--bound); stroke: none; }
.ours { fill: var(--ours); stroke: var(--ours); } .theirs { fill: var(--theirs); stroke: var(--theirs); }
.zone { fill: var(--wash); }
footer { margin-top: 3rem; padding-top: 1rem; border-top: 1px solid var(--line); }
code { font: 0.9em ui-monospace, monospace; background: var(--track); border-radius: 0.3rem; padding: 0.1em 0.35em; }
@media print { body { background: none; } .card, .tile, .scroll { break-inside: avoid; } }
`;
