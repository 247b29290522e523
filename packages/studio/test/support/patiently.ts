/**
 * How long a test waits for the page to become what it should be: a busy machine may take its time, and only the outcome
 * counts.
 * @module
 */

/** For `expect.poll(read, PATIENTLY)`, and for whatever a page is asked to do. */
export const PATIENTLY = { timeout: 120_000 };
