/**
 * Name and version of this program, from its own package.
 * @module
 */
import { readFileSync } from "node:fs";
import { inPackage } from "./package-folder.js";

const { name, version } = JSON.parse(readFileSync(inPackage("package.json"), "utf8")) as {
  name: string;
  version: string;
};

export const SOFTWARE = { name, version } as const;
