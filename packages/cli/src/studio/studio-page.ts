/**
 * The files of the built page, read once. What is not one of them by its exact name cannot be served, so no path leads out
 * of the folder.
 * @module
 */
import { readdir, readFile } from "node:fs/promises";
import { extname, join } from "node:path";
import { inPackage } from "../package-folder.js";
import { Refusal } from "../refusal.js";

const FOLDER = inPackage("dist/studio-page/");
const MEDIA_TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
};
const POLICY = /<meta http-equiv="Content-Security-Policy" content="([^"]+)"/;

export interface PageFile {
  readonly type: string;
  readonly body: Buffer;
}

export interface StudioPage {
  /** By the path of the request: "/" is the page itself. */
  readonly files: ReadonlyMap<string, PageFile>;
  /** The content security policy that the page states, to be sent as a header as well. */
  readonly policy: string;
}

export async function readStudioPage(folder = FOLDER): Promise<StudioPage> {
  const files = new Map<string, PageFile>();
  for (const name of await namesIn(folder)) {
    const type = MEDIA_TYPES[extname(name)];
    if (type !== undefined) files.set(`/${name}`, { type, body: await readFile(join(folder, name)) });
  }
  const index = files.get("/index.html");
  const policy = index?.body.toString().match(POLICY)?.[1];
  if (index === undefined || policy === undefined)
    throw new Refusal(
      "missing-source",
      "The page is not part of this copy of Winnow: it was not built with it.",
    );
  return { files: files.set("/", index), policy };
}

async function namesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  return entries.filter((entry) => entry.isFile()).map((entry) => entry.name);
}
