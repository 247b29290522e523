/**
 * Small files of visits in which everything is known.
 * @module
 */

/** Areas with so many visitors each, as rows `user,area`; everybody is another person. */
export function visitsOf(counts: Readonly<Record<string, number>>): string {
  const rows = Object.entries(counts).flatMap(([area, visitors]) =>
    Array.from({ length: visitors }, (_, i) => `p${i},${field(area)}`),
  );
  return `user,area\n${rows.join("\n")}\n`;
}

function field(text: string): string {
  return /[",]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** So far apart that at ε = 1 no noise changes their order but once in 10^20 runs. */
export const FAR_APART = { mail: 400, news: 300, maps: 200, jobs: 100 };
export const VISITS = visitsOf(FAR_APART);
/** With one that nobody visited. */
export const AREAS = "about\njobs\nmail\nmaps\nnews\n";
