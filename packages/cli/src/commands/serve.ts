/**
 * `winnow serve`: the HTTP service for a team. Analysts ask by name and key; the rows, the ledger and what may be asked are in
 * one file of the operator. Everything of the service is loaded only here, so that other commands start as fast as before.
 * @module
 */

import { once } from "node:events";
import { resolve } from "node:path";
import type { Command } from "commander";
import { CATALOGUE, type Ledger, Refusal, type RefusalCode, refusalOf } from "winnow-release";
import type { Config, Service, ServiceEvent } from "winnow-server";
import { examples, positiveInteger } from "../command-options.js";
import { print, tell } from "../render/terminal.js";

interface ServeOptions {
  readonly check?: true;
  readonly newKey?: string;
  readonly label?: string;
  readonly expires?: string;
  readonly against?: readonly string[];
  readonly sign?: string;
  readonly policy?: string;
  readonly requireWitness?: number;
  readonly passphraseFile?: string;
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
    .option("--label <name>", "what the log calls the new key")
    .option("--expires <date>", "when the new key ends, such as 2030-12-31")
    .option("--against <release.json...>", "refuse unless the ledger has these releases, after a restore")
    .option(
      "--sign <key>",
      "sign the head of the ledger that each release is shown under; a private key of the ledger",
    )
    .option("--policy <file>", "with --sign: whose cosignatures to ask for")
    .option(
      "--require-witness <n>",
      "with --policy: show a release only with n cosignatures (default: the quorum of the policy)",
      (text) => positiveInteger("--require-witness")(text),
    )
    .option("--passphrase-file <file>", "the passphrase of the key is the first line of this file")
    .addHelpText(
      "after",
      examples(
        ["(umask 077; winnow serve service.json --new-key alice > alice.key)", ""],
        ["winnow serve service.json --check", ""],
        ["winnow serve service.json --sign ledger.key --policy policy.txt", "with witnesses"],
        ["winnow serve service.json", "until Ctrl-C or SIGTERM; SIGHUP reads keys and certificates again"],
      ),
    )
    .action(serve);
}

async function serve(
  file: string | undefined,
  { check, newKey, label, expires, against = [], ...signing }: ServeOptions,
): Promise<void> {
  openNothing();
  const server = await import("winnow-server");
  if (file === undefined) throw new Refusal("usage", "winnow serve needs the file of its configuration.");
  const { machineHost, readServiceFile, readTls } = await import("../serve/machine.js");
  const path = resolve(file);
  if (newKey !== undefined) {
    const { addKey } = await import("../serve/new-key.js");
    return addKey(newKey, path, { ...server.newKey(), label, expires }, server.readConfig);
  }
  if (label !== undefined || expires !== undefined)
    throw new Refusal("usage", "--label and --expires belong to --new-key.");
  const config = server.readConfig(await readServiceFile(path));
  warnOfPlainText(config);
  const { askedThrough, readWitnessing } = await import("../release/witnessing.js");
  const witnessing = await readWitnessing(signing);
  const host = { ...machineHost(path, config), witnessing: witnessing && askedThrough(witnessing) };
  if (against.length > 0) await proveRestored(await host.openLedger(config.ledger), against);
  if (check) {
    const { authenticator } = server.edgesOf(config);
    await readTls(config, path);
    if ((await authenticator.provider?.answers()) === false)
      throw new Refusal(
        "server-unreachable",
        `The identity provider ${config.oidc?.issuer} doesn't answer with its keys, so its tokens would be refused.`,
      );
    await rehearse(config, (onEvent) => server.Service.open(config, host, { onEvent }));
    await print("The configuration, the ledger and the sources are fine.\n");
    return;
  }
  process.on("SIGHUP", () => {}); // one that comes before the service runs doesn't end it
  const running = await server.startService(config, host, {
    tls: await readTls(config, path),
    write: (line) => process.stderr.write(line),
  });
  await print(`${running.address}\n`);
  onHangUp(async () => {
    const next = server.readConfig(await readServiceFile(path));
    await running.reload(next, await readTls(next, path));
  });
  await Promise.race([once(process, "SIGINT"), once(process, "SIGTERM")]);
  await running.close();
  // Whatever still holds the process, such as a server that is frozen, doesn't hold it for long.
  setTimeout(() => process.exit(), LAST_MOMENT).unref();
}

/** Anyone on the way could read keys and answers, unless a proxy that the operator named takes care of that. */
function warnOfPlainText({ listen: { host, tls, trustedProxies } }: Config): void {
  if (tls !== undefined || trustedProxies.length > 0 || isLoopback(host)) return;
  tell(
    `The service listens on ${host} without TLS, so keys and answers travel in the clear: give it a certificate in listen.tls, or name the proxy before it in listen.trustedProxies.`,
  );
}

function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || /^127(\.\d+){3}$/.test(host);
}

/** A ledger that was put back is whole, and has the entries of these releases: a copy that is too old would forget charges. */
async function proveRestored(ledger: Ledger, files: readonly string[]): Promise<void> {
  const { readPublishedRelease } = await import("../ledger/open-ledger.js");
  try {
    const releases = await Promise.all(files.map(readPublishedRelease));
    const [finding] = (await ledger.verify(releases)).findings;
    if (finding !== undefined) throw new Refusal("ledger-broken", finding.sentence);
  } finally {
    await ledger.close();
  }
}

/** SIGUSR1 would make Node open a port for a debugger, which any account of the machine can use. */
function openNothing(): void {
  process.on("SIGUSR1", () => {});
}

/** Reads the configuration again when it should, one time after the other; what can't be taken is said, and changes nothing. */
function onHangUp(reload: () => Promise<void>): void {
  let last: Promise<void> = Promise.resolve();
  process.on("SIGHUP", () => {
    last = last.then(reload).catch((error: unknown) => {
      tell(`The configuration was read again and not taken over: ${refusalOf(error).message}`);
    });
  });
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
