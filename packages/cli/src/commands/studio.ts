/**
 * `winnow studio` serves the page that makes releases in a browser, to this machine only. The data never passes through
 * this process: the page reads the file itself.
 * @module
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { type Command, InvalidArgumentError } from "commander";
import { examples } from "../command-options.js";
import { readStudioPage, serveStudio } from "../studio/serve-studio.js";

/** Always the same port, because the browser keeps a ledger per address. */
const PORT = 4466;

interface StudioOptions {
  readonly port: number;
  readonly open?: true;
}

export function register(program: Command): void {
  program
    .command("studio")
    .description("serve the page on this machine; nothing leaves it")
    .option(
      "--port <number>",
      "port on 127.0.0.1; the browser keeps one ledger per port (0: any free port)",
      readPort,
      PORT,
    )
    .option("--open", "open the page in the browser")
    .addHelpText("after", examples(["winnow studio --open", "until Ctrl-C"]))
    .action(serve);
}

async function serve({ port, open }: StudioOptions): Promise<void> {
  const studio = await serveStudio(await readStudioPage(), port);
  process.stdout.write(`${studio.address}\n`);
  process.stderr.write("Serving the page to this machine only. Press Ctrl-C to stop.\n");
  if (open) openInBrowser(studio.address);
  await Promise.race([once(process, "SIGINT"), once(process, "SIGTERM")]);
  await studio.close();
}

function readPort(text: string): number {
  const port = Number(text);
  if (!/^\d{1,5}$/.test(text) || port > 65_535)
    throw new InvalidArgumentError("must be a port from 0 to 65535");
  return port;
}

const OPENERS: Partial<Record<NodeJS.Platform, readonly [command: string, ...rest: string[]]>> = {
  darwin: ["open"],
  win32: ["cmd", "/c", "start", ""],
};

/** If no browser can be opened, the printed address is enough. */
function openInBrowser(address: string): void {
  const [command, ...rest] = OPENERS[process.platform] ?? ["xdg-open"];
  const opener = spawn(command, [...rest, address], { stdio: "ignore", detached: true });
  opener.once("error", () =>
    process.stderr.write("No browser could be opened: open the address above yourself.\n"),
  );
  opener.unref();
}
