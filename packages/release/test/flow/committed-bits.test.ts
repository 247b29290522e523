import { describe, expect, it } from "vitest";
import {
  bitsOf,
  checkCharges,
  guardChargedInputs,
  guardPublicInputs,
  Ledger,
  type LedgerEntry,
  limitKeyOf,
  listedDomain,
  MemoryStore,
  makeRelease,
  newOpening,
  newRelease,
  openSentence,
  orderedCounts,
  type PublishedRelease,
  type Question,
  type Release,
  readOpening,
  readQuestion,
  releaseBits,
  reservedBits,
  select,
} from "../../src/index.js";

const SOFTWARE = { name: "winnow-test", version: "0.1.0" };
const ITEMS = Array.from({ length: 40 }, (_, i) => `item ${i}`);
const COUNTS = { items: ITEMS, users: ITEMS.map((_, i) => (i * 7) % 23) };
const QUESTION = readQuestion({ k: 5, domain: await listedDomain(ITEMS), epsilon: "1", unit: "one person" });
const INPUTS = await guardPublicInputs([], async () => []);
const SOURCE = { item: "item", user: "user", dialect: {} };

interface Making {
  readonly ledger: Ledger;
  readonly id: string;
  readonly opening?: ReturnType<typeof newOpening>;
  readonly counts?: typeof COUNTS;
  readonly question?: Question;
  readonly keep?: () => Promise<void>;
}

async function made({
  ledger,
  id,
  opening,
  counts = COUNTS,
  question = QUESTION,
  keep = async () => {},
}: Making) {
  const { release } = await makeRelease<PublishedRelease & Release>({
    ...{ id, dataset: "visits", question, software: SOFTWARE, ledger, charge: () => ({}) },
    inputs: () => guardChargedInputs(INPUTS, ledger),
    find: () => ledger.find(id),
    curator: { tell: () => {}, agrees: async () => true },
    ...(opening && { bits: { opening, keep } }),
    count: async () => ({ batches: [counts], source: SOURCE }),
  });
  return release;
}

const fresh = () => new Ledger(new MemoryStore(), { software: SOFTWARE });

async function entriesOf(ledger: Ledger): Promise<LedgerEntry[]> {
  const entries: LedgerEntry[] = [];
  for await (const entry of ledger.entries()) entries.push(entry);
  return entries;
}

/** As an auditor does it: the same counts, in whatever order they come, and the opening. */
async function drawnAgain(release: Release, opening: ReturnType<typeof newOpening>, counts = COUNTS) {
  const { dataset, question } = release;
  const ordered = await orderedCounts([counts]);
  const answer = await select(question, ordered.batches, { entropy: bitsOf(opening) });
  const again = newRelease({ ...release, time: new Date(release.time), answer });
  const bits = await releaseBits(opening, { dataset, question, answer: again.answer, counts: ordered.hash });
  return { answer: again.answer, bits };
}

describe("a release that commits to its bits", () => {
  it("is drawn again by someone with the counts and the opening, bit for bit, in whatever order the counts come", async () => {
    for (const question of [
      QUESTION,
      readQuestion({ ...QUESTION, resolution: "1" }),
      readQuestion({ k: 4, domain: { kind: "unknown" }, rho: "1/10", delta: "1e-6", unit: "one person" }),
    ]) {
      const opening = newOpening("june");
      const release = await made({ ledger: fresh(), id: "june", opening, question });
      const shuffled = { items: ITEMS.toReversed(), users: COUNTS.users.toReversed() };
      const halves = [
        { items: ITEMS.slice(20), users: COUNTS.users.slice(20) },
        { items: ITEMS.slice(0, 20), users: COUNTS.users.slice(0, 20) },
      ];
      expect((await orderedCounts(halves)).hash).toBe((await orderedCounts([COUNTS])).hash);
      for (const counts of [COUNTS, shuffled])
        expect(await drawnAgain(release, opening, counts)).toEqual({
          answer: release.answer,
          bits: release.bits,
        });
    }
  });

  it("reserves first, with the commitment to its seed, after the opening is kept", async () => {
    const ledger = fresh();
    const opening = newOpening("june");
    const seen: number[] = [];
    const release = await made({
      ledger,
      id: "june",
      opening,
      keep: async () => void seen.push(await ledger.length()),
    });
    expect(seen).toEqual([0]);
    const [reservation] = await entriesOf(ledger);
    expect(reservation).toMatchObject({
      kind: "reservation",
      bits: await reservedBits(opening, { dataset: "visits", question: QUESTION }),
    });
    expect(release.bits?.seed).toBe((reservation as { bits: { seed: string } }).bits.seed);
    expect(JSON.stringify(await entriesOf(ledger))).not.toContain(opening.seed);
    expect(await checkCharges(await entriesOf(ledger))).toMatchObject({ findings: [], open: [] });
  });

  it("isn't charged if the opening can't be kept", async () => {
    const ledger = fresh();
    const keep = async () => {
      throw new Error("no room");
    };
    await expect(made({ ledger, id: "june", opening: newOpening("june"), keep })).rejects.toThrow("no room");
    expect(await ledger.length()).toBe(0);
  });

  it("without bits is as it was", async () => {
    const ledger = fresh();
    const release = await made({ ledger, id: "june" });
    expect(release).not.toHaveProperty("bits");
    expect(await ledger.length()).toBe(1);
  });
});

describe("planted cheats", () => {
  const setup = async () => {
    const opening = newOpening("june");
    const ledger = fresh();
    return { opening, ledger, release: await made({ ledger, id: "june", opening }) };
  };

  it("another seed and another blinder don't open the commitment", async () => {
    const { opening, release } = await setup();
    const other = newOpening("june");
    for (const wrong of [
      other,
      { ...opening, seed: other.seed },
      { ...opening, seedBlinder: other.seedBlinder },
      { ...opening, id: "july" },
    ])
      expect((await reservedBits(wrong, release)).seed).not.toBe(release.bits?.seed);
    const blinded = { ...opening, countsBlinder: other.countsBlinder };
    expect((await drawnAgain(release, blinded)).bits.counts).not.toBe(release.bits?.counts);
  });

  it("other rows don't, even if they lead to the same answer", async () => {
    const { opening, release } = await setup();
    for (let i = 0; i < ITEMS.length; i++) {
      const users = COUNTS.users.with(i, COUNTS.users[i]! + 1);
      const { bits } = await drawnAgain(release, opening, { items: ITEMS, users });
      expect(bits.counts).not.toBe(release.bits?.counts);
    }
  });

  it("another answer doesn't fit", async () => {
    const { opening, release } = await setup();
    const answer = { ...release.answer, winners: release.answer.winners.toReversed() };
    const { dataset, question } = release;
    const { hash } = await orderedCounts([COUNTS]);
    expect((await releaseBits(opening, { dataset, question, answer, counts: hash })).counts).not.toBe(
      release.bits?.counts,
    );
  });

  it("a second draw under the same reservation isn't recorded, and a second reservation stays open", async () => {
    const ledger = fresh();
    const unloved = newOpening("unloved");
    await ledger.reserve("visits", "unloved", QUESTION, {
      bits: await reservedBits(unloved, { dataset: "visits", question: QUESTION }),
    });
    await expect(made({ ledger, id: "unloved", opening: newOpening("unloved") })).rejects.toMatchObject({
      code: "reservation-open",
    });
    const loved = await made({ ledger: fresh(), id: "unloved", opening: newOpening("unloved") });
    await expect(ledger.record("visits", loved)).rejects.toMatchObject({ code: "release-id-taken" });
    await made({ ledger, id: "loved", opening: newOpening("loved") });
    const { findings, open } = await checkCharges(await entriesOf(ledger));
    expect({ findings, open }).toEqual({ findings: [], open: [1] });
    expect(openSentence(open)).toMatch(/^1 reservation is open \(entry 1\)/);
    expect(openSentence([])).toBe("");
    expect(openSentence(Array.from({ length: 11 }, (_, i) => i + 1))).toMatch(
      /^11 reservations are open \(entries 1, .*10, …\)/,
    );
  });

  it("a reservation that was dropped, or made with other bits, is found in the log", async () => {
    const { ledger, opening, release } = await setup();
    await expect(fresh().record("visits", release)).rejects.toThrow(/there is none/);
    const [reservation, recorded] = (await entriesOf(ledger)) as [LedgerEntry, LedgerEntry];
    const problems = async (entries: LedgerEntry[]) =>
      (await checkCharges(entries)).findings.map(({ sentence }) => sentence.replace(/^.*?: /, ""));
    expect(await problems([recorded])).toEqual(["it commits to bits, and no reservation before it does."]);
    expect(await problems([recorded, reservation])).toEqual([
      "it commits to bits, and no reservation before it does.",
    ]);
    const other = await reservedBits(newOpening("june"), { dataset: "visits", question: QUESTION });
    expect(await problems([{ ...reservation, bits: other } as LedgerEntry, recorded])).toEqual([
      "it isn't drawn with the bits that were reserved for it.",
    ]);
    const { bits: _, ...plain } = release;
    const { ledger: __, ...document } = plain;
    expect(await problems([reservation, { ...recorded, release: document } as LedgerEntry])).toEqual([
      "it isn't drawn with the bits that were reserved for it.",
    ]);
    expect(limitKeyOf(opening)).toHaveLength(32);
    expect(limitKeyOf(opening)).not.toEqual(limitKeyOf(newOpening("june")));
  });
});

describe("an opening", () => {
  it("is read back, and no error quotes it", () => {
    const opening = newOpening("june");
    expect(readOpening(JSON.stringify(opening))).toEqual(opening);
    expect(
      new Set([opening.seed, opening.seedBlinder, opening.countsBlinder, newOpening("june").seed]).size,
    ).toBe(4);
    for (const wrong of [
      "",
      "null",
      "{}",
      JSON.stringify({ ...opening, seed: opening.seed.slice(1) }),
      JSON.stringify({ ...opening, schema: "x" }),
      JSON.stringify({ ...opening, generator: "x" }),
    ])
      expect(() => readOpening(wrong)).toThrow(/^opening must be an opening as winnow wrote it$/);
  });
});
