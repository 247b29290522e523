/**
 * A release, drawn again by someone who may see its rows: the opening must be that of its commitments, the rows must give the counts
 * that it committed to, and mechanism and bits its answer, bit for bit. Nothing about the rows is printed but whether that is so.
 * @module
 */
import {
  bitsOf,
  type CommittedBits,
  canonicalJson,
  type Finding,
  limitKeyOf,
  listedDomain,
  newRelease,
  orderedCounts,
  type PublishedRelease,
  Refusal,
  type Release,
  type ReleaseBits,
  readItems,
  readPredicate,
  releaseBits,
  reservedBits,
  select,
} from "winnow-release";
import { readDomain } from "../public-files.js";
import { NO_HEADER, type SourceOptions } from "../sources/source.js";
import { Rows } from "./rows.js";
import { recordedDialect } from "./run.js";
import { candidatesFor } from "./wanted.js";

export interface Recomputing {
  /** Where the rows are. */
  readonly rows: string;
  /** The public list of candidates, if the question has one. */
  readonly domain?: string | undefined;
  readonly domainColumn?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Empty if the rows and the opening lead to the release. */
export async function recomputed(
  release: PublishedRelease & Release,
  opening: CommittedBits["opening"],
  options: Recomputing,
): Promise<readonly Finding[]> {
  const { id, dataset, question, answer, bits, ledger } = release;
  const found = (sentence: string): Finding[] => [
    { kind: "not-recomputed", sequence: ledger.sequence, sentence },
  ];
  const name = JSON.stringify(id);
  if (bits === undefined) return found(`Release ${name} doesn't commit to its bits.`);
  const reserved = await reservedBits(opening, { dataset, question });
  if (opening.id !== id || reserved.seed !== bits.seed || reserved.generator !== bits.generator)
    return found(`The opening isn't that of release ${name}.`);
  const rows = new Rows(options.rows, readAs(release));
  try {
    const source = await rows.open(options.signal);
    const dialect = recordedDialect(source.dialect, release.source.dialect);
    if (canonicalJson(dialect) !== canonicalJson(release.source.dialect))
      return found(`The rows aren't read as those of release ${name} were.`);
    const { item, user } = release.source;
    const { maxItemsPerUser, where, items } = question;
    const counts = await orderedCounts(
      source.histogram({
        ...{ item, user, signal: options.signal },
        computed: items === undefined ? undefined : { parts: readItems(items) },
        candidates: candidatesFor(question, await listOf(release, options)),
        bound:
          maxItemsPerUser === undefined
            ? undefined
            : { itemsPerUser: maxItemsPerUser, key: limitKeyOf(opening) },
        where: where === undefined ? undefined : readPredicate(where),
      }),
    );
    const committed = { dataset, question, answer, counts: counts.hash };
    if (!isSame(bits, await releaseBits(opening, committed)))
      return found(`The rows aren't those that release ${name} was drawn from, or its answer is another.`);
    const drawn = await select(question, counts.batches, { entropy: bitsOf(opening) });
    const again = newRelease({ ...release, time: new Date(release.time), answer: drawn });
    if (canonicalJson(again.answer) === canonicalJson(answer)) return [];
    return found(`The rows and the bits of release ${name} lead to another answer.`);
  } finally {
    await rows.close();
  }
}

function isSame(one: ReleaseBits, other: ReleaseBits): boolean {
  return canonicalJson(one) === canonicalJson(other);
}

/** As the release says that its rows were read. */
function readAs({ source: { dialect }, notes }: Release): SourceOptions {
  const { format, delimiter, quote, header, table, query, lines, numbers } = dialect;
  return {
    ...{ format: format as SourceOptions["format"], delimiter, quote, table, query },
    numbers: numbers as SourceOptions["numbers"],
    header: header !== NO_HEADER,
    multiline: lines !== undefined && lines !== EACH_LINE,
    trustQuery: query !== undefined && notes.length > 0,
  };
}

const EACH_LINE = "each on its own";

async function listOf({ question: { domain } }: Release, { domain: path, domainColumn }: Recomputing) {
  if (domain.kind !== "listed") return undefined;
  if (path === undefined)
    throw new Refusal("usage", "The release is about a public list: name its file with --domain.");
  const items = await readDomain(path, domainColumn);
  if (canonicalJson(await listedDomain(items)) === canonicalJson(domain)) return items;
  throw new Refusal("usage", `The list ${JSON.stringify(path)} isn't that of the release.`);
}
