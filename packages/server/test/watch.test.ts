import { expect, it } from "vitest";
import { readConfig } from "../src/config.js";
import type { Limits } from "../src/limits.js";
import type { Service } from "../src/service.js";
import { Watch } from "../src/watch.js";
import { configJson } from "./support/service-folder.js";

it("warns the operator, in the log and in the metrics, if a count took longer than a tick", async () => {
  const lines: string[] = [];
  const watch = new Watch(readConfig(configJson()), "1.2.3", (line) => lines.push(line));
  const pulse = { state: async () => ({ failure: undefined, sequence: 1 }) };
  const idle = {
    datasets: () => [],
    pulse,
    budgetsLeft: async () => ({ visits: 0.5 }),
  } as unknown as Service;
  const metrics = () => watch.metrics(idle, { queue: { length: 0, running: 0 } } as Limits);
  expect(await metrics()).toContain('winnow_counts_slow_total{dataset="visits"} 0');
  watch.event({ event: "count-slow", dataset: "visits" });
  const page = await metrics();
  expect(page).toContain('winnow_counts_slow_total{dataset="visits"} 1\n');
  expect(page).toContain('winnow_budget_left_share{dataset="visits"} 0.5\n');
  expect(page).toContain('winnow_info{version="1.2.3"} 1\n');
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { level: "warn", event: "slow", dataset: "visits" },
  ]);
});
