/**
 * A headless Chromium from this machine, for the tests, the measurements and the screenshots. It gets a fresh profile and
 * talks to nobody but this machine.
 * @module
 */
import { access, constants } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { type Browser, chromium } from "playwright-core";

const COMMANDS = ["chromium", "chromium-browser", "google-chrome"];
const FLAGS = [
  "--headless",
  "--no-sandbox", // a container's root user cannot have one, and the page is our own
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

export const NO_CHROMIUM = `none of ${COMMANDS.join(", ")} is on the PATH`;

/** The browser's path, or undefined where there is none. */
export async function locateChromium(): Promise<string | undefined> {
  for (const folder of (process.env.PATH ?? "").split(delimiter))
    for (const command of COMMANDS) {
      const path = join(folder, command);
      if (await isExecutable(path)) return path;
    }
  return undefined;
}

export function launchChromium(executablePath: string): Promise<Browser> {
  return chromium.launch({ executablePath, args: FLAGS });
}

function isExecutable(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}
