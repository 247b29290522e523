import { type ChildProcess, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import {
  chmodSync,
  lstatSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createInterface } from "node:readline";
import { gzipSync } from "node:zlib";
import { afterEach, describe, expect, it } from "vitest";
import { builtProgram } from "../support/built-program.js";
import { winnowHere } from "../support/in-process.js";
import { AREAS, VISITS } from "../support/visits.js";
import { ended, type Folder, folder } from "../support/winnow.js";

const KEY = `sha256:${"0".repeat(64)}`;
const CONFIG = {
  ledger: "team.ledger",
  listen: { port: 0 },
  datasets: {
    visits: {
      source: "visits.csv",
      item: "area",
      user: "user",
      domain: { kind: "list", file: "areas.txt" },
      allow: { kinds: ["top"], k: 3, epsilon: "1" },
      budget: { epsilon: 10 },
    },
  },
  analysts: { alice: { keys: [KEY], caps: { visits: { epsilon: 2 } } } },
};

let running: ChildProcess | undefined;

afterEach(() => {
  running?.kill("SIGKILL");
  running = undefined;
});

async function team(config: unknown = CONFIG): Promise<Folder> {
  const place = folder({
    "visits.csv": VISITS,
    "areas.txt": AREAS,
    "service.json": JSON.stringify(config),
  });
  const made = await winnowHere(place, [
    "budget",
    "init",
    "visits",
    "--epsilon",
    "10",
    "--ledger",
    "team.ledger",
  ]);
  expect(made.exit).toBe(0);
  return place;
}

describe("the command winnow serve", () => {
  it("prints a new key once, and adds its hash to the configuration", async () => {
    const place = await team();
    const kept = () => JSON.parse(readFileSync(place.file("service.json"), "utf8")).analysts.alice.keys;
    const before = kept();
    const { exit, stdout, stderr } = await winnowHere(place, ["serve", "service.json", "--new-key", "alice"]);
    expect(exit).toBe(0);
    expect(stdout).toMatch(/^winnow_[\w-]{48}\n$/);
    expect(stderr).not.toContain(stdout.trim());
    expect(kept()).toEqual([...before, `sha256:${createHash("sha256").update(stdout.trim()).digest("hex")}`]);
    const unknown = await winnowHere(place, ["serve", "service.json", "--new-key", "alise"]);
    expect(unknown.exit).toBe(2);
    expect(unknown.stderr).toContain('The configuration has no analyst "alise". Did you mean "alice"?');
  });

  it("writes the label and the end of a new key, and refuses an end that isn't one", async () => {
    const place = await team();
    const make = (...more: string[]) =>
      winnowHere(place, ["serve", "service.json", "--new-key", "alice", ...more]);
    const before = readFileSync(place.file("service.json"), "utf8");
    const refused = await make("--expires", "tomorrow");
    expect([refused.exit, refused.stdout]).toEqual([2, ""]);
    expect(refused.stderr).toContain("keys.1.expires must be a date or a time, such as 2030-12-31");
    expect(readFileSync(place.file("service.json"), "utf8")).toBe(before);
    expect((await make("--expires", "2999-12-31", "--label", "laptop")).exit).toBe(0);
    const { keys } = JSON.parse(readFileSync(place.file("service.json"), "utf8")).analysts.alice;
    const hash = expect.stringMatching(/^sha256:/);
    expect(keys).toEqual([KEY, { hash, label: "laptop", expires: "2999-12-31" }]);
    const alone = await winnowHere(place, ["serve", "service.json", "--label", "laptop"]);
    expect(alone.stderr).toContain("--label and --expires belong to --new-key.");
  });

  it("adds a hash without changing the mode of the configuration, where a link leads to, five at once", async () => {
    const place = await team();
    const path = place.file("service.json");
    const kept = () => JSON.parse(readFileSync(path, "utf8")).analysts.alice.keys;
    const before = kept().length;
    chmodSync(path, 0o600);
    symlinkSync("service.json", place.file("link.json"));
    const made = await Promise.all(
      [1, 2, 3, 4, 5].map(() => ended(place.start(["serve", "link.json", "--new-key", "alice"]))),
    );
    expect(made.map(({ exit, stderr }) => [exit, /force/.test(stderr)])).toEqual(made.map(() => [0, false]));
    const hashes = made.map(
      ({ stdout }) => `sha256:${createHash("sha256").update(stdout.trim()).digest("hex")}`,
    );
    expect(kept().slice(before).sort()).toEqual(hashes.sort());
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(lstatSync(place.file("link.json")).isSymbolicLink()).toBe(true);
    expect(readdirSync(place.path).filter((name) => name.startsWith("."))).toEqual([]);
  });

  it("says if other accounts can write the configuration", async () => {
    const place = await team();
    const check = () => winnowHere(place, ["serve", "service.json", "--check"]);
    chmodSync(place.file("service.json"), 0o644);
    expect((await check()).stderr).not.toContain("Other accounts");
    chmodSync(place.file("service.json"), 0o666);
    expect((await check()).stderr).toContain("Other accounts can write the configuration");
  });

  it("says if keys and answers would travel in the clear", async () => {
    const told = async (listen: object) => {
      const place = await team({ ...CONFIG, listen });
      return (await winnowHere(place, ["serve", "service.json", "--check"])).stderr;
    };
    const inTheClear = "without TLS, so keys and answers travel in the clear";
    expect(await told({ host: "0.0.0.0" })).toContain(inTheClear);
    expect(await told({ host: "0.0.0.0", trustedProxies: ["10.0.0.0/8"] })).not.toContain(inTheClear);
    expect(await told({ host: "::1" })).not.toContain(inTheClear);
  });

  it("checks the configuration, the ledger and the sources, and says what is wrong", async () => {
    const place = await team();
    const fine = await winnowHere(place, ["serve", "service.json", "--check"]);
    expect([fine.exit, fine.stdout]).toEqual([
      0,
      "The configuration, the ledger and the sources are fine.\n",
    ]);
    const wrong = await team({ ...CONFIG, tik: 5 });
    const refused = await winnowHere(wrong, ["serve", "service.json", "--check"]);
    expect(refused.exit).toBe(2);
    expect(refused.stderr).toContain('The configuration has the unknown field "tik". Did you mean "tick"?');
    const none = await winnowHere(place, ["serve"]);
    expect(none.stderr).toContain("winnow serve needs the file of its configuration.");
    const missing = await winnowHere(folder({ "service.json": JSON.stringify(CONFIG) }), [
      "serve",
      "service.json",
    ]);
    expect(missing.stderr).toContain("There is no ledger at");
  });

  it("says in a check if counting takes longer than a tick, and whose rows couldn't be counted", async () => {
    const place = await team({ ...CONFIG, tick: 1 });
    const slow = await winnowHere(place, ["serve", "service.json", "--check"]);
    expect([slow.exit, slow.stdout]).toEqual([
      0,
      "The configuration, the ledger and the sources are fine.\n",
    ]);
    expect(slow.stderr).toContain(
      "Counting datasets.visits took longer than the tick of 1 ms, so analysts can see how many ticks its rows take. Choose a longer tick.",
    );
    const { visits } = CONFIG.datasets;
    const packed = await team({ ...CONFIG, datasets: { visits: { ...visits, source: "visits.csv.gz" } } });
    const lines = Array.from({ length: 100_000 }, (_, person) => `${person * 7919},maps`);
    const whole = gzipSync(`user,area\n${lines.join("\n")}\n`);
    writeFileSync(packed.file("visits.csv.gz"), whole.subarray(0, -100));
    const failed = await winnowHere(packed, ["serve", "service.json", "--check"]);
    expect([failed.exit, failed.stdout]).toEqual([4, ""]);
    expect(failed.stderr).toContain("The rows of datasets.visits couldn't be counted.");
  });

  it("reads keys again on SIGHUP, keeps the old ones if the file is wrong, and opens nothing on SIGUSR1", async () => {
    const place = await team();
    const started = spawn(process.execPath, [builtProgram(), "serve", "service.json"], {
      cwd: place.path,
      stdio: ["ignore", "pipe", "pipe"],
    });
    running = started;
    let told = "";
    started.stderr.on("data", (text) => {
      told += text;
    });
    const [address] = await once(createInterface({ input: started.stdout }), "line");
    const { stdout: key } = await winnowHere(place, ["serve", "service.json", "--new-key", "alice"]);
    const status = async () =>
      (await fetch(`${address}v1/datasets`, { headers: { authorization: `Bearer ${key.trim()}` } })).status;
    expect(await status()).toBe(401);
    started.kill("SIGHUP");
    await expect.poll(() => told, { timeout: 10_000 }).toContain('"event":"reloaded"');
    expect(await status()).toBe(200);
    writeFileSync(place.file("service.json"), JSON.stringify({ ...CONFIG, tick: 7 }));
    started.kill("SIGHUP");
    await expect.poll(() => told, { timeout: 10_000 }).toContain("tick has changed, which takes a restart");
    writeFileSync(place.file("service.json"), "{");
    started.kill("SIGHUP");
    await expect.poll(() => told, { timeout: 10_000 }).toContain("must be JSON");
    expect(await status()).toBe(200);
    started.kill("SIGUSR1");
    expect(await status()).toBe(200);
    expect(told).not.toMatch(/debugger|inspector|9229/i);
    started.kill("SIGTERM");
    expect(await once(started, "exit")).toEqual([0, null]);
    expect(told).not.toMatch(/debugger/i);
  });

  it("says in a check that the identity provider doesn't answer", async () => {
    const issuer = "http://127.0.0.1:1";
    const place = await team({ ...CONFIG, oidc: { issuer, audience: "winnow" } });
    const checked = await winnowHere(place, ["serve", "service.json", "--check"]);
    expect(checked.exit).toBe(4);
    expect(checked.stderr).toContain(`The identity provider ${issuer} doesn't answer with its keys`);
  });

  it("serves until SIGTERM, and ends well", async () => {
    const place = await team();
    running = spawn(process.execPath, [builtProgram(), "serve", "service.json"], {
      cwd: place.path,
      stdio: ["ignore", "pipe", "ignore"],
    });
    const [address] = await once(createInterface({ input: running.stdout! }), "line");
    expect((await fetch(`${address}health`)).status).toBe(200);
    expect((await fetch(`${address}v1/datasets`)).status).toBe(401);
    running.kill("SIGTERM");
    expect(await once(running, "exit")).toEqual([0, null]);
  });
});
