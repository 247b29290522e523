/**
 * Starts and stops the service on a port. It answers as soon as everything is checked, and counts ahead meanwhile.
 *
 * Stopping: no new connections, requests that wait are refused, and releases under way get a moment to end. What is still
 * counting then is cancelled, which is before its charge; what is past it is recorded and answered. So a stop costs
 * no one anything that isn't answered or can't be asked for again with the same key.
 * @module
 */
import { createServer as createPlainServer } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { createAdaptorServer } from "@hono/node-server";
import { Authenticator } from "./authenticate.js";
import type { Config } from "./config.js";
import type { Host } from "./host.js";
import { createApp, type ObservedRequest } from "./http/app.js";
import { Limits } from "./limits.js";
import { Service, type ServiceEvent } from "./service.js";
import { TimeGrid } from "./time-grid.js";

export interface StartOptions {
  /** The operator's certificate and its key, in PEM. */
  readonly tls?: { readonly key: string; readonly cert: string } | undefined;
  readonly onRequest?: (request: ObservedRequest) => void;
  readonly onEvent?: (event: ServiceEvent) => void;
  readonly metrics?: () => string;
}

export interface RunningService {
  readonly address: string;
  readonly service: Service;
  /** Resolves when all is recorded and closed. */
  close(): Promise<void>;
}

/** How long releases under way may take to end, in milliseconds. */
const GRACE = 10_000;
/** Slow senders are cut off: so long for the headers, and for a whole request. */
const HEADERS_TIMEOUT = 10_000;
const REQUEST_TIMEOUT = 30_000;
const MOST_CONNECTIONS = 10_000;

/** What the operator's file says about who asks and how much. */
export function edgesOf({ analysts, oidc, limits: { body: _, ...limits }, tick }: Config) {
  return {
    authenticator: new Authenticator({
      analysts: Object.entries(analysts).map(([name, { keys, subject }]) => ({ name, keys, subject })),
      oidc,
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
  const { authenticator, limits, grid } = edgesOf(config);
  const { onEvent, onRequest, metrics } = options;
  const service = await Service.open(config, host, { ...(onEvent !== undefined && { onEvent }) });
  let state: "ok" | "starting" | "stopping" = "starting";
  const app = createApp({
    service,
    authenticator,
    limits,
    grid,
    version: host.software.version,
    state: () => state,
    ...(onRequest !== undefined && { observe: onRequest }),
    ...(metrics !== undefined && { metrics }),
  });
  const server = serverFor(app.fetch, options.tls);
  try {
    await new Promise<void>((resolve, reject) => {
      server.once("error", reject);
      server.listen(config.listen.port, config.listen.host, resolve);
    });
  } catch (error) {
    await service.close();
    throw error;
  }
  const counting = service.countAhead().then(() => {
    if (state === "starting") state = "ok";
  });
  return {
    address: addressOf(server.address() as AddressInfo, options.tls !== undefined),
    service,
    close: async () => {
      state = "stopping";
      const closed = new Promise((resolve) => server.close(resolve));
      await Promise.race([limits.queue.close(), sleep(GRACE, undefined, { ref: false })]);
      await service.close();
      await counting.catch(() => {});
      server.closeIdleConnections();
      await Promise.race([closed, sleep(2 * grid.tick + 1000, undefined, { ref: false })]);
      server.closeAllConnections();
      await closed;
    },
  };
}

function serverFor(fetch: ReturnType<typeof createApp>["fetch"], tls: StartOptions["tls"]) {
  const serverOptions = { headersTimeout: HEADERS_TIMEOUT, requestTimeout: REQUEST_TIMEOUT };
  const server =
    tls === undefined
      ? createAdaptorServer({ fetch, createServer: createPlainServer, serverOptions })
      : createAdaptorServer({
          fetch,
          createServer: createTlsServer,
          serverOptions: { ...serverOptions, ...tls, minVersion: "TLSv1.2" },
        });
  server.maxConnections = MOST_CONNECTIONS;
  return server as ReturnType<typeof createPlainServer>;
}

function addressOf({ address, port, family }: AddressInfo, isTls: boolean): string {
  return `http${isTls ? "s" : ""}://${family === "IPv6" ? `[${address}]` : address}:${port}/`;
}
