/**
 * A server on this machine that notices whoever calls it.
 * @module
 */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

export interface Witness {
  readonly address: string;
  /** How many requests there have been. */
  seen(): number;
  forget(): void;
  close(): void;
}

export async function startWitness(): Promise<Witness> {
  let requests = 0;
  const server = createServer((_, response) => {
    requests++;
    response.writeHead(200, { "access-control-allow-origin": "*" }).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    seen: () => requests,
    forget: () => {
      requests = 0;
    },
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
