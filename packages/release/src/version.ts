/**
 * The versions of the packages that compute a release; they are part of it.
 * @module
 */

/** As in their package.json files, which a test compares. */
export const PACKAGES: Readonly<Record<string, string>> = Object.freeze({
  "winnow-dp": "0.1.0",
  "winnow-release": "0.1.0",
});
