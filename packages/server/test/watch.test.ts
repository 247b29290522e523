import { expect, it } from "vitest";
import { readConfig } from "../src/config.js";
import type { Limits } from "../src/limits.js";
import type { Service } from "../src/service.js";
import { Watch } from "../src/watch.js";
import { configJson } from "./support/service-folder.js";

it("warns the operator in the log, and nowhere else, if a count took longer than a tick", async () => {
  const lines: string[] = [];
  const watch = new Watch(readConfig(configJson()), (line) => lines.push(line));
  const pulse = { state: async () => ({ failure: undefined, sequence: 1 }) };
  const idle = { datasets: () => [], pulse } as unknown as Service;
  const metrics = () => watch.metrics(idle, { queue: { length: 0, running: 0 } } as Limits);
  const before = await metrics();
  watch.event({ event: "count-slow", dataset: "visits" });
  expect(await metrics()).toBe(before); // anyone may read them
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { level: "warn", event: "slow", dataset: "visits" },
  ]);
});
