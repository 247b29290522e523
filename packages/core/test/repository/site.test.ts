import { execFileSync } from "node:child_process";
import { beforeAll, describe, expect, it } from "vitest";
import { ROOT, read } from "./project.js";

const BUILT = "docs/.vitepress/dist";

describe("the documentation site", () => {
  beforeAll(() => {
    execFileSync("npm", ["run", "build", "--workspace", "docs"], { cwd: ROOT, stdio: "pipe" });
  }, 300_000);

  it("has rendered mathematics in its proofs", () => {
    const page = read(`${BUILT}/proofs/permute-and-flip.html`);
    expect(page).toContain("<mjx-container");
    expect(page).not.toMatch(/\$q_1|\$\$/);
  });

  it("leads from a citation to the paper", () => {
    expect(read(`${BUILT}/proofs/permute-and-flip.html`)).toContain('href="/references.html#ms20"');
    expect(read(`${BUILT}/references.html`)).toContain('id="ms20"');
  });

  it.each([
    ["api/winnow-dp", "topKWithGap"],
    ["api/winnow-dp/sample", "discreteLaplace"],
    ["api/winnow-dp/audit", "likelihoodRatio"],
    ["api/winnow-dp/testing", "bitTree"],
  ])("%s documents %s", (page, name) => {
    expect(read(`${BUILT}/${page}.html`)).toContain(name);
  });
});
