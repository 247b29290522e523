/**
 * Tests that need a real server. Where it is not installed they are skipped and say so; in continuous integration, where it
 * should be, they fail instead.
 * @module
 */
import { describe, it } from "vitest";
import { locateClickhouse } from "../../../../../bench/src/scale/clickhouse-cluster.js";
import { locatePooler } from "../../../../../bench/src/scale/pooler.js";
import { locatePostgres } from "../../../../../bench/src/scale/postgres-server.js";
import { locateTrino } from "../../../../../bench/src/scale/trino-cluster.js";

const isExpected = process.env.CI !== undefined;

export function describeOnPostgres(title: string, tests: () => void): void {
  describeOn({ postgresql: locatePostgres() }, title, tests);
}

/** With pgbouncer before it, too. */
export function describeOnPooledPostgres(title: string, tests: () => void): void {
  describeOn({ postgresql: locatePostgres(), pgbouncer: locatePooler() }, title, tests);
}

export function describeOnClickhouse(title: string, tests: () => void): void {
  describeOn({ "clickhouse-server": locateClickhouse() }, title, tests);
}

export function describeOnTrino(title: string, tests: () => void): void {
  describeOn({ trino: locateTrino() }, title, tests);
}

export function describeOnBoth(title: string, tests: () => void): void {
  describeOn({ postgresql: locatePostgres(), "clickhouse-server": locateClickhouse() }, title, tests);
}

function describeOn(programs: Record<string, string | undefined>, title: string, tests: () => void): void {
  const missing = Object.keys(programs).filter((name) => programs[name] === undefined);
  if (missing.length === 0 || isExpected) {
    describe(title, tests);
    return;
  }
  describe(title, () => {
    it(`needs ${missing.join(" and ")}`, (test) =>
      test.skip(`${missing.join(" and ")}: not installed (${missing.map(install).join(" && ")})`));
  });
}

function install(program: string): string {
  return program === "trino"
    ? "apt-get install openjdk-17-jdk-headless maven && mvn -q -f bench/trino process-classes"
    : `apt-get install ${program}`;
}
