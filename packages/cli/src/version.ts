/**
 * Name and version of this program, from its own package.
 * @module
 */
import { readFileSync } from "node:fs";

const { name, version } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")) as {
  name: string;
  version: string;
};

export const SOFTWARE = { name, version } as const;
