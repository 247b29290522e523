import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { copyFileSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import {
  canonicalJson,
  noteKeyText,
  readNoteKey,
  readPolicy,
  readPrivateKey,
  Witness,
  withWitnesses,
} from "winnow-release";
import { WitnessFolder } from "../../src/heads/witness-memory.js";
import { serveWitness, type WitnessServer } from "../../src/heads/witness-server.js";
import { openLedger } from "../../src/ledger/open-ledger.js";
import { expectRefused } from "../support/expect-refused.js";
import { winnowHere } from "../support/in-process.js";
import { type Folder, folder } from "../support/winnow.js";

const ROWS = `area,user\n${Array.from({ length: 60 }, (_, i) => `${"abc"[i % 3]},u${i}`).join("\n")}\n`;
const VERIFY = fileURLToPath(new URL("../../verify.py", import.meta.url));

interface Place {
  readonly here: Folder;
  readonly logKey: string;
  readonly witnessKey: string;
  readonly run: (...args: readonly string[]) => ReturnType<typeof winnowHere>;
  readonly top: (id: string, ...more: readonly string[]) => ReturnType<typeof winnowHere>;
  /** Starts the witness again with what it remembers; until then it is away. */
  readonly start: (logs?: readonly string[]) => Promise<WitnessServer>;
  readonly length: (ledger?: string) => Promise<number>;
}

/** A folder with rows, a ledger with a key, and a witness that isn't running. */
async function place(): Promise<Place> {
  const here = folder({ "visits.csv": ROWS, "areas.txt": "a\nb\nc\n" });
  const run = (...args: readonly string[]) => winnowHere(here, args);
  const logKey = (await run("keygen", "example.org/ledger", "-o", "ledger.key")).stdout.trim();
  const made = (await run("keygen", "paper.example/w", "--witness", "-o", "witness.key")).stdout.trim();
  await run("budget", "init", "visits", "--epsilon", "9");
  await run("budget", "key", logKey);
  await WitnessFolder.begin(here.file("seen"));
  const signer = await readPrivateKey(lastLine(readFileSync(here.file("witness.key"), "utf8")));
  const policyFor = (url: string) =>
    writeFileSync(here.file("policy.txt"), `log ${logKey}\nwitness paper ${made} ${url}\nquorum paper\n`);
  policyFor("http://127.0.0.1:1");
  return {
    ...{ here, logKey, witnessKey: made, run },
    top: (id, ...more) =>
      run(
        ...["top", "visits.csv", "--item", "area", "--user", "user", "-k", "2", "--epsilon", "1/2"],
        ...["--domain", "areas.txt", "--dataset", "visits", "--release-id", id, "--json", "--yes"],
        ...["--sign", "ledger.key", "--policy", "policy.txt", ...more],
      ),
    start: async (logs = [logKey]) => {
      const memory = await WitnessFolder.open(here.file("seen"));
      const witness = new Witness({ signer, logs: logs.map(readNoteKey), memory });
      const server = await serveWitness(witness, signer, { host: "127.0.0.1", port: 0 });
      onTestFinished(() => server.close());
      policyFor(server.address);
      return server;
    },
    length: async (path = "winnow.ledger") => {
      const ledger = await openLedger(here.file(path), { readOnly: true });
      try {
        return await ledger.length();
      } finally {
        await ledger.close();
      }
    },
  };
}

function lastLine(text: string): string {
  return text.trimEnd().split("\n").at(-1)!;
}

function python(here: Folder, ...args: readonly string[]): string {
  try {
    return execFileSync("python3", [VERIFY, ...args], { cwd: here.path, encoding: "utf8" });
  } catch (error) {
    return (error as { stdout: string }).stdout;
  }
}

describe("winnow keygen", () => {
  it("makes a file that only its owner may read, and never replaces one", async () => {
    const here = folder();
    const { stdout } = await winnowHere(here, ["keygen", "example.org/ledger", "-o", "k"]);
    expect(statSync(here.file("k")).mode & 0o777).toBe(0o600);
    expect(readFileSync(here.file("k"), "utf8")).toMatch(
      /^# created: \S+\n# public key: \S+\nPRIVATE\+KEY\+example\.org\/ledger\+[\da-f]{8}\+\S+\n$/,
    );
    expect(readFileSync(here.file("k"), "utf8")).toContain(stdout.trim());
    const again = await winnowHere(here, ["keygen", "example.org/ledger", "-o", "k"]);
    expect(again).toMatchObject({ exit: 2, stdout: "" });
    expect((await winnowHere(here, ["keygen", "two words", "-o", "l"])).exit).toBe(2);
  });

  it("encrypts with a passphrase, and only that opens the file", async () => {
    const here = folder({ right: "correct horse\nmore\n", wrong: "battery staple\n" });
    const { stdout } = await winnowHere(here, [
      "keygen",
      "example.org/ledger",
      "-o",
      "k",
      "--passphrase-file",
      "right",
    ]);
    expect(readFileSync(here.file("k"), "utf8")).toMatch(/\nENCRYPTED\+KEY\+scrypt\+17\+[\w-]+\+[\w-]+\n$/);
    await winnowHere(here, ["budget", "key", stdout.trim()]);
    const head = (...more: readonly string[]) => winnowHere(here, ["budget", "head", "--sign", "k", ...more]);
    expect((await head("--passphrase-file", "right")).stdout).toContain("— example.org/ledger ");
    expect(await head("--passphrase-file", "wrong")).toMatchObject({ exit: 2, stdout: "" });
    expect((await head()).stderr).toMatch(/passphrase/);
    const file = readFileSync(here.file("k"), "utf8");
    writeFileSync(here.file("k"), file.replace("+17+", "+16+"), { mode: 0o600 });
    expect((await head("--passphrase-file", "right")).exit).toBe(2);
  });

  it("a key that others may read is refused", async () => {
    const here = folder();
    const { stdout } = await winnowHere(here, ["keygen", "example.org/ledger", "-o", "k"]);
    await winnowHere(here, ["budget", "key", stdout.trim()]);
    writeFileSync(here.file("open"), readFileSync(here.file("k")), { mode: 0o644 });
    const { exit, stderr } = await winnowHere(here, ["budget", "head", "--sign", "open"]);
    expect(exit).toBe(4);
    expect(stderr).toMatch(/chmod 600/);
  });
});

describe("a release that needs a witness", () => {
  it("waits for one that is away: the charge stands, the run ends with 4, and the same id prints later", async () => {
    const { here, top, start, length, run } = await place();
    const away = await top("june", "--require-witness", "1");
    expect(away).toMatchObject({ exit: 4, stdout: "" });
    expect(away.stderr).toMatch(/0 of 1 witnesses have cosigned/);
    expect(await length()).toBe(3);
    await start();
    const later = await top("june", "--require-witness", "1");
    expect(later.exit).toBe(0);
    expect(await length()).toBe(3);
    writeFileSync(here.file("june.json"), later.stdout);
    const verified = await run("verify", "june.json", "--policy", "policy.txt");
    expect(verified).toMatchObject({ exit: 0 });
    expect(verified.stdout).toMatch(
      /entry 3 of the ledger "example.org\/ledger".*\npaper.example\/w saw that head at/,
    );
    expect(await run("verify", "june.json")).toMatchObject({ exit: 0 });
    expect(python(here, "--policy", "policy.txt", "june.json")).toMatch(
      /All is well.*\npaper.example\/w saw/,
    );
    expect(python(here, "winnow.ledger", "june.json")).toMatch(/All is well/);
    writeFileSync(here.file("altered.json"), later.stdout.replace('"k": 2', '"k": 3'));
    expect(await run("verify", "altered.json", "--policy", "policy.txt")).toMatchObject({ exit: 4 });
    expect(python(here, "--policy", "policy.txt", "altered.json")).toMatch(/does not say what/);
  });

  it("an older copy that was put back is refused before anything is charged", async () => {
    const { here, top, start, length } = await place();
    await start();
    copyFileSync(here.file("winnow.ledger"), here.file("backup"));
    expect((await top("unloved")).exit).toBe(0);
    copyFileSync(here.file("backup"), here.file("winnow.ledger"));
    const { exit, stdout, stderr } = await top("again");
    expect({ exit, stdout }).toEqual({ exit: 4, stdout: "" });
    expect(stderr).toMatch(/one with 3 entries/);
    expect(await length()).toBe(2);
  });

  it("of two copies that are charged, only one gets its releases out", async () => {
    const { here, top, start, length } = await place();
    copyFileSync(here.file("winnow.ledger"), here.file("second.ledger"));
    await start();
    expect((await top("first")).exit).toBe(0);
    const fork = await top("second", "--ledger", "second.ledger");
    expect(fork).toMatchObject({ exit: 4, stdout: "" });
    expect(await length("second.ledger")).toBe(2);
    expect((await top("third")).exit).toBe(0);
    expect(await length()).toBe(4);
  });

  it("a copy that was charged while the witness was away is found when it is back", async () => {
    const { here, top, start, length } = await place();
    copyFileSync(here.file("winnow.ledger"), here.file("second.ledger"));
    expect((await top("mine")).exit).toBe(4);
    expect((await top("theirs", "--ledger", "second.ledger")).exit).toBe(4);
    await start();
    expect((await top("mine")).exit).toBe(0);
    const theirs = await top("theirs", "--ledger", "second.ledger");
    expect(theirs).toMatchObject({ exit: 4, stdout: "" });
    expect(theirs.stderr).toMatch(/one with other entries/);
    expect(await length("second.ledger")).toBe(3);
  });

  it("a revoked key signs nothing more, and a stolen one gets no cosignature", async () => {
    const { here, top, start, run, logKey, length } = await place();
    const next = (await run("keygen", "example.org/ledger", "-o", "next.key")).stdout.trim();
    const server = await start([logKey, next]);
    expect((await top("before")).exit).toBe(0);
    expect((await run("budget", "key", next, "--revokes", logKey)).stdout).toMatch(/1 key signs/);
    const old = await top("old");
    expect(old).toMatchObject({ exit: 2, stdout: "" });
    expect(old.stderr).toMatch(/isn't one that signs heads/);
    expect(await length()).toBe(4);
    await server.close();
    await start([next]);
    const fresh = await top("fresh", "--sign", "next.key");
    expect(fresh.exit).toBe(0);
    expect((await run("budget", "head", "--sign", "ledger.key")).exit).toBe(2);
    writeFileSync(here.file("fresh.json"), fresh.stdout);
    expect((await run("verify", "fresh.json")).exit).toBe(0);
    // The policy of a reader who hasn't heard of the new key.
    expect((await run("verify", "fresh.json", "--policy", "policy.txt")).exit).toBe(4);
  });

  it("goes through a folder to a witness without a network", async () => {
    const { here, top, run, logKey, witnessKey } = await place();
    writeFileSync(here.file("policy.txt"), `log ${logKey}\nwitness paper ${witnessKey} mail\nquorum paper\n`);
    const witness = () =>
      run("witness", "--key", "witness.key", "--log", logKey, "--state", "seen", "--folder", "mail");
    expect((await top("june")).exit).toBe(4);
    expect((await witness()).stdout).toMatch(/were answered/);
    expect((await top("june")).exit).toBe(0);
    expect(readdirSync(here.file("mail")).filter((name) => name.endsWith(".request"))).toEqual([]);
  });

  it("one request in a file is answered on standard output", async () => {
    const { here, run, logKey } = await place();
    const note = (await run("budget", "head", "--sign", "ledger.key")).stdout;
    writeFileSync(here.file("request"), `old 0\n\n${note}`);
    const ask = (state: string, ...more: readonly string[]) =>
      run(
        ...["witness", "--key", "witness.key", "--log", logKey, "--state", state],
        ...["--request", "request", ...more],
      );
    const missing = await ask("sene");
    expectRefused(missing, { exit: 4, code: "missing-source", says: "isn't the memory of a witness" });
    expect((await ask("own", "--new")).stdout).toMatch(/^— paper\.example\/w \S+\n$/);
    expectRefused(await ask("own", "--new"), { exit: 2, code: "usage", says: "without --new" });
    expect(await ask("own")).toMatchObject({ exit: 4, stdout: "" });
  });

  it.each([
    [["--policy", "policy.txt"], /--policy needs --sign/],
    [["--require-witness", "1"], /--require-witness needs --sign/],
    [["--sign", "ledger.key", "--require-witness", "1"], /--require-witness needs --policy/],
    [["--sign", "ledger.key", "--policy", "policy.txt", "--require-witness", "2"], /at most 1/],
    [["--sign", "policy.txt"], /may read the key/],
    [["--sign", "ledger.key", "--policy", "areas.txt"], /policy "areas.txt" must be/],
  ])("%j is refused before anything happens", async (options, sentence) => {
    const { run, length } = await place();
    const { exit, stderr } = await run(
      ...["top", "visits.csv", "--item", "area", "--user", "user", "-k", "2", "--epsilon", "1/2"],
      ...["--domain", "areas.txt", "--dataset", "visits", "--yes", ...options],
    );
    expect([2, 4]).toContain(exit);
    expect(stderr).toMatch(sentence);
    expect(await length()).toBe(2);
  });
});

describe("what a reader is given", () => {
  it("says one thing only: a field that is there twice, or one beside the place in the ledger, is refused", async () => {
    const { here, run, top, start } = await place();
    await start();
    const { stdout } = await top("june");
    const twice = stdout.replace('"dataset":', '"answer": {"winners": [{"item": "mine"}]},\n  "dataset":');
    const beside = stdout.replace(
      '"sequence":',
      '"approvedBy": "the data protection authority",\n    "sequence":',
    );
    for (const [name, text] of Object.entries({ twice, beside })) {
      expect(text).not.toBe(stdout);
      writeFileSync(here.file(`${name}.json`), text);
      for (const options of [["--policy", "policy.txt"], []])
        expect(await run("verify", `${name}.json`, ...options), name).toMatchObject({ exit: 2, stdout: "" });
      for (const before of [["--policy", "policy.txt"], ["winnow.ledger"]])
        expect(python(here, ...before, `${name}.json`)).toMatch(/isn't a release/);
    }
  });

  it("doesn't state one price in words and another in numbers, also if all hashes and signatures are right", async () => {
    const { here, run, top, start } = await place();
    await start();
    const { ledger: _, ...honest } = JSON.parse((await top("june")).stdout);
    const signer = await readPrivateKey(lastLine(readFileSync(here.file("ledger.key"), "utf8")));
    const ledger = await openLedger(here.file("winnow.ledger"));
    const record = async (id: string, readable: string) => {
      const release = await ledger.record("visits", { ...honest, id, loss: { ...honest.loss, readable } });
      const policy = readPolicy("quorum none");
      const submit = () => Promise.reject(new Error("no witness"));
      const shown = await withWitnesses(release, { ledger, signers: [signer], policy, submit });
      writeFileSync(here.file(`${id}.json`), JSON.stringify(shown));
    };
    await record("right", honest.loss.readable);
    await record("wrong", "epsilon = 0.001");
    await ledger.close();
    const policy = readFileSync(here.file("policy.txt"), "utf8").replace("quorum paper", "quorum none");
    writeFileSync(here.file("none.txt"), policy);
    expect((await run("verify", "right.json", "--policy", "none.txt")).exit).toBe(0);
    const { exit, stdout } = await run("verify", "wrong.json", "--policy", "none.txt");
    expect([exit, stdout]).toEqual([
      4,
      expect.stringContaining("release.loss.readable must be the loss in words"),
    ]);
    expect(python(here, "--policy", "none.txt", "right.json")).toMatch(/^All is well/);
    expect(python(here, "--policy", "none.txt", "wrong.json")).toMatch(
      /^Release "wrong" contradicts itself: it costs ε = 0\.5, and in words it states "epsilon = 0\.001"/,
    );
  });

  it("isn't another ledger than the one that witnesses saw, even if it has the release", async () => {
    const { here, run, top, start } = await place();
    await start();
    await top("june");
    copyFileSync(here.file("winnow.ledger"), here.file("shown.ledger"));
    await top("july");
    writeFileSync(here.file("june.json"), (await top("june")).stdout); // with a head that includes July
    expect(python(here, "winnow.ledger", "june.json")).toMatch(/^All is well/);
    await run("budget", "init", "more", "--epsilon", "1", "--ledger", "shown.ledger");
    expect((await run("verify", "june.json", "shown.ledger")).stdout).toMatch(/is of other entries/);
    expect(python(here, "shown.ledger", "june.json")).toMatch(/is of other entries/);
  });

  it("isn't signed with a key that came back after it was revoked, whoever wrote that into the file", async () => {
    const { here, run, logKey } = await place();
    const next = (await run("keygen", "example.org/ledger", "-o", "next.key")).stdout.trim();
    await run("budget", "key", next, "--revokes", logKey);
    await run("budget", "export", "-o", "log.jsonl");
    const [first = "", ...lines] = readFileSync(here.file("log.jsonl"), "utf8").trimEnd().split("\n");
    const hash = (text: string) => createHash("sha256").update(text).digest("hex");
    const forged = (key: string) => {
      const { revokes: _, ...change } = JSON.parse(lines.at(-1)!);
      const entry = { ...change, adds: key, previous: hash(lines.at(-1)!), sequence: lines.length + 1 };
      const all = [...lines, canonicalJson(entry)];
      const head = { ...JSON.parse(first), entries: all.length, head: hash(all.at(-1)!) };
      writeFileSync(here.file("forged.jsonl"), `${[JSON.stringify(head), ...all].join("\n")}\n`);
    };
    for (const key of [
      logKey,
      "other.example/ledger+7619ae12+AcWcA9M1lin6DSA4uf9uSywbKAAtFjFkXUX0wYj1PBkg",
    ]) {
      forged(key);
      const { exit, stdout } = await run("budget", "verify", "--ledger", "forged.jsonl");
      expect(exit).toBe(4);
      expect(stdout).toMatch(/Entry 4 changes the keys wrongly/);
      expect(python(here, "forged.jsonl")).toMatch(/Entry 4 changes the keys wrongly/);
      expect((await run("budget", "head", "--sign", "ledger.key", "--ledger", "forged.jsonl")).exit).toBe(2);
    }
  });
});

describe("a head that someone kept", () => {
  it("is proven to be part of the ledger, and a ledger that was rolled back isn't a later state of it", async () => {
    const { here, run } = await place();
    copyFileSync(here.file("winnow.ledger"), here.file("backup"));
    await run("budget", "init", "others", "--epsilon", "1");
    writeFileSync(here.file("kept"), (await run("budget", "head", "--sign", "ledger.key")).stdout);
    await run("budget", "init", "more", "--epsilon", "1");
    expect(JSON.parse((await run("budget", "consistency", "kept")).stdout)).toMatchObject({
      first: { size: 3 },
      second: { size: 4 },
    });
    expect((await run("budget", "consistency", "kept", "--ledger", "backup")).exit).toBe(4);
    await run("budget", "init", "different", "--epsilon", "1", "--ledger", "backup");
    const { exit, stderr } = await run("budget", "consistency", "kept", "--ledger", "backup");
    expect(exit).toBe(4);
    expect(stderr).toMatch(/first 3 entries aren't those/);
    expect((await run("budget", "head", "--json")).stdout).toContain('"sequence": 4');
  });

  it("is continued by a later one, and who has two releases and a proof sees that without the ledger", async () => {
    const { here, run, top, start } = await place();
    await start();
    copyFileSync(here.file("winnow.ledger"), here.file("backup"));
    for (const id of ["june", "july"]) writeFileSync(here.file(`${id}.json`), (await top(id)).stdout);
    await run("budget", "init", "more", "--epsilon", "1");
    const prove = async (...heads: readonly string[]) =>
      writeFileSync(here.file("proof.json"), (await run("budget", "consistency", ...heads)).stdout);
    const check = (since: string, release = "july.json") =>
      run("verify", release, "--policy", "policy.txt", "--since", since, "--consistency", "proof.json");
    const inPython = (...heads: readonly string[]) => python(here, "--consistency", "proof.json", ...heads);
    await prove("june.json", "july.json");
    expect(await check("june.json")).toMatchObject({
      exit: 0,
      stdout: expect.stringContaining('has all 3 entries of the head in "june.json"'),
    });
    expect(inPython("june.json", "july.json")).toMatch(/All is well.*4 entries has all 3/);
    const { ledger } = JSON.parse(readFileSync(here.file("june.json"), "utf8"));
    writeFileSync(here.file("june.note"), ledger.witnessed.note);
    expect((await check("june.note")).exit).toBe(0);
    expect(inPython("june.note", "july.json")).toMatch(/All is well/);
    // Planted: the heads of a fork, a proof of something else, a path that was cut, a head that no one signed.
    await run("budget", "init", "other", "--epsilon", "1", "--ledger", "backup");
    const fork = (await run("budget", "head", "--sign", "ledger.key", "--ledger", "backup")).stdout;
    writeFileSync(here.file("fork.note"), fork);
    expect((await run("budget", "consistency", "fork.note")).exit).toBe(4);
    expect((await check("fork.note")).stdout).toMatch(/doesn't show that the ledger/);
    expect(inPython("fork.note", "july.json")).toMatch(/doesn't show/);
    expect(await check("july.json", "june.json")).toMatchObject({ exit: 4 });
    expect(inPython("july.json", "june.json")).toMatch(/doesn't show/);
    const unsigned = ledger.witnessed.note.replace(/(— example\S* ....)./, "$1A");
    writeFileSync(here.file("unsigned.note"), unsigned);
    expect((await check("unsigned.note")).stdout).toMatch(/No key of the policy has signed/);
    await prove("2", "july.json");
    expect((await check("june.json")).exit).toBe(4);
    const proof = JSON.parse((await run("budget", "consistency", "june.json", "july.json")).stdout);
    writeFileSync(here.file("proof.json"), JSON.stringify({ ...proof, path: proof.path.slice(1) }));
    expect((await check("june.json")).exit).toBe(4);
    expect(inPython("june.json", "july.json")).toMatch(/another length|doesn't show/);
    expect((await run("verify", "july.json", "--policy", "policy.txt", "--since", "june.json")).exit).toBe(2);
  });

  it("keys are listed, and a key of another name is refused", async () => {
    const { run, logKey } = await place();
    expect((await run("budget", "key")).stdout).toBe(
      `Entry 2 adds ${logKey}\n1 key signs heads of the ledger: ${logKey}\n`,
    );
    const other = (await run("keygen", "example.org/other", "-o", "o.key")).stdout.trim();
    expect((await run("budget", "key", other)).exit).toBe(2);
    expect((await run("budget", "key", logKey)).stderr).toMatch(/already/);
    expect((await run("budget", "log")).stdout).toMatch(/2\s+\S+\s+key\s+adds example.org\/ledger\+/);
    const [name, id] = logKey.split("+");
    expect((await run("budget", "key", "--revokes", `${name}+${id}`)).stdout).toMatch(/No key signs/);
    expect(noteKeyText(readNoteKey(logKey))).toBe(logKey);
  });
});
