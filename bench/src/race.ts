/**
 * A race: one subject against its rivals, in one process, warm.
 *
 * Each round measures every contender for a few milliseconds (mitata takes the samples, their median counts),
 * one right after the other, so that what else the machine does hits all alike; the order turns from round to
 * round. The report has the median over the rounds of the ratio *within* a round, with its quartiles. Time
 * is processor time, which stands still while another process has the core.
 *
 * A contender's `run` holds its own loop over `operations` operations: V8 then compiles each loop for its own
 * contender alone, and the indirect call from here costs nothing beside it. After each measurement the last
 * answer is checked: an answer that is used cannot be optimised away, and a wrong one doesn't compete.
 * @module
 */
import { do_not_optimize, measure } from "mitata";
import { bytesPerRun } from "./allocation.js";
import { quartiles, type Spread } from "./quartiles.js";

const WARM_UP_MILLISECONDS = 500;

export interface Contender {
  readonly name: string;
  /** The ratio subject / this contender that we hold ourselves to. None: the row informs. */
  readonly goal?: number | undefined;
  /** Works through the race's operations once. */
  run(): void;
  /** Whether the last run's answer was right. */
  isRight(): boolean;
}

export interface Race {
  /** What one operation is, e.g. "sample". */
  readonly unit: string;
  /** Operations in one `run`. */
  readonly operations: number;
  readonly subject: Contender;
  readonly rivals: readonly Contender[];
}

export interface Pace {
  readonly rounds: number;
  /** For how long a contender is measured in each round. */
  readonly milliseconds: number;
}

export interface Time {
  readonly name: string;
  /** Median over the rounds, per operation. */
  readonly nanoseconds: number;
  /** Median over the rounds, per run. */
  readonly milliseconds: number;
  /** Allocated per operation, on the heap and in array buffers. */
  readonly bytes: number;
}

export interface Outcome {
  readonly unit: string;
  readonly subject: Time;
  readonly rivals: readonly (Time & { readonly goal?: number | undefined; readonly ratio: Spread })[];
}

/** A contender whose every run gives an answer that can be checked. */
export function contender<Answer>(
  name: string,
  answer: () => Answer,
  isRight: (answer: Answer) => boolean,
  goal?: number,
): Contender {
  let last: Answer;
  return {
    name,
    goal,
    run() {
      last = answer();
      do_not_optimize(last);
    },
    isRight: () => isRight(last),
  };
}

export async function run(race: Race, pace: Pace): Promise<Outcome> {
  const contenders = [race.subject, ...race.rivals];
  await warmUp(contenders, pace);
  const rounds: number[][] = []; // nanoseconds per operation, by round and contender
  for (let round = 0; round < pace.rounds; round++) {
    const times = await measureAll(contenders, startingOrder(contenders.length, round), pace);
    rounds.push(times.map((time) => time / race.operations));
  }
  const times = contenders.map(({ name, run }, which) => {
    const nanoseconds = quartiles(rounds.map((round) => round[which])).median;
    return {
      name,
      nanoseconds,
      milliseconds: (nanoseconds * race.operations) / 1e6,
      bytes: bytesPerRun(run) / race.operations,
    };
  });
  return {
    unit: race.unit,
    subject: times[0],
    rivals: race.rivals.map(({ goal }, rival) => ({
      ...times[rival + 1],
      goal,
      ratio: quartiles(rounds.map((round) => round[0] / round[rival + 1])),
    })),
  };
}

/** Rounds that do not count, until V8 has compiled what is hot and recompiled what it guessed wrong. */
async function warmUp(contenders: readonly Contender[], pace: Pace): Promise<void> {
  const end = performance.now() + WARM_UP_MILLISECONDS * contenders.length;
  let round = 0;
  do await measureAll(contenders, startingOrder(contenders.length, round++), pace);
  while (performance.now() < end);
}

/** The order turns, and then turns the other way: no one is always first or always after the same one. */
function startingOrder(count: number, round: number): number[] {
  const order = Array.from({ length: count }, (_, step) => (round + step) % count);
  return round % (2 * count) < count ? order : order.reverse();
}

/** The median time of each contender's run in nanoseconds. */
async function measureAll(
  contenders: readonly Contender[],
  order: readonly number[],
  pace: Pace,
): Promise<number[]> {
  const times = new Array<number>(contenders.length).fill(0);
  for (const which of order) times[which] = await medianRun(contenders[which], pace);
  return times;
}

async function medianRun({ name, run, isRight }: Contender, pace: Pace): Promise<number> {
  const stats = await measure(run, {
    now: processorTime,
    min_samples: 1,
    min_cpu_time: pace.milliseconds * 1e6,
    // The processor's time is known to a microsecond: runs shorter than 0.2 ms are timed sixteen at once.
    batch_threshold: 200_000,
    batch_samples: 16,
    gc: false, // a forced collection throws compiled code away, and the next rounds would time its recompilation
  });
  if (!isRight()) throw new Error(`${name}: the answer is wrong`);
  return stats.p50;
}

/** Nanoseconds that this process has computed so far. */
export function processorTime(): number {
  const { user, system } = process.cpuUsage();
  return 1000 * (user + system);
}
