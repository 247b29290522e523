import { execFileSync, spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import {
  type Checkpoint,
  checkpointText,
  noteKeyText,
  noteOf,
  readCheckpoint,
  readNote,
  signatureLine,
  Witness,
  witnessRequestText,
} from "winnow-release";
import { amount } from "../../../core/test/support/amount.js";
import { isConsistent } from "../../../release/src/heads/consistency.js";
import { MerkleTree } from "../../../release/src/ledger/inclusion.js";
import { noteSigner } from "../../../release/test/heads/signers.js";
import { WitnessFolder } from "../../src/heads/witness-memory.js";
import { TREE_HASHER } from "../../src/ledger/tree-hasher.js";
import { temporaryFolder } from "../ledger/support/temporary-folder.js";
import { spread } from "../support/spread.js";

const LEDGER = await noteSigner("example.org/ledger", 1);
const PAPER = await noteSigner("paper.example/w", 2);
const SCRIPT = fileURLToPath(new URL("support/witness-process.js", import.meta.url));
const FULL = fileURLToPath(new URL("support/full-disk-witness.js", import.meta.url));

/** A ledger and its fork: they have this many entries in common. */
const TRUNK = 5;
const MOST = 60;

class Branch {
  readonly tree = new MerkleTree(TREE_HASHER);
  readonly leaves: string[];

  constructor(readonly name: string) {
    this.leaves = Array.from({ length: MOST }, (_, i) =>
      createHash("sha256")
        .update(i < TRUNK ? `trunk ${i}` : `${name} ${i}`)
        .digest("hex"),
    );
    for (const leaf of this.leaves) this.tree.append(leaf);
  }

  readonly read = async (first: number, count: number) => this.leaves.slice(first, first + count);

  async head(size: number): Promise<Checkpoint> {
    return { origin: "example.org/ledger", size, top: await this.tree.topAt(size, this.read) };
  }

  async path(old: number, size: number): Promise<string[]> {
    if (old === 0) return [];
    const { path } = await this.tree.consistency(old, this.read, size);
    return (old & (old - 1)) === 0 ? path.slice(1) : path;
  }

  async request(old: number, size: number): Promise<string> {
    const text = checkpointText(await this.head(size));
    const note = noteOf(text, [await signatureLine(text, LEDGER)]);
    return witnessRequestText({ old, path: await this.path(old, size), note });
  }
}

const BRANCHES = [new Branch("a"), new Branch("b")] as const;

/** A witness process that is asked for heads of one branch, and killed some time after its first answer. What it signed. */
async function killedWitness(state: string, run: number): Promise<{ branch: Branch; size: number }[]> {
  const branch = BRANCHES[run % 2]!;
  const signed: { branch: Branch; size: number }[] = [];
  const args = [SCRIPT, state, PAPER.text, noteKeyText(LEDGER.key)];
  const child = spawn(process.execPath, args, { stdio: ["pipe", "pipe", "inherit"] });
  child.stdin.on("error", () => {});
  const ended = new Promise((resolve) => child.once("close", resolve));
  const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  let life: Promise<unknown> | undefined;
  let [old, size] = [0, 1 + (run % TRUNK)];
  while (size <= MOST) {
    child.stdin.write(`${JSON.stringify(await branch.request(old, size))}\n`);
    const { value, done } = await answers.next();
    if (done) break;
    life ??= sleep(spread(run) * 300).then(() => child.kill("SIGKILL"));
    const { status, body } = JSON.parse(value) as { status: number; body: string };
    if (status === 200) {
      signed.push({ branch, size });
      [old, size] = [size, size + 1];
    } else if (status === 409 && Number(body) !== old) {
      old = Number(body);
      size = Math.max(size, old);
    } else size++; // of a fork that lost
  }
  if (size > MOST) child.kill("SIGKILL");
  await Promise.all([life, ended]);
  return signed;
}

const RUNS = amount(12, 100);

describe("what a witness remembers", () => {
  it(`${RUNS} witnesses on one folder, killed at any moment, never sign two heads that disagree`, async () => {
    const state = temporaryFolder();
    await WitnessFolder.begin(state);
    const signed: { branch: Branch; size: number }[] = [];
    let run = 0;
    const lane = async () => {
      while (run < RUNS) signed.push(...(await killedWitness(state, run++)));
    };
    await Promise.all(Array.from({ length: 3 }, lane));
    expect(signed.length).toBeGreaterThan(RUNS / 4);
    const heads = await Promise.all(signed.map(({ branch, size }) => branch.head(size)));
    const byName = new Map(heads.map((head, i) => [`${head.size} ${head.top}`, { head, ...signed[i]! }]));
    for (const one of byName.values())
      for (const other of byName.values())
        if (one.size <= other.size)
          expect(
            await isConsistent(one.head, other.head, await other.branch.path(one.size, other.size)),
            `${one.branch.name} ${one.size} and ${other.branch.name} ${other.size}`,
          ).toBe(true);
    const { note } = (await (await WitnessFolder.open(state)).last("example.org/ledger"))!;
    const { size } = readCheckpoint(readNote(note).text);
    expect(size).toBeGreaterThanOrEqual(Math.max(...signed.map((one) => one.size)));
  }, 120_000);

  it("on a full disk is the old head or the new one, and only what is kept is signed", (test) => {
    const mounts = [
      ["unshare", "--mount"],
      ["unshare", "--map-root-user", "--mount"],
    ].find(([command, ...options]) => {
      const mount = ["mount", "-t", "tmpfs", "winnow-test", "/mnt"];
      return spawnSync(command!, [...options, ...mount]).status === 0;
    });
    if (mounts === undefined && process.env.CI === undefined) test.skip("no small disk can be mounted here");
    return (async () => {
      const [first, second] = [await BRANCHES[0].request(0, 3), await BRANCHES[0].request(3, 9)];
      const [command, ...options] = mounts!;
      const said = execFileSync(
        command!,
        [
          ...[...options, process.execPath, FULL, temporaryFolder(), PAPER.text, noteKeyText(LEDGER.key)],
          ...[first, second].map((body) => JSON.stringify(body)),
        ],
        { encoding: "utf8" },
      );
      const attempts = said
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line) as { before: number; status: number | string; size: number });
      for (const { before, status, size } of attempts) {
        expect(before).toBe(200);
        expect(["ENOSPC", 200]).toContain(status);
        if (status === 200) expect(size).toBe(9);
        else expect([3, 9]).toContain(size);
      }
      expect(attempts.filter(({ status }) => status === "ENOSPC").length).toBeGreaterThan(0);
      expect(attempts.filter(({ status }) => status === 200).length).toBeGreaterThan(0);
    })();
  });

  it("is begun once, and a path without one is refused: a witness that has forgotten would sign a fork", async () => {
    const state = join(temporaryFolder(), "seen");
    await expect(WitnessFolder.open(state)).rejects.toMatchObject({
      code: "missing-source",
      message: expect.stringContaining("isn't the memory of a witness"),
    });
    const memory = await WitnessFolder.begin(state);
    const witness = new Witness({ signer: PAPER, logs: [LEDGER.key], memory });
    await witness.addCheckpoint(await BRANCHES[0].request(0, 9));
    await expect(WitnessFolder.begin(state)).rejects.toMatchObject({
      code: "usage",
      message: expect.stringContaining("isn't empty"),
    });
    const again = new Witness({ signer: PAPER, logs: [LEDGER.key], memory: await WitnessFolder.open(state) });
    expect((await again.addCheckpoint(await BRANCHES[1].request(0, 9))).status).toBe(409);
    await expect(WitnessFolder.open(temporaryFolder())).rejects.toMatchObject({ code: "missing-source" });
    const file = join(temporaryFolder(), "file");
    writeFileSync(file, "");
    await expect(WitnessFolder.open(file)).rejects.toMatchObject({ code: "missing-source" });
  });

  it("is in one file for each ledger, and a damaged one is an error and not an empty memory", async () => {
    const state = temporaryFolder();
    const memory = await WitnessFolder.begin(state);
    const witness = new Witness({ signer: PAPER, logs: [LEDGER.key], memory });
    for (let size = 1; size < 6; size++)
      expect((await witness.addCheckpoint(await BRANCHES[0].request(size - 1, size))).status).toBe(200);
    const [folder = ""] = readdirSync(state);
    const files = readdirSync(join(state, folder));
    expect(files).toEqual(["0000000000000005.head"]);
    expect(await memory.replace("example.org/ledger", { generation: 5, note: "" })).toBe(false);
    writeFileSync(join(state, folder, files[0]!), "");
    await expect(witness.addCheckpoint(await BRANCHES[0].request(0, 1))).rejects.toMatchObject({
      code: "unreadable-source",
    });
  });

  it("keeps what contradicts it, once for each head", async () => {
    const state = temporaryFolder();
    const witness = new Witness({
      signer: PAPER,
      logs: [LEDGER.key],
      memory: await WitnessFolder.begin(state),
    });
    await witness.addCheckpoint(await BRANCHES[0].request(0, 9));
    for (const size of [9, 9, 12]) await witness.addCheckpoint(await BRANCHES[1].request(9, size));
    const [folder = ""] = readdirSync(state);
    expect(readdirSync(join(state, folder)).filter((name) => name.endsWith(".accused"))).toHaveLength(2);
  });

  it("keeps a hundred of them at most: who has the key of one ledger can't fill the disk of all", async () => {
    const state = temporaryFolder();
    const memory = await WitnessFolder.begin(state);
    const witness = new Witness({ signer: PAPER, logs: [LEDGER.key], memory });
    await witness.addCheckpoint(await BRANCHES[0].request(0, 9));
    for (let i = 0; i < 105; i++) {
      const text = checkpointText({ origin: LEDGER.key.name, size: 9, top: String(i).padStart(64, "0") });
      const note = noteOf(text, [await signatureLine(text, LEDGER)]);
      expect((await witness.addCheckpoint(witnessRequestText({ old: 9, path: [], note }))).status).toBe(409);
    }
    const [folder = ""] = readdirSync(state);
    expect(readdirSync(join(state, folder)).filter((name) => name.endsWith(".accused"))).toHaveLength(100);
  });
});
