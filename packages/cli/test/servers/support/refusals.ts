/**
 * What a refusal may say: one sentence, with a code of the catalogue, and nothing that is secret.
 * @module
 */

import { expect } from "vitest";
import { Refusal, type RefusalCode } from "winnow-release";
import { CLICKHOUSE_PASSWORD } from "../../../../../bench/src/scale/clickhouse-cluster.js";
import { POSTGRES_PASSWORD } from "../../../../../bench/src/scale/postgres-server.js";

/** Texts that stand in rows, statements and passwords of the tests, and in nothing that may be shown. */
const SECRETS = [
  CLICKHOUSE_PASSWORD,
  POSTGRES_PASSWORD,

  "private-row",
  "wrong password",
  "secret_statement",
];

export async function expectRefusal(work: Promise<unknown>, code: RefusalCode): Promise<Refusal> {
  const error = await work.then(
    () => expect.fail("it was not refused"),
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(Refusal);
  const refusal = error as Refusal;
  expect([refusal.code, refusal.message]).toEqual([code, expect.stringMatching(/^[^\n]{10,200}\.$/)]);
  expectNothingSecret(JSON.stringify([refusal.message, refusal.stack, refusal.cause, { ...refusal }]));
  return refusal;
}

export function expectNothingSecret(text: string): void {
  for (const secret of SECRETS)
    for (const form of [secret, encodeURIComponent(secret)]) expect(text).not.toContain(form);
}
