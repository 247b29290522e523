/**
 * The built page, served the way a user gets it: by the server of `winnow studio`, on a free port.
 * @module
 */

export interface ServedPage {
  readonly address: string;
  close(): Promise<void>;
}

interface ServeStudioModule {
  readStudioPage(): Promise<unknown>;
  serveStudio(page: unknown, port: number): Promise<ServedPage>;
}

/** As it is built and shipped; the address keeps a bundler from following it. */
export async function servePage(): Promise<ServedPage> {
  const built = new URL("../../cli/dist/commands/studio.js", folderOfScripts());
  const { readStudioPage, serveStudio }: ServeStudioModule = await import(/* @vite-ignore */ built.href);
  return serveStudio(await readStudioPage(), 0);
}

/** These files run as they are under the tests, and compiled into a folder below from the command line. */
export function folderOfScripts(): URL {
  const here = new URL(".", import.meta.url);
  return here.pathname.endsWith("/dist/") ? new URL("../", here) : here;
}
