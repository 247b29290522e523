/**
 * What stands before `://` in a location tells which engine it is for; a file has nothing there.
 * @module
 */

/** In small letters; undefined for a file or standard input. */
export function locationScheme(location: string): string | undefined {
  return /^([a-z][a-z0-9+.-]+):\/\//i.exec(location)?.[1]?.toLowerCase();
}
