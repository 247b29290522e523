import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { DocumentsFolder } from "./documents-folder.js";
import { filesOf, linesNotIn, stepsOf } from "./page-steps.js";

const docs = new URL("../../../../docs/", import.meta.url);
/** The page that makes the files itself, from nothing: packed.test.ts runs it with the program as it is published. */
const START = "start.md";

const pages = readdirSync(docs, { recursive: true, encoding: "utf8" })
  .filter((path) => /^(?!node_modules|api|\.vitepress).*\.md$/.test(path) && path !== START)
  .map((path) => ({ path, text: readFileSync(new URL(path, docs), "utf8") }))
  .map(({ path, text }) => ({ path, steps: stepsOf(text), files: filesOf(text) }))
  .filter(({ steps }) => steps.length > 0);

const tour = new DocumentsFolder();
beforeAll(async () => {
  const { exit, output } = await tour.run("winnow demo --fast --keep tour");
  expect(exit, output).toBe(0);
});
afterAll(() => tour.remove());

describe.each(pages)("the commands of docs/$path", ({ steps, files }) => {
  let folder: DocumentsFolder;
  beforeAll(() => {
    folder = new DocumentsFolder({ files: join(tour.path, "tour") });
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder.path, name), text);
  });
  afterAll(() => folder.remove());

  it.each(steps)("$command", async ({ command, exit, shows }) => {
    const ran = await folder.run(command);
    expect(ran.exit, ran.output).toBe(exit);
    expect(linesNotIn(ran.output, shows), ran.output).toEqual([]);
  });
});

describe("a page's commands", () => {
  it("are read line by line, continued after a backslash, with the exit code that they must have", () => {
    const page = "```sh\nwinnow a \\\n  --b\n# why\n# exit 3\nwinnow c\n```\n\n```text\nwinnow d\n```\n";
    expect(stepsOf(page)).toEqual([
      { command: "winnow a --b", exit: 0, shows: "" },
      { command: "winnow c", exit: 3, shows: "winnow d\n" },
    ]);
  });

  it("must print the lines that follow them, whatever the noise", () => {
    const output = "  1   search   1,228   ████\n  ε = 0.5\n";
    expect(linesNotIn(output, "  1   search   1,230   ███▌\n   …\n  ε = 0.5\n")).toEqual([]);
    expect(linesNotIn(output, "  1   news   1,230\n")).toEqual(["  1   news   1,230"]);
  });
});
