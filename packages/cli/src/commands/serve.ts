/**
 * `winnow serve`: the HTTP service for a team. Analysts ask by name and key; the rows, the ledger and what may be asked are in
 * one file of the operator. Everything of the service is loaded only here, so that other commands start as fast as before.
 * @module
 */

import { once } from "node:events";
import { resolve } from "node:path";
import type { Command } from "commander";
import { CATALOGUE, Refusal, type RefusalCode } from "winnow-release";
import type { Config, Service, ServiceEvent } from "winnow-server";
import { examples } from "../command-options.js";
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
    .option("--new-key <analyst>", "print a new key, once, and add its hash to the configuration")
    .addHelpText(
      "after",
      examples(
        ["(umask 077; winnow serve service.json --new-key alice > alice.key)", ""],
        ["winnow serve service.json --check", ""],
        ["winnow serve service.json", "until Ctrl-C or SIGTERM"],
      ),
    )
    .action(serve);
}

async function serve(file: string | undefined, { check, newKey }: ServeOptions): Promise<void> {
  const server = await import("winnow-server");
  if (file === undefined) throw new Refusal("usage", "winnow serve needs the file of its configuration.");
  const { machineHost, readServiceFile, readTls } = await import("../serve/machine.js");
  const path = resolve(file);
  if (newKey !== undefined) {
    const { addKey } = await import("../serve/new-key.js");
    return addKey(newKey, path, server.newKey());
  }
  const config = server.readConfig(await readServiceFile(path));
  const host = machineHost(path, config);
  if (check) {
    server.edgesOf(config);
    await readTls(config, path);
    await rehearse(config, (onEvent) => server.Service.open(config, host, { onEvent }));
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
  // Whatever still holds the process, such as a server that is frozen, doesn't hold it for long.
  setTimeout(() => process.exit(), LAST_MOMENT).unref();
}

/** In milliseconds. */
const LAST_MOMENT = 2000;

/** Counts every data set once; what that shows depends on rows, and only the operator may see it. */
async function rehearse(
  { tick }: Config,
  open: (onEvent: (event: ServiceEvent) => void) => Promise<Service>,
): Promise<void> {
  const events: ServiceEvent[] = [];
  const service = await open((event) => events.push(event));
  await service.rehearse().finally(() => service.close());
  for (const event of events)
    if ("cause" in event)
      throw new Refusal(
        event.code in CATALOGUE ? (event.code as RefusalCode) : "unexpected",
        `The rows of datasets.${event.dataset} couldn't be counted.`,
      );
  for (const dataset of new Set(events.flatMap((event) => ("dataset" in event ? [event.dataset] : []))))
    tell(
      `Counting datasets.${dataset} took longer than the tick of ${tick} ms, so analysts can see how many ticks its rows take. Choose a longer tick.`,
    );
}
