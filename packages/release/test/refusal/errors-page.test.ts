import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { CATALOGUE, entryOf, type Front, type RefusalCode } from "../../src/refusal/catalogue.js";

const PAGE = new URL("../../../../docs/guide/errors.md", import.meta.url);
const CODES = Object.keys(CATALOGUE) as RefusalCode[];

/** The rows of the codes that a front end shows. */
function rows(front: Front, row: (code: RefusalCode, next: string) => string): string {
  const shown = CODES.filter((code) => entryOf(code)[front] !== undefined);
  if (front === "service") shown.sort((a, b) => entryOf(a).status - entryOf(b).status);
  return shown.map((code) => `${row(code, entryOf(code)[front]!)}\n`).join("");
}

const TABLES = {
  "| code | exit | what happened | what to do |\n| --- | --- | --- | --- |\n": rows("cli", (code, next) => {
    const { exit, title, happened = title } = entryOf(code);
    return `| \`${code}\` | ${exit} | ${happened} | ${next} |`;
  }),
  "| code | status | what happened | what to do |\n| --- | --- | --- | --- |\n": rows(
    "service",
    (code, next) => {
      const { status, title } = entryOf(code);
      return `| <a id="${code}"></a>\`${code}\` | ${status} | ${title} | ${next} |`;
    },
  ),
  "| code | what the page met | what to do |\n| --- | --- | --- |\n": rows(
    "page",
    (code, next) => `| \`${code}\` | ${entryOf(code).title} | ${next} |`,
  ),
};

it("The page of errors has every code of the catalogue: run this test with -u after a change", async () => {
  let page = readFileSync(PAGE, "utf8");
  for (const [head, table] of Object.entries(TABLES)) {
    const at = page.indexOf(head) + head.length;
    expect(at, head).toBeGreaterThan(head.length);
    const end = page.indexOf("\n\n", at - 1) + 1;
    page = page.slice(0, at) + table + page.slice(end);
  }
  await expect(page).toMatchFileSnapshot(PAGE.pathname);
});
