import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { request } from "node:http";
import { connect } from "node:net";
import { networkInterfaces, tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Refusal } from "winnow-release";
import { readBuiltPage } from "../../src/built-page.js";
import { type RunningStudio, serveStudio } from "../../src/commands/studio.js";

const POLICY = "default-src 'none'; script-src 'self'; connect-src 'none'";
const PAGE = `<!doctype html><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="${POLICY}">`;

let folder: string;
let studio: RunningStudio;
let port: number;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "winnow-studio-page-"));
  await writeFile(join(folder, "index.html"), PAGE);
  await writeFile(join(folder, "studio.js"), "void 0;");
  await writeFile(join(folder, "notes.txt"), "not a part of the page");
  studio = await serveStudio(await readBuiltPage(folder), 0);
  port = Number(new URL(studio.address).port);
});

afterAll(async () => {
  await studio?.close();
  await rm(folder, { recursive: true, force: true });
});

describe("winnow studio", () => {
  it("serves the page and its script", async () => {
    const page = await get("/");
    expect(page).toMatchObject({ status: 200, body: PAGE });
    expect(page.headers["content-type"]).toBe("text/html; charset=utf-8");
    expect(await get("/studio.js")).toMatchObject({ status: 200, body: "void 0;" });
    expect(await get("/studio.js?from=cache")).toMatchObject({ status: 200 });
  });

  it("sends the page's own policy as a header, and lets no frame hold it", async () => {
    const { headers } = await get("/");
    expect(headers["content-security-policy"]).toBe(`${POLICY}; frame-ancestors 'none'`);
    expect(headers["x-content-type-options"]).toBe("nosniff");
    expect(headers["referrer-policy"]).toBe("no-referrer");
    expect(headers["cross-origin-opener-policy"]).toBe("same-origin");
    expect(headers["cross-origin-resource-policy"]).toBe("same-origin");
  });

  it.each([
    "/../package.json",
    "/%2e%2e/package.json",
    "/..%2fpackage.json",
    "//etc/passwd",
    "/./index.html",
    "/notes.txt",
    "/index.html/",
    "/index.html%00.js",
    "/constructor",
  ])("has nothing at %s", async (path) => {
    expect(await get(path)).toMatchObject({ status: 404, body: "" });
  });

  it.each(["evil.example", "evil.example:80", "127.0.0.1", "127.0.0.1.evil.example", "[::1]"])(
    "answers nobody who calls it %s",
    async (host) => {
      expect(await get("/", { host })).toMatchObject({ status: 421, body: "" });
      expect(await get("/", { host: `${host}:${port + 1}` })).toMatchObject({ status: 421, body: "" });
    },
  );

  it("has one address: localhost is sent on to it, so that there is one ledger", async () => {
    const { status, headers } = await get("/", { host: `localhost:${port}` });
    expect(status).toBe(308);
    expect(headers.location).toBe(studio.address);
  });

  it.each(["POST", "PUT", "DELETE", "OPTIONS"])("takes no %s", async (method) => {
    expect(await get("/", {}, method)).toMatchObject({ status: 405, body: "" });
  });

  it("answers HEAD with the size alone", async () => {
    const { status, headers, body } = await get("/", {}, "HEAD");
    expect({ status, body }).toEqual({ status: 200, body: "" });
    expect(headers["content-length"]).toBe(String(PAGE.length));
  });

  it("listens on the loopback address only", async () => {
    const others = Object.values(networkInterfaces())
      .flatMap((addresses) => addresses ?? [])
      .filter(({ internal, family }) => !internal && family === "IPv4");
    for (const { address } of others) expect(await reaches(address)).toBe(false);
    expect(await reaches("127.0.0.1")).toBe(true);
  });

  it("says that a port cannot be used, and what another means", async () => {
    const second = serveStudio(await readBuiltPage(folder), port);
    await expect(second).rejects.toThrow(
      `Port ${port} of this machine can't be used; choose another with --port. The browser keeps a separate ledger for each port.`,
    );
    await expect(second).rejects.toBeInstanceOf(Refusal);
  });

  it("says that the page is missing where it was not built", async () => {
    await expect(readBuiltPage(join(folder, "nowhere"))).rejects.toThrow("was built without the page");
  });

  it("serves no page without a policy", async () => {
    const bare = await mkdtemp(join(folder, "bare-"));
    await writeFile(join(bare, "index.html"), "<!doctype html>");
    await expect(readBuiltPage(bare)).rejects.toThrow(Refusal);
  });
});

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

/** A request whose path goes out as it is written: `fetch` would resolve its dots. */
function get(path: string, headers: Record<string, string> = {}, method = "GET"): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const asked = request({ host: "127.0.0.1", port, path, method, headers }, (response) => {
      let body = "";
      response.setEncoding("utf8").on("data", (chunk: string) => {
        body += chunk;
      });
      response.on("end", () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body }),
      );
    });
    asked.on("error", reject).end();
  });
}

function reaches(address: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: address, port, timeout: 2000 });
    const end = (reached: boolean) => {
      socket.destroy();
      resolve(reached);
    };
    // From the same address a socket may be given the very port that it looks for, and then reaches itself.
    socket.once("connect", () => end(socket.localPort !== port));
    socket.once("error", () => end(false));
    socket.once("timeout", () => end(false));
  });
}
