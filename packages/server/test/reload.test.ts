import { request } from "node:https";
import { connect, type PeerCertificate } from "node:tls";
import { afterEach, expect, it } from "vitest";
import { newKey } from "../src/authenticate.js";
import { readConfig } from "../src/config.js";
import { type RunningService, type StartOptions, startService } from "../src/listen.js";
import {
  type Changes,
  changedConfig,
  countedInMemory,
  KEYS,
  type ServiceFolder,
  serviceFolder,
} from "./support/service-folder.js";
import {
  CERTIFICATE,
  OTHER_CERTIFICATE,
  OTHER_PRIVATE_KEY,
  PRIVATE_KEY,
} from "./support/test-certificate.js";

let folder: ServiceFolder | undefined;
let running: RunningService | undefined;
const lines: string[] = [];

const PORT: Changes = { listen: { port: 0 } };

async function start(options: StartOptions = {}): Promise<RunningService> {
  folder = await serviceFolder(PORT);
  lines.length = 0;
  const host = { ...folder.host, openRows: countedInMemory(folder) };
  running = await startService(folder.config, host, { write: (line) => lines.push(line), ...options });
  await running.ready;
  return running;
}

afterEach(async () => {
  await running?.close();
  folder?.remove();
});

const changed = (changes: Changes) => readConfig(changedConfig({ ...PORT, ...changes }));
const status = async (key: string, path = "v1/datasets") =>
  (await fetch(running!.address + path, { headers: { authorization: `Bearer ${key}` } })).status;
const told = () =>
  lines
    .splice(0)
    .map((line) => JSON.parse(line))
    .filter(({ event }) => event !== "slow");

it("a running service takes new keys, forgets revoked ones, and changes caps", async () => {
  const { reload } = await start();
  const fresh = newKey();
  const { alice, bob } = KEYS;
  expect([await status(alice.key), await status(bob.key), await status(fresh.key)]).toEqual([200, 200, 401]);
  await reload(
    changed({
      "analysts/alice/keys": [{ hash: fresh.hash, label: "phone" }],
      "analysts/bob/caps": {},
      "analysts/eve": { keys: [{ hash: newKey().hash, expires: "2999-01-01" }], caps: {} },
    }),
  );
  told();
  expect([await status(alice.key), await status(bob.key), await status(fresh.key)]).toEqual([401, 200, 200]);
  expect(told().map(({ event, because, key }) => because ?? key ?? event)).toEqual([
    "unknown-key",
    "request",
    "phone",
  ]);
  expect(await status(bob.key, "v1/datasets/visits/budget")).toBe(403);
  const metrics = await (await fetch(`${running!.operatorAddress}metrics`)).text();
  expect(metrics).toMatch(/winnow_key_expires_seconds \d{10}/);
});

it.each<[string, Changes, RegExp]>([
  [
    "a cap above the budget",
    { "analysts/alice/caps": { visits: { epsilon: 100 } } },
    /analysts\.alice\.caps/,
  ],
  ["an analyst without a key", { "analysts/bob/keys": [] }, /analysts\.bob must have keys or a subject/],
  [
    "a key of two",
    { "analysts/bob/keys": [KEYS.alice.hash] },
    /analysts must be a list in which all keys differ/,
  ],
  ["another tick", { tick: 21 }, /^tick has changed, which takes a restart/],
  ["another data set", { "datasets/visits/maxAge": 5 }, /^datasets has changed, which takes a restart/],
])("takes nothing from a configuration with %s, and says so", async (_, change, sentence) => {
  const { reload } = await start();
  told();
  const fresh = newKey();
  const next = () => changed({ "analysts/eve": { keys: [fresh.hash], caps: {} }, ...change });
  await expect(reload(next())).rejects.toThrow(sentence);
  expect([await status(KEYS.alice.key), await status(fresh.key)]).toEqual([200, 401]);
  expect(told()[0]).toMatchObject({ level: "warn", event: "reload-refused" });
});

/** What a new connection is shown. */
function certificate(): Promise<PeerCertificate> {
  const { hostname, port } = new URL(running!.address);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, { rejectUnauthorized: false }, () => {
      resolve(socket.getPeerCertificate());
      socket.destroy();
    });
    socket.on("error", reject);
  });
}

it("changes its certificate, and keeps the old one if the new one doesn't fit its key", async () => {
  const { reload } = await start({ tls: { key: PRIVATE_KEY, cert: CERTIFICATE } });
  const old = (await certificate()).fingerprint256;
  await expect(reload(changed({}), { key: PRIVATE_KEY, cert: OTHER_CERTIFICATE })).rejects.toThrow();
  await expect(reload(changed({}), { key: "nothing", cert: CERTIFICATE })).rejects.toThrow();
  expect((await certificate()).fingerprint256).toBe(old);
  await reload(changed({}), { key: OTHER_PRIVATE_KEY, cert: OTHER_CERTIFICATE });
  expect((await certificate()).fingerprint256).not.toBe(old);
  const answered = await new Promise((resolve, reject) => {
    const asked = request(`${running!.address}health`, { ca: OTHER_CERTIFICATE }, (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    asked.on("error", reject).end();
  });
  expect(answered).toBe(200);
});
