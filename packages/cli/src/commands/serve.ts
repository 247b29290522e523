/**
 * `winnow serve`: the HTTP service for a team. Analysts ask by name and key; the rows, the ledger and what may be asked are in
 * one file of the operator. Everything of the service is loaded only here, so that other commands start as fast as before.
 * @module
 */
import { once } from "node:events";
import { resolve } from "node:path";
import type { Command } from "commander";
import { forJson } from "winnow-release";
import { examples } from "../command-options.js";
import { Refusal } from "../refusal.js";
import { print, tell } from "../render/terminal.js";

interface ServeOptions {
  readonly check?: true;
  readonly newKey?: string;
}

export function register(program: Command): void {
  program
    .command("serve [config]")
    .summary("answer a team over HTTP, with one shared ledger")
    .description(
      "Serves releases over HTTP as the configuration says: its data sets, who may ask, and at most how much. The ledger and its budgets must exist (winnow budget init).",
    )
    .option("--check", "check the configuration, the ledger and the sources, and exit")
    .option("--new-key <analyst>", "print a new key, once, and the hash of it for the configuration")
    .addHelpText(
      "after",
      examples(
        ["winnow serve --new-key alice", "the key is for Alice, the hash for the file"],
        ["winnow serve service.json --check", ""],
        ["winnow serve service.json", "until Ctrl-C or SIGTERM"],
      ),
    )
    .action(serve);
}

async function serve(file: string | undefined, { check, newKey }: ServeOptions): Promise<void> {
  const server = await import("winnow-server");
  if (newKey !== undefined) return printKey(newKey, server);
  if (file === undefined) throw new Refusal("usage", "winnow serve needs the file of its configuration.");
  const { machineHost, readServiceFile, readTls } = await import("../serve/machine.js");
  const path = resolve(file);
  try {
    const config = server.readConfig(await readServiceFile(path));
    const host = machineHost(path, config);
    if (check) {
      server.edgesOf(config);
      await readTls(config, path);
      await (await server.Service.open(config, host)).close();
      await print("The configuration, the ledger and the sources are fine.\n");
      return;
    }
    const running = await server.startService(config, host, {
      tls: await readTls(config, path),
      write: (line) => process.stderr.write(line),
    });
    await print(`${running.address}\n`);
    await Promise.race([once(process, "SIGINT"), once(process, "SIGTERM")]);
    await running.close();
  } catch (error) {
    throw error instanceof server.ConfigError ? new Refusal("usage", error.message) : error;
  }
}

/** The key is shown once and stored nowhere. */
async function printKey(analyst: string, { newKey }: typeof import("winnow-server")): Promise<void> {
  const { key, hash } = newKey();
  await print(`${forJson({ analyst, key, hash })}\n`);
  tell(
    `Give the key to ${analyst} and put the hash into analysts.${analyst}.keys: the key isn't stored anywhere.`,
  );
}
