/**
 * Trino on loopback, a coordinator and, if asked for, a worker, from the libraries that `mvn -f bench/trino process-classes`
 * fetches. It has the catalogs `memory`, whose tables live in the workers, and `tpch`, which generates rows. Plain HTTP takes
 * any name; HTTPS wants a token.
 * @module
 */
import { execFileSync } from "node:child_process";
import { createHmac, randomBytes } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { request } from "node:http";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { makeCertificate } from "./certificate.js";
import { onFreePorts, ServerProcess, serverFolder } from "./server-process.js";

const TOKEN_KEY = randomBytes(32);
const CATALOGS = {
  memory: "connector.name=memory\nmemory.max-data-per-node=256MB\n",
  tpch: "connector.name=tpch\n",
};
/** A quick start, and little memory for a query. */
const SMALL = {
  jvm: [
    ...["-Xmx1536M", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"],
    ...["-XX:+UnlockDiagnosticVMOptions", "-XX:-BytecodeVerificationRemote"],
  ],
  queryMemory: "512MB",
};
/** For long queries over many groups. */
const LARGE = { jvm: ["-Xmx11G", "-XX:+UseG1GC"], queryMemory: "7GB" };
type NodeSize = typeof SMALL;

/** The folder of the libraries, or undefined if they or Java are missing. */
export function locateTrino(): string | undefined {
  const target = findTarget(dirname(fileURLToPath(import.meta.url)));
  try {
    execFileSync("java", ["-version"], { stdio: "ignore" });
  } catch {
    return undefined;
  }
  return target;
}

/** This file runs as it is, and compiled. */
function findTarget(from: string): string | undefined {
  for (let folder = from; folder !== dirname(folder); folder = dirname(folder)) {
    const target = join(folder, "trino", "target");
    if (existsSync(join(target, "plugin"))) return target;
  }
  return undefined;
}

class TrinoNode {
  readonly #target: string;
  readonly #folder: string;
  readonly #size: NodeSize;
  #process: ServerProcess;

  constructor(target: string, folder: string, size: NodeSize) {
    this.#target = target;
    this.#folder = folder;
    this.#size = size;
    this.#process = this.#spawn();
  }

  #spawn(): ServerProcess {
    const settings = [
      "-Djdk.attach.allowAttachSelf=true",
      "-Dnode.environment=test",
      `-Dnode.data-dir=${join(this.#folder, "data")}`,
      `-Dconfig=${join(this.#folder, "config.properties")}`,
    ];
    const classes = [join(this.#target, "classes"), join(this.#target, "lib", "*")].join(":");
    return new ServerProcess(
      "java",
      [...this.#size.jvm, ...settings, "-cp", classes, "StartTrino"],
      this.#folder,
      {
        isOurs: true,
      },
    );
  }

  get pid(): number | undefined {
    return this.#process.pid;
  }

  started(answers: () => Promise<boolean>): Promise<void> {
    return this.#process.started(answers);
  }

  async crash(): Promise<void> {
    this.#process.kill();
    await this.#process.ended();
  }

  restart(): void {
    this.#process = this.#spawn();
  }

  stop(): Promise<void> {
    return this.#process.stop("SIGKILL");
  }
}

interface Ports {
  readonly http: number;
  readonly https: number;
  readonly worker: number;
}

export class TrinoCluster {
  readonly certificate: string;
  readonly #ports: Ports;
  readonly #coordinator: TrinoNode;
  readonly #worker: TrinoNode | undefined;

  private constructor(
    ports: Ports,
    certificate: string,
    coordinator: TrinoNode,
    worker: TrinoNode | undefined,
  ) {
    this.#ports = ports;
    this.certificate = certificate;
    this.#coordinator = coordinator;
    this.#worker = worker;
  }

  /** Rows are read by the worker if there is one, else by the coordinator. */
  static start({ hasWorker = false, isLarge = false } = {}): Promise<TrinoCluster> {
    const size = isLarge ? LARGE : SMALL;
    return onFreePorts(3, async ([http, https, worker]) => {
      const target = locateTrino();
      if (target === undefined) throw new Error("Trino is not installed");
      const ports = { http, https, worker };
      const folder = await serverFolder("trino");
      const tls = await makeCertificate(folder);
      await writeCoordinator(folder, target, ports, size, tls, !hasWorker);
      const coordinator = new TrinoNode(target, folder, size);
      const second = hasWorker
        ? new TrinoNode(target, await writeWorker(target, ports, size), size)
        : undefined;
      const cluster = new TrinoCluster(ports, tls.certificate, coordinator, second);
      try {
        await cluster.#answers();
        return cluster;
      } catch (error) {
        await cluster.stop();
        throw error;
      }
    });
  }

  async #answers(): Promise<void> {
    await this.#coordinator.started(async () => (await this.#ask("GET", "/v1/info")).starting === false);
    const nodes = this.#worker === undefined ? 1 : 2;
    // A node that is active may not have its catalogs yet: rows of one are read too.
    const ask = `SELECT (SELECT count(*) FROM system.runtime.nodes WHERE state = 'active')
      FROM tpch.tiny.region LIMIT 1`;
    const isUp = async () => Number((await this.sql(ask))[0][0]) === nodes;
    await (this.#worker ?? this.#coordinator).started(isUp);
  }

  get port(): number {
    return this.#ports.http;
  }

  get pids(): (number | undefined)[] {
    return [this.#coordinator.pid, this.#worker?.pid];
  }

  url(path = "memory/default"): string {
    return `trino://winnow@127.0.0.1:${this.#ports.http}/${path}`;
  }

  /** With TLS, whose certificate no authority has signed. */
  secureUrl(password?: string): string {
    const account = password === undefined ? "winnow" : `winnow:${encodeURIComponent(password)}`;
    return `trinos://${account}@127.0.0.1:${this.#ports.https}/memory/default`;
  }

  /** A token for the account that expires in `seconds` seconds. */
  token(seconds: number): string {
    const encoded = (part: object) => Buffer.from(JSON.stringify(part)).toString("base64url");
    const now = Math.floor(Date.now() / 1000);
    const body = `${encoded({ alg: "HS256", typ: "JWT" })}.${encoded({ sub: "winnow", iat: now, exp: now + seconds })}`;
    return `${body}.${createHmac("sha256", TOKEN_KEY).update(body).digest("base64url")}`;
  }

  /** Runs a statement to its end, and gives its rows. */
  async sql(statement: string): Promise<unknown[][]> {
    const rows: unknown[][] = [];
    let page = await this.#ask("POST", "/v1/statement", statement);
    for (;;) {
      if (page.error !== undefined) throw new Error(page.error.message);
      rows.push(...(page.data ?? []));
      if (page.nextUri === undefined) return rows;
      page = await this.#ask("GET", page.nextUri.slice(page.nextUri.indexOf("/v1/")));
    }
  }

  #ask(method: string, path: string, body?: string): Promise<Page> {
    const headers = { "X-Trino-User": "winnow", "X-Trino-Catalog": "memory", "X-Trino-Schema": "default" };
    const options = {
      host: "127.0.0.1",
      port: this.#ports.http,
      method,
      path,
      headers,
      agent: false as const,
    };
    return new Promise((resolve, reject) => {
      const asked = request(options, async (response) => {
        const parts: Buffer[] = await response.toArray();
        if (response.statusCode === 200) resolve(JSON.parse(Buffer.concat(parts).toString("utf8")));
        else reject(new Error(`Trino answers ${response.statusCode}`));
      });
      asked.on("error", reject);
      asked.end(body);
    });
  }

  /** Dies at once. */
  async crashWorker(): Promise<void> {
    await this.#worker?.crash();
  }

  async restartWorker(): Promise<void> {
    this.#worker?.restart();
    await this.#answers();
  }

  async crashCoordinator(): Promise<void> {
    await this.#coordinator.crash();
  }

  async restartCoordinator(): Promise<void> {
    this.#coordinator.restart();
    await this.#answers();
  }

  async stop(): Promise<void> {
    await Promise.all([this.#coordinator.stop(), this.#worker?.stop()]);
  }
}

interface Page {
  readonly starting?: boolean;
  readonly nextUri?: string;
  readonly data?: unknown[][];
  readonly error?: { readonly message: string };
}

async function writeCoordinator(
  folder: string,
  target: string,
  { http, https }: Ports,
  size: NodeSize,
  { certificate, key }: { certificate: string; key: string },
  readsRows: boolean,
): Promise<void> {
  const keystore = join(folder, "keystore.pem");
  await writeFile(keystore, readFileSync(key, "utf8") + readFileSync(certificate, "utf8"));
  await writeFile(join(folder, "token-key"), TOKEN_KEY.toString("base64"));
  await writeNode(folder, target, http, http, size, [
    "coordinator=true",
    `node-scheduler.include-coordinator=${readsRows}`,
    "http-server.https.enabled=true",
    `http-server.https.port=${https}`,
    `http-server.https.keystore.path=${keystore}`,
    "http-server.authentication.type=JWT",
    "http-server.authentication.allow-insecure-over-http=true",
    `http-server.authentication.jwt.key-file=${join(folder, "token-key")}`,
  ]);
}

async function writeWorker(target: string, { http, worker }: Ports, size: NodeSize): Promise<string> {
  const folder = await serverFolder("trino-worker");
  await writeNode(folder, target, worker, http, size, ["coordinator=false"]);
  return folder;
}

async function writeNode(
  folder: string,
  target: string,
  port: number,
  coordinator: number,
  size: NodeSize,
  lines: readonly string[],
): Promise<void> {
  const catalogs = join(folder, "catalog");
  await mkdir(catalogs);
  for (const [name, text] of Object.entries(CATALOGS))
    await writeFile(join(catalogs, `${name}.properties`), text);
  const settings = [
    `http-server.http.port=${port}`,
    "node.bind-ip=127.0.0.1",
    "node.internal-address=127.0.0.1",
    `discovery.uri=http://127.0.0.1:${coordinator}`,
    "internal-communication.shared-secret=of these tests",
    `plugin.dir=${join(target, "plugin")}`,
    `catalog.config-dir=${catalogs}`,
    `query.max-memory-per-node=${size.queryMemory}`,
    // What waits for a node that died, or works for one, gives up soon.
    "query.remote-task.max-error-duration=5s",
    "task.client.timeout=5s",
    ...lines,
  ];
  await writeFile(join(folder, "config.properties"), settings.join("\n"));
}
