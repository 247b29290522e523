/**
 * The two threads of the studio. Both run the same script.
 * @module
 */

/** Whether this thread has a page to draw. */
export const isPage = typeof document !== "undefined";

/** The text of this script, from the function that the build puts around it (scripts/own-source.ts). */
declare const ownSource: () => string;

/**
 * A worker that runs this script. It is made of a blob, which inherits the page's content security policy: `connect-src 'none'`
 * binds it too, whichever server the page came from; and it starts from a file on disk as well.
 */
export function startThread(name: string): Worker {
  const url = URL.createObjectURL(new Blob([ownSource()], { type: "text/javascript" }));
  return new Worker(url, { name });
}
