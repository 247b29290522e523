/**
 * An agent asks for a private top three through `winnow mcp`, with the official client of the Model Context Protocol. The agent
 * is a script here, and the person agrees at once; everything else is real: the rows, the ledger, the question to the person
 * and the release, which comes out differently every time.
 *
 *     node examples/agent.js
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { candidatesOf, generateCsv } from "winnow-release";

const WINNOW = fileURLToPath(new URL("../packages/cli/bin/winnow.js", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "winnow-agent-"));
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));

writeFileSync(join(folder, "visits.csv"), [...generateCsv()].join("")); // who visited which area, 20,000 rows
writeFileSync(join(folder, "areas.txt"), candidatesOf().join("\n")); // the areas there are, which isn't a secret
spawnSync(process.execPath, [WINNOW, "budget", "init", "visits", "--epsilon", "10"], { cwd: folder });
const visits = {
  source: "visits.csv",
  item: "area",
  user: "user",
  domain: { kind: "list", file: "areas.txt" },
  allow: { kinds: ["top"], k: 10, epsilon: "1" },
};
const service = {
  ledger: "winnow.ledger",
  datasets: { visits },
  analysts: { alice: { caps: { visits: { epsilon: "2" } } } },
};
writeFileSync(join(folder, "service.json"), JSON.stringify(service));

const client = new Client({ name: "example", version: "1" }, { capabilities: { elicitation: {} } });
client.setRequestHandler("elicitation/create", async ({ params }) => {
  console.log(`Winnow asks the person:\n${indented(params.message)}\nThe person accepts.\n`);
  return { action: "accept", content: {} };
});
const args = [WINNOW, "mcp", "service.json", "--analyst", "alice"];
await client.connect(
  new StdioClientTransport({ command: process.execPath, args, cwd: folder, stderr: "ignore" }),
);

/**
 * @param {string} name
 * @param {Record<string, unknown>} [question]
 */
async function call(name, question = {}) {
  console.log(`The agent calls ${name} ${JSON.stringify(question)}\n`);
  const { content, structuredContent } = await client.callTool({ name, arguments: question });
  const [part] = content;
  console.log(`Winnow answers:\n${indented(part?.type === "text" ? part.text : "")}\n`);
  return /** @type {{ id?: string }} */ (structuredContent ?? {});
}

/** @param {string} text */
function indented(text) {
  return text.replace(/^(?=.)/gm, "    ");
}

const question = { dataset: "visits", kind: "top", k: 3, epsilon: "1/2" };
await call("describe");
await call("cost", question);
const { id } = await call("release", question);
await call("release", question);
await call("release", { ...question, k: 5 });
await call("verify", { release: id });
await client.close();
