/**
 * `winnow keygen`: a key that signs heads of a ledger, or one of a witness.
 * @module
 */
import type { Command } from "commander";
import { forTerminal, isKeyName, mustBe, noteKeyText, Refusal } from "winnow-release";
import { examples } from "../command-options.js";
import { makeKeyFile } from "../heads/key-file.js";
import { newPassphrase } from "../heads/passphrase.js";
import { print, tell } from "../render/terminal.js";

interface KeygenOptions {
  readonly output: string;
  readonly witness?: true;
  readonly passphrase?: true;
  readonly passphraseFile?: string;
}

export function register(program: Command): void {
  program
    .command("keygen <name>")
    .summary("a key that signs heads of a ledger, or one of a witness")
    .description(
      "Makes an Ed25519 key in a file that only you can read, and prints its public key. The name says whose it is, such as example.org/ledger.",
    )
    .requiredOption("-o, --output <file>", "the file for the private key; it must not exist")
    .option("--witness", "print the public key as that of a witness")
    .option("--passphrase", "encrypt the file with a passphrase, which you type")
    .option("--passphrase-file <file>", "encrypt it with the first line of this file")
    .addHelpText(
      "after",
      examples(
        ["winnow keygen example.org/ledger -o ledger.key", "signs the heads of a ledger"],
        ["winnow keygen paper.example/witness --witness -o witness.key", "cosigns the heads of others"],
      ),
    )
    .action(keygen);
}

async function keygen(name: string, options: KeygenOptions): Promise<void> {
  if (!isKeyName(name))
    throw new Refusal(
      "usage",
      mustBe("The name of a key", "1 to 255 characters without spaces and plus signs", forTerminal(name)),
    );
  const passphrase = await newPassphrase(options.passphrase === true, options);
  const { key, cosigner } = await makeKeyFile(options.output, name, { passphrase, time: new Date() });
  await print(`${noteKeyText(options.witness ? cosigner : key)}\n`);
  tell(
    `The private key is in ${JSON.stringify(options.output)}: anyone who has it can sign in this name. Keep a copy in a safe place.`,
  );
}
