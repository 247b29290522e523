import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { expect, it } from "vitest";
import { folder } from "./support/winnow.js";

it("a password on the command line is not among the processes", async (test) => {
  if (!existsSync("/proc/self/cmdline") && process.env.CI === undefined)
    test.skip("elsewhere than on Linux there is no file to look into");
  const silent = createServer().listen(0, "127.0.0.1");
  await once(silent, "listening");
  const { port } = silent.address() as AddressInfo;
  const address = `postgres://ann:secret@127.0.0.1:${port}/visits`;
  const roles = ["--table", "visits", "--item", "item", "--user", "user", "--delta", "1e-6", "-k", "1"];
  const child = folder().start(["top", address, ...roles, "--epsilon", "1"]);
  const [connection] = (await Promise.race([once(silent, "connection"), once(child, "exit")])) as [Socket];
  const seen = readFileSync(`/proc/${child.pid}/cmdline`, "utf8");
  child.kill("SIGKILL");
  connection.destroy();
  silent.close();
  expect(seen).toMatch(/^winnow/);
  expect(seen).not.toContain("secret");
});
