import { describe, expect, it } from "vitest";
import { verifiedSignatures } from "../../src/heads/signed-note.js";
import { askWitness } from "../../src/heads/witnessed.js";
import {
  chain,
  checkKeys,
  checkpointText,
  checkWitnessed,
  cosignedHead,
  EMPTY_CHAIN,
  Ledger,
  MemoryStore,
  noteKeyText,
  noteOf,
  type PublishedRelease,
  readCheckpoint,
  readNote,
  readPolicy,
  type SeenHead,
  type SubmitTo,
  signatureLine,
  Witness,
  type WitnessMemory,
  withWitnesses,
  witnessRequestText,
} from "../../src/index.js";
import { exampleRelease } from "../ledger/laws/place.js";
import { noteSigner } from "./signers.js";

const LEDGER = await noteSigner("example.org/ledger", 1);
const NEXT = await noteSigner("example.org/ledger", 2);
const PAPER = await noteSigner("paper.example/w", 3);
const LIBRARY = await noteSigner("library.example/w", 4);
const SOFTWARE = { name: "test", version: "0" };
const NOW = 1_700_000_000;

/** In memory; for other memories there are tests of their own. */
class Memory implements WitnessMemory {
  readonly heads = new Map<string, SeenHead>();
  readonly accused: string[] = [];
  isFull = false;

  async last(origin: string) {
    return this.heads.get(origin);
  }

  async replace(origin: string, head: SeenHead) {
    if (this.isFull) throw new Error("ENOSPC");
    if ((this.heads.get(origin)?.generation ?? 0) + 1 !== head.generation) return false;
    this.heads.set(origin, head);
    return true;
  }

  async accuse(_: string, note: string) {
    this.accused.push(note);
  }
}

function witnessOf(signer = PAPER, logs = [LEDGER.key]) {
  const memory = new Memory();
  return { memory, witness: new Witness({ signer, logs, memory, now: () => 1000 * NOW }) };
}

async function ledgerWith(releases: number, keys = [LEDGER], prefix = "r") {
  const store = new MemoryStore();
  const ledger = new Ledger(store, { software: SOFTWARE });
  for (const { key } of keys) await ledger.changeKeys({ adds: noteKeyText(key) });
  for (let i = 1; i <= releases; i++) await ledger.record("visits", exampleRelease(`${prefix}${i}`));
  return ledger;
}

async function copyOf(ledger: Ledger): Promise<Ledger> {
  const copy = new Ledger(new MemoryStore(), { software: SOFTWARE });
  const rows: { text: string }[] = [];
  let head = EMPTY_CHAIN;
  for await (const { format: _, sequence: __, previous: ___, ...entry } of ledger.entries()) {
    const row = await chain(entry as never, head);
    rows.push(row);
    head = row;
  }
  await copy.takeOver({
    head,
    rows: () => rows.map((row) => ({ row, entry: JSON.parse(row.text) })) as never,
  });
  return copy;
}

async function request(ledger: Ledger, old: number, signer = LEDGER) {
  const head = { origin: signer.key.name, ...(await ledger.treeHead()) };
  const text = checkpointText(head);
  const note = noteOf(text, [await signatureLine(text, signer)]);
  return witnessRequestText({ old, path: await ledger.pathBetween(old, head.size), note });
}

const POLICY = readPolicy(
  [
    `log ${noteKeyText(LEDGER.key)}`,
    `witness paper ${noteKeyText(PAPER.cosigner)} paper`,
    `witness library ${noteKeyText(LIBRARY.cosigner)} library`,
    "group both all paper library",
    "quorum both",
  ].join("\n"),
);

function submitTo(witnesses: Readonly<Record<string, Witness | undefined>>): SubmitTo {
  return async ({ url }, body) => {
    const witness = witnesses[url ?? ""];
    if (witness === undefined) throw new Error("away");
    return witness.addCheckpoint(body);
  };
}

describe("a witness", () => {
  it("cosigns a head, then later ones that have all its entries", async () => {
    const { witness, memory } = witnessOf();
    const ledger = await ledgerWith(2);
    const first = await witness.addCheckpoint(await request(ledger, 0));
    expect(first.status).toBe(200);
    const { text } = readNote(memory.heads.get("example.org/ledger")!.note);
    const [signature] = await verifiedSignatures(readNote(noteOf(text, [first.body.trimEnd()])), [
      PAPER.cosigner,
    ]);
    expect(signature).toMatchObject({ key: PAPER.cosigner, time: NOW });
    for (let i = 0; i < 5; i++) {
      const { size } = await ledger.treeHead();
      await ledger.record("visits", exampleRelease(`more ${i}`));
      expect((await witness.addCheckpoint(await request(ledger, size))).status).toBe(200);
    }
    const { size } = await ledger.treeHead();
    expect((await witness.addCheckpoint(await request(ledger, size))).status).toBe(200);
    expect(await witness.addCheckpoint(await request(ledger, 3))).toEqual({ status: 409, body: `${size}\n` });
  });

  it("never signs two heads that disagree: rolled back, forked, or with another entry", async () => {
    const { witness, memory } = witnessOf();
    const ledger = await ledgerWith(3);
    const older = await copyOf(ledger);
    await ledger.record("visits", exampleRelease("unloved"));
    expect((await witness.addCheckpoint(await request(ledger, 0))).status).toBe(200);
    expect(await witness.addCheckpoint(await request(older, 0))).toEqual({ status: 409, body: "5\n" });
    expect((await witness.addCheckpoint(await request(older, 4))).status).toBe(409);
    await older.record("visits", exampleRelease("loved"));
    expect(await witness.addCheckpoint(await request(older, 5))).toEqual({ status: 409, body: "5\n" });
    expect(memory.accused).toHaveLength(1);
    await older.record("visits", exampleRelease("another"));
    expect((await witness.addCheckpoint(await request(older, 5))).status).toBe(422);
    expect((await witness.addCheckpoint(await request(older, 4))).status).toBe(409);
    expect(memory.accused).toHaveLength(2);
    expect(readCheckpoint(readNote(memory.heads.get("example.org/ledger")!.note).text).size).toBe(5);
  });

  it("of a ledger without entries signs one head only, so that nothing stands in the way of the first entry", async () => {
    const { witness } = witnessOf();
    const empty = async (top: string) => {
      const text = checkpointText({ origin: LEDGER.key.name, size: 0, top });
      const note = noteOf(text, [await signatureLine(text, LEDGER)]);
      return (await witness.addCheckpoint(witnessRequestText({ old: 0, path: [], note }))).status;
    };
    expect(await empty("ab".repeat(32))).toBe(409);
    expect(await empty("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")).toBe(200);
    expect((await witness.addCheckpoint(await request(await ledgerWith(1), 0))).status).toBe(200);
  });

  it("signs nothing that it couldn't keep", async () => {
    const { witness, memory } = witnessOf();
    const ledger = await ledgerWith(1);
    memory.isFull = true;
    await expect(witness.addCheckpoint(await request(ledger, 0))).rejects.toThrow("ENOSPC");
    memory.isFull = false;
    expect((await witness.addCheckpoint(await request(ledger, 0))).status).toBe(200);
  });

  it("of two that replace the same head at once, one starts again", async () => {
    const { witness, memory } = witnessOf();
    const ledger = await ledgerWith(1);
    await witness.addCheckpoint(await request(ledger, 0));
    const bodies: string[] = [];
    for (let i = 0; i < 4; i++) {
      await ledger.record("visits", exampleRelease(`at once ${i}`));
      bodies.push(await request(ledger, 2));
    }
    const answers = await Promise.all(bodies.map((body) => witness.addCheckpoint(body)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409]);
    expect(memory.heads.get("example.org/ledger")!.generation).toBe(2);
  });

  it.each([
    [
      "another ledger",
      404,
      async () => request(await ledgerWith(1), 0, await noteSigner("example.org/other", 9)),
    ],
    ["another key", 403, async () => request(await ledgerWith(1), 0, NEXT)],
    ["a wrong signature", 403, async () => (await request(await ledgerWith(1), 0)).replace("\n2\n", "\n3\n")],
    [
      "too large an old size",
      400,
      async () => (await request(await ledgerWith(1), 0)).replace("old 0", "old 9"),
    ],
    [
      "a proof from nothing",
      422,
      async () => (await request(await ledgerWith(1), 0)).replace("old 0\n", `old 0\n${"A".repeat(43)}=\n`),
    ],
    ["no old size", 400, async () => (await request(await ledgerWith(1), 0)).replace("old 0", "old")],
    ["a zero in front", 400, async () => (await request(await ledgerWith(1), 0)).replace("old 0", "old 00")],
    [
      "64 lines of proof",
      400,
      async () =>
        (await request(await ledgerWith(1), 0)).replace(
          "old 0\n",
          `old 0\n${`${"A".repeat(43)}=\n`.repeat(64)}`,
        ),
    ],
    ["nothing", 400, async () => ""],
    ["a note without a head", 400, async () => "old 0\n\nhello\n\n— a AAAAAAAAAA==\n"],
  ])("refuses %s with %i", async (_, status, body) => {
    const { witness, memory } = witnessOf();
    expect((await witness.addCheckpoint(await body())).status).toBe(status);
    expect(memory.heads.size).toBe(0);
  });

  it("forgets a key that its operator took out", async () => {
    const { memory } = witnessOf();
    const ledger = await ledgerWith(1, [LEDGER, NEXT]);
    const both = new Witness({ signer: PAPER, logs: [LEDGER.key, NEXT.key], memory });
    expect((await both.addCheckpoint(await request(ledger, 0, LEDGER))).status).toBe(200);
    expect((await both.addCheckpoint(await request(ledger, 3, NEXT))).status).toBe(200);
    const one = new Witness({ signer: PAPER, logs: [NEXT.key], memory });
    expect((await one.addCheckpoint(await request(ledger, 3, LEDGER))).status).toBe(403);
    expect((await one.addCheckpoint(await request(ledger, 3, NEXT))).status).toBe(200);
  });
});

describe("a release with witnesses", () => {
  const both = () => ({ paper: witnessOf(PAPER).witness, library: witnessOf(LIBRARY).witness });

  it("carries a head that includes it, and anyone can check it without the ledger", async () => {
    const ledger = await ledgerWith(5);
    const submit = submitTo(both());
    const release = await ledger.find<PublishedRelease>("r3");
    const shown = await withWitnesses(release!, { ledger, signers: [LEDGER], policy: POLICY, submit });
    const { findings, head } = await checkWitnessed(shown, { policy: POLICY });
    expect(findings).toEqual([]);
    expect(head).toMatchObject({ checkpoint: { size: 6 }, cosigned: [{ time: NOW }, { time: NOW }] });
    const topAt = async (size: number) => (await ledger.treeHead(size)).top;
    expect(await checkKeys(shown, await ledger.keyEntries(), topAt)).toEqual([]);
  });

  it("isn't shown while too few answer; the same release is later, and of a longer ledger", async () => {
    const ledger = await ledgerWith(2);
    const witnesses = both();
    const release = (await ledger.find<PublishedRelease>("r2"))!;
    const one = { ledger, signers: [LEDGER], policy: POLICY, submit: submitTo({ paper: witnesses.paper }) };
    await expect(withWitnesses(release, one)).rejects.toMatchObject({ code: "witness-away", release: "r2" });
    expect((await withWitnesses(release, { ...one, least: 1 })).ledger.witnessed).toBeDefined();
    await ledger.record("visits", exampleRelease("r3"));
    const later = await withWitnesses(release, { ...one, submit: submitTo(witnesses) });
    expect((await checkWitnessed(later, { policy: POLICY })).findings).toEqual([]);
  });

  it("isn't shown if a witness has seen another ledger, however many others agree", async () => {
    const ledger = await ledgerWith(3);
    const older = await copyOf(ledger);
    const witnesses = both();
    const request = {
      ledger,
      signers: [LEDGER],
      policy: POLICY,
      submit: submitTo({ paper: witnesses.paper }),
      least: 1,
    };
    await ledger.record("visits", exampleRelease("seen"));
    await cosignedHead(request);
    const submit = submitTo(witnesses);
    await expect(cosignedHead({ ...request, ledger: older, submit })).rejects.toMatchObject({
      code: "witness-disagrees",
      message: expect.stringContaining("one with 5 entries"),
    });
    await older.record("visits", exampleRelease("redrawn"));
    await expect(cosignedHead({ ...request, ledger: older, submit })).rejects.toMatchObject({
      code: "witness-disagrees",
      message: expect.stringContaining("one with other entries"),
    });
  });

  it("goes on with a longer head if others charged meanwhile", async () => {
    const ledger = await ledgerWith(2);
    const { paper } = both();
    const submit: SubmitTo = async (_, body) => {
      if ((await ledger.length()) < 4) {
        await ledger.record("visits", exampleRelease("meanwhile"));
        await paper.addCheckpoint(await request(ledger, 0));
      }
      return paper.addCheckpoint(body);
    };
    const { checkpoint } = await cosignedHead({ ledger, signers: [LEDGER], policy: POLICY, submit });
    expect(checkpoint.size).toBe(4);
  });

  it("is signed by keys that the ledger has, and not by one that it revoked", async () => {
    const ledger = await ledgerWith(1);
    const request = { ledger, policy: readPolicy("quorum none"), submit: submitTo({}) };
    const release = (await ledger.find<PublishedRelease>("r1"))!;
    const before = await withWitnesses(release, { ...request, signers: [LEDGER] });
    await expect(withWitnesses(release, { ...request, signers: [NEXT] })).rejects.toMatchObject({
      code: "key-not-recorded",
    });
    await expect(withWitnesses(release, { ...request, signers: [] })).rejects.toMatchObject({
      code: "key-not-recorded",
    });
    await ledger.changeKeys({ adds: noteKeyText(NEXT.key), revokes: noteKeyText(LEDGER.key) });
    await expect(withWitnesses(release, { ...request, signers: [LEDGER] })).rejects.toMatchObject({
      code: "key-not-recorded",
    });
    const after = await withWitnesses(release, { ...request, signers: [NEXT] });
    const topAt = async (size: number) => (await ledger.treeHead(size)).top;
    const entries = await ledger.keyEntries();
    expect(await checkKeys(before, entries, topAt)).toEqual([]);
    expect(await checkKeys(after, entries, topAt)).toEqual([]);
    // A head of the present, signed by someone who has stolen the old key.
    const text = checkpointText({ origin: LEDGER.key.name, ...(await ledger.treeHead()) });
    const stolen = noteOf(text, [await signatureLine(text, LEDGER)]);
    const forged = {
      ...after,
      ledger: { ...after.ledger, witnessed: { ...after.ledger.witnessed!, note: stolen } },
    };
    expect(await checkKeys(forged, entries, topAt)).toMatchObject([{ kind: "not-signed" }]);
    expect(await checkKeys(before, entries, async () => "00".repeat(32))).toMatchObject([
      { kind: "rolled-back" },
    ]);
    await expect(ledger.changeKeys({ adds: noteKeyText(LEDGER.key) })).rejects.toMatchObject({
      code: "key-not-recorded",
    });
    await expect(ledger.changeKeys({ revokes: noteKeyText(LEDGER.key) })).rejects.toMatchObject({
      code: "key-not-recorded",
    });
    await expect(ledger.changeKeys({ adds: noteKeyText(PAPER.key) })).rejects.toMatchObject({
      code: "usage",
    });
    expect(await ledger.changeKeys({ adds: noteKeyText(NEXT.key) })).toBe(false);
  });

  it("dated after its witnesses saw it is noted: a clock was set back, or forward", async () => {
    const ledger = await ledgerWith(1);
    const late = { ...exampleRelease("late"), time: "9000-01-01T00:00:00.000Z" };
    await ledger.record("visits", late);
    await ledger.record("visits", exampleRelease("early"));
    expect((await ledger.verify()).notes).toContain("Entry 4 has an earlier time than the entry before it.");
    const request = { ledger, signers: [LEDGER], policy: POLICY, submit: submitTo(both()) };
    for (const [id, notes] of [
      ["late", 1],
      ["early", 1],
      ["r1", 1],
    ] as const) {
      const shown = await withWitnesses((await ledger.find<PublishedRelease>(id))!, request);
      expect((await checkWitnessed(shown, { policy: POLICY })).notes, id).toHaveLength(notes);
    }
    const { witness: paper } = witnessOf(PAPER);
    const inTime = await ledgerWith(0);
    await inTime.record("visits", { ...exampleRelease("a"), time: new Date(1000 * NOW).toISOString() });
    const shown = await withWitnesses((await inTime.find<PublishedRelease>("a"))!, {
      ...{ ledger: inTime, signers: [LEDGER], policy: POLICY, least: 1, submit: submitTo({ paper }) },
    });
    expect(await checkWitnessed(shown, { policy: POLICY, least: 1 })).toMatchObject({
      findings: [],
      notes: [],
    });
  });

  it("every planted change is found", async () => {
    const ledger = await ledgerWith(5);
    const release = (await ledger.find<PublishedRelease>("r3"))!;
    const shown = await withWitnesses(release, {
      ledger,
      signers: [LEDGER],
      policy: POLICY,
      submit: submitTo(both()),
    });
    const witnessed = shown.ledger.witnessed!;
    const [body, lines] = witnessed.note.split("\n\n");
    const [own, paper, library] = lines!.trimEnd().split("\n");
    const withNote = (note: string) => ({
      ...shown,
      ledger: { ...shown.ledger, witnessed: { ...witnessed, note } },
    });
    const other = noteOf(`${body}\n`.replace("6\n", "7\n"), [own!, paper!, library!]);
    const cases: [string, PublishedRelease][] = [
      ["not-signed", { ...shown, ledger: release.ledger }],
      ["altered-release", { ...shown, question: { k: 6 } } as PublishedRelease],
      ["altered-release", { ...shown, ledger: { ...shown.ledger, sequence: 3 } }],
      [
        "altered-release",
        { ...shown, ledger: { ...shown.ledger, witnessed: { ...witnessed, previous: "00".repeat(32) } } },
      ],
      [
        "not-included",
        { ...shown, ledger: { ...shown.ledger, witnessed: { ...witnessed, path: witnessed.path.slice(1) } } },
      ],
      ["not-signed", withNote(other)],
      ["not-signed", withNote(noteOf(`${body}\n`, [paper!, library!]))],
      ["not-witnessed", withNote(noteOf(`${body}\n`, [own!, paper!]))],
      ["not-witnessed", withNote(noteOf(`${body}\n`, [own!, paper!, paper!]))],
      ["not-signed", withNote("hello")],
    ];
    for (const [kind, spoilt] of cases)
      expect((await checkWitnessed(spoilt, { policy: POLICY })).findings, kind).toMatchObject([{ kind }]);
    expect((await checkWitnessed(shown, { policy: POLICY, least: 3 })).findings).toMatchObject([
      { kind: "not-witnessed" },
    ]);
    const stranger = readPolicy(`log ${noteKeyText(NEXT.key)}\nquorum none`);
    expect((await checkWitnessed(shown, { policy: stranger })).findings).toMatchObject([
      { kind: "not-signed" },
    ]);
  });
});

describe("asking a witness", () => {
  const witness = POLICY.witnesses[0]!;
  const ask = async (...answers: readonly { status: number; body: string }[]) => {
    const ledger = await ledgerWith(1);
    const { size } = await ledger.treeHead();
    const text = checkpointText({ origin: LEDGER.key.name, ...(await ledger.treeHead()) });
    const note = noteOf(text, [await signatureLine(text, LEDGER)]);
    const rest = [...answers];
    const submit: SubmitTo = async () => rest.shift() ?? answers.at(-1)!;
    return askWitness({ witness, note, size, pathFrom: (old) => ledger.pathBetween(old, size), submit });
  };

  it.each([
    [{ status: 500, body: "" }, "away"],
    [{ status: 404, body: "" }, "away"],
    [{ status: 200, body: "" }, "away"],
    [{ status: 200, body: "— paper.example/w AAAA\n" }, "away"],
    [{ status: 409, body: "many\n" }, "away"],
    [{ status: 409, body: "0\n" }, "away"],
    [{ status: 409, body: "9\n" }, "ahead"],
    [{ status: 409, body: "2\n" }, "disagrees"],
    [{ status: 422, body: "" }, "disagrees"],
  ])("%j: %s", async (answer, kind) => {
    expect((await ask(answer)).kind).toBe(kind);
  });

  it("takes no signature of another key or another head", async () => {
    const { witness: other } = witnessOf(LIBRARY);
    const answer = await other.addCheckpoint(await request(await ledgerWith(1), 0));
    expect((await ask(answer)).kind).toBe("away");
    const { witness: own } = witnessOf(PAPER);
    expect((await ask(await own.addCheckpoint(await request(await ledgerWith(3), 0)))).kind).toBe("away");
  });

  it("ends with one that sees other heads all the time", async () => {
    expect(
      (
        await ask(
          { status: 409, body: "1\n" },
          { status: 409, body: "0\n" },
          { status: 409, body: "1\n" },
          { status: 409, body: "0\n" },
        )
      ).kind,
    ).toBe("away");
  });
});
