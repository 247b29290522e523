/**
 * Starts and stops the service on a port. It answers as soon as everything is checked, and counts ahead meanwhile.
 *
 * Stopping: for a while requests are answered as before, while `/ready` is 503 and a proxy takes note. Then no new
 * connections, requests that wait are refused, and releases under way get a moment to end. A count that
 * still runs then is cancelled, which is before its charge; a release past its count is recorded and answered. So a stop costs
 * no one anything that isn't answered or can't be asked for again with the same key. Whatever hangs, such as a ledger on a server that
 * is frozen, the stop ends when its time is over.
 * @module
 */

import { once } from "node:events";
import { createServer as createPlainServer, type RequestListener, type Server } from "node:http";
import { createServer as createTlsServer, Server as TlsServer } from "node:https";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { createSecureContext } from "node:tls";
import { isDeepStrictEqual } from "node:util";
import { getRequestListener } from "@hono/node-server";
import { WinnowError } from "winnow-dp";
import { Refusal } from "winnow-release";
import { Authenticator } from "./authenticate.js";
import { TrustedProxies } from "./client-address.js";
import type { Config } from "./config.js";
import { limitConnections } from "./connections.js";
import type { Host } from "./host.js";
import { createApp } from "./http/app.js";
import { createOperatorApp, type State } from "./http/operator.js";
import { lacksHost, refuseUnreadable, unreadableResponse } from "./http/unreadable.js";
import { Limits } from "./limits.js";
import { codeOf } from "./problems.js";
import { Service, within } from "./service.js";
import { TimeGrid } from "./time-grid.js";
import { Watch } from "./watch.js";

export interface StartOptions {
  /** The operator's certificate and its key, in PEM. */
  readonly tls?: { readonly key: string; readonly cert: string } | undefined;
  /** Takes a line of the log. */
  readonly write?: ((line: string) => void) | undefined;
}

export interface RunningService {
  readonly address: string;
  /** Where probes and metrics are. */
  readonly operatorAddress: string;
  readonly service: Service;
  /** Resolves when what may be kept is counted. */
  readonly ready: Promise<void>;
  /**
   * Takes over who may ask, with their keys and caps, the identity provider and the certificate, all or nothing. Rejects, and leaves
   * everything as it was, if something is wrong or anything else has changed.
   */
  reload(config: Config, tls?: StartOptions["tls"]): Promise<void>;
  /** Resolves when all is recorded and closed. */
  close(): Promise<void>;
}

/** Between looks at connections that have become idle, and how long the last answers may take to be read. */
const PAUSE = 20;
const PATIENCE = 1000;
/** Slow senders are cut off: so long for the headers, and for a whole request. */
const HEADERS_TIMEOUT = 10_000;
const REQUEST_TIMEOUT = 30_000;
/** Longer than proxies keep an idle connection, mostly a minute: the side that asks closes it, so no request meets a closed one. */
const KEEP_ALIVE_TIMEOUT = 75_000;
const MOST_CONNECTIONS = 10_000;

/** What the operator's file says about who asks and how much. */
export function edgesOf(config: Config, onProvider?: (isAway: boolean) => void) {
  try {
    return readEdges(config, onProvider);
  } catch (error) {
    throw error instanceof WinnowError ? new Refusal("usage", `${error.message}.`) : error;
  }
}

/** An agent's analyst needs no key (`winnow mcp`); over HTTP, one without a key or a subject could never ask. */
function readEdges(
  { analysts, oidc, limits: { body: _, connectionsPerAddress: __, ...limits }, tick }: Config,
  onProvider?: (isAway: boolean) => void,
) {
  for (const [name, { keys, subject }] of Object.entries(analysts))
    if (subject === undefined && keys.length === 0)
      throw new Refusal("usage", `analysts.${name} must have keys or a subject.`);
  return {
    authenticator: new Authenticator({
      analysts: Object.entries(analysts).map(([name, { keys, subject }]) => ({ name, keys, subject })),
      oidc,
      onProvider,
    }),
    limits: new Limits(limits),
    grid: new TimeGrid(tick),
  };
}

export async function startService(
  config: Config,
  host: Host,
  options: StartOptions = {},
): Promise<RunningService> {
  const watch = new Watch(config, host.software.version, options.write);
  const onProvider = (isAway: boolean) => watch.provider(isAway);
  const { limits, grid, ...edges } = edgesOf(config, onProvider);
  let { authenticator } = edges;
  const service = await Service.open(config, host, { onEvent: (event) => watch.event(event) });
  const page = await host.readPage?.();
  let state: State = "starting";
  const app = createApp({
    service,
    authenticator: { authenticate: (headers) => authenticator.authenticate(headers) },
    limits,
    grid,
    version: host.software.version,
    state: () => state,
    page,
    observe: (request) => watch.request(request),
  });
  const server = serverFor(app.fetch, options.tls);
  limitConnections(server, {
    perAddress: config.limits.connectionsPerAddress,
    proxies: new TrustedProxies(config.listen.trustedProxies),
    onRefused: () => watch.connectionRefused(),
  });
  const operatorApp = createOperatorApp({
    service,
    state: () => state,
    metrics: () => watch.metrics(service, limits, authenticator.nextExpiry),
  });
  const operatorServer = serverFor(operatorApp.fetch, undefined);
  try {
    await listen(operatorServer, "operator", operatorEnd(config));
    await listen(server, "listen", config.listen);
  } catch (error) {
    operatorServer.close();
    await service.close();
    throw error;
  }
  watch.log.write("info", "started");
  const startedAt = grid.now();
  const counting = service.countAhead().then(async () => {
    await grid.leave(startedAt); // so that readiness doesn't show how long the rows took
    if (state === "starting") state = "ok";
  });
  return {
    address: addressOf(server.address() as AddressInfo, options.tls !== undefined),
    operatorAddress: addressOf(operatorServer.address() as AddressInfo, false),
    service,
    ready: counting,
    reload: async (next, tls) => {
      try {
        checkReload(service.config, next);
        const renewed = edgesOf(next, onProvider);
        const context = tls && createSecureContext(tls); // refuses what can't be used
        await service.reload(next);
        authenticator = renewed.authenticator;
        if (context !== undefined && server instanceof TlsServer) server.setSecureContext(tls!);
        watch.reload(next);
        watch.log.write("info", "reloaded");
      } catch (error) {
        watch.log.write("warn", "reload-refused", { code: codeOf(error) ?? "unexpected" });
        throw error;
      }
    },
    close: async () => {
      state = "stopping";
      watch.log.write("info", "stopping");
      const { drain, grace } = config.stop;
      if (drain > 0) await sleep(drain * 1000);
      const last = 2 * grid.tick + PATIENCE; // for answers that leave at a tick
      const end = performance.now() + grace * 1000;
      const left = () => Math.max(0, end - performance.now());
      const closed = new Promise((resolve) => server.close(resolve));
      await within(limits.queue.close(), (left() * 2) / 3);
      await within(service.close(left() / 2), left());
      await within(
        counting.catch(() => {}),
        left(),
      );
      // Connections that are kept alive end when their last answer has left.
      const idle = setInterval(() => server.closeIdleConnections(), PAUSE);
      await within(closed, Math.min(last, left()));
      clearInterval(idle);
      server.closeAllConnections();
      await within(closed, PATIENCE);
      operatorServer.close();
      operatorServer.closeAllConnections();
      await within(watch.close(), PATIENCE);
      watch.log.write("info", "stopped");
    },
  };
}

type Fetch = Parameters<typeof getRequestListener>[0];

function serverFor(fetch: Fetch, tls: StartOptions["tls"]) {
  const serverOptions = {
    headersTimeout: HEADERS_TIMEOUT,
    requestTimeout: REQUEST_TIMEOUT,
    keepAliveTimeout: KEEP_ALIVE_TIMEOUT,
    requireHostHeader: false, // refused by a problem instead
  };
  const read = getRequestListener(fetch, { hostname: "localhost", errorHandler: unreadableResponse });
  const unread = getRequestListener(() => unreadableResponse(), { hostname: "localhost" });
  const listener: RequestListener = (incoming, outgoing) =>
    void (lacksHost(incoming) ? unread : read)(incoming, outgoing);
  const server =
    tls === undefined
      ? createPlainServer(serverOptions, listener)
      : createTlsServer({ ...serverOptions, ...tls, minVersion: "TLSv1.2" }, listener);
  refuseUnreadable(server);
  server.maxConnections = MOST_CONNECTIONS;
  return server;
}

/** Fields that may change while the service runs. */
const RELOADED: ReadonlySet<string> = new Set(["analysts", "oidc"]);

function checkReload(now: Config, next: Config): void {
  for (const field of Object.keys({ ...now, ...next }) as (keyof Config)[])
    if (!RELOADED.has(field) && !isDeepStrictEqual(now[field], next[field]))
      throw new Refusal(
        "usage",
        `${field} has changed, which takes a restart: only analysts, oidc and the files of the certificate are read again.`,
      );
}

const REASONS: Readonly<Record<string, string>> = {
  EADDRINUSE: "is used by another program",
  EACCES: "may not be used by this account",
  EADDRNOTAVAIL: "isn't an address of this machine",
  ENOTFOUND: "isn't an address of this machine",
};

/** Resolves when the server listens at that place, which the field of the configuration says. */
async function listen(server: Server, field: string, { host, port }: End): Promise<void> {
  const listening = once(server, "listening");
  server.listen(port, host);
  await listening.catch((error: unknown) => {
    const reason = REASONS[codeOf(error) ?? ""];
    if (reason === undefined) throw error;
    throw new Refusal("usage", `${field} must be a free address; ${host}:${port} ${reason}.`);
  });
}

interface End {
  readonly host: string;
  readonly port: number;
}

/** One port above that for analysts, unless the operator says another. */
function operatorEnd({ listen, operator: { host, port } }: Config): End {
  return { host, port: port ?? (listen.port === 0 ? 0 : listen.port + 1) };
}

function addressOf({ address, port, family }: AddressInfo, isTls: boolean): string {
  return `http${isTls ? "s" : ""}://${family === "IPv6" ? `[${address}]` : address}:${port}/`;
}
