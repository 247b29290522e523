import { readFileSync } from "node:fs";
import { join } from "node:path";
import { publint } from "publint";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { DocumentsFolder } from "../documents/documents-folder.js";
import { linesNotIn, stepsOf } from "../documents/page-steps.js";
import { PackedProject } from "./packed-project.js";

const document = (path: string) => readFileSync(new URL(`../../../../${path}`, import.meta.url), "utf8");

const LIBRARIES = ["winnow-dp", "winnow-audit", "winnow-release"];
const TYPED = `
import { topKWithGap, type WinnowError } from "winnow-dp";
import { discreteLaplace } from "winnow-dp/sample";
import { likelihoodRatio } from "winnow-audit";
import { seededEntropy } from "winnow-dp/testing";
import { statement } from "winnow-release";

const { winners, privacy } = topKWithGap([1, 9, 4], { k: 2, epsilon: "1/2", entropy: seededEntropy("packed") });
const names: number[] = winners.map(({ candidate }) => candidate);
const noise: bigint = discreteLaplace(3);
const kinds: string[] = [likelihoodRatio, statement].map((value) => typeof value);
console.log(names.length, String(privacy.epsilon), typeof noise, kinds.join());
// @ts-expect-error: k is a number
const wrong = (): void => void topKWithGap([1], { k: "one", epsilon: 1 });
export type Problem = WinnowError | typeof wrong;
`;

describe("the packages as they are published", () => {
  let project: PackedProject;
  beforeAll(() => {
    project = new PackedProject();
  }, 240_000);
  afterAll(() => project?.remove());

  it.each([...LIBRARIES, "winnow-cli"])("publint has nothing to say about %s", async (name) => {
    const { messages } = await publint({ pkgDir: join(project.folder, "node_modules", name), strict: true });
    expect(messages).toEqual([]);
  });

  it.each(LIBRARIES)("the types of %s are right for every resolution that an ES module has", (name) => {
    const report = project.runTool(
      "attw",
      project.tarballs[name],
      "--profile",
      "esm-only",
      "--format",
      "json",
    );
    expect(JSON.parse(report)).toMatchObject({ analysis: { types: { kind: "included" } } });
  });

  it.each([
    ["nodenext", "nodenext"],
    ["preserve", "bundler"],
  ])("TypeScript with module %s and resolution %s compiles against them", (module, moduleResolution) => {
    project.write("typed.ts", TYPED);
    const compilerOptions = {
      target: "es2022",
      lib: ["es2023", "dom"],
      types: [],
      strict: true,
      module,
      moduleResolution,
      outDir: moduleResolution,
      rootDir: ".",
    };
    project.write("tsconfig.json", JSON.stringify({ compilerOptions, files: ["typed.ts"] }));
    expect(project.runTool("tsc", "-p", ".")).toBe("");
    expect(project.run("node", `${moduleResolution}/typed.js`)).toBe("2 0.5 bigint function,function\n");
  });

  it("plain JavaScript runs against them", () => {
    project.write(
      "plain.js",
      'import { topK } from "winnow-dp";\nconsole.log(topK([7], { k: 1, epsilon: 1 }).winners);\n',
    );
    expect(project.run("node", "plain.js")).toBe("[ { candidate: 0 } ]\n");
  });

  it("the command line is installed and makes a release", () => {
    const { version } = JSON.parse(
      readFileSync(join(project.folder, "node_modules/winnow-cli/package.json"), "utf8"),
    );
    const winnow = join(project.folder, "node_modules/.bin/winnow");
    expect(project.run(winnow, "--version").trim()).toBe(version);
    const rows = Array.from({ length: 900 }, (_, user) => `u${user},${user < 800 ? "bread" : "salt"}`);
    project.write("rows.csv", ["user,item", ...rows, ""].join("\n"));
    project.write("items.txt", "bread\nsalt\nmilk\n");
    const options = [
      "--item",
      "item",
      "--user",
      "user",
      "-k",
      "1",
      "--epsilon",
      "1",
      "--domain",
      "items.txt",
    ];
    const release = JSON.parse(project.run(winnow, "top", "rows.csv", ...options, "--json"));
    expect(release).toMatchObject({ schema: "winnow-release/2", answer: { winners: [{ item: "bread" }] } });
  });

  it("the start page works line by line, and prints what it shows", async () => {
    const program = join(project.folder, "node_modules/.bin/winnow");
    const folder = new DocumentsFolder({ program });
    onTestFinished(() => folder.remove());
    for (const { command, exit, shows } of stepsOf(document("docs/start.md"))) {
      const ran = await folder.run(command);
      expect(ran.exit, `${command}\n${ran.output}`).toBe(exit);
      expect(linesNotIn(ran.output, shows), ran.output).toEqual([]);
    }
  }, 120_000);

  it("the README's release and its program run", async () => {
    const program = join(project.folder, "node_modules/.bin/winnow");
    const folder = new DocumentsFolder({ program });
    onTestFinished(() => folder.remove());
    expect((await folder.run("winnow demo --fast --keep tour")).exit).toBe(0);
    await folder.run("cd tour");
    const readme = document("README.md");
    const [, command] = /^\$ (winnow top .*)$/m.exec(readme)!;
    const ran = await folder.run(command);
    expect(ran.exit, ran.output).toBe(0);
    expect(ran.output).toMatch(/1 +search /);

    const [, source] = /^```ts\n(.*?)^```$/ms.exec(readme)!;
    project.write("readme.js", source);
    expect(project.run("node", "readme.js")).toBe("");
  }, 120_000);
});
