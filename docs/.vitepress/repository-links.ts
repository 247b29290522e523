/**
 * Links from a page to a file outside the folder of the pages: in the repository they work as they are. On the site a proof is a
 * page, and any other file is where the repository is published.
 * @module
 */
import { readFileSync } from "node:fs";
import { posix } from "node:path";
import type MarkdownIt from "markdown-it";

const PROOF = /^\.\.\/.*\/([\w-]+)\.proof\.md(?=$|#)/;

/** Makes links that leave the folder of the pages links to the pages of proofs, or into the repository. */
export function repositoryLinks(markdown: MarkdownIt): void {
  const repository = repositoryAddress();
  markdown.core.ruler.push("repository-links", ({ tokens, env }) => {
    for (const token of tokens.flatMap(({ children }) => children ?? [])) {
      const target = token.type === "link_open" ? token.attrGet("href") : null;
      if (target === null || /^([a-z]+:|[/#])/.test(target)) continue;
      const path = posix.join(posix.dirname(env.relativePath), target);
      if (PROOF.test(path)) token.attrSet("href", path.replace(PROOF, "/proofs/$1.md"));
      else if (path.startsWith("../")) token.attrSet("href", `${repository}/blob/main/${path.slice(3)}`);
    }
  });
}

/** As the library's package names it, without what is only for git. */
export function repositoryAddress(): string {
  const file = new URL("../../packages/core/package.json", import.meta.url);
  const { repository } = JSON.parse(readFileSync(file, "utf8"));
  return repository.url.replace(/^git\+/, "").replace(/\.git$/, "");
}
