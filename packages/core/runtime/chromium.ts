/**
 * Runs the smoke in a headless Chromium, in the page and in a worker of it. The browser gets a fresh profile and
 * talks to nobody but this machine; it and its helpers end with the call, whatever happens.
 * @module
 */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { serveCore } from "./loopback-server.js";
import { type Located, locateOnPath } from "./runtimes.js";

const LONGEST_RUN = 120_000;
const FLAGS = [
  "--headless",
  "--no-sandbox", // a container's root user cannot have one, and the page is our own
  "--disable-dev-shm-usage", // of which a container may have little
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

export function locateChromium(): Promise<Located> {
  const commands = ["chromium", "chromium-browser", "google-chrome"];
  return locateOnPath(commands, `none of ${commands.join(", ")} is on the PATH`);
}

/** What `page.js` posts: the reports of the page and of its worker, or why there are none. */
export async function smokeInChromium(executable: string): Promise<unknown> {
  const profile = await mkdtemp(join(tmpdir(), "winnow-chromium-"));
  const server = await serveCore();
  const flags = [...FLAGS, `--user-data-dir=${profile}`, `${server.address}runtime/page.html`];
  // A process group of its own, so that the browser's helpers can be ended with it.
  const browser = spawn(executable, flags, { stdio: "ignore", detached: true });
  const endWithUs = () => endGroup(browser);
  process.once("exit", endWithUs);
  try {
    return await Promise.race([server.report, untilItFails(browser)]);
  } finally {
    process.off("exit", endWithUs);
    endGroup(browser);
    server.close();
    await rm(profile, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  }
}

function untilItFails(browser: ChildProcess): Promise<never> {
  return new Promise((_, reject) => {
    const fail = (problem: string) => reject(new Error(`the browser ${problem} before it reported`));
    const limit = setTimeout(() => fail(`ran ${LONGEST_RUN / 1000} seconds`), LONGEST_RUN);
    browser.once("error", () => fail("did not start"));
    browser.once("exit", (code) => {
      clearTimeout(limit);
      fail(`ended with code ${code}`);
    });
  });
}

function endGroup(browser: ChildProcess): void {
  if (browser.pid === undefined) return; // it never started
  try {
    process.kill(-browser.pid, "SIGKILL");
  } catch {
    // the whole group has ended already
  }
}
