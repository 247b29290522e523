import { createServer, type IncomingMessage, type Server } from "node:http";
import { afterEach, describe, expect, it } from "vitest";
import { openSource } from "../../src/sources/open-source.js";
import { collect } from "./support/histograms.js";
import { expectRefusal } from "./support/refusals.js";

const COLUMNS = [
  { name: "user", type: "varchar" },
  { name: "item", type: "varchar" },
];
const NAME = Buffer.from("a").toString("base64");
const FINISHED = { id: "1", stats: { state: "FINISHED" } };
const SCHEMA = { ...FINISHED, columns: COLUMNS };
type Reply = object | number | string;

/** Answers with what is scripted: an object as JSON, a number as a status, a text as it is. */
describe("What a Trino server says", () => {
  let server: Server | undefined;
  let asked: IncomingMessage[] = [];
  afterEach(() => server?.close());

  async function serve(...replies: Reply[]): Promise<string> {
    asked = [];
    server = createServer((request, response) => {
      request.resume();
      asked.push(request);
      const reply = replies.shift() ?? 500;
      response.statusCode = typeof reply === "number" ? reply : 200;
      response.end(typeof reply === "object" ? JSON.stringify(reply) : String(reply));
    });
    await new Promise<void>((resolve) => server?.listen(0, "127.0.0.1", resolve));
    const address = server.address();
    if (address === null || typeof address === "string") throw new Error("the server has no port");
    return `trino://ann:p%2Fw@127.0.0.1:${address.port}/hive/web`;
  }

  const count = async (...replies: Reply[]) =>
    collect(await openSource(await serve(...replies), { table: "visits" }), { kind: "largest", rows: 3 });

  it("is followed page by page on the same host, with the account's password", async () => {
    const elsewhere = "https://trino.example:1/v1/statement/executing/1/x/1";
    expect(
      await count(
        SCHEMA,
        { id: "2", nextUri: elsewhere, stats: { state: "QUEUED" } },
        { ...FINISHED, data: [[NAME, 3]] },
      ),
    ).toEqual([["a", 3]]);
    expect(asked.map(({ method, url }) => [method, url])).toEqual([
      ["POST", "/v1/statement"],
      ["POST", "/v1/statement"],
      ["GET", "/v1/statement/executing/1/x/1"],
    ]);
    const basic = `Basic ${Buffer.from("ann:p/w").toString("base64")}`;
    for (const { headers } of asked)
      expect([headers.authorization, headers["x-trino-user"]]).toEqual([basic, "ann"]);
  });

  it("is asked for again while the server is busy", async () => {
    expect(await count(503, SCHEMA, 429, { ...FINISHED, data: [[NAME, 3]] })).toEqual([["a", 3]]);
  });

  it.each([
    [
      "an answer that ends before it is finished",
      { id: "2", data: [[NAME, 3]], stats: { state: "RUNNING" } },
    ],
    ["a count that isn't one", { ...FINISHED, data: [[NAME, "private-row"]] }],
    ["a name that isn't a text", { ...FINISHED, data: [[null, 3]] }],
    ["an unknown error", { ...FINISHED, error: { errorName: "SOME_ERROR", message: "private-row" } }],
    ["an address that isn't one", { id: "2", nextUri: "private-row", stats: { state: "RUNNING" } }],
  ])("refuses the count and says nothing of it: %s", async (_, reply) => {
    await expectRefusal(count(SCHEMA, reply), "server-failed");
  });

  it.each([
    ["server-refused", 401],
    ["server-refused", 403],
    ["server-unreachable", 404],
    ["server-unreachable", "private-row"],
    ["server-unreachable", { error: { message: "private-row" } }],
  ] as const)("is refused at the start with %s: %o", async (code, reply) => {
    await expectRefusal(count(reply), code);
  });

  it.each([
    ["PERMISSION_DENIED", "server-refused"],
    ["TABLE_NOT_FOUND", "unknown-table"],
    ["EXCEEDED_TIME_LIMIT", "source-limit"],
    ["CLUSTER_OUT_OF_MEMORY", "source-limit"],
    ["QUERY_QUEUE_FULL", "source-limit"],
    ["NO_NODES_AVAILABLE", "server-unreachable"],
  ] as const)("is told by the name of the error alone: %s", async (errorName, code) => {
    await expectRefusal(
      count(SCHEMA, { ...FINISHED, error: { errorName, message: "secret_statement" } }),
      code,
    );
  });

  it("is cancelled in the server if it isn't read to its end", async () => {
    const next = "http://127.0.0.1/v1/statement/executing/1/x/1";
    await expectRefusal(
      count(SCHEMA, { id: "2", nextUri: next, data: [["", ""]], stats: { state: "RUNNING" } }, 204),
      "server-failed",
    );
    expect(asked.map(({ method }) => method)).toEqual(["POST", "POST", "DELETE"]);
  });
});
