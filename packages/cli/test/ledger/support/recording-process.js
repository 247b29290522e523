/**
 * A run of its own: opens the ledger, says "ready", then records a release for every line of standard input,
 * `{ "id", "dataset", "epsilon", "padding" }`, and prints what came back as a line of JSON. The answer is printed only after
 * `record` has returned, as a command does it. With `"names"` it is a limited-domain top ten that named so many, and its price
 * is reserved first.
 */
import { writeSync } from "node:fs";
import { createInterface } from "node:readline";
import { lossOf, readQuestion, releaseLoss } from "winnow-release";
import { openLedger } from "../../../dist/ledger/open-ledger.js";

const QUESTION = readQuestion({
  k: 10,
  domain: { kind: "unknown" },
  rho: "1/10",
  delta: "1e-6",
  unit: "one person",
});

const print = (value) => writeSync(1, `${JSON.stringify(value)}\n`);

try {
  const ledger = await openLedger(process.argv[2], { create: true, patience: 120_000 });
  print("ready");
  for await (const line of createInterface({ input: process.stdin }))
    print(await (line.includes('"names"') ? answer : record)(ledger, JSON.parse(line)));
  ledger.close();
} catch (error) {
  print({ refused: error.code ?? String(error), message: error.message });
}

async function answer(ledger, { id, dataset = "visits", names }) {
  try {
    await ledger.reserve(dataset, id, QUESTION);
    print({ id, reserved: true });
    const release = await ledger.record(dataset, {
      id,
      dataset,
      time: new Date().toISOString(),
      software: { name: "recorder", version: "0" },
      question: QUESTION,
      loss: releaseLoss(lossOf(QUESTION)),
      answer: {
        released: names > 0,
        k: 10,
        winners: Array.from({ length: names }, (_, i) => ({ item: `item ${i}` })),
        ordered: true,
        stopped: names < 10,
      },
    });
    return { id, settled: release.charge.settled.rho, ...release.ledger };
  } catch (error) {
    return { id, refused: error.code ?? String(error), message: error.message };
  }
}

async function record(ledger, { id, dataset = "visits", epsilon = "1", padding = 0 }) {
  try {
    const release = await ledger.record(dataset, {
      id,
      dataset,
      time: new Date().toISOString(),
      software: { name: "recorder", version: "0" },
      question: { k: 1 },
      loss: { measure: "pure", epsilon },
      answer: { winners: [`${process.pid}`], padding: "x".repeat(padding) },
    });
    return { id, winners: release.answer.winners, ...release.ledger };
  } catch (error) {
    return { id, refused: error.code ?? String(error), message: error.message };
  }
}
