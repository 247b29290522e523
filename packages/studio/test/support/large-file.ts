/**
 * A file that takes a while to count: 700,000 people in 1,000 areas.
 * @module
 */
const ROWS = Array.from({ length: 700_000 }, (_, row) => `u${row},a${row % 1000}`);

export const LARGE_FILE = { name: "visits.csv", content: ["user,area", ...ROWS].join("\n") };
