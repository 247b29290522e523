import { copyFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { openLedger } from "../../cli/src/ledger/open-ledger.js";
import { Watch } from "../src/watch.js";
import { ask, openService, serviceFolder, TOP } from "./support/service-folder.js";

const RELEASES = "/v1/datasets/visits/releases";

async function running() {
  const folder = await serviceFolder();
  onTestFinished(folder.remove);
  const opened = await openService(folder);
  onTestFinished(() => opened.service.close());
  const path = join(folder.path, "team.ledger");
  const release = async (key: string) => (await ask(opened.app, RELEASES, { body: TOP, key })).status;
  const lines: { level: string; event: string; code?: string }[] = [];
  const watch = new Watch(folder.config, "0.0.0", (line) => lines.push(JSON.parse(line)));
  const told = () => {
    for (const request of opened.requests.splice(0)) watch.request(request);
    for (const event of opened.events.splice(0)) watch.event(event);
    return lines.splice(0).map(({ level, event, code }) => `${level} ${event} ${code}`);
  };
  return { ...opened, path, release, told };
}

it("a service whose ledger was put back to an older copy charges nothing more, isn't ready, and logs an error", async () => {
  const { app, path, release, told } = await running();
  expect(await release("one")).toBe(201);
  const copy = await openLedger(path);
  await copy.close(); // all rows are in the file
  copyFileSync(path, `${path}.old`);
  expect(await release("two")).toBe(201);
  expect((await app.request("/ready")).status).toBe(200);
  for (const end of ["-wal", "-shm"]) rmSync(path + end, { force: true });
  renameSync(`${path}.old`, path);
  told();
  expect(await release("three")).toBe(503);
  expect((await app.request("/ready")).status).toBe(503);
  expect(told()).toEqual(["error failed ledger-replaced", "error failed ledger-replaced"]);
  expect(await release("four")).toBe(503);
  expect((await ask(app, "/v1/datasets/visits/budget")).status).toBe(503);
  const restored = await openLedger(path);
  expect((await restored.account("visits")).releases).toBe(1);
  await restored.close();
});

it("a service whose ledger was deleted charges nothing more, isn't ready, and logs an error", async () => {
  const { app, path, release, told } = await running();
  expect(await release("one")).toBe(201);
  for (const end of ["", "-wal", "-shm"]) rmSync(path + end, { force: true });
  told();
  expect(await release("two")).toBe(503);
  expect((await app.request("/ready")).status).toBe(503);
  expect(told()).toEqual(["error failed ledger-replaced", "error failed ledger-replaced"]);
});
