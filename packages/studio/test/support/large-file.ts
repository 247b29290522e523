/**
 * A file that takes a while to count: 250,000 people in 1,000 areas.
 * @module
 */
const ROWS = Array.from({ length: 250_000 }, (_, row) => `u${row},a${row % 1000}`);

export const LARGE_FILE = { name: "visits.csv", content: ["user,area", ...ROWS].join("\n") };
