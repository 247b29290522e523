/**
 * Stands between a client and a server on loopback and counts the bytes that cross in each direction.
 * @module
 */
import { connect, createServer, type Server } from "node:net";

export class CountingProxy {
  sent = 0;
  received = 0;
  readonly #server: Server;

  private constructor(target: number) {
    this.#server = createServer((client) => {
      const server = connect(target, "127.0.0.1");
      client.on("data", (bytes) => (this.sent += bytes.length));
      server.on("data", (bytes) => (this.received += bytes.length));
      for (const socket of [client, server]) socket.on("error", () => socket.destroy());
      client.pipe(server).pipe(client);
    });
  }

  static async start(target: number): Promise<CountingProxy> {
    const proxy = new CountingProxy(target);
    await new Promise<void>((resolve) => proxy.#server.listen(0, "127.0.0.1", resolve));
    return proxy;
  }

  get port(): number {
    const address = this.#server.address();
    if (address === null || typeof address === "string") throw new Error("the proxy has no port");
    return address.port;
  }

  stop(): void {
    this.#server.close();
  }
}

/** The address with the proxy's port. */
export function through(proxy: CountingProxy, url: string): string {
  return url.replace(/:\d+\//, `:${proxy.port}/`);
}
