/**
 * Everything but the database that can go wrong around a service: what an analyst sees, and what is charged. The faults are the rows of the
 * second table in docs/guide/running-faults.md.
 */
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { SERVICE_FAULTS } from "./support/service-faults.js";

it("the guide's table has these faults", () => {
  const guide = readFileSync(new URL("../../../docs/guide/running-faults.md", import.meta.url), "utf8");
  const [, table = ""] = guide.split("## When something else fails\n");
  const rows = table
    .split("\n## ")[0]!
    .split("\n")
    .filter((line) => line.startsWith("| "));
  expect(rows.slice(2)).toEqual(
    SERVICE_FAULTS.map(({ title, sees, charged }) => `| ${title} | ${sees} | ${charged} |`),
  );
});

it.each(SERVICE_FAULTS.map((fault) => [fault.title, fault] as const))("%s", async (_, fault) => {
  const { seen, charged } = await fault.provoke();
  const fits = seen.map((outcome, at) => {
    const expected = fault.expected.seen[at];
    return typeof expected === "object" && expected.includes(String(outcome)) ? expected : outcome;
  });
  expect(fits).toEqual(fault.expected.seen);
  expect(charged).toBe(fault.expected.charged);
});
