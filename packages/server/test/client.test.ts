/**
 * The typed client of the examples, as someone makes it: types from the description of a running service, a strict compilation, and a run that
 * asks, pays once, and gets the stored answer the second time. Its tools are locked like all others, so nothing is fetched.
 */
import { execFile } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, it, onTestFinished } from "vitest";
import { startService } from "../src/listen.js";
import { countedInMemory, KEYS, serviceFolder } from "./support/service-folder.js";

const CLIENT = fileURLToPath(new URL("../../../examples/client/", import.meta.url));
const FILES = ["client.ts", "package.json", "tsconfig.json"];

it("a client with types from the service's description compiles and runs", async () => {
  const folder = await serviceFolder({ listen: { port: 0 }, "datasets/visits/allow/k": 5 });
  onTestFinished(folder.remove);
  writeFileSync(join(folder.path, "areas.txt"), "about\narts\nbooks\njobs\nmail\nmaps\nnews\n");
  const running = await startService(folder.config, { ...folder.host, openRows: countedInMemory(folder) });
  onTestFinished(() => running.close());
  await running.ready;

  mkdirSync(join(CLIENT, ".cache"), { recursive: true });
  const place = mkdtempSync(join(CLIENT, ".cache", "test-"));
  onTestFinished(() => rmSync(place, { recursive: true, force: true }));
  for (const file of FILES) copyFileSync(join(CLIENT, file), join(place, file));
  const tools = createRequire(join(CLIENT, "package.json"));
  const bin = (name: string) => {
    const manifest = join(CLIENT, "node_modules", name, "package.json");
    const { bin: given } = JSON.parse(readFileSync(manifest, "utf8"));
    return tools.resolve(join(CLIENT, "node_modules", name, given.tsc ?? given[name]));
  };
  const env = { ...process.env, SERVICE: running.address, WINNOW_KEY: KEYS.alice.key };
  const node = async (...given: string[]) =>
    (await promisify(execFile)(process.execPath, given, { cwd: place, env })).stdout;

  await node(bin("openapi-typescript"), `${running.address}openapi.json`, "-o", "winnow.d.ts");
  expect(readFileSync(join(place, "winnow.d.ts"), "utf8")).toContain('"/v1/ledger/consistency"');
  await node(bin("typescript"), "-p", "tsconfig.json");
  const [first, second] = [await node("client.js"), await node("client.js")];
  expect(first).toMatch(
    /^It costs ε = 0\.25.*\nA new release:\n( {2}[a-z]+, ahead by \d+\n){5}Of your cap of ε = 3, ε = 2\.75 is left/,
  );
  expect(second).toMatch(/\nThe stored release:\n/);
  expect(second.split("\n").slice(2)).toEqual(first.split("\n").slice(2));

  // A question that the service has no field for doesn't compile.
  const client = readFileSync(join(place, "client.ts"), "utf8");
  writeFileSync(join(place, "client.ts"), client.replace('kind: "top"', 'kind: "topp"'));
  await expect(node(bin("typescript"), "-p", "tsconfig.json")).rejects.toMatchObject({
    stdout: expect.stringContaining("topp"),
  });
});
