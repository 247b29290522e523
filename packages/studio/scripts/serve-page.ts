/**
 * The built page, served the way a user gets it: by the server of `winnow studio`, on a free port.
 * @module
 */

export interface ServedPage {
  readonly address: string;
  close(): Promise<void>;
}

interface BuiltPageModule {
  pageFolder(name: string): string;
  readBuiltPage(folder: string): Promise<unknown>;
}

interface ServeStudioModule {
  serveStudio(page: unknown, port: number): Promise<ServedPage>;
}

/** As it is built and shipped; the address keeps a bundler from following it. */
export async function servePage(folder?: string): Promise<ServedPage> {
  const built = (file: string) => new URL(`../../cli/dist/${file}`, folderOfScripts()).href;
  const { pageFolder, readBuiltPage }: BuiltPageModule = await import(
    /* @vite-ignore */ built("built-page.js")
  );
  const { serveStudio }: ServeStudioModule = await import(/* @vite-ignore */ built("commands/studio.js"));
  return serveStudio(await readBuiltPage(folder ?? pageFolder("studio-page")), 0);
}

/** These files run as they are under the tests, and compiled into a folder below from the command line. */
export function folderOfScripts(): URL {
  const here = new URL(".", import.meta.url);
  return here.pathname.endsWith("/dist/") ? new URL("../", here) : here;
}
