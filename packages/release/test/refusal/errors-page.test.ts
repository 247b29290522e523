import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { CATALOGUE, entryOf, type Front, type RefusalCode } from "../../src/refusal/catalogue.js";

const GUIDE = new URL("../../../../docs/guide/", import.meta.url);
const CODES = Object.keys(CATALOGUE) as RefusalCode[];

/** The rows of the codes that a front end shows. */
function rows(front: Front, row: (code: RefusalCode, next: string) => string): string {
  const shown = CODES.filter((code) => entryOf(code)[front] !== undefined);
  if (front === "service") shown.sort((a, b) => entryOf(a).status - entryOf(b).status);
  return shown.map((code) => `${row(code, entryOf(code)[front]!)}\n`).join("");
}

const TABLES = {
  "errors-commands.md": {
    head: "| code | exit | what happened | what to do |\n| --- | --- | --- | --- |\n",
    table: rows("cli", (code, next) => {
      const { exit, title, happened = title } = entryOf(code);
      return `| \`${code}\` | ${exit} | ${happened} | ${next} |`;
    }),
  },
  "errors.md": {
    head: "| code | status | what happened | what to do |\n| --- | --- | --- | --- |\n",
    table: rows("service", (code, next) => {
      const { status, title } = entryOf(code);
      return `| <a id="${code}"></a>\`${code}\` | ${status} | ${title} | ${next} |`;
    }),
  },
  "errors-page.md": {
    head: "| code | what the page met | what to do |\n| --- | --- | --- |\n",
    table: rows("page", (code, next) => `| \`${code}\` | ${entryOf(code).title} | ${next} |`),
  },
};

it.each(Object.entries(TABLES))(
  "%s has every code of the catalogue: run this test with -u after a change",
  async (name, { head, table }) => {
    const path = new URL(name, GUIDE);
    const page = readFileSync(path, "utf8");
    const at = page.indexOf(head) + head.length;
    expect(at).toBeGreaterThan(head.length);
    const end = page.slice(at - 1).search(/\n(?!\|)/) + at;
    await expect(page.slice(0, at) + table + page.slice(end)).toMatchFileSnapshot(path.pathname);
  },
);
