import { createServer, type Server } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openSource } from "../../src/sources/open-source.js";
import { expectRefusal } from "./support/refusals.js";

describe("A server that takes connections and says nothing", () => {
  let server: Server;
  let port: number;

  beforeAll(async () => {
    server = createServer((socket) => socket.resume().on("error", () => {}));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const address = server.address();
    port = typeof address === "object" && address !== null ? address.port : expect.fail("no port");
  });
  afterAll(() => server.close());

  it("is given up as unreachable", async () => {
    const schemes = [
      "postgres://user@",
      "clickhouse://",
      "clickhouses://",
      "trino://user@",
      "trinos://user@",
    ];
    await Promise.all(
      schemes.map((scheme) =>
        expectRefusal(openSource(`${scheme}127.0.0.1:${port}/x`, { table: "visits" }), "server-unreachable"),
      ),
    );
  });
});
