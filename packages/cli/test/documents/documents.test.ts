import { readdirSync, readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { DocumentsFolder } from "./documents-folder.js";

const docs = new URL("../../../../docs/", import.meta.url);
const BLOCK = /^```sh\n(.*?)^```$/gms;
const EXPECTED_EXIT = /^# exit (\d+)$/;

interface Step {
  readonly command: string;
  readonly exit: number;
}

const pages = readdirSync(docs, { recursive: true, encoding: "utf8" })
  .filter((path) => /^(?!node_modules|api|\.vitepress).*\.md$/.test(path))
  .map((path) => ({ path, steps: stepsOf(readFileSync(new URL(path, docs), "utf8")) }))
  .filter(({ steps }) => steps.length > 0);

/** The commands of a page's shell blocks. `# exit 3` above a command says that it fails, and how. */
function stepsOf(page: string): Step[] {
  const lines = [...page.matchAll(BLOCK)].flatMap(([, block]) =>
    block.replaceAll(/\\\n\s*/g, "").split("\n"),
  );
  return lines
    .map((line, i) => ({
      command: line.trim(),
      exit: Number(EXPECTED_EXIT.exec(lines[i - 1] ?? "")?.[1] ?? 0),
    }))
    .filter(({ command }) => command !== "" && !command.startsWith("#"));
}

describe.each(pages)("the commands of docs/$path", ({ steps }) => {
  let folder: DocumentsFolder;
  beforeAll(() => {
    folder = new DocumentsFolder();
  });
  afterAll(() => folder.remove());

  it.each(steps)("$command", async ({ command, exit }) => {
    const ran = await folder.run(command);
    expect(ran.exit, ran.output).toBe(exit);
  });
});

describe("a page's commands", () => {
  it("are read line by line, continued after a backslash, with the exit code that is expected", () => {
    const page = "```sh\nwinnow a \\\n  --b\n# why\n# exit 3\nwinnow c\n```\n\n```text\nwinnow d\n```\n";
    expect(stepsOf(page)).toEqual([
      { command: "winnow a --b", exit: 0 },
      { command: "winnow c", exit: 3 },
    ]);
  });
});
