import { describe, expect, it } from "vitest";
import { projectFiles, read } from "./project.js";

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

  it("`npm run test:quick` is types, format, lint and exact tests, in that order", () => {
    expect(scripts["test:quick"]).toBe(
      "tsc -b && biome ci . && vitest run --project exact --project release",
    );
  });
});

describe("the projects of the tests", () => {
  it("are those of CONTRIBUTING.md", () => {
    const configured = [...read("vitest.config.ts").matchAll(/\bname: "(\w+)"/g)].map(([, name]) => name);
    const table = read("CONTRIBUTING.md").split("| project |")[1].split("\n\n")[0];
    const documented = [...table.matchAll(/^\| `(\w+)`/gm)].map(([, name]) => name);
    expect(configured.toSorted()).toEqual(documented.toSorted());
  });

  it("that share a process replace no modules, which the next file would get", () => {
    const sharing =
      /^packages\/(?:(?:core|audit)\/test\/(?!repository).*(?<!\.exhaustive)|release\/test\/.*)\.test\.ts$/;
    const files = projectFiles(sharing);
    expect(files.length).toBeGreaterThan(100);
    expect(files.filter(({ text }) => /\bvi\.(?:mock|doMock)\(/.test(text)).map(({ path }) => path)).toEqual(
      [],
    );
  });
});
