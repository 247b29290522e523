import { describe, expect, it } from "vitest";
import { read } from "./project.js";

const { scripts } = JSON.parse(read("package.json")) as { scripts: Record<string, string> };
const SHELL_BLOCK = /^```sh\n(.*?)^```$/gms;
const SCRIPT = /\bnpm (?:run ([\w:-]+)|(test))\b/g;

describe("the commands that the documents give", () => {
  it.each(["README.md", "CONTRIBUTING.md"])("%s names scripts that package.json has", (path) => {
    const named = [...read(path).matchAll(SCRIPT)].map(([, script, test]) => script ?? test);
    expect(named.length).toBeGreaterThan(0);
    expect(named.filter((script) => !(script in scripts))).toEqual([]);
  });

  it("README.md gives one command to see it work and one to test it, and no more", () => {
    const blocks = [...read("README.md").matchAll(SHELL_BLOCK)].map(([, block]) => block.trim());
    expect(blocks).toEqual(["npm install && npm run example", "npm test"]);
    expect(scripts.example).toBe("node examples/top-k.js");
  });

  it("CI installs, builds and then runs the README's test command, no other", () => {
    const commands = read(".ci/run").match(/^npm .*$/gm);
    expect(commands).toEqual(["npm ci", "npm test"]);
    expect(scripts.prepare).toBe("npm run build");
  });

  it("`npm test` and `npm run check` are the same", () => {
    expect(scripts.test).toBe("npm run check");
  });
});
