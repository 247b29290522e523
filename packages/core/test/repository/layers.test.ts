import { posix } from "node:path";
import { parseSync } from "vite";
import { describe, expect, it } from "vitest";
import { byPath, coreSources, type ProjectFile, read } from "./project.js";

/** What each folder of core may import besides itself, bottom up. A new folder gets its place here first. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  errors: [],
  exact: ["errors"],
  validate: ["exact", "errors"],
  entropy: ["validate", "exact", "errors"],
  sample: ["entropy", "validate", "exact", "errors"],
  privacy: ["validate", "exact", "errors"],
  select: ["privacy", "sample", "entropy", "validate", "exact", "errors"],
  pate: ["select", "privacy", "sample", "entropy", "validate", "exact", "errors"],
  audit: ["pate", "select", "privacy", "sample", "entropy", "validate", "exact", "errors"],
  testing: ["sample", "entropy", "validate", "exact", "errors"],
  index: ["pate", "select", "privacy", "sample", "entropy", "exact", "errors"],
};

describe("the layers of core", () => {
  it.each(byPath(coreSources()))("%s imports downwards only", (_, source) => {
    const layer = layerOf(source.path);
    expect(Object.keys(MAY_IMPORT)).toContain(layer);
    const upwards = importsOf(source).filter((to) => to !== layer && !MAY_IMPORT[layer].includes(to));
    expect(upwards).toEqual([]);
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
