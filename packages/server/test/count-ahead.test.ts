import { expect, it, onTestFinished } from "vitest";
import type { Host } from "../src/host.js";
import { Service } from "../src/service.js";
import { countedInMemory, serviceFolder } from "./support/service-folder.js";

it("a service has counted all data sets at one time, which is public from the start, whatever each count took", async () => {
  const keeping = { "datasets/unlisted/maxAge": 3600, "datasets/minutes/maxAge": 3600 };
  const folder = await serviceFolder(keeping);
  onTestFinished(folder.remove);
  let now = 1_000_000;
  const openRows: Host["openRows"] = async (...given) => {
    const rows = await countedInMemory(folder)(...given);
    const count: typeof rows.count = (...wanted) => {
      now += 12_345;
      return rows.count(...wanted);
    };
    return { ...rows, count };
  };
  const service = await Service.open(folder.config, { ...folder.host, openRows }, { now: () => now });
  onTestFinished(() => service.close());
  const times = () => service.datasets().map(({ counted }) => counted?.began);
  const ahead = service.countAhead();
  const started = Array(3).fill(new Date(1_000_000).toISOString());
  expect(times()).toEqual(started);
  await ahead;
  expect(now).toBeGreaterThan(1_000_000 + 3 * 12_345 - 1);
  expect(times()).toEqual(started);
});
