/**
 * How a witness is asked: over HTTP at the address that the policy gives, or through a folder that both can read, for one that has no
 * network. In a folder, a request is a file, and the witness puts its answer beside it whenever it runs next.
 * @module
 */
import { createHash, randomUUID } from "node:crypto";
import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import {
  type PolicyWitness,
  Refusal,
  readCheckpoint,
  readNote,
  readWitnessRequest,
  type SubmitTo,
  type Witness,
  type WitnessAnswer,
} from "winnow-release";

/** In milliseconds. */
const PATIENCE = 10_000;
const LONGEST_ANSWER = 100_000;

const REQUEST = /^[\da-f]{64}\.request$/;

/** Asks a witness wherever the policy says that it is. */
export const submit: SubmitTo = async (witness, body) => {
  const { url } = witness;
  if (url === undefined) throw new Refusal("witness-away", "The policy has no address of the witness.");
  return /^https?:\/\//.test(url) ? submitTo(url, body) : submitIn(resolve(url), body);
};

async function submitTo(url: string, body: string) {
  const response = await fetch(`${url.replace(/\/+$/, "")}/add-checkpoint`, {
    method: "POST",
    body,
    redirect: "error",
    signal: AbortSignal.timeout(PATIENCE),
  });
  return { status: response.status, body: await firstPart(response) };
}

/** A witness is someone else's program: of an answer that doesn't end, no more is read than any answer needs. */
async function firstPart({ body }: Response): Promise<string> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of body ?? []) {
    parts.push(part);
    size += part.length;
    if (size > LONGEST_ANSWER) break;
  }
  return Buffer.concat(parts).toString("utf8").slice(0, LONGEST_ANSWER);
}

/** The answer that is there already, if the witness has run since. */
async function submitIn(folder: string, body: string) {
  // By the head: a signature of it is one, whatever proof it was asked for with.
  const { note = body } = readWitnessRequest(body) ?? {};
  const name = createHash("sha256").update(note).digest("hex");
  const answer = join(folder, `${name}.answer`);
  const text = await readFile(answer, "utf8").catch(() => undefined);
  if (text === undefined) {
    await mkdir(folder, { recursive: true });
    await writeWhole(join(folder, `${name}.request`), body);
    throw new Refusal("witness-away", "The witness hasn't answered yet.");
  }
  const end = text.indexOf("\n");
  const status = Number(text.slice(0, end));
  if (status !== 200) await rm(answer, { force: true });
  return { status, body: text.slice(end + 1) };
}

/** How many entries of a ledger the witness of a folder has seen, as it said last. */
export async function seenIn({ url }: PolicyWitness, origin: string): Promise<number | undefined> {
  if (url === undefined || /^https?:\/\//.test(url)) return undefined;
  const text = await readFile(join(resolve(url), seenName(origin)), "utf8").catch(() => "");
  return /^(0|[1-9]\d{0,14})\n$/.test(text) ? Number(text) : undefined;
}

function seenName(origin: string): string {
  return `${createHash("sha256").update(origin).digest("hex").slice(0, 32)}.seen`;
}

/** Answers all requests in a folder; returns how many. */
export async function answerFolder(
  folder: string,
  witness: Witness,
  sizeOf: (body: string, answer: WitnessAnswer) => { origin: string; size: number } | undefined,
): Promise<number> {
  await mkdir(folder, { recursive: true });
  const names = (await readdir(folder)).filter((name) => REQUEST.test(name)).sort();
  const requests: { path: string; body: string }[] = [];
  for (const name of names) {
    const path = join(folder, name);
    requests.push({ path, body: await readFile(path, "utf8") });
  }
  // The longest ledger first: what it has makes shorter heads of the same one old, and not wrong.
  const sizes = new Map(requests.map(({ body }) => [body, sizeIn(body)]));
  requests.sort((one, other) => sizes.get(other.body)! - sizes.get(one.body)!);
  for (const { path, body } of requests) {
    const answer = await witness.addCheckpoint(body);
    await writeWhole(path.replace(/request$/, "answer"), `${answer.status}\n${answer.body}`);
    const seen = sizeOf(body, answer);
    if (seen !== undefined) await writeWhole(join(folder, seenName(seen.origin)), `${seen.size}\n`);
    await rm(path);
  }
  return names.length;
}

/** How many entries the head of a request has; 0 for what isn't one. */
function sizeIn(body: string): number {
  try {
    return readCheckpoint(readNote(readWitnessRequest(body)?.note ?? "").text).size;
  } catch {
    return 0;
  }
}

/** A reader sees all of a file or none of it. */
async function writeWhole(path: string, text: string): Promise<void> {
  const draft = `${path}.${randomUUID()}`;
  await writeFile(draft, text);
  await rename(draft, path);
}
