/**
 * From which address a request comes. That is the address of the connection, because a header can say anything, unless the
 * connection is from a proxy that the operator trusts: then it is the last address in `X-Forwarded-For` that isn't such a proxy.
 * The client may have written all that stands before, so it is ignored.
 * @module
 */
import { BlockList, isIP } from "node:net";

/** A client can send any number of addresses; no chain of proxies is that long. */
const MOST_HOPS = 20;

export class TrustedProxies {
  readonly #networks = new BlockList();

  /** Addresses and networks, such as `10.0.0.0/8`, that `isNetwork` accepts. */
  constructor(networks: readonly string[]) {
    for (const network of networks) {
      const [address = "", bits] = network.split("/");
      const family = familyOf(address);
      if (bits === undefined) this.#networks.addAddress(address, family);
      else this.#networks.addSubnet(address, Number(bits), family);
    }
  }

  /** Whether connections from there may speak for others. */
  has(address: string): boolean {
    const plain = plainAddress(address);
    return isIP(plain) !== 0 && this.#networks.check(plain, familyOf(plain));
  }

  /** Who asks: `connection` is the address at the other end, `forwarded` the header. */
  client(connection: string, forwarded: string | undefined): string {
    let client = connection;
    const hops = (forwarded ?? "").split(",").slice(-MOST_HOPS);
    while (this.has(client)) {
      const next = hops.pop()?.trim() ?? "";
      if (isIP(next) === 0) break; // the proxy that we know last
      client = next;
    }
    return plainAddress(client);
  }
}

/** Whether it is an address or a network of them. */
export function isNetwork(text: string): boolean {
  const [address = "", bits, ...more] = text.split("/");
  const kind = isIP(address);
  if (kind === 0 || more.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (kind === 4 ? 32 : 128));
}

/** An IPv4 address that a socket for IPv6 reports as `::ffff:…`, without that. */
function plainAddress(address: string): string {
  return /^::ffff:(\d{1,3}(\.\d{1,3}){3})$/i.exec(address)?.[1] ?? address;
}

function familyOf(address: string): "ipv4" | "ipv6" {
  return isIP(address) === 4 ? "ipv4" : "ipv6";
}
