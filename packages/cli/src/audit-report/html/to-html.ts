/**
 * The report as one page that needs nothing else: no script, no font, no image from elsewhere. It is well-formed XML too.
 * @module
 */
import { forXml } from "winnow-release";
import { type AuditReport, entriesOf } from "../audit-report.js";
import { verdictOf } from "../figures.js";
import { PAGE_STYLE } from "./page-style.js";
import {
  attackSection,
  claimSection,
  filesSection,
  replaySection,
  runsSection,
  timingSection,
  treeSection,
} from "./sections.js";

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
    trees && tile(strings.toLocaleString("en"), "strings of random bits run to their end"),
    replays && tile(share(replays.map(({ holds }) => holds)), "replays as they should be"),
    timings && tile(share(timings.map(({ holds }) => holds)), "timings as they should be"),
  ].filter((shown) => shown !== undefined);
}

function footer({ machine, software, confidence }: AuditReport): string {
  return `<footer class="note"><p>${forXml(machine.processor)}, ${forXml(machine.platform)}, Node ${forXml(machine.node)}. Made by <code>winnow audit --html</code>, version ${forXml(software.version)}; statistical statements hold with a confidence of ${forXml(confidence)} each.</p></footer>`;
}
