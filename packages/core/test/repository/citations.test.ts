import { posix } from "node:path";
import { describe, expect, it } from "vitest";
import * as core from "../../src/index.js";
import * as samplers from "../../src/sample/index.js";
import { byPath, librarySources, projectFiles, read } from "./project.js";

const KEY = "[A-Za-z]+\\d{2}[a-z]?";
/** `[CKS20]`, `[MS20, Thm 1]`, `[Ding23, Alg 5; CKS20, BS16]`; not an index such as `table[x16]`. */
const CITATION = new RegExp(`(?<![\\w)\\]])\\[(${KEY}(?:[,;] [^\\]]*)?)\\]`, "g");
const CITED_KEY = new RegExp(`(?:^|[,;] )(${KEY})(?=[,;]|$)`, "g");
const ENTRY = /^@\w+\{([^,\s]+),/gm;

const bibliography = [...read("docs/references.bib").matchAll(ENTRY)].map(([, key]) => key);
const sources = [...librarySources(), ...projectFiles(/^research\/src\/.*\.ts$/)];
const citations = [...sources, ...projectFiles(/\.md$/)].flatMap(({ path, text }) =>
  citedKeys(text).map((key) => ({ path, key })),
);

/** The folders of mechanisms, and what a table of contents takes from a file of theirs. */
const MECHANISMS = /\{([^}]*)\} from "\.\/((?:select|standout|discover|base2|numbers|pate)\/[\w-]+)\.js"/g;
const SAMPLERS = /\{([^}]*)\} from "\.\/([\w-]+)\.js"/g;
/** A proof as a source cites it: without a folder it is beside the source. */
const CITED_PROOF = /(?<![\w/-])([\w-]+\.proof\.md)\b/g;

const proofs = projectFiles(/\.proof\.md$/);

describe("proofs and papers", () => {
  it.each([
    ...exportsOf("packages/core/src/sample", SAMPLERS, samplers),
    ...exportsOf("packages/core/src", MECHANISMS, core),
  ])("%s has a proof beside %s", (_, source) => {
    const cited = [...read(source).matchAll(CITED_PROOF)].map(([, file]) => posix.join(source, "..", file));
    expect(proofs.filter(({ path }) => cited.includes(path))).not.toEqual([]);
  });

  it.each(byPath(proofs))("%s is cited by a source beside it", (path) => {
    const beside = sources.filter((source) => posix.dirname(source.path) === posix.dirname(path));
    expect(beside.filter(({ text }) => text.includes(posix.basename(path)))).not.toEqual([]);
  });

  it.each(byPath(proofs))("%s has a claim, an argument, and which tests check what of it", (_, { text }) => {
    for (const part of [/^## Claim/m, /^## Argument/m, /^## What the tests check/m])
      expect(text).toMatch(part);
    const [, tests] = text.split("## What the tests check");
    expect(tests).toMatch(/`(?:packages|research|prove)\/[\w./-]+\.test\.ts`/);
  });

  it("every citation is in the bibliography", () => {
    expect(citations.filter(({ key }) => !bibliography.includes(key))).toEqual([]);
  });

  it("every entry of the bibliography is cited", () => {
    expect(bibliography.filter((entry) => !citations.some(({ key }) => key === entry))).toEqual([]);
  });

  it("a citation is told from an index", () => {
    expect(
      citedKeys("[CKS20, BS16], [Ding23, Alg 5; vN51] and [Ilv20p, §3], not table[x16] or [2^32]"),
    ).toEqual(["CKS20", "BS16", "Ding23", "vN51", "Ilv20p"]);
  });

  it("no entry is listed twice", () => {
    expect(new Set(bibliography).size).toBe(bibliography.length);
  });
});

function citedKeys(text: string): string[] {
  return [...text.matchAll(CITATION)].flatMap(([, inside]) =>
    [...inside.matchAll(CITED_KEY)].map(([, key]) => key),
  );
}

/** The functions and classes that a table of contents exports, each with the file that it takes them from. */
function exportsOf(folder: string, from: RegExp, module: object): [name: string, source: string][] {
  const values = new Map(Object.entries(module));
  return [...read(`${folder}/index.ts`).matchAll(from)].flatMap(([, names, file]) =>
    names
      .split(",")
      .map((name) => name.trim())
      .filter((name) => typeof values.get(name) === "function")
      .map((name): [string, string] => [name, `${folder}/${file}.ts`]),
  );
}
