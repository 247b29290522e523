import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readClickhouseAddress } from "../../src/sources/clickhouse/clickhouse-connection.js";
import { readPostgresAddress } from "../../src/sources/postgres/postgres-connection.js";
import { readTrinoAddress } from "../../src/sources/trino/trino-address.js";
import { expectRefusal } from "./support/refusals.js";

const refused = (read: () => unknown) => expectRefusal(Promise.resolve().then(read), "usage");

describe("The address of a PostgreSQL server", () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "winnow-address-"));
    await writeFile(
      join(folder, "services"),
      "# ours\n[other]\nhost=elsewhere\n[mine]\nhost = db.example\nport=6000\nuser=ann\npassword=a=b\ndbname=clinic\nsslmode=disable\n\n[last]\nhost=x\n",
    );
    await writeFile(join(folder, "authority.pem"), "certificate");
  });
  afterAll(() => rm(folder, { recursive: true }));

  it("has its parts decoded", () => {
    expect(readPostgresAddress("postgres://a%40b:p%2Fw@[::1]:6543/my%20data", {})).toMatchObject({
      host: "::1",
      port: 6543,
      user: "a@b",
      password: "p/w",
      database: "my data",
      ssl: false,
    });
  });

  it("takes what is missing from the usual variables", () => {
    const environment = {
      PGHOST: "db.example",
      PGPORT: "6000",
      PGUSER: "ann",
      PGPASSWORD: "pw",
      PGDATABASE: "clinic",
    };
    const expected = { host: "db.example", port: 6000, user: "ann", password: "pw", database: "clinic" };
    expect(readPostgresAddress("postgresql://", environment)).toMatchObject(expected);
    expect(readPostgresAddress("postgres://bob@localhost/x", environment)).toMatchObject({
      ...expected,
      host: "localhost",
      user: "bob",
      database: "x",
    });
  });

  it("takes it from a section of the service file", async () => {
    const environment = { PGSERVICEFILE: join(folder, "services"), PGUSER: "bob" };
    const expected = {
      host: "db.example",
      port: 6000,
      user: "ann",
      password: "a=b",
      database: "clinic",
      ssl: false,
    };
    expect(readPostgresAddress("postgres:///?service=mine", environment)).toMatchObject(expected);
    expect(readPostgresAddress("postgres://", { ...environment, PGSERVICE: "mine" })).toMatchObject(expected);
    expect(readPostgresAddress("postgres://", { ...environment, PGSERVICE: "last" }).host).toBe("x");
    await refused(() => readPostgresAddress("postgres:///?service=none", environment));
  });

  it("means TLS with a verified certificate, unless the server is here or plain text is asked for", () => {
    const verified = expect.objectContaining({ rejectUnauthorized: true });
    expect(readPostgresAddress("postgres://db.example/x", {}).ssl).toEqual(verified);
    expect(readPostgresAddress("postgres://db.example/x?sslmode=require", {}).ssl).toEqual(verified);
    expect(readPostgresAddress("postgres://localhost/x?sslmode=verify-full", {}).ssl).toEqual(verified);
    expect(readPostgresAddress("postgres://localhost/x", { PGSSLMODE: "verify-full" }).ssl).toEqual(verified);
    expect(readPostgresAddress("postgres://127.db.example/x", {}).ssl).toEqual(verified);
    expect(readPostgresAddress("postgres://db.example/x?sslmode=disable", {}).ssl).toBe(false);
    for (const here of ["localhost", "127.0.0.5", "[::1]"])
      expect(readPostgresAddress(`postgres://${here}/x`, {}).ssl).toBe(false);
    expect(readPostgresAddress("postgres:///x?host=/var/run/postgresql", {})).toMatchObject({
      host: "/var/run/postgresql",
      ssl: false,
    });
  });

  it("can name the authority to trust, in a file that is there", async () => {
    const path = join(folder, "authority.pem");
    expect(readPostgresAddress(`postgres://db.example/x?sslrootcert=${path}`, {}).ssl).toMatchObject({
      ca: Buffer.from("certificate"),
    });
    const missing = () => readPostgresAddress(`postgres://db.example/x?sslrootcert=${path}x`, {});
    await expectRefusal(Promise.resolve().then(missing), "no-permission");
  });

  it.each([
    "postgres://user:a secret of postgres@host:notaport/x",
    "postgres://user:%ff@host/x",
    "postgres://host/x?password=a%20secret%20of%20postgres&sslmodus=1",
    "postgres://host/x?sslmode=prefer",
    "postgres://user:1?a%20secret%20of%20postgres@host/x",
    "postgres://user:1?a%20secret%20of%20postgres=@host/x",
  ])("is refused if it is none (%#), and not shown", async (location) => {
    await refused(() => readPostgresAddress(location, {}));
  });
});

describe("The address of a ClickHouse server", () => {
  it("has its parts decoded and its usual ports", () => {
    expect(readClickhouseAddress("clickhouse://a%40b:p%2Fw@localhost/data", {})).toMatchObject({
      url: "http://localhost:8123",
      username: "a@b",
      password: "p/w",
      database: "data",
    });
    expect(readClickhouseAddress("clickhouse://db.example:99", {})).toMatchObject({
      url: "https://db.example:99",
      database: "default",
    });
  });

  it("means TLS, unless the server is here or plain text is asked for", async () => {
    const url = (location: string) => readClickhouseAddress(location, {}).url;
    expect(url("clickhouse://db.example")).toBe("https://db.example:8443");
    expect(url("clickhouse://db.example?secure=false")).toBe("http://db.example:8123");
    expect(url("clickhouse://127.0.0.1")).toBe("http://127.0.0.1:8123");
    expect(url("clickhouse://127.0.0.1?secure=true")).toBe("https://127.0.0.1:8443");
    for (const scheme of ["clickhouses", "ClickHouses"])
      expect(url(`${scheme}://127.0.0.1`)).toBe("https://127.0.0.1:8443");
    expect(url("clickhouse://127.db.example")).toBe("https://127.db.example:8443");
    await refused(() => url("clickhouses://db.example?secure=false"));
    await refused(() => url("clickhouse://db.example?secure=perhaps"));
  });

  it("can have a certificate of the client, with its key and the authority", async () => {
    const files = await mkdtemp(join(tmpdir(), "winnow-address-"));
    try {
      for (const name of ["ca", "cert", "key"]) await writeFile(join(files, name), name);
      const address = (...names: string[]) =>
        readClickhouseAddress(
          `clickhouses://db.example?${names.map((name) => `${name}=${join(files, name)}`).join("&")}`,
          {},
        );
      expect(address("ca").tls).toEqual({ ca_cert: Buffer.from("ca") });
      expect(address("ca", "cert", "key").tls).toMatchObject({
        cert: Buffer.from("cert"),
        key: Buffer.from("key"),
      });
      await refused(() => address("cert", "key"));
      await refused(() => address("ca", "cert"));
    } finally {
      await rm(files, { recursive: true });
    }
  });

  it("takes name and password from the usual variables", () => {
    const environment = { CLICKHOUSE_USER: "ann", CLICKHOUSE_PASSWORD: "pw", CLICKHOUSE_DATABASE: "clinic" };
    expect(readClickhouseAddress("clickhouse://localhost", environment)).toMatchObject({
      username: "ann",
      password: "pw",
      database: "clinic",
    });
    expect(readClickhouseAddress("clickhouse://bob@localhost", environment)).toMatchObject({
      username: "bob",
      password: "pw",
    });
  });
});

describe("The address of a Trino server", () => {
  it("has its parts decoded, and asks for one place as one account", () => {
    expect(readTrinoAddress("trino://a%40b@localhost/hive/web%20log", {}, {})).toEqual({
      isSecure: false,
      host: "localhost",
      port: 8080,
      headers: {
        "X-Trino-User": "a@b",
        "X-Trino-Source": "winnow",
        "X-Trino-Time-Zone": "UTC",
        "X-Trino-Catalog": "hive",
        "X-Trino-Schema": "web log",
      },
      tls: {},
    });
    expect(readTrinoAddress("trino://[::1]:9000", {}, { TRINO_USER: "ann" })).toMatchObject({
      host: "::1",
      port: 9000,
      headers: { "X-Trino-User": "ann" },
    });
  });

  it("means TLS, except on this machine or by name, and never a secret in plain text", async () => {
    expect(readTrinoAddress("trino://ann@trino.example", {}, {})).toMatchObject({
      isSecure: true,
      port: 8443,
    });
    expect(readTrinoAddress("trinos://ann@localhost", {}, {}).isSecure).toBe(true);
    expect(readTrinoAddress("trino://ann@trino.example?secure=false", {}, {}).isSecure).toBe(false);
    await refused(() => readTrinoAddress("trinos://ann@trino.example?secure=false", {}, {}));
    for (const environment of [{ TRINO_PASSWORD: "x" }, { TRINO_TOKEN: "x" }])
      await refused(() => readTrinoAddress("trino://ann@trino.example?secure=false", {}, environment));
  });

  it("has a password or a token", async () => {
    const authorization = (location: string, environment: Record<string, string>) =>
      readTrinoAddress(location, {}, environment).headers.Authorization;
    const basic = `Basic ${Buffer.from("ann:p/w").toString("base64")}`;
    expect(authorization("trinos://ann:p%2Fw@trino.example", {})).toBe(basic);
    expect(authorization("trinos://ann@trino.example", { TRINO_PASSWORD: "p/w" })).toBe(basic);
    expect(authorization("trinos://ann@trino.example", { TRINO_TOKEN: "a.b.c" })).toBe("Bearer a.b.c");
    expect(authorization("trinos://ann@trino.example", {})).toBeUndefined();
    await refused(() => authorization("trinos://ann:x@trino.example", { TRINO_TOKEN: "a.b.c" }));
  });

  it("has session properties, of which limits are ours", () => {
    const location = "trino://ann@localhost?session=query_max_memory:9TB,hive.x:a%2Cb";
    expect(() => readTrinoAddress(location, {}, {})).toThrow("session must be");
    const plain = "trino://ann@localhost?session=query_max_memory:9TB,hive.x:a%3Db";
    const limits = { timeLimit: 1500, memoryLimit: 1e6 };
    expect(readTrinoAddress(plain, limits, {}).headers["X-Trino-Session"]).toBe(
      "query_max_memory=1000000B,hive.x=a%3Db,query_max_run_time=1500ms",
    );
  });

  it.each([
    "trino://localhost",
    "trino://ann@localhost/a/b/c",
    "trino://ann@localhost?secure=maybe",
    "trino://ann@localhost?session=x",
    "trino://%C3%A4@localhost",
    "trinos://ann@localhost?other=1",
  ])("is refused where it can't be one: %s", async (location) => {
    await refused(() => readTrinoAddress(location, {}, {}));
  });
});
