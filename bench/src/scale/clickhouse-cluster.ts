/**
 * Two ClickHouse servers on loopback as a cluster of two shards, with an account that may write, some that may only read, and
 * TLS beside plain HTTP. Statements are sent over HTTP.
 * @module
 */
import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { makeCertificate } from "./certificate.js";
import { giveToServer, onFreePorts, ServerProcess, serverFolder } from "./server-process.js";

const INSTALLED = ["/usr/sbin/clickhouse-server", "/usr/bin/clickhouse-server"];
export const CLICKHOUSE_PASSWORD = "a secret of clickhouse";
/** The name of the cluster in `Distributed(…)`. */
export const CLUSTER = "two_shards";

interface Ports {
  readonly http: number;
  readonly https: number;
  readonly native: number;
  readonly interserver: number;
}

export function locateClickhouse(): string | undefined {
  return INSTALLED.find((path) => existsSync(path));
}

export class ClickhouseServer {
  readonly certificate: string;
  readonly #command: string;
  readonly #folder: string;
  readonly #ports: Ports;
  #process: ServerProcess;

  private constructor(command: string, folder: string, ports: Ports, certificate: string) {
    this.#command = command;
    this.#folder = folder;
    this.#ports = ports;
    this.certificate = certificate;
    this.#process = this.#spawn();
  }

  static async start(ports: Ports, shards: readonly Ports[]): Promise<ClickhouseServer> {
    const command = locateClickhouse();
    if (command === undefined) throw new Error("ClickHouse is not installed");
    const folder = await serverFolder("clickhouse");
    const { certificate, key } = await makeCertificate(folder);
    const files = {
      "config.xml": configuration(folder, ports, shards, certificate, key),
      "users.xml": USERS,
    };
    for (const [name, text] of Object.entries(files)) {
      await writeFile(join(folder, name), text);
      await giveToServer(join(folder, name));
    }
    await Promise.all([certificate, key].map(giveToServer));
    const server = new ClickhouseServer(command, folder, ports, certificate);
    try {
      await server.#answers();
      return server;
    } catch (error) {
      await server.stop();
      throw error;
    }
  }

  #spawn(): ServerProcess {
    return new ServerProcess(
      this.#command,
      [`--config-file=${join(this.#folder, "config.xml")}`],
      this.#folder,
    );
  }

  #answers(): Promise<void> {
    return this.#process.started(async () => (await this.sql("SELECT 1")) === "1");
  }

  get pid(): number | undefined {
    return this.#process.pid;
  }

  /** The port of plain HTTP. */
  get port(): number {
    return this.#ports.http;
  }

  url({ user = "winnow", password = CLICKHOUSE_PASSWORD, tls = false } = {}): string {
    const scheme = tls ? "clickhouses" : "clickhouse";
    const port = tls ? this.#ports.https : this.#ports.http;
    return `${scheme}://${user}:${encodeURIComponent(password)}@127.0.0.1:${port}/default`;
  }

  /** Runs one statement, under settings of its own, and gives what comes back. */
  async sql(statement: string, settings: Record<string, string> = {}): Promise<string> {
    const response = await fetch(`http://127.0.0.1:${this.#ports.http}/?${new URLSearchParams(settings)}`, {
      method: "POST",
      body: statement,
      headers: { "X-ClickHouse-User": "winnow", "X-ClickHouse-Key": CLICKHOUSE_PASSWORD },
    });
    const text = (await response.text()).trim();
    if (!response.ok) throw new Error(text);
    return text;
  }

  async crash(): Promise<void> {
    this.#process.kill();
    await this.#process.ended();
  }

  async restart(): Promise<void> {
    this.#process = this.#spawn();
    await this.#answers();
  }

  stop(): Promise<void> {
    return this.#process.stop();
  }
}

/** Starts both shards; the first also answers for the cluster. */
export function startCluster(): Promise<[ClickhouseServer, ClickhouseServer]> {
  return onFreePorts(8, async (ports) => {
    const shards = [ports.slice(0, 4), ports.slice(4)].map(([http, https, native, interserver]) => ({
      http,
      https,
      native,
      interserver,
    }));
    const [first, second] = await Promise.allSettled(
      shards.map((own) => ClickhouseServer.start(own, shards)),
    );
    if (first.status === "fulfilled" && second.status === "fulfilled") return [first.value, second.value];
    for (const one of [first, second]) if (one.status === "fulfilled") await one.value.stop();
    throw new Error("the cluster did not start");
  });
}

function configuration(
  folder: string,
  ports: Ports,
  shards: readonly Ports[],
  certificate: string,
  key: string,
): string {
  const replicas = shards.map(
    ({ native }) => `<shard><replica><host>127.0.0.1</host><port>${native}</port>
      <user>winnow</user><password>${CLICKHOUSE_PASSWORD}</password></replica></shard>`,
  );
  return `<?xml version="1.0"?>
<yandex>
  <logger><level>error</level><log>${folder}/log</log><errorlog>${folder}/error-log</errorlog></logger>
  <listen_host>127.0.0.1</listen_host>
  <http_port>${ports.http}</http_port>
  <https_port>${ports.https}</https_port>
  <tcp_port>${ports.native}</tcp_port>
  <interserver_http_port>${ports.interserver}</interserver_http_port>
  <openSSL><server>
    <certificateFile>${certificate}</certificateFile><privateKeyFile>${key}</privateKeyFile>
    <verificationMode>none</verificationMode><loadDefaultCAFile>true</loadDefaultCAFile>
  </server></openSSL>
  <path>${folder}/data/</path>
  <tmp_path>${folder}/tmp/</tmp_path>
  <users_config>users.xml</users_config>
  <default_profile>default</default_profile>
  <default_database>default</default_database>
  <mark_cache_size>268435456</mark_cache_size>
  <timezone>UTC</timezone>
  <remote_servers><${CLUSTER}>${replicas.join("")}</${CLUSTER}></remote_servers>
</yandex>
`;
}

const account = (name: string, profile: string) => `<${name}><password>${CLICKHOUSE_PASSWORD}</password>
  <networks><ip>127.0.0.1</ip></networks><profile>${profile}</profile><quota>default</quota></${name}>`;

const USERS = `<?xml version="1.0"?>
<yandex>
  <profiles>
    <default><max_memory_usage>10000000000</max_memory_usage></default>
    <reader><readonly>1</readonly></reader>
    <careful><readonly>2</readonly><timeout_overflow_mode>break</timeout_overflow_mode></careful>
    <hasty><readonly>1</readonly><timeout_overflow_mode>break</timeout_overflow_mode></hasty>
  </profiles>
  <users>${account("winnow", "default")}${account("reader", "reader")}${account("careful", "careful")}${account("hasty", "hasty")}</users>
  <quotas><default><interval><duration>3600</duration></interval></default></quotas>
</yandex>
`;
