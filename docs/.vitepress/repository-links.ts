/**
 * Links from a page to a file of the repository that isn't a page: in the repository they work as they are, and on the site they
 * lead to where the repository is published.
 * @module
 */
import { readFileSync } from "node:fs";
import { posix } from "node:path";
import type MarkdownIt from "markdown-it";

/** Makes links that leave the folder of the pages links into the repository. */
export function repositoryLinks(markdown: MarkdownIt): void {
  const repository = repositoryAddress();
  markdown.core.ruler.push("repository-links", ({ tokens, env }) => {
    for (const token of tokens.flatMap(({ children }) => children ?? [])) {
      const target = token.type === "link_open" ? token.attrGet("href") : null;
      if (target === null || /^([a-z]+:|[/#])/.test(target)) continue;
      const path = posix.join(posix.dirname(env.relativePath), target);
      if (path.startsWith("../")) token.attrSet("href", `${repository}/blob/main/${path.slice(3)}`);
    }
  });
}

/** As the library's package names it, without what is only for git. */
export function repositoryAddress(): string {
  const file = new URL("../../packages/core/package.json", import.meta.url);
  const { repository } = JSON.parse(readFileSync(file, "utf8"));
  return repository.url.replace(/^git\+/, "").replace(/\.git$/, "");
}
