/**
 * What only the operator's machines should reach, on a port of its own: the probes and the metrics. Metrics may depend on how
 * long rows took (private), so nothing of them is on the port for analysts. No request here is limited, logged or counted.
 * @module
 */
import { Hono } from "hono";
import { forJson } from "winnow-release";
import { METRICS_TYPE } from "../metrics.js";
import { codeOf } from "../problems.js";
import type { Service } from "../service.js";

export type State = "ok" | "starting" | "stopping";

export interface Readiness {
  readonly status: 200 | 503;
  readonly body: { readonly status: State | "failing"; readonly reason?: string };
  /** The code of the error behind it, for the operator. */
  readonly cause?: string;
}

/** Whether requests will be served, from memory. */
export async function readinessOf(service: Pick<Service, "pulse">, state: State): Promise<Readiness> {
  const { failure } = await service.pulse.state();
  const cause = failure === undefined ? {} : { cause: codeOf(failure) ?? "unexpected" };
  const status = state === "ok" && failure !== undefined ? "failing" : state;
  if (status === "ok") return { status: 200, body: { status } };
  return { status: 503, body: { status, reason: REASONS[status] }, ...cause };
}

/** Why a service isn't ready. */
const REASONS = {
  starting: "The rows are being counted.",
  stopping: "The service is stopping.",
  failing: "The ledger doesn't answer, or can't be used.",
};

export interface OperatorOptions {
  readonly service: Pick<Service, "pulse">;
  readonly state: () => State;
  readonly metrics: () => Promise<string>;
}

export function createOperatorApp({ service, state, metrics }: OperatorOptions): Hono {
  const app = new Hono();
  const json = { "Content-Type": "application/json; charset=utf-8" };
  app.get("/health", (context) => context.body(`${forJson({ status: state() })}\n`, 200, json));
  app.get("/ready", async (context) => {
    const { status, body } = await readinessOf(service, state());
    return context.body(`${forJson(body)}\n`, status, json);
  });
  app.get("/metrics", async (context) =>
    context.body(await metrics(), 200, { "Content-Type": METRICS_TYPE }),
  );
  return app;
}
