import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import type { BrowserContext, Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { countVisits, releaseOnce, setBudget } from "../../scripts/steps.js";
import type { LedgerStatus } from "../../src/worker/api.js";
import { callWorker, captureWorker } from "../support/call-worker.js";
import { studioBrowser } from "../support/studio-browser.js";

const studio = studioBrowser();
const DIST = new URL("../../dist/", import.meta.url);
const SINGLE = new URL("winnow-studio.html", DIST);

describe("the page as a single file", () => {
  it("has the hash that is published beside it", async () => {
    const bytes = await readFile(SINGLE);
    const hash = createHash("sha256").update(bytes).digest("hex");
    expect(await readFile(new URL("winnow-studio.html.sha256", DIST), "utf8")).toBe(
      `${hash}  winnow-studio.html\n`,
    );
  });

  it("allows its own script and style by their hashes, and nothing else", async () => {
    const html = await readFile(SINGLE, "utf8");
    const policy = html.match(/http-equiv="Content-Security-Policy" content="([^"]+)"/)?.[1] ?? "";
    const [head = "", body = ""] = html.split("</head>");
    const hashed = (part: string, tag: string) =>
      [...part.matchAll(new RegExp(`<${tag}>(.*?)</${tag}>`, "gs"))].map(
        ([, text]) => `'sha256-${createHash("sha256").update(text!).digest("base64")}'`,
      );
    expect(policy.split("; ")).toEqual([
      "default-src 'none'",
      `script-src ${hashed(body, "script").join(" ")}`,
      `style-src ${hashed(head, "style").join(" ")}`,
      "img-src data: blob:",
      "worker-src blob:",
      "connect-src 'none'",
      "base-uri 'none'",
      "form-action 'none'",
    ]);
    expect([hashed(body, "script").length, hashed(head, "style").length]).toEqual([1, 1]);
    expect(html).not.toMatch(/<(script|link|img|iframe)[^>]* (src|href)="(?!data:)/);
  });

  it.each(["winnow-studio.html", "index.html"])(
    "works from the disk, and keeps its ledger there: %s",
    async (name) => {
      const context = await studio.context();
      const page = await fromDisk(context, name);
      await countVisits(page);
      await setBudget(page, "2");
      await releaseOnce(page);
      await page.reload();
      const second = await fromDisk(context, name);
      for (const tab of [page, second])
        expect(await callWorker<LedgerStatus>(tab, "ledger.status", "visits")).toMatchObject({
          spent: expect.stringContaining("ε = 1"),
        });
    },
  );
});

async function fromDisk(context: BrowserContext, name: string): Promise<Page> {
  const page = await context.newPage();
  const errors: string[] = [];
  page.on("console", (message) => errors.push(message.text()));
  await captureWorker(page);
  await Promise.all([page.waitForEvent("worker"), page.goto(`file://${fileURLToPath(new URL(name, DIST))}`)]);
  await page.getByRole("button", { name: "Try the example" }).waitFor();
  expect(errors).toEqual([]);
  return page;
}
