import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, it, type TestContext } from "vitest";
import { locateChromium, smokeInChromium } from "./chromium.js";
import { BUN, DENO, type Located, locate, locateNode, NODE_20, NODE_22, NODE_24 } from "./runtimes.js";
import { CHECK_NAMES } from "./smoke.js";

const SCRIPT = fileURLToPath(new URL("command-line.js", import.meta.url));
const LONGEST_RUN = 60_000;
/** No configuration, no network, no files but the modules, those of workers by permission: the smoke needs none of them. */
const DENO_FLAGS = [
  "run",
  `--allow-read=${fileURLToPath(new URL("../dist", import.meta.url))}`,
  "--no-config",
  "--no-lock",
  "--no-remote",
  "--no-npm",
  "--no-prompt",
  "--no-code-cache",
];

describe.concurrent("the smoke passes on", () => {
  it("Node 20", async (test) => expectAllToPass(await onCommandLine(test, await locateNode(NODE_20))));
  it("Node 22", async (test) => expectAllToPass(await onCommandLine(test, await locateNode(NODE_22))));
  it("Node 24", async (test) => expectAllToPass(await onCommandLine(test, await locateNode(NODE_24))));
  it("Bun", async (test) => expectAllToPass(await onCommandLine(test, await locate(BUN, "bun"))));
  it("Deno", async (test) =>
    expectAllToPass(await onCommandLine(test, await locate(DENO, "deno"), DENO_FLAGS)));

  it("Chromium, in a page and in a worker", async (test) => {
    const reports = await smokeInChromium(executableOf(test, await locateChromium()));
    expect(reports).toEqual({ page: expect.anything(), worker: expect.anything() });
    const { page, worker } = reports as { page: unknown; worker: unknown };
    expectAllToPass(page);
    expectAllToPass(worker);
  });
});

/** Every check of the smoke, by name, and none with a problem. */
function expectAllToPass(report: unknown): void {
  expect(report).toEqual(CHECK_NAMES.map((name) => ({ name })));
}

async function onCommandLine(test: TestContext, runtime: Located, flags: string[] = []): Promise<unknown> {
  const { stdout } = await promisify(execFile)(executableOf(test, runtime), [...flags, SCRIPT], {
    timeout: LONGEST_RUN,
    killSignal: "SIGKILL",
  });
  return JSON.parse(stdout);
}

/** Without the runtime the test is skipped and says why; where everything should be there, it fails. */
function executableOf(test: TestContext, runtime: Located): string {
  if ("executable" in runtime) return runtime.executable;
  if (process.env.CI) throw new Error(runtime.missing);
  return test.skip(runtime.missing);
}
