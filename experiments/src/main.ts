/**
 * `npm run experiments -- stable-topk`: repeats published experiments on public and generated data. Tables go to standard
 * output, progress to standard error, charts as SVG files to `--out`.
 *
 *     npm run experiments -- stable-topk                 100 trials of everything
 *     npm run experiments -- stable-topk --trials 10     a short look
 *     npm run experiments -- stable-topk --data folder   where the public data are, if they are
 *     npm run experiments -- stable-topk --out folder    where the charts go
 *
 * Bits are seeded, so that a run can be repeated. Nothing here is about anyone's private data.
 * @module
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import type { Experiment } from "./experiment.js";
import { stableTopK } from "./stable-topk/index.js";

const EXPERIMENTS: Readonly<Record<string, Experiment>> = { "stable-topk": stableTopK };
const folder = (path: string) => fileURLToPath(new URL(path, import.meta.url));

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    trials: { type: "string", default: "100" },
    data: { type: "string", default: folder("../../../shared/data") },
    out: { type: "string", default: folder("../results") },
  },
});
const trials = Number(values.trials);
const [name] = positionals;
if (positionals.length !== 1 || !(name in EXPERIMENTS) || !Number.isSafeInteger(trials) || trials < 1) {
  console.error(
    `usage: npm run experiments -- ${Object.keys(EXPERIMENTS).join("|")} [--trials N] [--data folder] [--out folder]`,
  );
  process.exit(2);
}

for (const { title, notes, table, chart } of EXPERIMENTS[name]({ trials, data: values.data })) {
  console.log(`## ${title}\n\n${notes}\n\n${table}\n`);
  if (chart === undefined) continue;
  mkdirSync(values.out, { recursive: true });
  const file = join(values.out, `${name}-${chart.name}.svg`);
  writeFileSync(file, chart.svg);
  console.error(`wrote ${file}`);
}
