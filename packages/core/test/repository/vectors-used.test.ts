/** Every section of every file of reference values is used by a test; of those that hold several functions, each function. */
import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

const ROOT = new URL("../../../../", import.meta.url);
const read = (path: string) => readFileSync(new URL(path, ROOT), "utf8");

const tests = ["packages/core", "packages/audit", "packages/release", "research"].flatMap((name) => {
  const folder = `${name}/test/`;
  return readdirSync(new URL(folder, ROOT), { recursive: true, encoding: "utf8" })
    .filter((path) => /(\.test|unknown-vectors)\.ts$/.test(path) && !path.endsWith("vectors-used.test.ts"))
    .map((path) => read(folder + path));
});

const FILES = readdirSync(new URL("packages/core/test/", ROOT)).filter((name) =>
  /^vectors.*\.json$/.test(name),
);

describe.each(FILES)("%s", (file) => {
  const sections: Readonly<Record<string, unknown>> = JSON.parse(read(`packages/core/test/${file}`));
  const names = Object.keys(sections).filter((name) => Array.isArray(sections[name]));

  it.each(names)("is used by a test: %s", (name) => {
    const isUsed = tests.some((text) =>
      new RegExp(`\\.${name}\\b|\\b${name}\\b[^\\n]*\\} = |"${name}"`).test(text),
    );
    expect(isUsed).toBe(true);
    const functions = new Set(
      (sections[name] as readonly { readonly fn?: string }[]).flatMap(({ fn }) => fn ?? []),
    );
    const users = tests.filter((text) => text.includes(name));
    for (const fn of functions) {
      const isTold = users.some((text) => text.includes(fn) || /fn\b.*args|\$fn/.test(text));
      expect(isTold, `${name}: ${fn}`).toBe(true);
    }
  });
});
