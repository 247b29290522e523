import { existsSync } from "node:fs";
import { posix } from "node:path";
import { describe, expect, it } from "vitest";
import { byPath, librarySources, projectFiles, ROOT, read } from "./project.js";

/** `[text](target)`; addresses and links within a page are left alone. */
const LINK = /\]\((?![a-z]+:|#)([^)#\s]+)/g;
/** A path in code marks or in a header: it has a slash and starts at a folder of the project. */
const PATH = /\b(?:packages|docs|bench|research|prove|examples)\/[\w./-]*[\w/]/g;
/** A proof that a source cites, from the root, from its package's sources, or beside it. */
const PROOF = /[\w./-]+\.proof\.md\b/g;

const pages = projectFiles(/\.md$/);

/** Ids that are given to a heading, and that another one has too. */
function sharedIds(text: string): string[] {
  const headings = [...text.replaceAll(/^```[\s\S]*?^```/gm, "").matchAll(/^#+ (.*?)(?: \{#([\w-]+)\})?$/gm)];
  const ids = headings.map(
    ([, words, given]) =>
      given ??
      words
        .toLowerCase()
        .replaceAll(/[^\w]+/g, "-")
        .replaceAll(/^-|-$/g, ""),
  );
  return headings.flatMap(([, , given]) =>
    given !== undefined && ids.indexOf(given) !== ids.lastIndexOf(given) ? [given] : [],
  );
}

describe("what the documents point to", () => {
  it("each row of who could try what, in the attack model, ends in a test that is run", () => {
    const [, table = ""] = read("docs/attack-model.md").split("## Who could try what");
    const rows = [...table.split("\n## ")[0].matchAll(/^\|(.*)\|$/gm)].map(([, row]) => row).slice(2);
    const tests = rows.map((row) => /`([^`]+\.test\.ts)` $/.exec(row)?.[1]);
    expect(rows.length).toBeGreaterThanOrEqual(12);
    expect(tests.filter((path) => path === undefined || !existsSync(ROOT + path))).toEqual([]);
  });

  it.each(byPath(pages))("the links of %s lead somewhere", (path, { text }) => {
    const targets = [...text.matchAll(LINK)].map(([, target]) => posix.join(posix.dirname(path), target));
    expect(targets.filter((target) => !existsSync(ROOT + target))).toEqual([]);
  });

  /** The site doesn't build where a heading has the id that another one gets from its words. */
  it.each(byPath(pages))("the headings of %s have ids of their own", (_, { text }) => {
    expect(sharedIds(text)).toEqual([]);
  });

  it("a heading with the id of another is found", () => {
    expect(sharedIds("# Which rows?\n\n## Rows {#which-rows}\n")).toEqual(["which-rows"]);
  });

  it.each(byPath([...pages, ...librarySources()]))("the paths that %s names exist", (_, { text }) => {
    const named = [...text.matchAll(PATH)].map(([target]) => target);
    expect(named.filter((target) => !existsSync(ROOT + target))).toEqual([]);
  });

  it.each(byPath(projectFiles(/^(?:packages|research)\/.*src\/.*\.tsx?$/)))(
    "the proofs that %s cites exist",
    (path, { text }) => {
      const [sources] = /^.*?src\//.exec(path) ?? [];
      const places = (proof: string) => [proof, `${sources}${proof}`, posix.join(path, "..", proof)];
      const cited = [...text.matchAll(PROOF)].map(([proof]) => proof);
      expect(cited.filter((proof) => !places(proof).some((place) => existsSync(ROOT + place)))).toEqual([]);
    },
  );
});
