/**
 * The OpenAPI document as one page: no script, no other server, so it works offline and needs no trust. The style is inline
 * and the content security policy names its hash.
 * @module
 */
import { createHash } from "node:crypto";
import { entryOf, forXml } from "winnow-release";
import { PROBLEM_CODES, type ProblemCode } from "../problems.js";
import { OPERATIONS, type OpenApiDocument, type Operation } from "./openapi.js";

const STYLE = `
:root { color-scheme: light dark; --line: color-mix(in srgb, currentColor 20%, transparent); }
body { font: 1rem/1.5 system-ui, sans-serif; max-width: 60rem; margin: 0 auto; padding: 1rem 1rem 4rem; }
code, pre { font: 0.9em ui-monospace, monospace; overflow-wrap: anywhere; }
pre { padding: 0.75rem; border: 1px solid var(--line); border-radius: 0.4rem; overflow-x: auto; }
section { border-top: 1px solid var(--line); padding: 0.5rem 0; }
h2 { margin-top: 2.5rem; } h3 { margin: 0.75rem 0 0.25rem; font-size: 1.05rem; }
table { border-collapse: collapse; width: 100%; } td, th { text-align: left; vertical-align: top; padding: 0.2rem 0.75rem 0.2rem 0; }
.method { display: inline-block; min-width: 3.2rem; font-weight: 600; }
`;

/** Only the page's own style. */
export const PAGE_POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash("sha256").update(STYLE).digest("base64")}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

/** With a link to the page for analysts, if there is one. */
export function pageOf({ info, components }: OpenApiDocument, hasAnalystPage = false): string {
  const operations: readonly Operation[] = Object.values(OPERATIONS);
  const schemas = Object.entries(components.schemas);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Winnow ${forXml(info.version)}: the service</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>Winnow ${forXml(info.version)}</h1>
<p>${forXml(info.description)}</p>
<p>Send your key as <code>Authorization: Bearer winnow_…</code>. For programs: <a href="openapi.json">openapi.json</a>.${hasAnalystPage ? ' For people: <a href="analyst/">the page for analysts</a>.' : ""}</p>
<h2>Operations</h2>
${operations.map(operationHtml).join("\n")}
<h2>Errors</h2>
<table><thead><tr><th>status</th><th>code</th><th>meaning</th></tr></thead><tbody>
${PROBLEM_CODES.map(problemHtml).join("\n")}
</tbody></table>
<h2>Schemas</h2>
${schemas.map(([name, schema]) => schemaHtml(name, schema)).join("\n")}
</main>
</body>
</html>
`;
}

function operationHtml({
  method,
  path,
  summary,
  description = "",
  body,
  answers,
  parameters = [],
}: Operation): string {
  const lines = [
    ...parameters.map(
      (each) => `<li><code>${forXml(each.name)}</code> (${each.in}): ${forXml(each.description)}</li>`,
    ),
    ...(body === undefined ? [] : [`<li>body: <a href="#schema-${body}">${body}</a></li>`]),
    ...Object.entries(answers).map(
      ([status, answer]) =>
        `<li>${status}: ${forXml(answer.description)}${answer.schema === undefined ? "" : ` <a href="#schema-${answer.schema}">${answer.schema}</a>`}</li>`,
    ),
  ];
  return `<section>
<h3><span class="method">${method.toUpperCase()}</span> <code>${forXml(path)}</code></h3>
<p>${forXml(summary)}. ${forXml(description)}</p>
<ul>${lines.join("")}</ul>
</section>`;
}

function problemHtml(code: ProblemCode): string {
  const { status, title } = entryOf(code);
  return `<tr><td>${status}</td><td><code>${code}</code></td><td>${forXml(title)}</td></tr>`;
}

function schemaHtml(name: string, schema: unknown): string {
  const lines = JSON.stringify(schema, null, 2).split("\n").map(forXml);
  return `<section id="schema-${forXml(name)}"><h3>${forXml(name)}</h3><pre>${lines.join("\n")}</pre></section>`;
}
