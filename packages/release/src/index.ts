/**
 * From a private answer to what is published and recorded: what the command line, the service, the page and other languages share.
 * @module winnow-release
 */

// biome-ignore-all assist/source/organizeImports: a table of contents has an order of its own

// The question
export type { GroupsInput, Neighbours, Question, QuestionInput, QuestionKind } from "./question/question.js";
export { readQuestion } from "./ask/read-question.js";
export { canAnswer } from "./ask/can-answer.js";
export type { Answer, CandidatesWanted, CountedItems, GroupedRows, NeededUsers } from "./question/answer.js";
export type { Kind } from "./kinds/kind.js";
export { KIND_NAMES, KINDS, kindOf, needsDelta, needsLimit } from "./kinds/kinds.js";

// Its parts: candidates, grids, groups, items, conditions, periods
export { type Domain, sizeOf } from "./question/domain.js";
export { listedDomain } from "./question/listed-domain.js";
export { type GridDomain, type GridInput, readGrid } from "./question/grid.js";
export { typedGrid, typedShares } from "./question/typed.js";
export { type GroupName, type Groups, groupLabel, groupOfText, groupText } from "./question/groups.js";
export {
  type ItemMap,
  type ItemPart,
  isItemExpression,
  itemText,
  readItems,
  itemOf,
} from "./question/items.js";
export {
  allConditions,
  type ColumnTypes,
  columnsOf,
  DAY_PATTERN,
  DECIMAL_PATTERN,
  fits,
  type Operand,
  type Predicate,
  predicateText,
  readPredicate,
  readTypes,
  SPACES,
} from "./question/where.js";
export { type Name, type Token, tokensOf } from "./question/tokens.js";
export {
  likelyStyle,
  NUMBER_STYLES,
  type NumberStyle,
  plainNumber,
  STYLE_RULES,
  type StyleRule,
  type WrittenNumbers,
  type WrittenStyle,
} from "./question/number-style.js";
export { NUMBER_PATTERN } from "./question/number-text.js";
export {
  type AccountPromise,
  countedHashes,
  type HashRange,
  type PeriodDays,
  type PeriodLength,
  periodNamed,
  periodsOf,
  type QuestionPeriod,
  readPromise,
  startOf,
} from "./question/period.js";

// Options, as a table that front ends are made from
export {
  flagOf,
  kebabCase,
  OPTIONS,
  type OptionEntry,
  type OptionName,
  type OptionType,
} from "./ask/options.js";

// Mechanisms
export type { Code, Mechanism, Speaker, Words } from "./mechanisms/mechanism.js";
export { MECHANISM_NAMES, MECHANISMS } from "./mechanisms/mechanisms.js";
export {
  candidatesWanted,
  countsOf,
  isPaidByRound,
  lossOf,
  mechanismFor,
  mechanismOf,
  type NamedMechanism,
  otherPrices,
  select,
} from "./mechanisms/of-question.js";
export { type GroupedQuestion, isGrouped, selectionQuestion, subQuestion } from "./mechanisms/in-groups.js";
export { COUNT_CONFIDENCE } from "./parts/counts.js";
export { quantilePlan, type RankError, rankErrors } from "./parts/rank-errors.js";
export { inventedPeople } from "./parts/partition-base.js";
export type { Outcome, Parameters } from "./parts/simulated.js";
export { knownParameters, SIMULATED } from "./flow/laboratory.js";

// Before anything is spent: which mechanism, and what it would give
export { noiseInWords, usualMechanism } from "./ask/choose.js";
export {
  type Choice,
  choiceInWords,
  choose,
  type PublicFacts,
  waysToAnswer,
  wayInWords,
} from "./plan/choice.js";
export { countsOfGuess, type Guess, type PublicCounts, readGuess } from "./ask/guess.js";
export {
  type EpsilonForRecall,
  epsilonForRecall,
  neededUsers,
  type PlanRow,
  plan,
  questionsAt,
  questionsAtRho,
} from "./plan/plan.js";
export { type Estimate, expectedUtility, RankedScores, type Utility } from "./plan/simulate.js";
export { generatedCounts, type PlanCounts } from "./plan/generated-counts.js";
export {
  countsWanted,
  drawChoice,
  priceOfTuning,
  scoreOf,
  type TunedCandidate,
  type Tuning,
  type TuningPrice,
  tuningFor,
  waysInWords,
} from "./plan/tune.js";

// A release, in the safe order
export { type CommittedBits, makeRelease, priceConcerns, type ReleaseLedger } from "./flow/make-release.js";
export { inSafeOrder } from "./flow/safe-order.js";
export { type Curator, confirmConcerns, FACT_CODES, type FactCode } from "./flow/curator.js";
export { concernAbout, concernAboutBudget, deltaInWords, takenFrom } from "./flow/guards.js";
export {
  type ComparedInputs,
  type FoundFile,
  type GuardedInputs,
  guardChargedInputs,
  guardPublicInputs,
  type PrivateFile,
  type PublicInput,
} from "./flow/public-inputs.js";
export { type RowFacts, rowFindings } from "./flow/row-guards.js";
export { type PrivacyVerdict, privacyVerdict, strengthOf } from "./flow/strength.js";
export {
  bitsOf,
  limitKeyOf,
  newOpening,
  type Opening,
  orderedCounts,
  readOpening,
  releaseBits,
  reservedBits,
} from "./flow/committed-bits.js";

// The document
export {
  EPSILON_SOURCES,
  type EpsilonFrom,
  type NewRelease,
  type Release,
  type ReleaseAnswer,
  type ReleaseBits,
  type ReleaseLoss,
  type ReleaseSource,
  type ReservedBits,
  type Software,
} from "./document/release-document.js";
export { newRelease, newReleaseId, releaseLoss } from "./document/new-release.js";
export { readRelease } from "./document/read-release.js";
export { decimalText, readableLoss } from "./document/loss-text.js";

// The ledger
export { type ChargeOptions, Ledger, type Recorded } from "./ledger/ledger.js";
export { MemoryStore } from "./ledger/memory-store.js";
export {
  type Kept,
  type KeptAnew,
  type NewRow,
  OutcomeUnknown,
  type Sought,
  type Store,
} from "./ledger/store.js";
export { Account, type Spender } from "./ledger/account.js";
export {
  type BudgetJson,
  budgetFrom,
  budgetOf,
  type GivenLimit,
  moreReleases,
  readBudget,
} from "./ledger/budget.js";
export {
  type Asked,
  datasetOf,
  hasDataset,
  isReleaseId,
  type KeyEntry,
  LEDGER_FORMAT,
  type LedgerEntry,
  type NewEntry,
  type RecordedRelease,
  type ReleaseEntry,
  type ReservationEntry,
  readEntry,
  replay,
} from "./ledger/entry.js";
export { EMPTY_SUMMARY, MOST_GROUPS } from "./ledger/summary.js";
export {
  type AskedPeriod,
  accountPeriod,
  accountPeriodKey,
  periodCondition,
  periodOfPromise,
} from "./ledger/account-period.js";
export { keyMark, promiseSentence } from "./ledger/periods.js";
export { type LedgerPlace, readWitnessedPlace } from "./ledger/witnessed-place.js";

// Proof that a ledger is whole and right
export {
  type ChargeCheck,
  checkCharges,
  openSentence,
  type PriceOf,
  unpricedSentence,
} from "./ledger/check-charges.js";
export {
  type ChainHead,
  type ChainRow,
  chain,
  compareChains,
  EMPTY_CHAIN,
  type Finding,
  hashText,
  ledgerFileLines,
  ledgerFileRows,
  type PublishedRelease,
  readLedgerFile,
  type VerifiedRow,
} from "./ledger/hash-chain.js";
export {
  type ConsistencyProof,
  INCLUSION_SCHEMA,
  type InclusionProof,
  readConsistencyProof,
  readInclusionProof,
  type TreeHasher,
  verifyConsistency,
  verifyInclusion,
} from "./ledger/inclusion.js";
export { keysInForce } from "./ledger/key-changes.js";
export type { LedgerText } from "./ledger/ledger-text.js";
export { ledgerReplaced } from "./ledger/ledger-refusals.js";
export { canonicalJson } from "./ledger/canonical-json.js";

// Signed heads and witnesses
export { type Checkpoint, checkpointText, readCheckpoint } from "./heads/checkpoint.js";
export { noteOf, readNote, signatureLine } from "./heads/signed-note.js";
export {
  isKeyName,
  type NoteKey,
  type NoteSigner,
  newPrivateKey,
  noteKeyText,
  readNoteKey,
  readPrivateKey,
} from "./heads/note-keys.js";
export { type Policy, type PolicyWitness, readPolicy } from "./heads/policy.js";
export { continues } from "./heads/consistency.js";
export {
  readWitnessRequest,
  type SeenHead,
  Witness,
  type WitnessAnswer,
  type WitnessMemory,
  witnessRequestText,
} from "./heads/witness.js";
export {
  type CheckedHead,
  checkedNote,
  checkKeys,
  checkWitnessed,
  cosignedHead,
  type HeadRequest,
  type LedgerOfHeads,
  type SubmitTo,
  signedHead,
  WitnessedReleases,
  withWitnesses,
} from "./heads/witnessed.js";

// Tables, pictures and files
export { ESCAPED_ITEMS, ITEMS, toCsv, toJson } from "./render/data-files.js";
export { type SvgOptions, toSvg } from "./render/to-svg.js";
export { answerRows, gapUncertainty, type Measured, wholeCount } from "./render/answer-rows.js";
export {
  type GroupRelease,
  groupBudgetsInWords,
  groupColumns,
  groupLimitInWords,
  groupReleases,
  groupsInWords,
  questionOfOne,
} from "./render/group-releases.js";
export { shownCount } from "./render/picture.js";
export { candidatesInWords, curvesOf, planChart } from "./render/plan-svg.js";
export { ranksSvg } from "./render/svg-ranks.js";
export {
  CHANGES_NOTE,
  type Changes,
  changesBetween,
  changesInWords,
  changesOf,
  inOrderOfMoments,
  momentOf,
  predecessorOf,
  seriesOf,
} from "./render/changes.js";

// Words about a release
export {
  boundInWords,
  caption,
  countsInWords,
  domainInWords,
  endInWords,
  headline,
  mechanismInWords,
} from "./render/in-words.js";
export { type BudgetLeft, promiseInWords, statement } from "./render/statement.js";
export {
  countedInWords,
  countedShort,
  isLimitedColumn,
  limitInWords,
  type Nouns,
  neighboursInWords,
  unitInWords,
  unitOf,
} from "./question/labels.js";
export { quantileName, rankErrorInWords, rankErrorsInWords } from "./kinds/quantile.js";
export { frequenciesInWords, inventedInWords } from "./kinds/frequencies.js";

// Names that are safe to show, and sentences
export {
  forCsvField,
  forJson,
  forTerminal,
  forXml,
  kindAndPlace,
  shortened,
  visible,
} from "./words/neutralise.js";
export { asSentence, percent } from "./words/sentences.js";
export { didYouMean } from "./words/near-names.js";

// Refusals
export { COUNT_FAILED, Refusal, refusalOf } from "./refusal/refusal.js";
export { CATALOGUE, entryOf, type RefusalCode } from "./refusal/catalogue.js";
export { mustBe, mustBeButIs } from "./refusal/must-be.js";

// Files that others read
export { type CsvwColumn, isSameSet, readCsvw, toCsvw } from "./interchange/csvw.js";
export {
  OPENDP_SCORES,
  type OpenDpScores,
  type OpenDpTopK,
  openDpTopK,
  readOpenDp,
  toOpenDp,
} from "./interchange/opendp.js";
export { FILL_IN, toRegistryRecord } from "./interchange/registry.js";

// Reading files and lines
export { LineSplitter, LONGEST_LINE, type PhysicalLine } from "./lines/line-splitter.js";
export {
  type Header,
  type LineDialect,
  MOST_COLUMNS,
  parseDelimitedLine,
  parseJsonLine,
  splitHeader,
} from "./lines/parse-line.js";
export { guessColumns } from "./lines/guess-columns.js";
export { ListError, listHeader, readList } from "./render/read-list.js";
export { readLabels } from "./render/read-labels.js";
export { readStrictJson } from "./parts/strict-json.js";

// Example data
export { candidatesOf, countVisitors, generateCsv, generateVisits, type VisitsOptions } from "./generate.js";
