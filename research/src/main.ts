/**
 * `npm run research`: repeats published experiments on public and generated data. Tables go to standard output, progress
 * to standard error, charts as SVG files to `--out`.
 *
 *     npm run research                                 all of them, 100 trials
 *     npm run research -- base2 stable-topk            some of them
 *     npm run research -- stable-topk --trials 10      a short look
 *     npm run research -- tight                        what the smallest noise is worth, and the pictures of How much noise?
 *     npm run research -- country-days                 the top ten of 200 countries on 30 days, against counts above a threshold
 *     npm run research -- --data folder                where the public data are, if they are, and those of one's own (datasets.ts)
 *     npm run research -- --out folder                 where the charts go
 *
 * Bits are seeded where a figure must repeat. Nothing here is about anyone's private data.
 * @module
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { base2 } from "./base2/index.js";
import { countryDays } from "./country-days/index.js";
import type { Experiment } from "./experiment.js";
import { quantileComparison } from "./quantiles/index.js";
import { stableTopK } from "./stable-topk/index.js";
import { tight } from "./tight/index.js";
import { topKWithGap } from "./top-k-with-gap/index.js";
import { unknownDomains } from "./unknown-domains/index.js";

const EXPERIMENTS: Readonly<Record<string, Experiment>> = {
  "top-k-with-gap": topKWithGap,
  base2,
  "stable-topk": stableTopK,
  "unknown-domains": unknownDomains,
  quantiles: quantileComparison,
  tight,
  "country-days": countryDays,
};
const folder = (path: string) => fileURLToPath(new URL(path, import.meta.url));

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    trials: { type: "string", default: "100" },
    data: { type: "string", default: folder("../data") },
    out: { type: "string", default: folder("../results") },
  },
});
const trials = Number(values.trials);
const names = positionals.length > 0 ? positionals : Object.keys(EXPERIMENTS);
if (!names.every((name) => name in EXPERIMENTS) || !Number.isSafeInteger(trials) || trials < 1) {
  console.error(
    `usage: npm run research -- [${Object.keys(EXPERIMENTS).join("|")}]… [--trials N] [--data folder] [--out folder]`,
  );
  process.exit(2);
}
for (const name of names) run(name);

function run(name: string): void {
  for (const { title, notes, table, chart } of EXPERIMENTS[name]({ trials, data: values.data })) {
    console.log(`## ${title}\n\n${notes}\n\n${table}\n`);
    if (chart === undefined) continue;
    mkdirSync(values.out, { recursive: true });
    const file = join(values.out, `${name}-${chart.name}.svg`);
    writeFileSync(file, chart.svg);
    console.error(`wrote ${file}`);
  }
}
