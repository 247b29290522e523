/**
 * What the tables, triggers and functions of a database lack, or have beyond ours, in sentences.
 * @module
 */

/** Objects by name, each with its definition. */
export function schemaDifferences(
  found: ReadonlyMap<string, string>,
  expected: ReadonlyMap<string, string>,
): string[] {
  const missing = [...expected.keys()].filter((name) => !found.has(name));
  const others = [...found].filter(([name, sql]) => expected.get(name) !== sql).map(([name]) => name);
  return [
    ...missing.map((name) => `The ledger is missing its table or trigger ${JSON.stringify(name)}.`),
    ...others.map(
      (name) => `The ledger has a table or trigger that isn't Winnow's: ${JSON.stringify(name)}.`,
    ),
  ];
}
