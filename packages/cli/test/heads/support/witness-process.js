/**
 * A witness in a process of its own: `node witness-process.js STATE KEY LOG`. It answers each line of its input, the JSON text of a
 * request, with a line: the status and the body as JSON.
 */
import { createInterface } from "node:readline";
import { readNoteKey, readPrivateKey, Witness } from "winnow-release";
import { WitnessFolder } from "../../../dist/heads/witness-memory.js";

const [state, key, log] = process.argv.slice(2);
const witness = new Witness({
  signer: await readPrivateKey(key),
  logs: [readNoteKey(log)],
  memory: await WitnessFolder.open(state),
});
for await (const line of createInterface({ input: process.stdin })) {
  const answer = await witness
    .addCheckpoint(JSON.parse(line))
    .catch((error) => ({ failed: error.code ?? String(error) }));
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}
