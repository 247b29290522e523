/**
 * Vitest's runner, with mutants: after all tests have passed, each mutant meets the tests that reach it, the quickest first, in the
 * same process, so that a mutant costs as much as those tests and nothing is loaded twice.
 *
 * A failure kills the mutant only if the test passes again without it. Otherwise the test can't be repeated, or the mutant left
 * something behind: the test is left out, and after many of them this process ends, to go on in a new one. An endless loop
 * ends by Stryker's count of turns, or by the processor time it takes; a promise that is never settled, by the time nothing runs.
 * @module
 */
import { appendFileSync, readFileSync } from "node:fs";
import { Script } from "node:vm";
import fc from "fast-check";
import { TestRunner } from "vitest";

const LOG = process.env.MUTATION_LOG;
const note = (...event) => appendFileSync(LOG, `${JSON.stringify(event)}\n`);

globalThis.__stryker__ ??= {};
const stryker = globalThis.__stryker__;
stryker.mutantCoverage ??= { static: {}, perTest: {} };
stryker.alive ??= new Set(JSON.parse(readFileSync(process.env.MUTATION_ALIVE, "utf8")));
stryker.tests ??= [];
const { alive, mutantCoverage, tests } = stryker;
const SLOW = Number(process.env.MUTATION_UNDER ?? Infinity);
const call = new Script("globalThis.__mutationTest()");

/** Of the processor. */
function millisecondsSince(start) {
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}

/** So many seconds in a row without work, less than 20 ms of the processor each, and a promise counts as never settled. */
const IDLE_SECONDS = 5;

/** What the promise brings, unless it takes too much of the processor, or nothing that could settle it runs any more. */
async function settled(promise, limit) {
  let watch;
  const giveUp = new Promise((_, reject) => {
    const start = process.cpuUsage();
    let [before, idle] = [0, 0];
    watch = setInterval(() => {
      const now = millisecondsSince(start);
      idle = now - before < 20 ? idle + 1 : 0;
      before = now;
      if (idle >= IDLE_SECONDS || now >= limit) reject(new Error("the test doesn't end"));
    }, 1000);
  });
  try {
    return await Promise.race([promise, giveUp]);
  } finally {
    clearInterval(watch);
  }
}

/** Runs a function, and ends it when it has used up this many milliseconds of the processor. */
async function within(limit, run) {
  globalThis.__mutationTest = run;
  for (let timeout = limit; ; timeout *= 4) {
    const start = process.cpuUsage();
    try {
      return await settled(call.runInThisContext({ timeout: Math.ceil(timeout) }), limit);
    } catch (error) {
      if (error?.code !== "ERR_SCRIPT_EXECUTION_TIMEOUT" || millisecondsSince(start) >= limit) throw error;
    }
  }
}

const passes = async (run) => {
  try {
    await run();
    return true;
  } catch {
    return false;
  }
};

export default class MutantRunner extends TestRunner {
  onBeforeRunSuite(suite) {
    fc.configureGlobal({ ...fc.readConfigureGlobal(), endOnFailure: true }); // a smaller counterexample helps nobody here
    return super.onBeforeRunSuite(suite);
  }

  /** Notes which mutants the test reaches, and how often. */
  async runTask(test) {
    const run = TestRunner.getTestFn(test);
    const { loads } = stryker;
    stryker.currentTestId = "this";
    const start = process.cpuUsage();
    try {
      await run();
    } finally {
      stryker.currentTestId = undefined;
    }
    const time = millisecondsSince(start);
    const hits = mutantCoverage.perTest.this ?? {};
    delete mutantCoverage.perTest.this;
    const reached = new Map(Object.entries(hits).filter(([id]) => alive.has(id)));
    const isLoading = stryker.loads !== loads; // a module that is loaded with a mutant keeps it
    if (time < SLOW && !isLoading && reached.size > 0) tests.push({ name: test.name, run, time, reached });
  }

  /** After the last file, each mutant meets the tests that reach it. */
  async onAfterRunFiles(files) {
    super.onAfterRunFiles(files);
    stryker.files = (stryker.files ?? 0) + files.length;
    if (stryker.files < this.workerState.ctx.files.length) return;
    note("static", Object.keys(mutantCoverage.static));
    stryker.isCounted = true;
    tests.sort((a, b) => a.time - b.time);
    for (const id of alive) if (!(await isSafe(id))) return;
    note("end");
  }
}

/** As many tests that failed without a mutant, after one, are more than those that can't be repeated: a module is spoilt. */
const SPOILT = 25;

/** Tries a mutant; false if it may have spoilt a module. */
async function isSafe(id) {
  for (const test of tests.filter(({ reached }) => reached.has(id))) {
    test.canRepeat ??= await passes(test.run);
    if (!test.canRepeat) continue;
    const { name, run, time, reached } = test;
    note("try", id, name);
    Object.assign(stryker, { activeMutant: id, hitCount: 0, hitLimit: 1000 + 100 * reached.get(id) });
    const survived = await passes(() => within(1000 + 20 * time, run));
    Object.assign(stryker, { activeMutant: undefined, hitCount: undefined });
    if (survived) continue;
    test.canRepeat = await passes(run);
    if (test.canRepeat) {
      note("killed", id, name);
      return true;
    }
    note("doubted", id, name);
    if (tests.filter(({ canRepeat }) => canRepeat === false).length > SPOILT) return false;
  }
  note("survived", id);
  return true;
}
