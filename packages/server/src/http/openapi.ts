/**
 * The operations of the service, and the OpenAPI 3.1 document that describes them. The router registers exactly these
 * operations, and the schemas are those that requests are read with and answers are tested against.
 * @module
 */
import { entryOf } from "winnow-release";
import { z } from "zod";
import type { ProblemCode } from "../problems.js";
import { KEY } from "../releases.js";
import { SCHEMAS, type SchemaName } from "./schemas.js";

interface Parameter {
  readonly name: string;
  readonly in: "path" | "query" | "header";
  readonly description: string;
  readonly required?: boolean;
  readonly schema: Readonly<Record<string, unknown>>;
}

export interface Operation {
  readonly method: "get" | "post";
  readonly path: string;
  readonly summary: string;
  readonly description?: string;
  /** Whether anyone may ask. */
  readonly isPublic?: true;
  readonly parameters?: readonly Parameter[];
  readonly body?: SchemaName;
  /** By status: what is answered, a schema or a media type. */
  readonly answers: Readonly<
    Record<number, { readonly description: string; readonly schema?: SchemaName; readonly media?: string }>
  >;
  readonly problems: readonly ProblemCode[];
}

export const MOST_LISTED = 100;

const name: Parameter = {
  name: "name",
  in: "path",
  required: true,
  description: "The name of the data set.",
  schema: { type: "string", pattern: "^[A-Za-z0-9][A-Za-z0-9_-]{0,79}$" },
};

const id: Parameter = {
  name: "id",
  in: "path",
  required: true,
  description: "The id of the release: your name, a dot, and its idempotency key.",
  schema: { type: "string", minLength: 1, maxLength: 200 },
};

/** What every request with a key can run into. */
const ALWAYS: readonly ProblemCode[] = [
  "invalid-request",
  "unauthenticated",
  "too-many-requests",
  "unexpected",
  "ledger-unavailable",
  "busy",
  "shutting-down",
];
const ASKING: readonly ProblemCode[] = [
  ...ALWAYS,
  "not-allowed",
  "not-found",
  "not-answerable",
  "request-too-large",
  "not-json",
  "still-running",
];

export const OPERATIONS = {
  listDatasets: {
    method: "get",
    path: "/v1/datasets",
    summary: "What may be asked of each data set",
    answers: { 200: { description: "All data sets, in public terms.", schema: "Datasets" } },
    problems: ALWAYS,
  },
  getDataset: {
    method: "get",
    path: "/v1/datasets/{name}",
    summary: "What may be asked of one data set",
    parameters: [name],
    answers: { 200: { description: "The data set, in public terms.", schema: "Dataset" } },
    problems: [...ALWAYS, "not-found"],
  },
  planRelease: {
    method: "post",
    path: "/v1/datasets/{name}/plan",
    summary: "What an answer would be worth",
    description:
      "Touches no rows and costs nothing: it follows from the question, and from a public twin of the rows if there is one.",
    parameters: [name],
    body: "Ask",
    answers: { 200: { description: "What to expect.", schema: "Plan" } },
    problems: ASKING,
  },
  costRelease: {
    method: "post",
    path: "/v1/datasets/{name}/cost",
    summary: "What an answer would cost, and whether that fits now",
    description: "Touches no rows and costs nothing.",
    parameters: [name],
    body: "Ask",
    answers: { 200: { description: "The price.", schema: "Cost" } },
    problems: ASKING,
  },
  createRelease: {
    method: "post",
    path: "/v1/datasets/{name}/releases",
    summary: "Make a release",
    description:
      "Charges the budget and your cap, stores the answer, and returns it. The same key with the same question returns the stored answer and charges nothing; with another question it is refused. A new release is charged at a tick of a public grid, and its answer leaves at the next.",
    parameters: [
      name,
      {
        name: "Idempotency-Key",
        in: "header",
        required: true,
        description: "Choose a new one for each question, such as a UUID, and repeat it to ask again.",
        schema: { type: "string", pattern: KEY.source },
      },
    ],
    body: "Ask",
    answers: {
      200: { description: "The stored release of this key; nothing was charged.", schema: "Release" },
      201: { description: "A new release; it is charged and stored.", schema: "Release" },
    },
    problems: [
      ...ASKING,
      "over-budget",
      "count-failed",
      "release-id-taken",
      "charge-unknown",
      "source-unavailable",
      "witness-away",
      "witness-disagrees",
    ],
  },
  getBudget: {
    method: "get",
    path: "/v1/datasets/{name}/budget",
    summary: "What is left of the budget and of your cap",
    parameters: [name],
    answers: { 200: { description: "Exactly and in words.", schema: "Budget" } },
    problems: [...ALWAYS, "not-allowed", "not-found"],
  },
  listReleases: {
    method: "get",
    path: "/v1/releases",
    summary: "Your releases, the newest first",
    parameters: [
      {
        name: "before",
        in: "query",
        description: "Only those before this entry of the ledger.",
        schema: { type: "integer", minimum: 1, maximum: Number.MAX_SAFE_INTEGER },
      },
      {
        name: "limit",
        in: "query",
        description: "How many at most.",
        schema: { type: "integer", minimum: 1, maximum: MOST_LISTED, default: 20 },
      },
    ],
    answers: { 200: { description: "A page of them.", schema: "Releases" } },
    problems: ALWAYS,
  },
  getRelease: {
    method: "get",
    path: "/v1/releases/{id}",
    summary: "One of your releases",
    parameters: [id],
    answers: { 200: { description: "As it was stored.", schema: "Release" } },
    problems: [...ALWAYS, "not-found"],
  },
  getProof: {
    method: "get",
    path: "/v1/releases/{id}/proof",
    summary: "Proof that one of your releases is in the ledger",
    parameters: [id],
    answers: { 200: { description: "A path to the root of the tree over all entries.", schema: "Proof" } },
    problems: [...ALWAYS, "not-found"],
  },
  getHead: {
    method: "get",
    path: "/v1/ledger/head",
    summary: "The last entry of the ledger, and the root over all entries",
    answers: { 200: { description: "Keep it: a later ledger must contain it.", schema: "Head" } },
    problems: ALWAYS,
  },
  getConsistency: {
    method: "get",
    path: "/v1/ledger/consistency",
    summary: "Proof that the ledger has only grown since an earlier head",
    description:
      "Compare both roots with those of heads that you, or someone else, kept: a root of another size is another root.",
    parameters: [
      {
        name: "size",
        in: "query",
        required: true,
        description: "The number of entries of the earlier head, its `sequence`.",
        schema: { type: "integer", minimum: 1, maximum: Number.MAX_SAFE_INTEGER },
      },
    ],
    answers: {
      200: { description: "A path to both roots (RFC 9162, section 2.1.4).", schema: "Consistency" },
    },
    problems: ALWAYS,
  },
  getHealth: {
    method: "get",
    path: "/health",
    summary: "Whether the process answers",
    isPublic: true,
    answers: { 200: { description: "It does.", schema: "Health" } },
    problems: [],
  },
  getReadiness: {
    method: "get",
    path: "/ready",
    summary: "Whether requests will be served",
    isPublic: true,
    answers: {
      200: { description: "They will.", schema: "Health" },
      503: {
        description: "The service is starting or stopping, or the ledger doesn't answer.",
        schema: "Health",
      },
    },
    problems: [],
  },
  getDocument: {
    method: "get",
    path: "/openapi.json",
    summary: "This document",
    isPublic: true,
    answers: { 200: { description: "OpenAPI 3.1.", media: "application/json" } },
    problems: [],
  },
  getPage: {
    method: "get",
    path: "/",
    summary: "This document as a page",
    isPublic: true,
    answers: { 200: { description: "It needs no other server and no script.", media: "text/html" } },
    problems: [],
  },
} as const satisfies Record<string, Operation>;

export type OperationName = keyof typeof OPERATIONS;

/** The OpenAPI document. */
export function openApiDocument(version: string) {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const [operationId, operation] of Object.entries(OPERATIONS) as [OperationName, Operation][]) {
    paths[operation.path] ??= {};
    paths[operation.path]![operation.method] = described(operationId, operation);
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Winnow",
      version,
      summary: "Private selections for a team",
      description:
        "Asks which ones are the most about people's data, with an exact differential privacy guarantee. Every release is charged to a budget that can't be overspent, and recorded in a ledger. Every answer has an `X-Request-Id`, which the operator finds in the log.",
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
    },
    servers: [{ url: "/" }],
    security: [{ key: [] }],
    paths,
    components: {
      schemas: componentSchemas(),
      securitySchemes: {
        key: {
          type: "http",
          scheme: "bearer",
          description: "A key of the operator (winnow_…), or a token of the operator's OpenID provider.",
        },
      },
    },
  };
}

export type OpenApiDocument = ReturnType<typeof openApiDocument>;

function described(operationId: string, operation: Operation): Record<string, unknown> {
  const { summary, description, isPublic, parameters, body, answers, problems } = operation;
  return {
    operationId,
    summary,
    ...(description !== undefined && { description }),
    ...(isPublic && { security: [] }),
    ...(parameters !== undefined && { parameters }),
    ...(body !== undefined && {
      requestBody: { required: true, content: { "application/json": { schema: reference(body) } } },
    }),
    responses: { ...answersOf(answers), ...problemsOf(problems) },
  };
}

function answersOf(answers: Operation["answers"]): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(answers).map(([status, { description, schema, media = "application/json" }]) => [
      status,
      { description, content: { [media]: schema === undefined ? {} : { schema: reference(schema) } } },
    ]),
  );
}

/** One response for each status; its description lists the codes. */
function problemsOf(problems: readonly ProblemCode[]): Record<string, unknown> {
  const statuses = [...new Set(problems.map((code) => entryOf(code).status))].sort();
  return Object.fromEntries(
    statuses.map((status) => {
      const codes = problems.filter((code) => entryOf(code).status === status);
      const description = codes.map((code) => `\`${code}\`: ${entryOf(code).title}`).join(" ");
      const retries = status === 429 || status === 503;
      return [
        String(status),
        {
          description,
          ...(retries && {
            headers: {
              "Retry-After": { description: "In seconds.", schema: { type: "integer", minimum: 0 } },
            },
          }),
          content: { "application/problem+json": { schema: reference("Problem") } },
        },
      ];
    }),
  );
}

function reference(schema: SchemaName): { readonly $ref: string } {
  return { $ref: `#/components/schemas/${schema}` };
}

function componentSchemas(): Record<string, unknown> {
  const registry = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries(SCHEMAS)) registry.add(schema, { id });
  const { schemas } = z.toJSONSchema(registry, { uri: (id) => `#/components/schemas/${id}`, io: "input" });
  return Object.fromEntries(
    Object.entries(schemas).map(([id, { $schema: _, $id: __, ...schema }]) => [id, schema]),
  );
}
