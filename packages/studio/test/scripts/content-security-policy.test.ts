import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { contentSecurityPolicy, hashSource, OWN_FOLDER } from "../../scripts/content-security-policy.js";
import { inOneFile } from "../../scripts/single-file.js";

const PAGE = `<!doctype html><html><head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${contentSecurityPolicy(OWN_FOLDER)}">
<script defer src="./studio.js"></script>
<link rel="stylesheet" href="./studio.css">
</head><body></body></html>`;

describe("the content security policy", () => {
  it("allows the page's own folder, its worker, pictures of itself, and nothing else", () => {
    expect(contentSecurityPolicy(OWN_FOLDER)).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src data: blob:; worker-src blob:; connect-src 'none'; base-uri 'none'; form-action 'none'",
    );
  });

  it("is the one that the built page states", async () => {
    const html = await readFile(new URL("../../dist/index.html", import.meta.url), "utf8");
    expect(html).toContain(`content="${contentSecurityPolicy(OWN_FOLDER)}"`);
    expect(html.indexOf("Content-Security-Policy")).toBeLessThan(html.indexOf("<script"));
  });
});

describe("the single file", () => {
  it("keeps a script whole that speaks of tags, and names it by its hash", () => {
    const html = inOneFile(PAGE, 'x="</script><!--$&"', "p{}", "made by A --> B\n");
    expect(html).toContain('<script>x="<\\/script><\\!--$&"</script>');
    expect(html).toContain(`script-src ${hashSource('x="<\\/script><\\!--$&"')}`);
    expect(html).toContain("<style>p{}</style>");
    expect(html).toContain("<!--\nmade by A - -> B\n-->");
    expect(html).not.toContain("'self'");
    expect(html).not.toMatch(/src=|href=/);
  });
});
