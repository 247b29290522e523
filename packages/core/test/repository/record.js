/**
 * Runs inside an example: shows the value of a statement to the test that started it.
 * @module
 */

/**
 * @param {number} line
 * @param {() => Promise<unknown>} evaluate
 */
export async function record(line, evaluate) {
  const shown = await evaluate().then(display, (error) => `throws ${error.message}`);
  process.send?.({ line, shown });
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
