/**
 * How the report looks: one column of cards, light or dark as the reader's system is, readable in print and on a phone.
 * @module
 */
export const PAGE_STYLE = `
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
