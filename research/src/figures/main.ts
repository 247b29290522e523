/**
 * `npm run figures`: draws the figures of the mechanisms' pages into docs/public/figures.
 * @module
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { FIGURES } from "./index.js";

const FOLDER = new URL("../../../docs/public/figures/", import.meta.url);

mkdirSync(FOLDER, { recursive: true });
for (const [name, draw] of Object.entries(FIGURES)) {
  writeFileSync(new URL(`${name}.svg`, FOLDER), draw());
  console.error(`docs/public/figures/${name}.svg`);
}
