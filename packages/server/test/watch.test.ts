import { expect, it } from "vitest";
import { readConfig } from "../src/config.js";
import { Watch } from "../src/watch.js";
import { configJson } from "./support/service-folder.js";

it("warns the operator in the log, and nowhere else, if a count took longer than a tick", () => {
  const lines: string[] = [];
  const watch = new Watch(readConfig(configJson()), { codes: [] }, (line) => lines.push(line));
  watch.event({ event: "count-slow", dataset: "visits" });
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { level: "warn", event: "slow", dataset: "visits" },
  ]);
});
