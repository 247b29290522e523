import { createHash } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import {
  checkpointText,
  newPrivateKey,
  noteKeyText,
  noteOf,
  readCheckpoint,
  readNote,
  readNoteKey,
  readPrivateKey,
  signatureLine,
} from "winnow-release";
import { isConsistent } from "../../../release/src/heads/consistency.js";
import { keyAs } from "../../../release/src/heads/note-keys.js";
import { cosignatureLine, verifiedSignatures } from "../../../release/src/heads/signed-note.js";
import { MerkleTree } from "../../../release/src/ledger/inclusion.js";
import { noteSigner } from "../../../release/test/heads/signers.js";
import { TREE_HASHER } from "../../src/ledger/tree-hasher.js";
import { askGo, goNotes, hasGo } from "./go-notes.js";

const LEAVES = Array.from({ length: 70 }, (_, i) => createHash("sha256").update(`entry ${i}`).digest("hex"));
const read = async (first: number, count: number) => LEAVES.slice(first, first + count);
const LEDGER = await noteSigner("example.org/ledger", 1);
const PAPER = await noteSigner("paper.example/w", 2);

function treeOf(size: number): MerkleTree {
  const tree = new MerkleTree(TREE_HASHER);
  for (const leaf of LEAVES.slice(0, size)) tree.append(leaf);
  return tree;
}

interface Answer {
  readonly error?: string;
  readonly text?: string;
  readonly signed?: number;
  readonly size?: number;
  readonly top?: string;
  readonly note?: string;
  readonly line?: string;
  readonly private?: string;
  readonly public?: string;
}

describe.skipIf(!hasGo() && process.env.CI === undefined)("Go", () => {
  let program = "";
  const ask = (...requests: readonly object[]) => askGo<Answer>(program, requests);
  beforeAll(async () => {
    program = await goNotes();
  }, 600_000);

  it("opens our notes, reads our heads and verifies our cosignatures, and none that is changed", async () => {
    const head = { origin: "example.org/ledger", size: 70, top: treeOf(70).top };
    const text = checkpointText(head);
    const note = noteOf(text, [
      await signatureLine(text, LEDGER),
      await cosignatureLine(text, PAPER, 1_700_000_000),
    ]);
    const open = {
      ...{ do: "open", note, name: "example.org/ledger" },
      ...{ logKey: noteKeyText(LEDGER.key), witness: noteKeyText(PAPER.cosigner) },
    };
    const [own, other, changed, stranger] = await ask(
      open,
      { ...open, witness: noteKeyText(PAPER.key) },
      { ...open, note: note.replace("\n70\n", "\n71\n") },
      { ...open, name: "example.org/other" },
    );
    const { origin: _, ...sized } = head;
    expect(own).toEqual({ text, signed: 2, ...sized });
    expect(other).toEqual(own);
    expect(changed).toMatchObject({ error: expect.stringContaining("invalid signature") });
    expect(stranger).toMatchObject({ error: expect.any(String) });
  });

  it("signs with our keys, and we read its notes", async () => {
    const [private1, private2] = [await newPrivateKey("example.net/log"), await newPrivateKey("w.example/w")];
    const [{ note = "" } = {}, { private: madePrivate = "", public: made = "" } = {}] = await ask(
      {
        do: "sign",
        name: "example.net/log",
        leaves: LEAVES.slice(0, 13),
        private: private1,
        witness: private2,
      },
      { do: "key", name: "made.example/go" },
    );
    const [log, witness] = [await readPrivateKey(private1), await readPrivateKey(private2)];
    const verified = await verifiedSignatures(readNote(note), [log.key, witness.cosigner]);
    expect(verified.map(({ key }) => key.name)).toEqual(["example.net/log", "w.example/w"]);
    expect(verified[1]!.time).toBeGreaterThan(1_600_000_000);
    const head = readCheckpoint(readNote(note).text);
    expect(head).toEqual({ origin: "example.net/log", size: 13, top: treeOf(13).top });
    expect((await readPrivateKey(madePrivate)).key).toEqual(readNoteKey(made));
    expect(keyAs("cosignature", log.key)).toEqual(log.cosigner);
  });

  it("cosigns our heads, and we take its line", async () => {
    const text = checkpointText({ origin: "example.org/ledger", size: 3, top: treeOf(3).top });
    const note = noteOf(text, [await signatureLine(text, LEDGER)]);
    const [{ line = "" } = {}] = await ask({ do: "cosign", note, private: PAPER.text });
    const both = await verifiedSignatures(readNote(note + line), [LEDGER.key, PAPER.cosigner]);
    expect(both).toHaveLength(2);
  });

  it("verifies our paths, and we verify what it calls consistent", async () => {
    const requests: object[] = [];
    const expected: boolean[] = [];
    const now = treeOf(70);
    for (const size of [1, 2, 5, 8, 63, 64, 65, 70])
      for (const old of [1, 2, 4, 5, 8, 31, 64].filter((first) => first <= size)) {
        const top = await now.topAt(size, read);
        const oldTop = await now.topAt(old, read);
        const { path: long } = await now.consistency(old, read, size);
        const path = (old & (old - 1)) === 0 ? long.slice(1) : long;
        expect(await isConsistent({ size: old, top: oldTop }, { size, top }, path)).toBe(true);
        requests.push({ do: "consistent", old, size, oldTop, top, path });
        requests.push({
          do: "consistent",
          old,
          size,
          oldTop: top.replace(/^./, (c) => (c === "0" ? "1" : "0")),
          top,
          path,
        });
        requests.push({
          do: "included",
          index: old - 1,
          size,
          leaf: LEAVES[old - 1],
          path: await now.inclusion(old - 1, read, size),
          top,
        });
        requests.push({
          do: "included",
          index: old - 1,
          size,
          leaf: LEAVES[old],
          path: await now.inclusion(old - 1, read, size),
          top,
        });
        expected.push(true, false, true, false);
      }
    const answers = await ask(...requests);
    expect(answers.map(({ error }) => error === undefined)).toEqual(expected);
  });
});
