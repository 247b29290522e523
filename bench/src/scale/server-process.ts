/**
 * A database server as a child of this process: in a folder of its own under the system's temporary one, on free ports of
 * the loopback interface, as an unprivileged user if we are root, and ended with us whatever happens.
 * @module
 */
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { randomInt } from "node:crypto";
import { chown, mkdtemp, rm } from "node:fs/promises";
import { createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

const NOBODY = 65_534;
/** In milliseconds; long, for other programs may keep the machine busy. */
const LONGEST_START = 240_000;
const LONGEST_STOP = 20_000;
/** Below those of outgoing connections. */
const PORTS = [20_000, 32_000] as const;
const ATTEMPTS = 3;
/** Where servers listen, and where no server does: a server that listens there has reserved the port. */
const [HERE, RESERVED] = ["127.0.0.1", "127.0.0.2"];

/** Servers refuse to run as root. */
const identity = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};

/** A folder that the server may write to. */
export async function serverFolder(name: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), `winnow-${name}-`));
  await giveToServer(folder);
  return folder;
}

export async function giveToServer(path: string): Promise<void> {
  if (identity.uid !== undefined) await chown(path, identity.uid, identity.gid);
}

/** Starts a program that needs `count` ports. Another program may take a port before the start: then it tries other ports. */
export async function onFreePorts<T>(count: number, start: (ports: number[]) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await start(await freePorts(count));
    } catch (error) {
      if (attempt === ATTEMPTS) throw error;
    }
  }
}

/** Different ports that no program listens on now, and that the system gives to no outgoing connection by itself. */
async function freePorts(count: number): Promise<number[]> {
  const ports: number[] = [];
  while (ports.length < count) {
    const port = randomInt(...PORTS);
    if ((await reserve(port)) && (await isFree(port))) ports.push(port);
  }
  return ports;
}

/** As long as this process lives no other one takes the port by `freePorts`, not even while the server on it is down. */
async function reserve(port: number): Promise<boolean> {
  const listener = await listen(port, RESERVED);
  listener?.unref();
  return listener !== undefined;
}

async function isFree(port: number): Promise<boolean> {
  const listener = await listen(port, HERE);
  if (listener === undefined) return false;
  await new Promise((resolve) => listener.close(resolve));
  return true;
}

/** Undefined if another program listens there. */
function listen(port: number, host: string): Promise<Server | undefined> {
  return new Promise((resolve, reject) => {
    const listener = createServer();
    listener.once("error", (error: NodeJS.ErrnoException) =>
      error.code === "EADDRINUSE" ? resolve(undefined) : reject(error),
    );
    listener.listen(port, host, () => resolve(listener));
  });
}

/** Runs a command to its end as the server's user. */
export async function runAsServer(command: string, args: readonly string[], cwd: string): Promise<void> {
  await promisify(execFile)(command, [...args], { cwd, ...identity });
}

export class ServerProcess {
  readonly #child: ChildProcess;
  readonly #folder: string;
  readonly #ended: Promise<void>;
  #hasEnded = false;
  readonly #killWithUs = () => this.kill();

  /** `isOurs` runs it as ourselves: a server that doesn't mind being root, and reads what only we may. */
  constructor(command: string, args: readonly string[], folder: string, { isOurs = false } = {}) {
    this.#folder = folder;
    // Also if we are killed, which no handler sees.
    const withUs = ["--pdeathsig", "KILL", "--", command, ...args];
    this.#child = spawn("setpriv", withUs, { cwd: folder, stdio: "ignore", ...(!isOurs && identity) });
    this.#ended = new Promise((resolve) => {
      const end = () => {
        this.#hasEnded = true;
        resolve();
      };
      this.#child.once("exit", end);
      this.#child.once("error", end);
    });
    process.once("exit", this.#killWithUs);
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** Waits until the server answers; throws if it ends or takes too long. */
  async started(answers: () => Promise<boolean>): Promise<void> {
    const deadline = Date.now() + LONGEST_START;
    for (;;) {
      const isUp = await answers().catch(() => false);
      // Looked at afterwards, because another program may have answered at this port.
      if (this.#hasEnded) throw new Error(`the server in ${this.#folder} ended while it started`);
      if (isUp) return;
      if (Date.now() > deadline) throw new Error(`the server in ${this.#folder} does not answer`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  /** At once, as a crash would. */
  kill(): void {
    this.#child.kill("SIGKILL");
  }

  /** Ends the server with its own ways if it can, and removes its folder. */
  async stop(signal: NodeJS.Signals = "SIGTERM"): Promise<void> {
    this.#child.kill(signal);
    const patience = setTimeout(() => this.kill(), LONGEST_STOP);
    await this.#ended;
    clearTimeout(patience);
    process.off("exit", this.#killWithUs);
    await rm(this.#folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  }

  /** After a crash: waits for the end, so that the folder can be used again. */
  async ended(): Promise<void> {
    await this.#ended;
    process.off("exit", this.#killWithUs);
  }
}
