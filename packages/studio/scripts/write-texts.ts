/**
 * `npm run texts --workspace packages/studio`: writes every text of the page into `texts.json`, for a translator.
 * @module
 */
import { writeFile } from "node:fs/promises";
import { folderOfScripts } from "./serve-page.js";
import { allTexts } from "./translation.js";

const target = new URL("../texts.json", folderOfScripts());
await writeFile(target, `${JSON.stringify(await allTexts(), null, 2)}\n`);
