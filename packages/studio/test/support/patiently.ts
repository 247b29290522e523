/**
 * How long a test waits for the page to become what it should be: a busy machine may take its time, and only the outcome
 * counts.
 * @module
 */

/** For `expect.poll(read, PATIENTLY)`. */
export const PATIENTLY = { timeout: 60_000 };
