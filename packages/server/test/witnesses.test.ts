/**
 * A service whose releases need a witness: what it shows, what it holds back, and two services over two copies of one ledger.
 */
import { copyFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import {
  checkWitnessed,
  noteKeyText,
  type PublishedRelease,
  readPolicy,
  type SubmitTo,
  Witness,
} from "winnow-release";
import { WitnessFolder } from "../../cli/src/heads/witness-memory.js";
import { openLedger } from "../../cli/src/ledger/open-ledger.js";
import { noteSigner } from "../../release/test/heads/signers.js";
import type { Witnessing } from "../src/host.js";
import {
  ask,
  expectShape,
  openService,
  type ServiceFolder,
  serviceFolder,
  TOP,
} from "./support/service-folder.js";

const RELEASES = "/v1/datasets/visits/releases";
const LEDGER = await noteSigner("example.org/ledger", 1);
const PAPER = await noteSigner("paper.example/w", 2);
const POLICY = readPolicy(
  `log ${noteKeyText(LEDGER.key)}\nwitness paper ${noteKeyText(PAPER.cosigner)}\nquorum paper\n`,
);

/** A folder whose ledger has a key, and a witness that can be away. */
async function witnessed() {
  const folder = await serviceFolder();
  onTestFinished(folder.remove);
  const ledger = await openLedger(join(folder.path, "team.ledger"));
  await ledger.changeKeys({ adds: noteKeyText(LEDGER.key) });
  await ledger.close();
  const memory = await WitnessFolder.begin(join(folder.path, "seen"));
  const witness = new Witness({ signer: PAPER, logs: [LEDGER.key], memory });
  const paper = { isAway: false, asked: 0 };
  const submit: SubmitTo = async (_, body) => {
    paper.asked++;
    if (paper.isAway) throw new Error("no answer");
    return witness.addCheckpoint(body);
  };
  const witnessing: Witnessing = { signers: [LEDGER], policy: POLICY, submit };
  const start = async (place: ServiceFolder = folder) => {
    const opened = await openService(place, { witnessing });
    onTestFinished(() => opened.service.close());
    const release = (key: string, as: "alice" | "bob" = "alice") =>
      ask(opened.app, RELEASES, { as, body: TOP, key });
    return { ...opened, release };
  };
  return { folder, paper, start };
}

/** Its number of entries. */
async function lengthOf(path: string): Promise<number> {
  const ledger = await openLedger(path, { readOnly: true });
  try {
    return await ledger.length();
  } finally {
    await ledger.close();
  }
}

it("shows releases with a cosigned head that includes them, one question to the witness for many", async () => {
  const { paper, start } = await witnessed();
  const { app, release } = await start();
  const made = await Promise.all(["a", "b", "c"].map((key) => release(key)));
  const documents = (await Promise.all(made.map((one) => one.json()))) as PublishedRelease[];
  for (const document of documents) {
    expectShape("Release", document);
    expect((await checkWitnessed(document, { policy: POLICY })).findings).toEqual([]);
  }
  const before = paper.asked;
  const { releases } = (await (await ask(app, "/v1/releases")).json()) as { releases: PublishedRelease[] };
  expect(releases).toHaveLength(3);
  for (const document of [...releases, await (await ask(app, `/v1/releases/${releases[0]!.id}`)).json()])
    expect((await checkWitnessed(document as PublishedRelease, { policy: POLICY })).findings).toEqual([]);
  expect((await release("a")).status).toBe(200);
  expect(paper.asked).toBe(before);
});

it("holds a release back while the witness is away, charges it once, and shows it when the witness is there", async () => {
  const { folder, paper, start } = await witnessed();
  const { app, release } = await start();
  paper.isAway = true;
  const away = await release("june");
  expect([away.status, await away.json()]).toEqual([503, expect.objectContaining({ code: "witness-away" })]);
  const length = await lengthOf(join(folder.path, "team.ledger"));
  for (const path of ["/v1/releases", "/v1/releases/alice.june"]) {
    const held = await ask(app, path);
    expect([held.status, await held.text()]).toEqual([503, expect.not.stringContaining("winners")]);
  }
  paper.isAway = false;
  expect((await release("june")).status).toBe(200);
  expect((await ask(app, "/v1/releases")).status).toBe(200);
  expect(await lengthOf(join(folder.path, "team.ledger"))).toBe(length);
});

it("of two services over two copies of a ledger only one releases anything, and the other says so at once", async () => {
  const { folder, start } = await witnessed();
  const copy = await serviceFolder();
  onTestFinished(copy.remove);
  copyFileSync(join(folder.path, "team.ledger"), join(copy.path, "team.ledger"));
  const [own, other] = [await start(), await start(copy)];
  expect((await own.release("first")).status).toBe(201);
  const length = await lengthOf(join(copy.path, "team.ledger"));
  const refused = await other.release("second", "bob");
  const problem = (await refused.json()) as { code: string; detail: string };
  expect([refused.status, problem.code]).toEqual([503, "witness-disagrees"]);
  expect(problem.detail).not.toContain(copy.path);
  expect(await lengthOf(join(copy.path, "team.ledger"))).toBe(length);
  expect(other.requests.at(-1)).toMatchObject({
    status: 503,
    cause: "witness-disagrees",
  });
  expect((await own.release("third")).status).toBe(201);
  // Restored from a backup, it doesn't even start.
  await expect(start(copy)).rejects.toMatchObject({ code: "witness-disagrees" });
});

it("of two services over two copies that charged while the witness was away, one shows nothing when it is back", async () => {
  const { folder, paper, start } = await witnessed();
  const copy = await serviceFolder();
  onTestFinished(copy.remove);
  copyFileSync(join(folder.path, "team.ledger"), join(copy.path, "team.ledger"));
  paper.isAway = true;
  const [own, other] = [await start(), await start(copy)];
  expect((await own.release("mine")).status).toBe(503);
  expect((await other.release("theirs")).status).toBe(503);
  paper.isAway = false;
  expect((await own.release("mine")).status).toBe(200);
  const theirs = await other.release("theirs");
  expect([theirs.status, await theirs.json()]).toEqual([
    503,
    expect.objectContaining({ code: "witness-disagrees" }),
  ]);
});

it("doesn't start with a key that the ledger hasn't recorded, or has revoked", async () => {
  const { folder, start } = await witnessed();
  const ledger = await openLedger(join(folder.path, "team.ledger"));
  await ledger.changeKeys({ revokes: noteKeyText(LEDGER.key) });
  await ledger.close();
  await expect(start()).rejects.toMatchObject({ code: "key-not-recorded" });
});
