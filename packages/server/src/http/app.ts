/**
 * The service over HTTP. A request passes, in this order: security headers, CORS if it is configured, who asks, the limits of
 * that analyst, the size of the body, its schema; then the queue. Each step refuses with a problem (RFC 9457) made of public
 * values. A stored answer leaves at once; a new release is charged at a tick of the public grid, measured from the arrival of
 * its request, and leaves at the next. Refusals of a release that was in the queue leave at a tick too.
 *
 * Asking for someone else's release returns 404, as for one that doesn't exist.
 * @module
 */
import { randomUUID } from "node:crypto";
import { Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import { cors } from "hono/cors";
import { secureHeaders } from "hono/secure-headers";
import { forJson, Refusal } from "winnow-release";
import { type Ask, readAsk } from "../ask.js";
import type { Authenticator } from "../authenticate.js";
import { TrustedProxies } from "../client-address.js";
import type { AnalystPage } from "../host.js";
import { type Limits, tooSlow } from "../limits.js";
import { releaseIdOf } from "../releases.js";
import type { Service } from "../service.js";
import type { TimeGrid } from "../time-grid.js";
import { type PhaseName, Timeline } from "../timeline.js";
import {
  type AppContext,
  bodyOf,
  found,
  JSON_TYPE,
  json,
  keyOf,
  type ObservedRequest,
  pageIn,
  refuse,
  released,
  sizeIn,
  tooLarge,
  type Variables,
  whileReading,
} from "./messages.js";
import { OPERATIONS, type Operation, type OperationName, openApiDocument } from "./openapi.js";
import { readinessOf, type State } from "./operator.js";
import { PAGE_POLICY, pageOf } from "./page.js";

export interface AppOptions {
  readonly service: Service;
  readonly authenticator: Pick<Authenticator, "authenticate">;
  readonly limits: Limits;
  readonly grid: Pick<TimeGrid, "tick" | "now" | "leave">;
  readonly version: string;
  readonly state: () => State;
  /** What analysts open in a browser. */
  readonly page?: AnalystPage | undefined;
  /** For logs and metrics, after each request: public values, and the error that no one foresaw. */
  readonly observe?: (request: ObservedRequest) => void;
}

type App = Hono<{
  Variables: Variables;
  Bindings: { incoming?: { socket?: { remoteAddress?: string } } };
}>;

type Handler = (context: AppContext) => Promise<Response>;

/** For all answers except the page: they are data, whatever a browser takes them for. */
const NO_CONTENT = "default-src 'none'; frame-ancestors 'none'";
/** A year. */
const HSTS = "max-age=31536000";

export function createApp(options: AppOptions) {
  const { service, limits, grid, version, state } = options;
  const { config } = service;
  const document = openApiDocument(version);
  const longest = config.limits.time * 1000;
  const proxies = new TrustedProxies(config.listen.trustedProxies);
  const [documentText, page] = [forJson(document), pageOf(document, options.page !== undefined)];
  const app: App = new Hono();

  app.use(async (context, next) => {
    context.set("arrivedAt", grid.now());
    context.set("arrived", new Date());
    context.set("timeline", new Timeline(() => grid.now(), context.get("arrivedAt")));
    const { remoteAddress = "" } = context.env?.incoming?.socket ?? {};
    context.set("address", proxies.client(remoteAddress, context.req.header("x-forwarded-for")));
    const request = randomUUID();
    await next();
    const { headers } = context.res;
    headers.set("X-Request-Id", request);
    headers.set("Cache-Control", "no-store");
    if (!headers.has("Content-Security-Policy")) headers.set("Content-Security-Policy", NO_CONTENT);
    const { operation, ...known } = context.var as Partial<Variables>;
    if (known.code === "ledger-unavailable" || known.code === "charge-unknown") service.pulse.forget();
    options.observe?.({
      request,
      address: context.get("address"),
      method: context.req.method,
      route: operation && OPERATIONS[operation].path,
      status: context.res.status,
      analyst: known.analyst,
      key: known.key,
      because: known.because,
      dataset: context.req.param("name"),
      code: known.code,
      cause: known.cause,
      release: known.release,
      arrived: context.get("arrived"),
      milliseconds: grid.now() - context.get("arrivedAt"),
      phases: context.get("timeline").phases(),
      traceparent: proxies.has(remoteAddress) ? context.req.header("traceparent") : undefined,
      unforeseen: known.unforeseen,
    });
  });
  app.use(
    secureHeaders({
      strictTransportSecurity: config.listen.tls === undefined ? false : HSTS,
      xFrameOptions: "DENY",
      referrerPolicy: "no-referrer",
    }),
  );
  if (config.cors.length > 0)
    app.use(
      cors({
        origin: config.cors,
        allowMethods: ["GET", "POST"],
        allowHeaders: ["Authorization", "Content-Type", "Idempotency-Key"],
        exposeHeaders: ["Location", "Retry-After", "X-Request-Id"],
        maxAge: 600,
      }),
    );

  const asking =
    <T>(answer: (request: Asked, signal: AbortSignal) => Promise<T>): Handler =>
    async (context) => {
      const request = { ...who(context), ask: readAsk(await bodyOf(context)) };
      const answered = await limits.queue.run(
        request.analyst,
        (signal) => answer(request, signal),
        context.req.raw.signal,
      );
      return json(context, 200, answered);
    };

  const createRelease: Handler = async (context) => {
    const { analyst, name } = who(context);
    const ask = readAsk(await bodyOf(context));
    const key = keyOf(context);
    const id = releaseIdOf(analyst, key);
    const timeline = context.get("timeline");
    timeline.enter("find");
    const stored = await inTime(service.stored(analyst, name, ask, key), longest, tooSlow);
    if (stored !== undefined) return released(context, stored, true);
    try {
      const [arrived, arrivedAt] = [context.get("arrived"), context.get("arrivedAt")];
      timeline.enter("queue");
      const how = {
        arrived,
        arrivedAt,
        wasSought: true,
        onPhase: (phase: PhaseName) => timeline.enter(phase),
      };
      const work = limits.queue.run(
        analyst,
        (signal) => service.release(analyst, name, ask, key, { ...how, signal }),
        context.req.raw.signal,
      );
      const left = arrivedAt + longest + grid.tick - grid.now();
      const { release, isStored } = await inTime(work, left, () => stillRunning(id));
      timeline.enter("leave");
      await grid.leave(context.get("arrivedAt"));
      return released(context, release, isStored);
    } catch (error) {
      await grid.leave(context.get("arrivedAt"));
      throw error;
    }
  };

  const handlers: Readonly<Record<OperationName, Handler>> = {
    listDatasets: async (context) => json(context, 200, { datasets: service.datasets() }),
    getDataset: async (context) => json(context, 200, service.dataset(who(context).name)),
    planRelease: asking(({ analyst, name, ask }, signal) => service.plan(analyst, name, ask, { signal })),
    costRelease: asking(({ analyst, name, ask }) => service.cost(analyst, name, ask)),
    createRelease,
    getBudget: async (context) => {
      const { analyst, name } = who(context);
      return json(context, 200, await service.budget(analyst, name));
    },
    listReleases: async (context) => {
      const { before, limit } = pageIn(context);
      const releases = await service.releases(context.get("analyst"), { before, limit });
      const last = releases.length < limit ? undefined : releases.at(-1)?.ledger?.sequence;
      return json(context, 200, { releases, ...(last !== undefined && { next: last }) });
    },
    getRelease: async (context) => found(context, await service.find(context.get("analyst"), idOf(context))),
    getProof: async (context) => found(context, await service.proof(context.get("analyst"), idOf(context))),
    getHead: async (context) => json(context, 200, await service.head()),
    getConsistency: async (context) => json(context, 200, await service.consistency(sizeIn(context))),
    getHealth: async (context) => json(context, 200, { status: state() }),
    getReadiness: async (context) => {
      const { status, body, cause } = await readinessOf(service, state());
      if (cause !== undefined) context.set("cause", cause);
      return json(context, status, body);
    },
    getDocument: async (context) => context.body(documentText, 200, JSON_TYPE),
    getPage: async (context) => {
      context.header("Content-Security-Policy", PAGE_POLICY);
      return context.html(page);
    },
  };

  /** Whatever the answer waits for; a release has its own limit, because it may be charged. */
  const timed =
    (handler: Handler): Handler =>
    (context) =>
      inTime(handler(context), longest, tooSlow);

  const limited = bodyLimit({ maxSize: config.limits.body, onError: tooLarge });
  /** After it is known who asks: a stranger's body isn't read. One whose length is stated is no longer than that. */
  const withBody =
    (handler: Handler): Handler =>
    async (context) => {
      const length = context.req.header("content-length");
      const isStated = length !== undefined && context.req.header("transfer-encoding") === undefined;
      if (!isStated) await whileReading(async () => limited(context, async () => {}));
      else if (!(Number(length) <= config.limits.body)) tooLarge();
      return handler(context);
    };

  const methods = new Map<string, string[]>();
  for (const [name, operation] of Object.entries(OPERATIONS) as [OperationName, Operation][]) {
    const path = operation.path.replace(/\{(\w+)\}/g, ":$1");
    const own = handlers[name] === createRelease ? createRelease : timed(handlers[name]);
    const handler = operation.body === undefined ? own : withBody(own);
    methods.set(path, [
      ...(methods.get(path) ?? []),
      ...(operation.method === "get" ? ["GET", "HEAD"] : ["POST"]),
    ]);
    app.on(operation.method.toUpperCase(), path, async (context, next) => {
      context.set("operation", name);
      await next();
    });
    app.on(operation.method.toUpperCase(), path, (context) =>
      operation.isPublic ? handler(context) : authenticated(context, options, handler),
    );
  }
  if (options.page !== undefined) showPage(app, options.page);
  for (const [path, allowed] of methods)
    app.all(path, (context) => {
      context.header("Allow", [...new Set(allowed)].join(", "));
      throw new Refusal("method-not-allowed", "See the Allow header, or the OpenAPI document.");
    });
  app.notFound((context) =>
    refuse(context as AppContext, new Refusal("not-found", "See the OpenAPI document.")),
  );
  app.onError((error, context) => refuse(context as AppContext, error));
  return app;
}

/** The page for analysts and its files, by their exact names. They hold nothing of this service, so anyone may read them. */
function showPage(app: App, { files, policy }: AnalystPage): void {
  app.get("/analyst", (context) => context.redirect("analyst/", 308));
  for (const [name, { type, body }] of files)
    app.get(`/analyst${name}`, (context) =>
      context.body(body, 200, {
        "Content-Type": type,
        "Content-Security-Policy": `${policy}; frame-ancestors 'none'`,
      }),
    );
}

interface Asked {
  readonly analyst: string;
  readonly name: string;
  readonly ask: Ask;
}

function who(context: AppContext): Omit<Asked, "ask"> {
  return { analyst: context.get("analyst"), name: context.req.param("name") ?? "" };
}

function idOf(context: AppContext): string {
  return context.req.param("id") ?? "";
}

/** Refused alike, whatever is wrong with the key or token. */
async function authenticated(
  context: AppContext,
  { authenticator, limits }: AppOptions,
  handler: Handler,
): Promise<Response> {
  const known = await authenticator.authenticate({ get: (name) => context.req.header(name) });
  if (known.analyst === undefined) {
    context.set("because", known.because);
    limits.stranger(context.get("address"));
    throw new Refusal(
      "unauthenticated",
      "Send a valid key as `Authorization: Bearer winnow_…`, or a valid token.",
    );
  }
  context.set("analyst", known.analyst);
  context.set("key", known.key);
  limits.analyst(known.analyst);
  return handler(context);
}

function stillRunning(release: string): Refusal {
  const sentence =
    "Ask again with the same key: when the release is recorded, its answer is returned and costs nothing more.";
  return new Refusal("still-running", sentence, { after: 5, release });
}

/** Rejects with the refusal when the time is over; the work goes on, because it may be charged. */
async function inTime<T>(work: Promise<T>, milliseconds: number, refusal: () => Refusal): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(refusal()), Math.max(0, milliseconds));
  });
  work.catch(() => {});
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
