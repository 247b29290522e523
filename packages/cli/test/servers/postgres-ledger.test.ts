import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { type Ledger, readQuestion } from "winnow-release";
import { POSTGRES_PASSWORD } from "../../../../bench/src/scale/postgres-server.js";
import { amount } from "../../../core/test/support/amount.js";
import { ledgerLaws } from "../../../release/test/ledger/laws/ledger-laws.js";
import { all, exampleRelease } from "../../../release/test/ledger/laws/place.js";
import { readLedgerText } from "../../src/ledger/ledger-text.js";
import { openLedger, readLedgerAddress } from "../../src/ledger/open-ledger.js";
import { connectTo } from "../../src/ledger/postgres-session.js";
import { PostgresStore } from "../../src/ledger/postgres-store.js";
import { type Printed, Recorder } from "../ledger/support/recorder.js";
import { type Keeping, sqlLaws, tamperWith } from "../ledger/support/sql-laws.js";
import { temporaryFolder } from "../ledger/support/temporary-folder.js";
import { winnowHere } from "../support/in-process.js";
import { spread } from "../support/spread.js";
import { AREAS, VISITS } from "../support/visits.js";
import { type Ended, ended, folder } from "../support/winnow.js";
import { type Fault, FaultyLedger } from "./support/faulty-sessions.js";
import { describeOnPostgres } from "./support/installed.js";
import { LedgerServer } from "./support/postgres-ledgers.js";

/** Moments at which something is killed; more of them with WINNOW_FAULTS=200. */
const FAULTS = amount(24, 200);

const refusal = (code: string) => expect.objectContaining({ name: "Refusal", code });

describeOnPostgres("a ledger on PostgreSQL", () => {
  let ledgers: LedgerServer;
  beforeAll(async () => {
    ledgers = await LedgerServer.start();
  });
  afterAll(() => ledgers?.stop());

  const opened = async (location: string, patience = 15_000): Promise<Ledger> => {
    const ledger = await openLedger(location, { patience });
    onTestFinished(() => ledger.close());
    return ledger;
  };

  const keeping: Keeping = {
    fresh: () => ledgers.fresh(),
    sql: (location, statements) => ledgers.sql(location, statements),
    tamper: (location, statements) => ledgers.tamper(location, statements),
    lock: (location) => ledgers.lock(location),
  };

  ledgerLaws("the ledger of a server", async () => {
    const location = await ledgers.fresh();
    const { address, name } = readLedgerAddress(location)!;
    return {
      store: async (patience) => new PostgresStore(name, () => connectTo(address), patience),
      tamper: (change) => tamperWith(keeping, location, change),
    };
  });

  sqlLaws("the ledger of a server", keeping);

  it("has the same bytes as a file: out of one and into the other, both ways", async () => {
    const folder = temporaryFolder();
    const [server, other] = [await opened(await ledgers.fresh()), await opened(await ledgers.fresh())];
    await server.setBudget("visits", { measure: "pure", epsilon: "9" });
    for (const id of ["a", "b"]) await server.record("visits", exampleRelease(id));
    const text = join(folder, "a.jsonl");
    const exported = (await all(server.exported())).join("");
    writeFileSync(text, exported);
    const file = await openLedger(join(folder, "l"), { create: true });
    expect(await file.takeOver(await readLedgerText(text))).toBe(3);
    expect((await all(file.exported())).join("")).toBe(exported);
    const published = await file.record("visits", exampleRelease("c"));
    writeFileSync(text, (await all(file.exported())).join(""));
    for (const ledger of [server, other]) {
      await ledger.takeOver(await readLedgerText(text));
      expect((await all(ledger.exported())).join("")).toBe(readFileSync(text, "utf8"));
      expect((await ledger.verify([published])).findings).toEqual([]);
      expect(await ledger.find("c")).toEqual(published);
    }
    await file.close();
  });

  describe("the role that charges", () => {
    it("reads and appends, and can do nothing else", async () => {
      const location = await ledgers.fresh();
      const owner = await opened(location);
      await owner.setBudget("visits", { measure: "pure", epsilon: "2" });
      const charger = await opened(ledgers.asCharger(location));
      const question = readQuestion({
        k: 1,
        domain: { kind: "unknown" },
        rho: "1/10",
        delta: "1e-6",
        unit: "u",
      });
      await charger.record("visits", exampleRelease("a"), { mark: "m" });
      await charger.reserve("sales", "b", question, { isNewDataset: true });
      expect((await charger.verify()).findings).toEqual([]);
      for (const [dataset, replace] of [
        ["visits", true],
        ["other", false],
      ] as const)
        await expect(
          charger.setBudget(dataset, { measure: "pure", epsilon: "99" }, { replace }),
        ).rejects.toThrow(/takes budgets from its owner only/);

      const client = new pg.Client(ledgers.asCharger(location));
      await client.connect();
      onTestFinished(() => client.end());
      const tables = "log head accounts releases summarised sources secret".split(" ");
      const attempts = tables.flatMap((table) => [
        `INSERT INTO ${table} SELECT * FROM ${table}`,
        `UPDATE ${table} SET ${table === "sources" ? "mark = mark" : table === "secret" ? "key = key" : table === "accounts" ? "summary = summary" : "sequence = sequence"}`,
        `DELETE FROM ${table}`,
        `TRUNCATE ${table}`,
        `ALTER TABLE ${table} DISABLE TRIGGER ALL`,
        `DROP TABLE ${table}`,
        `LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`,
      ]);
      await client.query("GRANT ALL ON ALL TABLES IN SCHEMA winnow_ledger TO PUBLIC"); // a warning, and no effect
      for (const statement of [
        ...attempts,
        "DROP TRIGGER log_follows ON log",
        "CREATE TABLE winnow_ledger.mine ()",
        "DROP SCHEMA winnow_ledger CASCADE",
        "ALTER FUNCTION winnow_ledger.append SECURITY INVOKER",
        "SET session_replication_role = replica",
        "SET ROLE winnow",
      ])
        await expect(
          client.query(`SET search_path = winnow_ledger; ${statement}`),
          statement,
        ).rejects.toMatchObject({ code: "42501" });
      // The function that appends takes the next entry of the chain, and no other.
      for (const text of ["{}", ""])
        await expect(
          client.query("SELECT winnow_ledger.append(ARRAY[$1], NULL)", [text]),
        ).rejects.toMatchObject({ code: "WL001" });
      expect((await owner.verify()).findings).toEqual([]);
    });

    it("is warned about: an owner who charges, and others who may write", async () => {
      const location = await ledgers.fresh();
      const here = folder();
      const show = (address: string) => winnowHere(here, ["budget", "show", "--ledger", address]);
      expect((await show(ledgers.asCharger(location))).stderr).not.toMatch(/revoke|owns/);
      await ledgers.sql(location, "GRANT DELETE ON releases TO PUBLIC");
      expect((await show(ledgers.asCharger(location))).stderr).toContain(
        "Roles other than its owner may write",
      );
      expect(
        (await winnowHere(here, ["budget", "init", "x", "--epsilon", "1", "--ledger", location])).stderr,
      ).not.toContain("owns");
    });

    it("is warned about by a service that charges as the owner, or as a superuser, who may change the ledger", async () => {
      const location = await ledgers.fresh();
      const told: string[] = [];
      const spy = vi.spyOn(process.stderr, "write").mockImplementation((line) => told.push(String(line)) > 0);
      onTestFinished(() => spy.mockRestore());
      for (const address of [location, ledgers.asCharger(location)])
        await (await openLedger(address, { isServed: true })).close();
      expect(told.filter((line) => line.includes("This account owns"))).toHaveLength(1);
    });
  });

  describe("the command line", () => {
    const TOP =
      "top visits.csv --item area --user user -k 2 --epsilon 1 --domain areas.txt --dataset visits".split(
        " ",
      );
    const secret = new RegExp(`${POSTGRES_PASSWORD}|${encodeURIComponent(POSTGRES_PASSWORD)}`);

    it("makes the ledger, releases, prints again, shows, lists, verifies, exports, and never shows a password", async () => {
      const here = folder({ "visits.csv": VISITS, "areas.txt": AREAS });
      const all: string[] = [];
      const run = async (location: string, ...args: string[]): Promise<Ended> => {
        const outcome = await winnowHere(here, [...args, "--ledger", location]);
        all.push(outcome.stdout, outcome.stderr);
        return outcome;
      };
      await ledgers.run("postgres", "CREATE DATABASE team");
      const [owner, charger] = [ledgers.at("team"), ledgers.asCharger(ledgers.at("team"))];
      expect(await run(owner, "budget", "show")).toMatchObject({
        exit: 4,
        stderr: expect.stringContaining("missing-ledger"),
      });
      expect((await run(owner, ...TOP)).exit).toBe(4);
      expect(await run(owner, "budget", "init", "--server")).toMatchObject({
        exit: 0,
        stdout: expect.stringContaining("is ready"),
      });
      expect((await run(owner, "budget", "init", "visits", "--epsilon", "2", "--server")).stdout).toContain(
        "was there already",
      );
      expect(await run(charger, "budget", "init", "--server")).toMatchObject({ exit: 4 });
      await ledgers.run("postgres", "CREATE DATABASE charged OWNER charger");
      const noRole = ["budget", "init", "--server", "--role", "nobody_yet"];
      expect((await run(ledgers.asCharger(ledgers.at("charged")), ...noRole)).stderr).toContain(
        "name another",
      );
      const first = await run(charger, ...TOP, "--json", "--release-id", "june");
      expect(first.exit, first.stderr).toBe(0);
      expect((await run(charger, ...TOP, "--json", "--release-id", "june")).stdout).toBe(first.stdout);
      writeFileSync(here.file("june.json"), first.stdout);
      expect((await run(charger, "budget", "verify", "--against", "june.json")).stdout).toContain(
        "2 entries",
      );
      expect((await run(charger, "budget", "show", "--json")).stdout).toContain('"releases": 1');
      expect((await run(charger, "budget", "log")).stdout).toContain("june");
      expect((await run(charger, "budget", "export", "--output", "out.jsonl")).exit).toBe(0);
      expect((await run(charger, ...TOP, "--dry-run")).exit).toBe(0);
      expect((await run(charger, "doctor")).exit).toBe(0);
      expect((await run(charger, ...TOP, "--epsilon", "3")).exit).toBe(3);
      expect((await run("restored.ledger", "budget", "import", "out.jsonl")).exit).toBe(0);
      expect((await run("restored.ledger", "budget", "verify", "--against", "june.json")).exit).toBe(0);
      expect(all.join("\n") + readFileSync(here.file("out.jsonl"), "utf8")).not.toMatch(secret);
    });

    it.each([
      ["a wrong password", "postgres://charger:hunter2@HERE/DB", 4],
      ["an unknown account", "postgres://hunter2:hunter2@HERE/DB", 4],
      ["no such server", "postgres://u:hunter2@127.0.0.1:1/DB", 4],
      ["no such database", "postgres://winnow:RIGHT@HERE/hunterless", 4],
      ["a slash in the password", "postgres://u:12/hunter2@HERE/DB", 2],
      ["a hash in the password", "postgres://u:12#hunter2@HERE/DB", 2],
      ["a question mark in the password", "postgres://u:12?hunter2@HERE/DB", 2],
      ["no slashes", "postgres:u:hunter2@HERE/DB", 2],
      ["another scheme", "clickhouse://u:hunter2@HERE/DB", 2],
      ["words of a connection", "host=x password=hunter2", 2],
    ])("refuses %s in one sentence without the password", async (_, pattern, exit) => {
      const address = pattern
        .replace("HERE", `127.0.0.1:${ledgers.server.port}`)
        .replace("RIGHT", encodeURIComponent(POSTGRES_PASSWORD));
      const outcome = await winnowHere(folder(), ["budget", "show", "--ledger", address]);
      expect(outcome).toMatchObject({ exit, stdout: "" });
      expect(outcome.stderr).toMatch(/^winnow: [^\n]+\.\n {2}[^\n]+ \[[a-z-]+\]\n$/);
      expect(outcome.stderr).not.toMatch(/hunter2|a secret/);
    });

    it("takes the password out of what other accounts see of the process", async () => {
      const location = await ledgers.fresh();
      const letGo = await ledgers.lock(location);
      const child = folder().start(["budget", "init", "visits", "--epsilon", "1", "--ledger", location]);
      const end = ended(child);
      const shown = () => readFileSync(`/proc/${child.pid}/cmdline`, "utf8");
      await expect.poll(shown, { timeout: 60_000 }).not.toMatch(secret);
      await letGo();
      expect((await end).exit).toBe(0);
    });
  });

  describe("a lost connection", () => {
    const question = readQuestion({
      k: 1,
      domain: { kind: "unknown" },
      rho: "1/10",
      delta: "1e-6",
      unit: "u",
    });

    it("at every message of a charge, before or after the server has it, leaves one charge and its answer", async () => {
      const location = await ledgers.fresh();
      const ledger = await opened(location);
      await ledger.setBudget("visits", { measure: "pure", epsilon: "100" });
      const counter = new FaultyLedger(location, 5000);
      counter.fail({ message: Infinity, when: "before" });
      await counter.ledger.record("visits", exampleRelease("count"));
      await counter.ledger.close();
      const { messages } = counter;
      expect(messages).toBe(4); // three of them under the lock
      for (let message = 1; message <= messages; message++)
        for (const when of ["before", "after"] as const) {
          const faulty = new FaultyLedger(location, 5000);
          faulty.fail({ message, when });
          const id = `${message} ${when}`;
          const recorded = await faulty.ledger.record("visits", exampleRelease(id));
          expect(faulty.happened).toBe(true);
          expect(await ledger.find(id)).toEqual(recorded);
          await faulty.ledger.close();
        }
      expect((await ledger.account("visits")).releases).toBe(1 + 2 * messages);
      expect((await ledger.verify()).findings).toEqual([]);
    });

    it("costs as many messages after many entries as after few, and each commit waits for the disk", async () => {
      const location = await ledgers.fresh();
      const charging = ledgers.asCharger(location);
      await ledgers.run("postgres", "ALTER ROLE charger SET synchronous_commit = off");
      const settings: unknown[] = [];
      const { ledger } = new FaultyLedger(charging, 5000, async (session) => {
        settings.push(...(await session.query("SHOW synchronous_commit")));
      });
      for (let i = 0; i < 30; i++) await ledger.record("visits", exampleRelease(`r${i}`));
      await ledger.close();
      await ledgers.run("postgres", "ALTER ROLE charger RESET synchronous_commit");
      expect(new Set(settings.flat())).toEqual(new Set(["on"]));
      const counter = new FaultyLedger(charging, 5000);
      await counter.ledger.record("visits", exampleRelease("one more"));
      await counter.ledger.close();
      expect(counter.messages).toBe(4);
    });

    it.each<Fault["when"]>(["before", "after"])("%s the COMMIT of a reservation leaves one", async (when) => {
      const location = await ledgers.fresh();
      const faulty = new FaultyLedger(location, 5000);
      onTestFinished(() => faulty.ledger.close());
      await faulty.ledger.reserve("visits", "first", question);
      faulty.fail({ message: Infinity, when });
      await faulty.ledger.reserve("visits", "count", question);
      faulty.fail({ message: faulty.messages, when });
      await faulty.ledger.reserve("visits", "a", question);
      expect(faulty.happened).toBe(true);
      expect((await faulty.ledger.account("visits")).reservations).toBe(3);
    });

    it("that the server does not notice at COMMIT is not taken for a failure: the run says that it does not know", async () => {
      const location = await ledgers.fresh();
      const faulty = new FaultyLedger(location, 400);
      onTestFinished(() => faulty.ledger.close());
      await faulty.ledger.record("visits", exampleRelease("first"));
      faulty.fail({ message: Infinity, when: "unnoticed" });
      await faulty.ledger.record("visits", exampleRelease("count"));
      faulty.fail({ message: faulty.messages, when: "unnoticed" });
      const lost = faulty.ledger.record("visits", exampleRelease("a"));
      await expect(lost).rejects.toThrow(refusal("charge-unknown"));
      await expect(lost).rejects.toThrow("release a was being recorded");
      for (const end of faulty.forgotten) await end();
      expect((await faulty.ledger.record("visits", exampleRelease("a"))).ledger.sequence).toBe(3);
    });
  });

  it("four processes that race for a budget of twenty charges make exactly twenty", async () => {
    const location = await ledgers.fresh();
    const ledger = await opened(location);
    await ledger.setBudget("visits", { measure: "pure", epsilon: "20/3" });
    const recorders = Array.from({ length: 4 }, () => new Recorder(ledgers.asCharger(location)));
    await Promise.all(recorders.map(({ ready }) => ready));
    for (const [process, recorder] of recorders.entries())
      recorder.order(...Array.from({ length: 16 }, (_, i) => ({ id: `${process}-${i}`, epsilon: "1/3" })));
    const printed = (await Promise.all(recorders.map((recorder) => recorder.finish()))).flat();
    expect(printed).toHaveLength(64);
    const released = printed.filter(({ refused }) => refused === undefined);
    expect(released).toHaveLength(20);
    expect(new Set(printed.map(({ refused }) => refused))).toEqual(new Set([undefined, "over-budget"]));
    for (const { id = "", sequence, head } of released)
      expect((await ledger.find(id))?.ledger).toEqual({ sequence, head });
    expect(await ledger.verify()).toMatchObject({ findings: [], head: { sequence: 21 } });
  });

  it(`${FAULTS} runs, sessions and servers killed at all moments: nothing printed without a charge, every charge printable`, async () => {
    const location = await ledgers.fresh();
    const printed: Printed[] = [];
    let orders = 0;
    const start = () => {
      const recorder = new Recorder(ledgers.asCharger(location));
      recorder.order(...Array.from({ length: 1000 }, () => ({ id: `r${orders++}`, epsilon: "1/1000" })));
      return recorder;
    };
    const lanes = [start(), start(), start()];
    const replace = (lane: number) => {
      printed.push(...lanes[lane].printed);
      lanes[lane] = start();
    };
    const count = () => lanes.reduce((sum, lane) => sum + lane.printed.length, printed.length);
    for (let fault = 0; fault < FAULTS; fault++) {
      // Somebody has charged since the last fault. A run that was started while there was no server has ended.
      for (const before = count(); count() === before; await sleep(2))
        for (const [lane, { process }] of lanes.entries()) if (process.exitCode !== null) replace(lane);
      await sleep(spread(fault) * 20);
      if (fault % 12 === 11) {
        await ledgers.server.crash();
        await ledgers.server.restart();
      } else if (fault % 3 === 0) {
        const lane = Math.floor(fault / 3) % lanes.length;
        lanes[lane].process.kill("SIGKILL");
        await lanes[lane].ended;
        replace(lane);
      } else
        await ledgers.run(
          "postgres",
          "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'charger'",
        );
    }
    for (const { process } of lanes) process.kill("SIGKILL");
    await Promise.all(lanes.map(({ ended }) => ended));
    printed.push(...lanes.flatMap((lane) => lane.printed));

    const ledger = await opened(location);
    const { findings, head } = await ledger.verify();
    expect(findings).toEqual([]);
    expect(printed.filter(({ id, refused }) => id !== undefined && refused !== undefined)).toEqual([]);
    const answers = printed.filter(({ id }) => id !== undefined);
    expect(answers.length).toBeGreaterThan(FAULTS / 2);
    for (const { id = "", winners, sequence, head: hash } of answers)
      expect(await ledger.find(id)).toMatchObject({ answer: { winners }, ledger: { sequence, head: hash } });
    const { releases } = await ledger.account("visits");
    expect(releases).toBe(head.sequence);
    // What was charged and never printed is printed when it is asked for again, and costs nothing.
    const known = new Set(printed.map(({ id }) => id));
    const silent = (await all(ledger.entries())).flatMap((entry) =>
      entry.kind === "release" ? [entry.release] : [],
    );
    for (const release of silent.filter(({ id }) => !known.has(id)))
      expect(await ledger.record("visits", { ...release, time: "later" })).toMatchObject(release);
    expect((await ledger.account("visits")).releases).toBe(releases);
  });
});
