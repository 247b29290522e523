import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { MemoryStore } from "winnow-release";
import { locatePostgres } from "../../bench/src/scale/postgres-server.js";
import { LedgerServer } from "../../packages/cli/test/servers/support/postgres-ledgers.js";
import { launchChromium, locateChromium, NO_CHROMIUM } from "../../packages/studio/scripts/chromium.js";
import { openStorePage, pageStore } from "../../packages/studio/test/support/page-store.js";
import { describeWith } from "../tool.js";
import { replayLiar, replayOn, replayOnFile, replayOnServer, replayRollback } from "./replay-trace.js";
import { randomTrace, verifyModel, verifyWitness } from "./spin.js";

/** `npm run prove` replays more. */
const TRACES = process.env.PROVE === "all" ? 500 : 24;
const TRACES_ON_SERVER = process.env.PROVE === "all" ? 100 : 6;
const FIRST = 20;
/** Some of these meet a ledger that was put back, or one that is overspent, in the middle of their work. */
const ADVERSE = [
  ...[21, 58, 74, 122, 126],
  ...Array.from({ length: process.env.PROVE === "all" ? 100 : 0 }, (_, i) => 200 + i),
];

describeWith(
  ["spin", "cc"],
  "the protocol of the ledger, in every interleaving of three runs that may die",
  () => {
    it.each([false, true])("keeps its promises (reservations: %s)", (reserves) => {
      const { states, ...verdict } = verifyModel({ reserves });
      expect(verdict).toEqual({ errors: 0, violated: undefined, isComplete: true });
      expect(states).toBeGreaterThan(100_000);
    });

    it.each([
      ["ROLLBACK", "an older copy is put back under a service"],
      ["LIAR", "an account that may only charge forges totals and overspends"],
    ] as const)("keeps its promises with %s: %s", (other, _) => {
      for (const reserves of [false, true]) {
        const { states, ...verdict } = verifyModel({ reserves, with: other });
        expect(verdict).toEqual({ errors: 0, violated: undefined, isComplete: true });
        expect(states).toBeGreaterThan(100_000);
      }
    });

    it.each([
      ["SEEN", "ROLLBACK", "a service doesn't remember what it saw", /released/],
      ["SEEN_HASH", "ROLLBACK", "a service remembers how long the ledger was only", /printed|released/],
      ["TOTALS", "LIAR", "the server stores the totals that it is given", /spent/],
    ] as const)("breaks with %s under %s: %s", (broken, other, _, assertion) => {
      expect(verifyModel({ reserves: true, with: other, broken }).violated).toMatch(assertion);
    });

    it.each([
      ["ADMISSION", "the transaction trusts the look before it", /spent/],
      ["LOCK", "the transaction takes no lock before its first read", /charges|spent/],
      ["SECOND_LOOK", "the transaction doesn't look for its id again", /charges/],
      ["PRINT_FIRST", "the answer is printed before it is recorded", /stored\[id\]>0/],
      ["TRANSACTION", "charge and answer are stored one after the other", /stored\[\d\]>0/],
      ["RESERVATION", "a reservation is kept in memory only", /spent/],
    ])("breaks with %s: %s", (broken, _, assertion) => {
      expect(verifyModel({ reserves: true, broken }).violated).toMatch(assertion);
    });
  },
);

describeWith(
  ["spin", "cc"],
  "the protocol of a witness, with an operator who forks a ledger and puts back older copies",
  () => {
    it("never signs two heads that disagree, in every interleaving of processes that may die", () => {
      const { states, ...verdict } = verifyWitness();
      expect(verdict).toEqual({ errors: 0, violated: undefined, isComplete: true });
      expect(states).toBeGreaterThan(10_000);
    });

    it.each([
      ["ORDER", "it signs before the head is on disk", /forth/],
      ["MEMORY", "it remembers in memory only", /forth/],
      ["SWAP", "it replaces a head that another process has replaced", /forth/],
      ["LENGTH", "it compares lengths only", /forth/],
    ])("breaks with %s: %s", (broken, _, assertion) => {
      expect(verifyWitness(broken).violated).toMatch(assertion);
    });
  },
);

describeWith(["spin"], "traces of the model on a real ledger", () => {
  it(`go as the model says, on ${TRACES} random ones`, async () => {
    const outcomes = new Set<string>();
    for (let seed = FIRST; seed < FIRST + TRACES; seed++) {
      const trace = randomTrace({ reserves: seed % 2 === 0 }, seed);
      for (const { step, outcome } of trace) outcomes.add(`${step} ${outcome}`.replace(/ \d$/, ""));
      const folder = mkdtempSync(join(tmpdir(), "winnow-trace-"));
      try {
        expect(await replayOnFile(trace, folder), `seed ${seed}`).toEqual({ differences: [], findings: [] });
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    }
    const dead = ["dies ", "record dies", "reserve dies"];
    const refused = ["admit over-budget", "reserve release-id-taken", "find reservation-open"];
    expect([...outcomes]).toEqual(
      expect.arrayContaining(["find stored", "record stored", "record committed", ...dead, ...refused]),
    );
  });

  it(`go as the model says in memory, on ${TRACES} random ones`, async () => {
    for (let seed = FIRST; seed < FIRST + TRACES; seed++) {
      const trace = randomTrace({ reserves: seed % 2 === 0 }, seed);
      const store = new MemoryStore();
      const replayed = await replayOn(trace, async () => store);
      expect(replayed, `seed ${seed}`).toEqual({ differences: [], findings: [] });
    }
  });

  it("go as the model says in a browser, on a few random ones", async (test) => {
    const executable = await locateChromium();
    if (executable === undefined && process.env.CI === undefined) return test.skip(NO_CHROMIUM);
    const browser = await launchChromium(executable!);
    try {
      const page = await openStorePage(await browser.newContext());
      for (let seed = FIRST; seed < FIRST + TRACES_ON_SERVER; seed++) {
        const trace = randomTrace({ reserves: seed % 2 === 0 }, seed);
        const replayed = await replayOn(trace, () => pageStore(page, `ledger ${seed}`));
        expect(replayed, `seed ${seed}`).toEqual({ differences: [], findings: [] });
      }
    } finally {
      await browser.close();
    }
  });

  it.skipIf(locatePostgres() === undefined && process.env.CI === undefined)(
    `go as the model says on PostgreSQL too, where connections are lost, on ${TRACES_ON_SERVER} random ones`,
    async () => {
      const ledgers = await LedgerServer.start();
      try {
        for (let seed = FIRST; seed < FIRST + TRACES_ON_SERVER; seed++) {
          const trace = randomTrace({ reserves: seed % 2 === 0 }, seed);
          const replayed = await replayOnServer(trace, await ledgers.fresh());
          expect(replayed, `seed ${seed}`).toEqual({ differences: [], findings: [] });
        }
      } finally {
        await ledgers.stop();
      }
    },
  );

  it.skipIf(locatePostgres() === undefined && process.env.CI === undefined)(
    `go as the model says with a copy that is put back, and with an account that lies, on ${ADVERSE.length} random ones each`,
    async () => {
      const ledgers = await LedgerServer.start();
      const outcomes = new Set<string>();
      const traceOf = (other: "ROLLBACK" | "LIAR", seed: number) => {
        const trace = randomTrace({ reserves: seed % 2 === 0, with: other }, seed);
        for (const { step, outcome } of trace) outcomes.add(`${step} ${outcome}`.trim());
        return trace;
      };
      try {
        for (const seed of ADVERSE) {
          const kept = await replayRollback(traceOf("ROLLBACK", seed), await ledgers.fresh());
          expect(kept, `seed ${seed}`).toEqual({ differences: [], findings: [] });
          const location = await ledgers.fresh();
          const told = await replayLiar(traceOf("LIAR", seed), location, ledgers.asCharger(location));
          expect(told, `seed ${seed}`).toMatchObject({ differences: [], forged: 0 });
        }
      } finally {
        await ledgers.stop();
      }
      expect([...outcomes]).toEqual(expect.arrayContaining(["restores", "forges", "appends"]));
      for (const code of ["ledger-replaced", "ledger-broken"])
        expect([...outcomes].filter((outcome) => outcome.endsWith(code))).not.toEqual([]);
    },
  );
});
