/**
 * `--tune`: the mechanism and its limit, chosen by looking at the rows, charged and recorded before the release is asked. Each
 * candidate's largest counts are counted once, in the engine; `selectPrivateCandidate` chooses among their scores.
 *
 * How often a run was repeated stays secret. It shows in the time of the choice alone, which is microseconds beside the counts.
 * @module
 */
import {
  type ChargeOptions,
  confirmConcerns,
  countsWanted,
  drawChoice,
  guardChargedInputs,
  inSafeOrder,
  type Ledger,
  lossOf,
  priceConcerns,
  type Recorded,
  Refusal,
  readPredicate,
  scoreOf,
  type TunedCandidate,
  type Tuning,
} from "winnow-release";
import { type Interruption, startProgress } from "../long-work.js";
import { terminalCurator } from "../release/confirm.js";
import { markOf } from "../release/dataset-name.js";
import type { ReleaseOptions } from "../release/release-options.js";
import type { Request } from "../release/request.js";
import { checkRoles, columnsIn } from "../release/roles.js";
import type { Rows } from "../release/rows.js";
import { boundFor } from "../release/wanted.js";
import { tell } from "../render/terminal.js";
import { SOFTWARE } from "../this-package.js";
import {
  choiceId,
  chosenIn,
  chosenInWords,
  newChoice,
  type TunedChoice,
  tuneInWords,
  tuneQuestion,
} from "./tuned-choice.js";

interface Tuned {
  /** The id of the release that the choice is for. */
  readonly id: string;
  readonly ledger: Ledger;
  readonly request: Request;
  readonly rows: Rows;
  readonly options: ReleaseOptions;
  readonly interruption: Interruption;
}

/** The request with the chosen mechanism and the rest of the loss. A choice that is stored is made once. */
export async function chooseByRows(run: Tuned): Promise<Request> {
  const { ledger, request, interruption } = run;
  const { tuning, question: asked, dataset } = request;
  if (tuning === undefined) return request;
  const { signal } = interruption;
  const id = choiceId(run.id);
  const question = tuneQuestion(asked, tuning);
  const roles = request.roles!; // known, because the header may be read
  const source = { item: roles.item, user: roles.user };
  let charge: ChargeOptions = {};
  const { release } = await inSafeOrder<readonly bigint[], TunedChoice, Recorded<TunedChoice>>({
    stored: () => ledger.find<TunedChoice>(id, { dataset, question }),
    guard: async () => {
      const { options, rows } = run;
      charge = {
        mark: await markOf(ledger, { location: rows.location, files: await rows.files() }, options),
        isNewDataset: options.newDataset,
      };
      if ((await ledger.find(run.id)) !== undefined)
        throw new Refusal(
          "release-id-taken",
          "The release with this id was made without a choice by the rows.",
        );
      await ledger.admitAccount(dataset, charge);
      await guardChargedInputs(request.inputs, ledger);
    },
    admit: async () => {
      await ledger.admit(dataset, asked, charge); // what both cost together
      await ledger.admitLoss(dataset, tuning.price.loss, question);
      return tuning.price.loss;
    },
    confirm: async () => {
      const curator = terminalCurator({ yes: run.options.yes, signal });
      await confirmConcerns(priceConcerns(await ledger.account(dataset), lossOf(asked)), curator);
      checkRoles(columnsIn(await run.rows.open(signal)), roles);
      tell(tuneInWords(tuning));
    },
    count: () => scoresOf(run, tuning),
    draw: (scores) =>
      newChoice(question, drawChoice(tuning, scores), {
        ...{ id, dataset, source, software: SOFTWARE },
        price: tuning.price,
      }),
    record: (choice) => ledger.record<TunedChoice>(dataset, choice, charge),
    signal,
  });
  tell(chosenInWords(release));
  const { question: chosen } = chosenIn(release, tuning);
  return { ...request, question: chosen, loss: lossOf(chosen), tuning: undefined };
}

async function scoresOf(run: Tuned, tuning: Tuning): Promise<readonly bigint[]> {
  const progress = startProgress("looking at the rows");
  try {
    const scores: bigint[] = [];
    for (const candidate of tuning.candidates)
      scores.push(scoreOf(candidate, await largestCounts(run, candidate, progress.report), tuning));
    return scores;
  } finally {
    progress.stop();
  }
}

/** Private. People are cut with a key of its own for each candidate. */
async function largestCounts(
  { rows, request: { roles }, interruption: { signal } }: Tuned,
  candidate: TunedCandidate,
  onProgress: (share: number | undefined) => void,
): Promise<number[]> {
  const { where, maxItemsPerUser } = candidate.question;
  const source = await rows.open(signal);
  const counts: number[] = [];
  for await (const { users } of source.histogram({
    ...roles!,
    candidates: { kind: "largest", rows: countsWanted(candidate) },
    bound: boundFor({ maxItemsPerUser }),
    where: where === undefined ? undefined : readPredicate(where),
    signal,
    onProgress,
  }))
    counts.push(...users);
  return counts;
}

/** What a choice can't be combined with. */
const APART = {
  guess: "which chooses from public numbers",
  public: "whose rows choose for nothing",
  mechanism: "which is named",
  query: "whose failures are charged in full",
  by: "whose groups have counts of their own",
  commitBits: "whose opening would not hold the bits of the choice",
  period: "whose people count in some periods only",
} as const satisfies { readonly [Name in keyof ReleaseOptions]?: string };

/** Refused before anything is read. */
export function refuseWithTune(options: ReleaseOptions, isStream: boolean): void {
  if (options.tune === undefined) return;
  for (const [name, why] of Object.entries(APART)) {
    const isGiven = options[name as keyof typeof APART] !== undefined && !options.defaults?.includes(name);
    if (isGiven)
      throw new Refusal(
        "usage",
        `--tune doesn't go with --${name === "commitBits" ? "commit-bits" : name}, ${why}.`,
      );
  }
  if (isStream)
    throw new Refusal("usage", "--tune counts the rows several times, and a stream can be read only once.");
}
