/**
 * The built page, served the way a user gets it: by the server of `winnow studio`, on a free port.
 * @module
 */

export interface ServedPage {
  readonly address: string;
  close(): Promise<void>;
}

interface StudioPageModule {
  readStudioPage(): Promise<unknown>;
}

interface ServeStudioModule {
  serveStudio(page: unknown, port: number): Promise<ServedPage>;
}

export async function servePage(): Promise<ServedPage> {
  const { readStudioPage } = await fromCommandLine<StudioPageModule>("studio-page.js");
  const { serveStudio } = await fromCommandLine<ServeStudioModule>("serve-studio.js");
  return serveStudio(await readStudioPage(), 0);
}

/** As it is built and shipped; the address keeps a bundler from following it. */
async function fromCommandLine<T>(file: string): Promise<T> {
  const built = new URL("../../cli/dist/studio/", folderOfScripts());
  return import(/* @vite-ignore */ new URL(file, built).href);
}

/** These files run as they are under the tests, and compiled into a folder below from the command line. */
export function folderOfScripts(): URL {
  const here = new URL(".", import.meta.url);
  return here.pathname.endsWith("/dist/") ? new URL("../", here) : here;
}
