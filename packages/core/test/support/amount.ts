/**
 * How much a test tries. Every run of the suite tries a part, so that it stays within minutes; `PROVE=all`, which is what the
 * nightly run sets, tries all of it.
 * @module
 */
export function amount(part: number, all: number): number {
  return process.env.PROVE === "all" ? all : part;
}
