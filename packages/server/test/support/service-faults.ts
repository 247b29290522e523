/**
 * What can happen to a service that isn't the fault of its database: how to provoke it, what an analyst sees, and what is charged. The
 * sentences are the second table of docs/guide/running-faults.md, and service-faults.test.ts holds the service to the outcomes.
 * @module
 */
import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { exportJWK, generateKeyPair, SignJWT } from "jose";
import { openLedger } from "../../../cli/src/ledger/open-ledger.js";
import { Connection } from "../../../cli/src/ledger/sqlite-connection.js";
import type { Host } from "../../src/host.js";
import { type RunningService, startService } from "../../src/listen.js";
import {
  type Changes,
  changedConfig,
  countedInMemory,
  KEYS,
  type ServiceFolder,
  serviceFolder,
} from "./service-folder.js";
import { formFor, ServiceProcess } from "./team.js";

export interface ServiceFault {
  readonly title: string;
  readonly sees: string;
  readonly charged: string;
  /** Makes it happen to a service of its own. */
  readonly provoke: () => Promise<Came>;
  readonly expected: Came;
}

/** What an analyst saw, in order, with what may differ as a list; and how many releases the ledger has in the end. */
export interface Came {
  readonly seen: readonly (string | readonly string[])[];
  readonly charged: number;
}

const PRICE = "1/1000";
const [MADE, STORED, BROKEN] = ["201", "200", "0"];
const UNAVAILABLE = "503 ledger-unavailable";

/** A token's, or a key's; `signal` hangs up. */
interface AskOptions {
  readonly credential?: string;
  readonly signal?: AbortSignal;
}

/** Asks for a release, and gives the status with the code of a problem; 0 if the connection broke. */
async function ask(
  address: string,
  key: string,
  { credential = KEYS.bob.key, signal }: AskOptions = {},
): Promise<string> {
  try {
    const response = await fetch(new URL("/v1/datasets/visits/releases", address), {
      method: "POST",
      headers: {
        authorization: `Bearer ${credential}`,
        "content-type": "application/json",
        "idempotency-key": key,
      },
      body: JSON.stringify(formFor(key, PRICE)),
      signal: signal ?? null,
    });
    const { code } = await response.json();
    return response.ok ? String(response.status) : `${response.status} ${code}`;
  } catch {
    return BROKEN;
  }
}

/** A folder with a service in this process. */
class Stage {
  readonly folder: ServiceFolder;
  readonly #host: Host;
  #running: RunningService;

  private constructor(folder: ServiceFolder, host: Host, running: RunningService) {
    this.folder = folder;
    this.#host = host;
    this.#running = running;
  }

  static async open(changes: Changes = {}, own: (host: Host) => Partial<Host> = () => ({})): Promise<Stage> {
    const folder = await serviceFolder({ listen: { port: 0 }, tick: 5, ...changes });
    const machine = { ...folder.host, openRows: countedInMemory(folder) };
    const host = { ...machine, ...own(machine) };
    const running = await startService(folder.config, host);
    await running.ready;
    return new Stage(folder, host, running);
  }

  get running(): RunningService {
    return this.#running;
  }

  get ledger(): string {
    return join(this.folder.path, "team.ledger");
  }

  ask(key: string, options?: AskOptions): Promise<string> {
    return ask(this.#running.address, key, options);
  }

  /** The next process over the same files. */
  async again(): Promise<void> {
    this.#running = await startService(this.folder.config, this.#host);
    await this.#running.ready;
  }

  async end(seen: Came["seen"]): Promise<Came> {
    await this.#running.close();
    const charged = existsSync(this.ledger) ? await chargedIn(this.ledger) : 0;
    this.folder.remove();
    return { seen, charged };
  }
}

async function chargedIn(path: string): Promise<number> {
  const ledger = await openLedger(path);
  const { releases } = await ledger.account("visits");
  await ledger.close();
  return releases;
}

/** Rows whose count waits until it is let go. */
function held({ openRows }: Host) {
  const [begun, opened] = [new Gate(), new Gate()];
  const own: Partial<Host> = {
    openRows: async (...given) => {
      const rows = await openRows(...given);
      return {
        ...rows,
        async *count(wanted, options) {
          begun.open();
          await opened.passed;
          yield* rows.count(wanted, options);
        },
      };
    },
  };
  return { own, begun: begun.passed, letGo: () => opened.open() };
}

class Gate {
  open = () => {};
  readonly passed = new Promise<void>((resolve) => {
    this.open = resolve;
  });
}

/** A stage whose counts wait, and what lets them go. */
async function heldStage(changes: Changes = {}) {
  let gate: ReturnType<typeof held> | undefined;
  const stage = await Stage.open({ "datasets/visits/maxAge": 0, ...changes }, (host) => {
    gate = held(host);
    return gate.own;
  });
  return { stage, begun: gate!.begun, letGo: gate!.letGo };
}

/** A folder with a service as a process of its own. */
async function processStage(changes: Changes) {
  const json = { listen: { port: 0 }, "datasets/unlisted": undefined, "datasets/minutes": undefined };
  const all = { ...json, "analysts/alice": undefined, ...changes };
  const folder = await serviceFolder(all);
  const file = join(folder.path, "service.json");
  writeFileSync(file, JSON.stringify(changedConfig(all)));
  const start = async () => {
    const started = new ServiceProcess(file);
    await started.ready();
    return started;
  };
  const outcome = async (service: ServiceProcess, key: string) => {
    const { status, code } = await service.release("visits", KEYS.bob.key, key, formFor(key, PRICE));
    return code === undefined ? String(status) : `${status} ${code}`;
  };
  return { ledger: join(folder.path, "team.ledger"), start, outcome, remove: folder.remove };
}

export const SERVICE_FAULTS: readonly ServiceFault[] = [
  {
    title: "process killed while a release is on its way, and started again",
    sees: "The connection breaks. The same key returns the answer if it was charged, and makes it otherwise.",
    charged: "Each release once.",
    provoke: async () => {
      // Charged at the first tick, answered at the second.
      const { ledger, start, outcome, remove } = await processStage({ tick: 2000 });
      const first = await start();
      const charged = outcome(first, "k1");
      while ((await chargedIn(ledger)) === 0) await sleep(100);
      const early = outcome(first, "k2");
      await first.kill();
      const seen = [await charged, await early];
      const second = await start();
      seen.push(await outcome(second, "k1"), await outcome(second, "k2"));
      await second.kill();
      const came = { seen, charged: await chargedIn(ledger) };
      remove();
      return came;
    },
    // On a slow machine the first answer leaves before the process is killed.
    expected: { seen: [[BROKEN, MADE], BROKEN, STORED, MADE], charged: 2 },
  },
  {
    title: "process asked to stop while requests are on their way",
    sees: "Releases under way are answered. What waits gets `shutting-down`, and the same key makes it later.",
    charged: "What was answered.",
    provoke: async () => {
      const { stage, begun, letGo } = await heldStage({ "limits/concurrent": 1 });
      const first = stage.ask("k1");
      await begun;
      const second = stage.ask("k2");
      while ((await waitingIn(stage.running)) === 0) await sleep(10);
      const closed = stage.running.close();
      const refused = await second;
      letGo();
      const answered = await first;
      await closed;
      await stage.again();
      return stage.end([answered, refused, await stage.ask("k1"), await stage.ask("k2")]);
    },
    expected: { seen: [MADE, "503 shutting-down", STORED, MADE], charged: 2 },
  },
  {
    title: "the analyst hangs up",
    sees: "Nothing. The same key returns the answer.",
    charged: "Nothing if the rows weren't reached yet; otherwise in full.",
    provoke: async () => {
      const { stage, begun, letGo } = await heldStage({ "limits/concurrent": 1 });
      const [counting, waiting] = [new AbortController(), new AbortController()];
      const first = stage.ask("k1", { signal: counting.signal });
      await begun;
      const second = stage.ask("k2", { signal: waiting.signal });
      while ((await waitingIn(stage.running)) === 0) await sleep(10);
      waiting.abort();
      counting.abort();
      const seen = [await first, await second];
      while ((await waitingIn(stage.running)) > 0) await sleep(10);
      letGo();
      while ((await chargedIn(stage.ledger)) === 0) await sleep(10);
      return stage.end([...seen, await stage.ask("k1")]);
    },
    expected: { seen: [BROKEN, BROKEN, STORED], charged: 1 },
  },
  {
    title: "a release takes longer than `limits.time`",
    sees: "`still-running`. The same key returns the answer when it is there.",
    charged: "Once.",
    provoke: async () => {
      const { stage, letGo } = await heldStage({ "limits/time": 1 });
      const late = await stage.ask("k1");
      letGo();
      while ((await chargedIn(stage.ledger)) === 0) await sleep(10);
      return stage.end([late, await stage.ask("k1")]);
    },
    expected: { seen: ["503 still-running", STORED], charged: 1 },
  },
  {
    title: "more requests at once than may wait",
    sees: "`too-many-requests`, at once. The others are answered in their turn.",
    charged: "What was answered.",
    provoke: async () => {
      const { stage, begun, letGo } = await heldStage({ "limits/concurrent": 1, "limits/waiting": 1 });
      const first = stage.ask("k1");
      await begun;
      const second = stage.ask("k2");
      while ((await waitingIn(stage.running)) === 0) await sleep(10);
      const refused = await stage.ask("k3");
      letGo();
      return stage.end([refused, await first, await second]);
    },
    expected: { seen: ["429 too-many-requests", MADE, MADE], charged: 2 },
  },
  {
    title: "the rows can't be reached",
    sees: "`source-unavailable`, until they can.",
    charged: "Nothing.",
    provoke: async () => {
      const stage = await Stage.open({ "datasets/visits/maxAge": 0 });
      const rows = join(stage.folder.path, "visits.csv");
      renameSync(rows, `${rows}.away`);
      const refused = await stage.ask("k1");
      const charged = await chargedIn(stage.ledger);
      renameSync(`${rows}.away`, rows);
      return stage.end([refused, `charged ${charged}`, await stage.ask("k1")]);
    },
    expected: { seen: ["503 source-unavailable", "charged 0", MADE], charged: 1 },
  },
  {
    title: "a count fails on the rows",
    sees: "`count-failed`, at the tick of an answer, for the same key again and again.",
    charged: "In full: a refusal for nothing would tell something about the rows.",
    provoke: async () => {
      const stage = await Stage.open({ "datasets/visits/maxAge": 0 }, ({ openRows }) => ({
        openRows: async (...given) => ({
          ...(await openRows(...given)),
          // biome-ignore lint/correctness/useYield: it fails before the first batch
          async *count() {
            throw new Error("a row");
          },
        }),
      }));
      const refused = await stage.ask("k1");
      const spent = (await stage.running.service.budget("bob", "visits")).cap.spent.epsilon;
      return stage.end([refused, `spent ${spent}`, await stage.ask("k1")]);
    },
    expected: { seen: ["422 count-failed", "spent 0.001", "422 count-failed"], charged: 0 },
  },
  {
    title: "the disk of a ledger in a file is full",
    sees: "`ledger-unavailable`, until there is room; old answers as before.",
    charged: "Nothing.",
    provoke: async () => {
      const { ledger, start, outcome, remove } = await processStage({ tick: 5 });
      const service = await start();
      const limit = (most: string) =>
        execFileSync("prlimit", ["--pid", String(service.pid), `--fsize=${most}`]);
      const seen = [await outcome(service, "k1")];
      limit("0:unlimited");
      seen.push(await outcome(service, "k2"), await outcome(service, "k1"));
      limit("unlimited:unlimited");
      seen.push(await outcome(service, "k2"));
      await service.terminate();
      const came = { seen, charged: await chargedIn(ledger) };
      remove();
      return came;
    },
    expected: { seen: [MADE, UNAVAILABLE, STORED, MADE], charged: 2 },
  },
  {
    title: "another program keeps the ledger's file locked",
    sees: "`ledger-unavailable` after three seconds, all that wait together; then answers.",
    charged: "Nothing meanwhile.",
    provoke: async () => {
      const stage = await Stage.open();
      const other = await Connection.open(stage.ledger, 1000);
      const [locked, free] = [new Gate(), new Gate()];
      const holding = other.writing(async () => {
        locked.open();
        await free.passed;
      });
      await locked.passed;
      const keys = ["k1", "k2", "k3"];
      const refused = await Promise.all(keys.map((key) => stage.ask(key)));
      free.open();
      await holding;
      other.close();
      return stage.end([...refused, ...(await Promise.all(keys.map((key) => stage.ask(key))))]);
    },
    expected: { seen: [UNAVAILABLE, UNAVAILABLE, UNAVAILABLE, MADE, MADE, MADE], charged: 3 },
  },
  {
    title: "the ledger's file is deleted, replaced or put back to an older copy",
    sees: "`ledger-unavailable` for everything, until an operator has the newest copy and starts the service again.",
    charged: "Nothing more: the service knows what is gone (`ledger-replaced` in its log).",
    provoke: async () => {
      const stage = await Stage.open();
      const made = await stage.ask("k1");
      for (const end of ["", "-wal", "-shm"]) rmSync(stage.ledger + end, { force: true });
      const { status } = await fetch(`${stage.running.address}ready`);
      return stage.end([made, await stage.ask("k2"), `ready ${status}`]);
    },
    expected: { seen: [MADE, UNAVAILABLE, "ready 503"], charged: 0 },
  },
  {
    title: "the identity provider doesn't answer",
    sees: "`unauthenticated` for tokens whose keys the service doesn't have; keys of the configuration work.",
    charged: "What was answered.",
    provoke: async () => {
      const { issuer, token, stop } = await provider();
      const oidc = { issuer, audience: "winnow", jwks: `${issuer}/keys` };
      const analysts = { "analysts/bob/subject": "bob", oidc };
      const stage = await Stage.open(analysts);
      await stop();
      return stage.end([await stage.ask("k1", { credential: token }), await stage.ask("k1")]);
    },
    expected: { seen: ["401 unauthenticated", MADE], charged: 1 },
  },
  {
    title: "a new configuration is wrong when SIGHUP comes",
    sees: "Nothing: all of the old one stays.",
    charged: "What was answered.",
    provoke: async () => {
      const stage = await Stage.open();
      const { config } = stage.folder;
      const tooMuch = { ...config.analysts.bob!, caps: { visits: { epsilon: "1000" } } };
      const { alice } = config.analysts;
      const taken = await stage.running
        .reload({ ...config, analysts: { alice: { ...alice!, keys: [] }, bob: tooMuch } })
        .then(
          () => "taken",
          () => "refused",
        );
      return stage.end([taken, await stage.ask("k1"), await stage.ask("k1", { credential: KEYS.alice.key })]);
    },
    expected: { seen: ["refused", MADE, MADE], charged: 2 },
  },
];

/** How many requests wait for their turn, as monitoring sees it. */
async function waitingIn({ operatorAddress }: RunningService): Promise<number> {
  const page = await (await fetch(`${operatorAddress}metrics`)).text();
  return Number(/^winnow_queue_waiting (\d+)$/m.exec(page)?.[1]);
}

/** An identity provider of our own, with a token of bob's. */
async function provider() {
  const { privateKey, publicKey } = await generateKeyPair("ES256");
  const keys = [{ ...(await exportJWK(publicKey)), kid: "one", alg: "ES256" }];
  const server = createServer((_, response) => response.end(JSON.stringify({ keys })));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const token = await new SignJWT({})
    .setProtectedHeader({ alg: "ES256", kid: "one" })
    .setIssuer(issuer)
    .setAudience("winnow")
    .setSubject("bob")
    .setExpirationTime("1h")
    .sign(privateKey);
  return { issuer, token, stop: () => new Promise((resolve) => server.close(resolve)) };
}
