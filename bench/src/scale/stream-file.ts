/**
 * A process of its own: reads a file of scores, one on each line, candidate after candidate into one stream, and says how
 * much memory that took at most. Usage: node stream-file.js FILE K
 * @module
 */
import { createReadStream } from "node:fs";
import { TopKStream } from "winnow-dp";

const NEWLINE = 0x0a;
const ZERO = 0x30;

const [file, k] = process.argv.slice(2);
const stream = new TopKStream({ k: Number(k), epsilon: 1, monotone: true });
const start = performance.now();
let candidates = 0;
let score = 0;
for await (const chunk of createReadStream(file, { highWaterMark: 1 << 18 }))
  for (const byte of chunk as Buffer) {
    if (byte !== NEWLINE) {
      score = score * 10 + byte - ZERO;
      continue;
    }
    stream.push(candidates++, score);
    score = 0;
  }
const { winners } = stream.finish();
const seconds = (performance.now() - start) / 1000;
const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage();
const cpuSeconds = (userCPUTime + systemCPUTime) / 1e6;
console.log(
  JSON.stringify({ candidates, winners: winners.length, seconds, cpuSeconds, megabytes: maxRSS / 1024 }),
);
