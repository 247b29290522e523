/**
 * How many connections one address may keep open, so that a stranger with one machine can't take all places. The proxies
 * that the operator trusts keep as many as they like.
 * @module
 */
import type { Server } from "node:net";
import type { TrustedProxies } from "./client-address.js";
import { addressBlock } from "./limits.js";

export interface ConnectionOptions {
  readonly perAddress: number;
  readonly proxies: TrustedProxies;
  /** A connection was one too many, and is closed without a word. */
  readonly onRefused: () => void;
}

export function limitConnections(
  server: Server,
  { perAddress, proxies, onRefused }: ConnectionOptions,
): void {
  const open = new Map<string, number>();
  server.on("connection", (socket) => {
    const { remoteAddress = "" } = socket;
    if (proxies.has(remoteAddress)) return;
    const address = addressBlock(remoteAddress);
    const count = (open.get(address) ?? 0) + 1;
    if (count > perAddress) {
      socket.destroy();
      onRefused();
      return;
    }
    open.set(address, count);
    socket.once("close", () => {
      const left = (open.get(address) ?? 1) - 1;
      if (left === 0) open.delete(address);
      else open.set(address, left);
    });
  });
}
