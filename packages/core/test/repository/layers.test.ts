import { posix } from "node:path";
import { parseSync } from "vite";
import { describe, expect, it } from "vitest";
import { byPath, coreSources, type ProjectFile, read } from "./project.js";

/** The layers of core, bottom up. A new folder gets its place here first. */
const LAYERS = [
  "errors",
  "nearest",
  "sha256",
  "chacha20",
  "exact",
  "options",
  "until-aborted",
  "entropy",
  "system-entropy",
  "expanded-entropy",
  "sample",
  "race",
  "accounting",
  "base2",
  "select",
  "standout",
  "discover",
  "numbers",
  "pate",
  "over-time",
  "testing",
  "parallel",
  "parallel-worker",
  "readers",
  "index",
];

/** What a layer may not import although it lies below. */
const APART: Readonly<Record<string, readonly string[]>> = {
  accounting: ["entropy", "system-entropy", "race"],
  base2: ["race"],
  select: ["base2"],
  standout: ["base2"],
  discover: ["base2"],
  pate: ["discover", "numbers"],
  testing: ["race", "accounting", "base2", "select", "standout", "discover", "numbers", "pate"],
};

describe("the layers of core", () => {
  it.each(byPath(coreSources()))("%s imports downwards only", (_, source) => {
    const layer = layerOf(source.path);
    expect(LAYERS).toContain(layer);
    const below = LAYERS.slice(0, LAYERS.indexOf(layer) + 1);
    const wrong = importsOf(source).filter((to) => !below.includes(to) || APART[layer]?.includes(to));
    expect(wrong).toEqual([]);
  });

  it("core depends on no other package at run time", () => {
    const manifest = JSON.parse(read("packages/core/package.json"));
    for (const kind of ["dependencies", "peerDependencies", "optionalDependencies", "bundleDependencies"])
      expect(manifest).not.toHaveProperty(kind);
  });
});

/** The layers that a module imports or re-exports from; for what is no module of core, its name. */
function importsOf({ path, text }: ProjectFile): string[] {
  const { module } = parseSync(path, text);
  const dynamic = module.dynamicImports.map(({ moduleRequest }) =>
    text.slice(moduleRequest.start + 1, moduleRequest.end - 1),
  );
  const fixed = module.staticImports.map(({ moduleRequest }) => moduleRequest.value);
  const reExported = module.staticExports.flatMap(({ entries }) =>
    entries.flatMap(({ moduleRequest }) => moduleRequest?.value ?? []),
  );
  return [...fixed, ...reExported, ...dynamic].map((specifier) =>
    specifier.startsWith(".") ? layerOf(posix.join(posix.dirname(path), specifier)) : specifier,
  );
}

/** `packages/core/src/exact/rational.ts` is in `exact`, `packages/core/src/errors.ts` is `errors`. */
function layerOf(path: string): string {
  return posix
    .relative("packages/core/src", path)
    .split("/", 1)[0]
    .replace(/\.[jt]s$/, "");
}
