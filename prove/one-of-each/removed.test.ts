/**
 * A mechanism that is taken off the list is gone everywhere: the command line, the service and the page are built without it and
 * start, and none of them names it or offers a kind of question that only it answers. `WINNOW_SEED` chooses the mechanism;
 * `PROVE=all` takes each in turn.
 * @module
 */
import { execFile } from "node:child_process";
import { cpSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";
import fc from "fast-check";
import { build, type InlineConfig, type Plugin } from "vite";
import { afterAll, describe, expect, it } from "vitest";
import { KINDS, MECHANISMS, type Mechanism } from "winnow-release";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "winnow-removed-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** `WINNOW_SEED` sets the seed. */
const seed = Math.abs(fc.readConfigureGlobal()?.seed ?? 0);
const CHOSEN = process.env.PROVE === "all" ? MECHANISMS : [MECHANISMS[seed % MECHANISMS.length] as Mechanism];

const LIST_ENDS = "\n];\n";

/** The list without one entry, as if its line were deleted. */
function without(mechanism: Mechanism): Plugin {
  return {
    name: "without",
    enforce: "pre",
    transform(code, id) {
      if (!id.endsWith("/release/src/mechanisms/mechanisms.ts")) return undefined;
      expect(code.split(LIST_ENDS)).toHaveLength(2);
      return code.replace(
        LIST_ENDS,
        `\n].filter(({ name }) => name !== ${JSON.stringify(mechanism.name)});\n`,
      );
    },
  };
}

/** Sources of all packages, as in the tests. */
const alias = [
  ...["dp", "release", "server", "audit"].map((name) => ({
    find: new RegExp(`^winnow-${name}$`),
    replacement: join(ROOT, `packages/${name === "dp" ? "core" : name}/src/index.ts`),
  })),
  { find: /^winnow-dp\/(parallel)$/, replacement: join(ROOT, "packages/core/src/$1.ts") },
  { find: /^winnow-dp\/(sample|testing)$/, replacement: join(ROOT, "packages/core/src/$1/index.ts") },
];

async function bundle(mechanism: Mechanism, config: InlineConfig): Promise<void> {
  const plugins = [without(mechanism)];
  await build({
    ...config,
    plugins,
    worker: { format: "iife", plugins: () => plugins },
    resolve: { alias, dedupe: ["preact"] },
    logLevel: "error",
  });
}

describe.each(CHOSEN)("without $name", (mechanism) => {
  const { name, rules } = mechanism;
  const place = join(folder, name);
  const isLast = MECHANISMS.every((other) => other === mechanism || other.rules.kind !== rules.kind);
  const kinds = KINDS.filter((kind) => !(isLast && kind.name === rules.kind)).map((kind) => kind.name);

  it("the command line starts, and its help, its completion and its choices don't name it", async () => {
    await bundle(mechanism, {
      root: join(ROOT, "packages/cli"),
      configFile: join(ROOT, "packages/cli/vite.config.ts"),
      build: { outDir: join(place, "bin"), emptyOutDir: true },
    });
    cpSync(join(ROOT, "packages/cli/package.json"), join(place, "package.json"));
    symlinkSync(join(ROOT, "node_modules"), join(place, "node_modules"));
    const winnow = async (...words: string[]) => {
      const program = join(place, "bin/winnow.js");
      return (await promisify(execFile)(process.execPath, [program, ...words], { cwd: place })).stdout;
    };
    const help = await winnow("--help");
    for (const kind of KINDS.map((each) => each.name))
      expect(new RegExp(`^ {2}${kind} `, "m").test(help), `${kind} in the help`).toBe(kinds.includes(kind));
    for (const command of [...kinds, "plan"]) expect(await winnow("help", command)).not.toContain(`${name},`);
    const dryRun = ["--user", "u", "--item", "i", "--epsilon", "1", "--dry-run", "--json"];
    const plans = { top: ["-k", "3", "--domain-size", "9"], frequencies: [] };
    for (const [kind, words] of Object.entries(plans))
      if (kinds.includes(kind))
        expect(await winnow(kind, "rows.csv", ...dryRun, ...words)).not.toContain(`"${name}"`);
  });

  it("the service describes itself without it", async () => {
    await bundle(mechanism, {
      root: join(ROOT, "packages/server"),
      configFile: false,
      ssr: { noExternal: true },
      build: {
        ssr: "src/http/openapi.ts",
        outDir: join(place, "service"),
        rolldownOptions: { output: { entryFileNames: "openapi.js" } },
      },
    });
    const { openApiDocument } = await import(pathToFileURL(join(place, "service/openapi.js")).href);
    const lists: string[][] = [];
    JSON.stringify(openApiDocument("1.0.0"), (key, value) => {
      if (key === "enum") lists.push(value);
      return value;
    });
    expect(lists.filter((list) => list.includes(name))).toEqual([]);
    expect(lists).toContainEqual(kinds);
  });

  it("the page is built, and offers what is left", async () => {
    await bundle(mechanism, {
      root: join(ROOT, "packages/studio"),
      configFile: false,
      base: "./",
      build: { outDir: join(place, "page"), emptyOutDir: true, minify: false },
    });
    await bundle(mechanism, {
      root: join(ROOT, "packages/studio"),
      configFile: false,
      ssr: { noExternal: true },
      build: {
        ssr: "src/app/state/mechanisms.ts",
        outDir: join(place, "choices"),
        rolldownOptions: { output: { entryFileNames: "mechanisms.js" } },
      },
    });
    const { mechanismsFor } = await import(pathToFileURL(join(place, "choices/mechanisms.js")).href);
    for (const { kind, domains } of MECHANISMS.map((each) => each.rules).filter((each) =>
      kinds.includes(each.kind),
    ))
      for (const domain of domains.filter((each) => each !== "integers")) {
        const asked = { kind, domain, k: 1, size: undefined, bound: 2, publishes: "names" };
        expect(mechanismsFor(asked)).not.toContain(name);
      }
  });
});
