import { execFileSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { ROOT, read } from "./project.js";

/** What publint and the types say of the packages is in packages/cli/test/packed. */
const MOST_FILES = 60;
/** Characters of a line of code that the pages of npm, JSR and PyPI show. */
const REGISTRY_WIDTH = 88;
const LIBRARIES = ["core", "audit", "release"].map((name) => `packages/${name}`);

/** What has no place in a library that people release with. */
const UNSAFE = ["Math.random", "naiveExponentialMechanism", "floatTopKWithGap"];

describe.each(LIBRARIES)("%s as it is published", (folder) => {
  const { files } = packed(folder);
  const { exports } = JSON.parse(read(`${folder}/package.json`)) as {
    exports: Record<string, { types: string; default: string }>;
  };

  it(`is at most ${MOST_FILES} files, a README and the licence among them`, () => {
    expect(files.length).toBeLessThanOrEqual(MOST_FILES);
    expect(files).toEqual(expect.arrayContaining(["README.md", "LICENSE", "package.json"]));
    expect(read(`${folder}/LICENSE`)).toBe(read("LICENSE"));
  });

  it("leaves proofs to the repository and the site", () => {
    expect(files.filter((path) => path.endsWith(".md") && path !== "README.md")).toEqual([]);
  });

  it.each(Object.keys(exports))("has one file and its types for the entry %s", (entry) => {
    const entries = Object.values(exports[entry]).map((path) => path.replace("./", ""));
    expect(files).toEqual(expect.arrayContaining(entries));
  });

  it("has source maps that hold the sources", () => {
    const maps = files.filter((path) => path.endsWith(".js.map"));
    expect(maps.length).toBeGreaterThan(0);
    for (const path of maps) {
      const { sources, sourcesContent } = JSON.parse(read(`${folder}/${path}`));
      expect(sourcesContent.filter(Boolean)).toHaveLength(sources.length);
    }
  });
});

describe.each([...LIBRARIES, "packages/cli", "python"])("the README of %s on a registry's page", (folder) => {
  const readme = read(`${folder}/README.md`);

  it("links nowhere that a registry doesn't have", () => {
    const links = [...readme.matchAll(/\]\(([^)\s]+)/g)].map(([, target]) => target);
    expect(links.filter((target) => !/^(https:|#)/.test(target))).toEqual([]);
  });

  it("says how to install it before anything else, and its licence", () => {
    const [first] = [...readme.matchAll(/^```\w+\n([\s\S]*?)^```$/gm)].map(([, code]) => code);
    expect(first).toMatch(/^(?:npm|pip) install [\s\S]*winnow-\w+\n/);
    expect(readme).toMatch(/Apache-2\.0\.\n$/);
  });

  it("has code that fits a registry's page without scrolling", () => {
    const code = [...readme.matchAll(/^```\w*\n([\s\S]*?)^```$/gm)].flatMap(([, block]) => block.split("\n"));
    expect(code.filter((line) => [...line].length > REGISTRY_WIDTH)).toEqual([]);
  });
});

describe("winnow-dp as it is published", () => {
  const code = packed("packages/core").files.filter((path) => /\.(?:js|d\.ts)$/.test(path));

  it.each(UNSAFE)("has no %s", (unsafe) => {
    expect(code.filter((path) => read(`packages/core/${path}`).includes(unsafe))).toEqual([]);
  });

  it("has one Rational, one Entropy and one WinnowError, whichever entry they come from", () => {
    const program = `
      import { rational, Rational, Entropy, topK, WinnowError } from "winnow-dp";
      import { uniformBelow } from "winnow-dp/sample";
      import { bitTree, seededEntropy } from "winnow-dp/testing";
      const seeded = seededEntropy("published");
      const { mass } = bitTree((entropy) => uniformBelow(2, entropy), { depth: 4 });
      let refused;
      try { uniformBelow(-1); } catch (error) { refused = error; }
      console.log(
        seeded instanceof Entropy,
        topK([7], { k: 1, epsilon: 1, entropy: seeded }).privacy.epsilon instanceof Rational,
        [...mass.values()].every((each) => each instanceof Rational && each.equals(rational("1/2"))),
        refused instanceof WinnowError,
      );`;
    const args = ["--input-type=module", "--eval", program];
    expect(execFileSync(process.execPath, args, { cwd: ROOT, encoding: "utf8" })).toBe(
      "true true true true\n",
    );
  });

  it("has classes that print their names, and nothing of what they hold", () => {
    const program = `
      import { LimitedTopKStream, makeAboveThreshold, TopKStream } from "winnow-dp";
      console.log(
        new TopKStream({ k: 1, epsilon: 1 }).push(0, 41),
        new LimitedTopKStream({ k: 1, epsilon: 1, delta: "1e-6" }).push("secret", 41),
        makeAboveThreshold({ thresholdScale: 1, queryScale: 1 }).start(),
      );`;
    const args = ["--input-type=module", "--eval", program];
    expect(execFileSync(process.execPath, args, { cwd: ROOT, encoding: "utf8" })).toBe(
      "TopKStream {} LimitedTopKStream {} ThresholdStream {}\n",
    );
  });
});

function packed(folder: string): { readonly files: readonly string[] } {
  const args = ["pack", "--dry-run", "--json", "--ignore-scripts", "--loglevel=error", `./${folder}`];
  const [{ files }] = JSON.parse(execFileSync("npm", args, { cwd: ROOT, encoding: "utf8" }));
  return { files: files.map(({ path }: { path: string }) => path) };
}
