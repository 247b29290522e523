/**
 * Stands between the program and a server until a count is under way. Then its answer is held back, something happens to the
 * server, and the connection breaks. Connections that come meanwhile wait for that. So nothing depends on how long anything
 * takes.
 * @module
 */
import { connect, createServer, type Server, type Socket } from "node:net";

/** Stands in every statement that counts, of either engine. */
const COUNTING = /winnow_users|count\(DISTINCT/;

export class BreakingProxy {
  readonly #server: Server;
  readonly #target: number;
  readonly #happen: () => Promise<void>;
  #happened: Promise<void> | undefined;

  private constructor(target: number, happen: () => Promise<void>) {
    this.#target = target;
    this.#happen = happen;
    this.#server = createServer((client) => void this.#join(client));
  }

  static async start(target: number, happen: () => Promise<void>): Promise<BreakingProxy> {
    const proxy = new BreakingProxy(target, happen);
    await new Promise<void>((resolve) => proxy.#server.listen(0, "127.0.0.1", resolve));
    return proxy;
  }

  async #join(client: Socket): Promise<void> {
    client.on("error", () => client.destroy());
    await this.#happened;
    const server = connect(this.#target, "127.0.0.1");
    server.on("error", () => server.destroy());
    server.pipe(client);
    let said = "";
    client.on("data", (bytes) => {
      said += bytes.toString("latin1");
      if (this.#happened === undefined && COUNTING.test(said)) {
        server.unpipe(client);
        this.#happened = this.#happen().finally(() => client.destroy());
      }
      server.write(bytes);
    });
    client.on("close", () => server.destroy());
  }

  /** The same address, through the proxy. */
  through(url: string): string {
    const address = this.#server.address();
    if (address === null || typeof address === "string") throw new Error("the proxy has no port");
    return url.replace(/:\d+\//, `:${address.port}/`);
  }

  stop(): void {
    this.#server.close();
  }
}
