/**
 * Root may open every file. Where tests run as root, a program that is started through this command keeps the account, and so
 * its way to the program itself, and loses that right.
 * @module
 */

const RIGHTS = "-dac_override,-dac_read_search";

/** To be put before a command; empty for an account that is ordinary already. */
export const ORDINARY: readonly string[] =
  process.getuid?.() === 0 ? ["setpriv", `--bounding-set=${RIGHTS}`, `--inh-caps=${RIGHTS}`] : [];
