/**
 * Stands between the service and its database, as the name or the address does that a platform moves from one server to the
 * next: new connections go to the current target, and each message may be held back for a while.
 * @module
 */
import { connect, createServer, type Server, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

export class DatabaseProxy {
  readonly #server: Server;
  readonly #clients = new Set<Socket>();
  /** The port that new connections go to. */
  target: number;
  /** In milliseconds, for each message of the service. */
  delay = 0;

  private constructor(target: number) {
    this.target = target;
    this.#server = createServer((client) => this.#join(client));
  }

  static async start(target: number): Promise<DatabaseProxy> {
    const proxy = new DatabaseProxy(target);
    await new Promise<void>((resolve) => proxy.#server.listen(0, "127.0.0.1", resolve));
    return proxy;
  }

  #join(client: Socket): void {
    this.#clients.add(client);
    const server = connect(this.target, "127.0.0.1");
    const end = () => {
      this.#clients.delete(client);
      client.destroy();
      server.destroy();
    };
    for (const socket of [client, server]) socket.on("error", end).on("close", end);
    server.pipe(client);
    let sent = Promise.resolve();
    client.on("data", (bytes) => {
      sent = sent.then(async () => {
        if (this.delay > 0) await sleep(this.delay);
        server.write(bytes);
      });
    });
  }

  /** Breaks the connections that are open. */
  cut(): void {
    for (const client of this.#clients) client.destroy();
  }

  /** The same address, through the proxy. */
  through(url: string): string {
    const address = this.#server.address();
    if (address === null || typeof address === "string") throw new Error("the proxy has no port");
    return url.replace(/:\d+\//, `:${address.port}/`);
  }

  stop(): void {
    this.cut();
    this.#server.close();
  }
}
