/**
 * In place of the clients of PostgreSQL and ClickHouse, which only the npm package carries.
 * @module
 */
import { Refusal } from "winnow-release";

throw new Refusal(
  "usage",
  "PostgreSQL and ClickHouse need the npm package winnow-cli: run the same command with `npx winnow-cli`.",
);

// The names that our code imports from the clients.
export const [ClickHouseLogLevel, createClient, DatabaseError]: unknown[] = [];
export default undefined;
