/**
 * What signatures cost, in milliseconds of processor time, of the whole process with its threads: signing the head of a ledger, cosigning
 * one as a witness does it (the signature, the proof of consistency, its memory on disk, its own signature), and what a reader does with
 * a release.
 * @module
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { WitnessFolder } from "winnow-cli/dist/heads/witness-memory.js";
import {
  checkpointText,
  checkWitnessed,
  Ledger,
  MemoryStore,
  newPrivateKey,
  noteKeyText,
  noteOf,
  readPolicy,
  readPrivateKey,
  signatureLine,
  Witness,
  withWitnesses,
  witnessRequestText,
} from "winnow-release";
import { processorMilliseconds } from "../fresh-process.js";
import { quartiles } from "../quartiles.js";

const SOFTWARE = { name: "winnow-bench", version: "1.0.0" };
/** Neither the first calls nor a busy machine decide the median. */
const ROUNDS = 101;
/** In milliseconds. */
const GOAL = 5;

interface Row {
  readonly what: string;
  readonly entries: number;
  readonly "processor ms": number;
  readonly "upper quartile": number;
  readonly goal: number;
}

/** Over a ledger with this many entries, which grows by one in each round. */
export async function measureHeads(entries: number): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), "winnow-bench-"));
  try {
    const [own, paper] = await Promise.all(
      ["example.org/ledger", "paper.example/w"].map(async (name) =>
        readPrivateKey(await newPrivateKey(name)),
      ),
    );
    const ledger = new Ledger(new MemoryStore(), { software: SOFTWARE });
    await ledger.changeKeys({ adds: noteKeyText(own.key) });
    const record = async (id: string) =>
      ledger.record("visits", {
        ...{ id, dataset: "visits", time: new Date().toISOString(), software: SOFTWARE },
        ...{ question: { k: 5 }, loss: { measure: "pure", epsilon: "1/1000" } as const, answer: ["news"] },
      });
    for (let i = 1; i < entries; i++) await record(`r${i}`);
    const witness = new Witness({
      signer: paper,
      logs: [own.key],
      memory: await WitnessFolder.begin(join(folder, "seen")),
    });
    const policy = readPolicy(
      `log ${noteKeyText(own.key)}\nwitness paper ${noteKeyText(paper.cosigner)}\nquorum paper\n`,
    );
    const [signing, cosigning, reading]: number[][] = [[], [], []];
    const timed = async <T>(times: number[], work: () => Promise<T>): Promise<T> => {
      const start = processorMilliseconds();
      const done = await work();
      times.push(processorMilliseconds() - start);
      return done;
    };
    let old = 0;
    for (let round = 0; round < ROUNDS; round++) {
      const release = await record(`measured ${round}`);
      const { size, top } = await ledger.treeHead();
      const text = checkpointText({ origin: own.key.name, size, top });
      const line = await timed(signing, () => signatureLine(text, own));
      const path = await ledger.pathBetween(old, size);
      const body = witnessRequestText({ old, path, note: noteOf(text, [line]) });
      const { status } = await timed(cosigning, () => witness.addCheckpoint(body));
      if (status !== 200) throw new Error(`the witness said ${status}`);
      old = size;
      const submit = async () => ({ status, body: (await witness.addCheckpoint(again)).body });
      const again = witnessRequestText({ old, path: [], note: noteOf(text, [line]) });
      const shown = await withWitnesses(release, { ledger, signers: [own], policy, submit });
      const { head } = await timed(reading, () => checkWitnessed(shown, { policy }));
      if (head === undefined) throw new Error("the release isn't borne out");
    }
    return [
      row("signing a head", entries, signing),
      row("cosigning a head, everything on disk", entries, cosigning),
      row("checking a release by a policy", entries, reading),
    ];
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function row(what: string, entries: number, times: readonly number[]): Row {
  const { median, upper } = quartiles(times);
  if (median > GOAL) throw new Error(`${what} takes ${median} ms of processor time, more than ${GOAL}`);
  return { what, entries, "processor ms": median, "upper quartile": upper, goal: GOAL };
}
