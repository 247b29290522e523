/**
 * Copies the proofs, which stand beside their sources, into `docs/proofs`, where the site finds them. Their links are changed to
 * work from there.
 * @module
 */
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { posix } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../", import.meta.url));
const PAGES = "docs/proofs";
const LINK = /\]\((?![a-z]+:|[#/])([^)\s]+)/g;

for (const page of readdirSync(root + PAGES)) if (page !== "index.md") rmSync(`${root}${PAGES}/${page}`);

const patterns = ["packages/*.proof.md", "research/*.proof.md"];
const proofs = execFileSync(
  "git",
  ["ls-files", "-z", "--cached", "--others", "--exclude-standard", ...patterns],
  {
    cwd: root,
    encoding: "utf8",
  },
);
for (const path of proofs.split("\0").filter(Boolean)) {
  const text = readFileSync(root + path, "utf8").replaceAll(
    LINK,
    (_, target) => `](${posix.relative(PAGES, posix.join(posix.dirname(path), target))}`,
  );
  const name = posix.basename(path, ".proof.md");
  writeFileSync(`${root}${PAGES}/${name}.md`, `---\nsource: ${path}\n---\n${text}`, { flag: "wx" });
}
