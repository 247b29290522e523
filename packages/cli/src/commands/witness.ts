/**
 * `winnow witness`: a small program for anyone who is not the operator. It cosigns the heads of the ledgers that it knows, each only if
 * it has all entries of the one before. It needs no ledger, no rows and no other part of Winnow, and sees hashes only.
 * @module
 */
import { once } from "node:events";
import type { Command } from "commander";
import { WinnowError } from "winnow-dp";
import {
  mustBe,
  type NoteKey,
  noteKeyText,
  Refusal,
  readCheckpoint,
  readNote,
  readNoteKey,
  readWitnessRequest,
  Witness,
  type WitnessAnswer,
} from "winnow-release";
import { examples } from "../command-options.js";
import { answerFolder } from "../heads/submit.js";
import { WitnessFolder } from "../heads/witness-memory.js";
import { readPublicFile } from "../public-files.js";
import { print, tell } from "../render/terminal.js";
import { readSigners } from "./heads.js";

interface WitnessCommand {
  readonly key: string;
  readonly log: readonly string[];
  readonly state: string;
  readonly new?: boolean;
  readonly listen?: string;
  readonly folder?: string;
  readonly request?: string;
  readonly passphraseFile?: string;
}

export function register(program: Command): void {
  program
    .command("witness")
    .summary("cosign the heads of other people's ledgers")
    .description(
      "Cosigns heads of the ledgers that --log names, each only if it has all entries of the last one that this witness has seen (C2SP tlog-witness). Run it on a machine that the operator of the ledger doesn't control.",
    )
    .requiredOption("--key <file>", "the private key of the witness, from winnow keygen --witness")
    .requiredOption("--log <key...>", "the public keys of the ledgers")
    .requiredOption("--state <folder>", "what the witness has seen: never put an older copy of it back")
    .option("--new", "the witness is new: begin its memory in --state, which must be empty or not there")
    .option("--listen <address>", "answer over HTTP at host:port, until Ctrl-C or SIGTERM")
    .option("--folder <folder>", "answer the requests that lie in a folder, and end")
    .option("--request <file>", "answer one request, on standard output")
    .option("--passphrase-file <file>", "the passphrase of the key is the first line of this file")
    .addHelpText(
      "after",
      examples(
        [
          "winnow witness --new --key witness.key --state seen --listen 127.0.0.1:8377 --log example.org/ledger+2f9a4c1e+AZ…",
          "the first time",
        ],
        [
          "winnow witness --key witness.key --state seen --folder mail --log example.org/ledger+2f9a4c1e+AZ…",
          "",
        ],
      ),
    )
    .action(witness);
}

async function witness(options: WitnessCommand): Promise<void> {
  const { listen, folder, request } = options;
  if ([listen, folder, request].filter((way) => way !== undefined).length !== 1)
    throw new Refusal("usage", "winnow witness needs one of --listen, --folder and --request.");
  const logs = options.log.map(readLogKey);
  const [signer] = await readSigners([options.key], options);
  const memory = await (options.new ? WitnessFolder.begin(options.state) : WitnessFolder.open(options.state));
  const program = new Witness({ signer: signer!, logs, memory });
  if (folder !== undefined) {
    const answered = await answerFolder(folder, program, seenAfter);
    await print(`${answered} ${answered === 1 ? "request was" : "requests were"} answered.\n`);
    return;
  }
  if (request !== undefined) return answerOne(program, request);
  const { host, port } = readAddress(listen!);
  const { serveWitness } = await import("../heads/witness-server.js");
  const server = await serveWitness(program, signer!, { host, port, log: (line) => tell(line) }).catch(
    (error: NodeJS.ErrnoException) => {
      throw new Refusal(
        "server-unreachable",
        `The address ${JSON.stringify(listen)} can't be used (${error.code}).`,
      );
    },
  );
  await print(`${server.address} ${noteKeyText(signer!.cosigner)}\n`);
  await Promise.race([once(process, "SIGINT"), once(process, "SIGTERM")]);
  await server.close();
}

async function answerOne(program: Witness, file: string): Promise<void> {
  const { status, body } = await program.addCheckpoint(await readPublicFile("The request", file));
  if (status === 200) return print(body);
  throw new Refusal(
    "witness-disagrees",
    status === 409
      ? `The witness has seen ${body.trim()} entries, and the request doesn't start there or is of other entries.`
      : `The witness doesn't sign this head (status ${status}). ${body.trim()}`,
  );
}

/** How many entries the witness has seen after an answer. */
function seenAfter(body: string, { status, body: said }: WitnessAnswer) {
  const request = readWitnessRequest(body);
  if (request === undefined || (status !== 200 && status !== 409)) return undefined;
  const { origin, size } = readCheckpoint(readNote(request.note).text);
  return { origin, size: status === 200 ? size : Number(said) };
}

function readLogKey(text: string): NoteKey {
  try {
    const key = readNoteKey(text);
    if (key.type === "head") return key;
  } catch (error) {
    if (!(error instanceof WinnowError)) throw error;
  }
  throw new Refusal("usage", "--log must be the public key of a ledger, as winnow keygen prints it.");
}

function readAddress(text: string): { host: string; port: number } {
  const [, host, port] = /^(\[[\da-fA-F:]+\]|[^:\s]+):(\d{1,5})$/.exec(text) ?? [];
  if (host === undefined || Number(port) > 65_535)
    throw new Refusal("usage", mustBe("--listen", "host:port, such as 127.0.0.1:8377", text));
  return { host: host.replace(/^\[|\]$/g, ""), port: Number(port) };
}
