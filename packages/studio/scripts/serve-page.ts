/**
 * The built page, served the way a user gets it: by `winnow studio`, in a process of its own, on a free port.
 * @module
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const WINNOW = fileURLToPath(new URL("../../cli/dist/main.js", pathOfScripts()));

export interface ServedPage {
  readonly address: string;
  close(): Promise<void>;
}

export async function servePage(): Promise<ServedPage> {
  const process_ = spawn(process.execPath, [WINNOW, "studio", "--port", "0"], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(process_, "exit");
  const lines = createInterface({ input: process_.stdout });
  const [first] = await Promise.race([once(lines, "line"), ended]);
  if (!String(first).startsWith("http://")) throw new Error("winnow studio ended before it served the page");
  const close = async () => {
    process_.kill("SIGTERM");
    await ended;
  };
  return { address: String(first), close };
}

/** These files run as they are under the tests, and compiled into a folder below from the command line. */
function pathOfScripts(): URL {
  const here = new URL(".", import.meta.url);
  return here.pathname.endsWith("/dist/") ? new URL("../", here) : here;
}
