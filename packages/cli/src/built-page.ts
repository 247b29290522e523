/**
 * The pages that the package carries: their files by name, read once, and the content security policy that each states for itself.
 * Only these files can be served, by their exact names, so no path leads out of the folder.
 * @module
 */
import { readdir, readFile } from "node:fs/promises";
import { extname, join } from "node:path";
import { Refusal } from "winnow-release";
import { inPackage } from "./this-package.js";

const MEDIA_TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
};
const POLICY = /<meta http-equiv="Content-Security-Policy" content="([^"]+)"/;

export interface PageFile {
  readonly type: string;
  readonly body: Buffer<ArrayBuffer>;
}

export interface BuiltPage {
  /** By the path of the request: "/" is the page itself. */
  readonly files: ReadonlyMap<string, PageFile>;
  /** The content security policy that the page states, to be sent as a header as well. */
  readonly policy: string;
}

/** Where the page with this name is in the package. */
export function pageFolder(name: "studio-page" | "analyst-page"): string {
  return inPackage(`dist/${name}/`);
}

export async function readBuiltPage(folder: string): Promise<BuiltPage> {
  const files = new Map<string, PageFile>();
  for (const name of await filesIn(folder)) {
    const type = MEDIA_TYPES[extname(name)];
    if (type !== undefined)
      files.set(`/${name}`, { type, body: Buffer.from(await readFile(join(folder, name))) });
  }
  const index = files.get("/index.html");
  const policy = index?.body.toString().match(POLICY)?.[1];
  if (index === undefined || policy === undefined)
    throw new Refusal("missing-source", "This copy of Winnow was built without the page.");
  return { files: files.set("/", index), policy };
}

async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  return entries.filter((entry) => entry.isFile()).map((entry) => entry.name);
}
