/**
 * A process that runs examples one after the other, each as a module of its own, and tells the test that started it what
 * their statements show. Starting a process for each of three hundred examples took a minute.
 * @module
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

// From a folder in there, an import finds the packages of the workspace.
const packages = fileURLToPath(new URL("../../../../node_modules", import.meta.url));
const folder = mkdtempSync(join(packages, ".examples-"));
process.on("exit", () => rmSync(folder, { recursive: true }));
process.on("disconnect", () => process.exit());

let examples = 0;
let before = Promise.resolve();
process.on("message", (code) => {
  before = before.then(() => run(String(code)));
});

/** @param {string} code Its statements call the global `record`. */
async function run(code) {
  /** @type {{ line: number, shown: string }[]} */
  const shown = [];
  Object.assign(globalThis, {
    record: async (/** @type {number} */ line, /** @type {() => Promise<unknown>} */ evaluate) => {
      shown.push({ line, shown: await evaluate().then(display, (error) => `throws ${error.message}`) });
    },
  });
  const file = join(folder, `${examples++}.mjs`);
  writeFileSync(file, code);
  try {
    await import(pathToFileURL(file).href);
    process.send?.({ shown });
  } catch (error) {
    process.send?.({ error: String(error) });
  }
}

/**
 * A value as the documents write it: as in source code, but rationals and the like by their own `toString`.
 * @param {unknown} value
 * @returns {string}
 */
function display(value) {
  if (typeof value === "string") return JSON.stringify(value);
  if (typeof value === "bigint") return `${value}n`;
  if (Array.isArray(value) || ArrayBuffer.isView(value))
    return `[${Array.from(Object(value), display).join(", ")}]`;
  if (value instanceof Map) return display(Object.fromEntries(value));
  if (typeof value !== "object" || value === null || value.toString !== Object.prototype.toString)
    return String(value);
  return `{ ${Object.entries(value)
    .map(([key, field]) => `${key}: ${display(field)}`)
    .join(", ")} }`;
}
