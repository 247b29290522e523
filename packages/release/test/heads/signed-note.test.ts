import { describe, expect, it } from "vitest";
import { keyAs } from "../../src/heads/note-keys.js";
import { cosignatureLine, verifiedSignatures } from "../../src/heads/signed-note.js";
import {
  checkpointText,
  noteOf,
  readCheckpoint,
  readNote,
  readPrivateKey,
  signatureLine,
} from "../../src/index.js";
import { noteSigner } from "./signers.js";

const LEDGER = await noteSigner("example.org/ledger", 1);
const PAPER = await noteSigner("paper.example/w", 2);
const TOP = "ab".repeat(32);
const HEAD = { origin: "example.org/ledger", size: 42, top: TOP };
const TEXT = checkpointText(HEAD);

describe("a signed note", () => {
  it("has the signatures of its keys, and the time of a cosigner", async () => {
    const note = noteOf(TEXT, [
      await signatureLine(TEXT, LEDGER),
      await cosignatureLine(TEXT, PAPER, 1_700_000_000),
    ]);
    expect(readCheckpoint(readNote(note).text)).toEqual(HEAD);
    const verified = await verifiedSignatures(readNote(note), [LEDGER.key, PAPER.cosigner]);
    expect(verified.map(({ key, time }) => [key.name, time])).toEqual([
      ["example.org/ledger", undefined],
      ["paper.example/w", 1_700_000_000],
    ]);
    expect(await verifiedSignatures(readNote(note), [PAPER.key])).toEqual([]);
    expect(await verifiedSignatures(readNote(note), [keyAs("cosignature", LEDGER.key)])).toEqual([]);
  });

  it("is spoilt by one wrong signature of a known key; one of an unknown key means nothing", async () => {
    const other = TEXT.replace("42", "43");
    const note = noteOf(TEXT, [await signatureLine(TEXT, LEDGER), await signatureLine(other, PAPER)]);
    await expect(verifiedSignatures(readNote(note), [LEDGER.key, PAPER.key])).rejects.toThrow(
      /signed by paper/,
    );
    expect(await verifiedSignatures(readNote(note), [LEDGER.key])).toHaveLength(1);
  });

  it("a cosignature doesn't hold for another time, and a signature isn't a cosignature", async () => {
    const line = await cosignatureLine(TEXT, PAPER, 1_700_000_000);
    const [, name, base64] = line.split(" ");
    const raw = Buffer.from(base64!, "base64");
    raw[11]! ^= 1; // the last byte of the time
    const later = `— ${name} ${raw.toString("base64")}`;
    await expect(verifiedSignatures(readNote(noteOf(TEXT, [later])), [PAPER.cosigner])).rejects.toThrow(
      /signed by/,
    );
    const short = `— ${name} ${Buffer.from(base64!, "base64").subarray(0, 60).toString("base64")}`;
    await expect(verifiedSignatures(readNote(noteOf(TEXT, [short])), [PAPER.cosigner])).rejects.toThrow(
      /signed by/,
    );
  });

  it("counts a key once", async () => {
    const lines = [await cosignatureLine(TEXT, PAPER, 1), await cosignatureLine(TEXT, PAPER, 2)];
    expect(await verifiedSignatures(readNote(noteOf(TEXT, lines)), [PAPER.cosigner])).toHaveLength(1);
  });

  it.each([
    "",
    "text\n",
    `${TEXT}`,
    `${TEXT}\n`,
    `${TEXT}\n— a`,
    `${TEXT}\n— a AAAAAAA=`,
    `${TEXT}\n- a AAAAAAAA\n`,
    `${TEXT}\n— a+b AAAAAAAAAA==\n`,
    `${TEXT}\n— a AAAAAAAAAB==\n`,
    `${TEXT}\n— a AAAA\n`,
    `a\0b\n\n— a AAAAAAAAAA==\n`,
    `\ud800\n\n— a AAAAAAAAAA==\n`,
    `\n\n— a AAAAAAAAAA==\n`.slice(1),
  ])("%j isn't one", (text) => {
    expect(() => readNote(text)).toThrow(/note must be a signed note/);
  });
});

describe("the text of a head", () => {
  it("may have more lines, which mean nothing", () => {
    expect(readCheckpoint(`${TEXT}more\n`)).toEqual(HEAD);
  });

  it.each([
    "",
    "a\n1\n",
    TEXT.replace("42", "042"),
    TEXT.replace("42", "-1"),
    TEXT.replace("42", "9007199254740993"),
    TEXT.replace("42", ""),
    TEXT.replace("example.org/ledger", "two words"),
    TEXT.replace("example.org/ledger", ""),
    TEXT.replace("q6ur", "q6u"),
    `${TEXT}\n`,
    TEXT.slice(0, -1),
  ])("%j isn't one", (text) => {
    expect(() => readCheckpoint(text)).toThrow(/note must be a head/);
  });
});

it("a signer reads its own key", async () => {
  expect((await readPrivateKey(LEDGER.text)).key).toEqual(LEDGER.key);
});
