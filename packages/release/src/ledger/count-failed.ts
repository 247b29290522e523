/**
 * What someone who asks is told about a count that failed after it began, whatever the reason: rows can raise any error, break
 * a connection, damage a file or take too long. The command line and the service charge it in full and say this. That the
 * count failed is an exact event, and no price makes it private: it is outside the promise (docs/limits.md).
 * @module
 */

export const COUNT_FAILED = "The rows couldn't be counted to their end, and the price counts in full.";
