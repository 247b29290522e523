/**
 * From a private answer to what is published and recorded: what the command line, the service and the page share.
 * @module winnow-release
 */

// biome-ignore-all assist/source/organizeImports: a table of contents has an order of its own

// The question
export { canAnswer, type Draft } from "./ask/can-answer.js";
export {
  flagOf,
  kebabCase,
  OPTIONS,
  type OptionEntry,
  type OptionName,
  type OptionType,
} from "./ask/options.js";
export { readQuestion } from "./ask/read-question.js";
export { frequenciesInWords, inventedInWords } from "./kinds/frequencies.js";
export type { Kind, Shape } from "./kinds/kind.js";
export { KIND_NAMES, KINDS, kindOf, needsDelta, needsLimit } from "./kinds/kinds.js";
export { quantileName, rankErrorInWords, rankErrorsInWords } from "./kinds/quantile.js";
export type {
  Answer,
  CandidatesWanted,
  CountedItems,
  Frequency,
  GroupAnswer,
  GroupedRows,
  Near,
  NeededUsers,
  Winner,
} from "./question/answer.js";
export { type Domain, sizeOf } from "./question/domain.js";
export { type GridDomain, type GridInput, readGrid } from "./question/grid.js";
export { type GroupBudget, type GroupName, type Groups, groupOfText, groupText } from "./question/groups.js";
export {
  type DateUnit,
  type ItemMap,
  type ItemPart,
  isItemExpression,
  itemOf,
  itemText,
  readItems,
} from "./question/items.js";
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
export { listedDomain } from "./question/listed-domain.js";
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
  readPeriod,
  readPromise,
  startOf,
} from "./question/period.js";
export type { GroupsInput, Neighbours, Question, QuestionInput, QuestionKind } from "./question/question.js";
export { type Name, type Token, tokensOf } from "./question/tokens.js";
export { typedGrid, typedShares } from "./question/typed.js";
export {
  type ColumnType,
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

// What it would buy
export { noiseInWords, usualMechanism } from "./ask/choose.js";
export { countsOfGuess, type Guess, type PublicCounts, readGuess } from "./ask/guess.js";
export {
  type Choice,
  type Considered,
  choiceInWords,
  choose,
  type Expectation,
  type PublicFacts,
  wayInWords,
} from "./plan/choice.js";
export { generatedCounts, type PlanCounts } from "./plan/generated-counts.js";
export {
  EPSILON_SERIES,
  type EpsilonForRecall,
  epsilonForRecall,
  leadNeeded,
  neededUsers,
  type PlanOptions,
  type PlanRow,
  plan,
  questionsAt,
  questionsAtRho,
} from "./plan/plan.js";
export type { Estimate } from "./plan/simulate.js";
export { expectedUtility, RankedScores, type SimulationOptions, type Utility } from "./plan/simulate.js";
export {
  countsWanted,
  drawChoice,
  priceOfTuning,
  scoreOf,
  type TunedBudget,
  type TunedCandidate,
  type Tuning,
  type TuningPrice,
  tuningFor,
  waysInWords,
} from "./plan/tune.js";

// The mechanism
export { type GroupedQuestion, isGrouped, selectionQuestion, subQuestion } from "./mechanisms/in-groups.js";
export { inventedPeople } from "./parts/partition-base.js";
export type { Code, Counting, Mechanism, Speaker, Words } from "./mechanisms/mechanism.js";
export { MECHANISM_NAMES, MECHANISMS, mechanismNamed } from "./mechanisms/mechanisms.js";
export {
  type Charge,
  candidatesWanted,
  chargeOf,
  countsOf,
  isPaidByRound,
  lossOf,
  mechanismFor,
  mechanismOf,
  type NamedMechanism,
  otherPrices,
  reservationOf,
  type SelectOptions,
  select,
  selectInGroups,
} from "./mechanisms/of-question.js";
export { quantilePlan, type RankError, rankErrors } from "./parts/rank-errors.js";
export { COUNT_CONFIDENCE, type CountPlan, type CountsShown } from "./parts/counts.js";
export type { Outcome, Parameters, Simulated } from "./parts/simulated.js";
export { readStrictJson } from "./parts/strict-json.js";

// A release, in the safe order
export {
  bitsOf,
  type Committed,
  limitKeyOf,
  newOpening,
  type Opening,
  type OrderedCounts,
  orderedCounts,
  readOpening,
  releaseBits,
  reservedBits,
} from "./flow/committed-bits.js";
export { type Concern, type Curator, confirmConcerns, FACT_CODES, type FactCode } from "./flow/curator.js";
export {
  concernAbout,
  concernAboutBudget,
  concernAboutTotal,
  deltaInWords,
  takenFrom,
} from "./flow/guards.js";
export { knownParameters, SIMULATED } from "./flow/laboratory.js";
export {
  type CommittedBits,
  type CountedRows,
  type MadeRelease,
  makeRelease,
  priceConcerns,
  type ReleaseHooks,
  type ReleaseLedger,
  type ReleaseRequest,
} from "./flow/make-release.js";
export {
  type ComparedInputs,
  type FoundFile,
  type GuardedInputs,
  guardChargedInputs,
  guardPublicInputs,
  type MarkedLedger,
  type PrivateFile,
  type PublicInput,
} from "./flow/public-inputs.js";
export { type RowFacts, rowFindings } from "./flow/row-guards.js";
export { inSafeOrder, type Ordered, type Steps } from "./flow/safe-order.js";
export {
  type PrivacyVerdict,
  type Promised,
  privacyVerdict,
  type Strength,
  strengthOf,
} from "./flow/strength.js";

// The document
export { decimalText, readableLoss } from "./document/loss-text.js";
export {
  newRelease,
  newReleaseId,
  PACKAGES,
  type ReleaseInput,
  releaseLoss,
} from "./document/new-release.js";
export { readRelease } from "./document/read-release.js";
export {
  EPSILON_SOURCES,
  type EpsilonFrom,
  type NewRelease,
  type Release,
  type ReleaseAnswer,
  type ReleaseBits,
  type ReleaseCharge,
  type ReleaseLoss,
  type ReleaseSource,
  type ReservedBits,
  type Software,
} from "./document/release-document.js";

// The ledger
export { Account, type AdmittedAs, type Spender } from "./ledger/account.js";
export {
  type BudgetJson,
  type RecordedBudget,
  type BudgetLimit,
  budgetFrom,
  budgetOf,
  type GivenLimit,
  moreReleases,
  readBudget,
  totalAtDelta,
  totalsOf,
} from "./ledger/budget.js";
export { canonicalJson } from "./ledger/canonical-json.js";
export {
  type ChargeCheck,
  checkCharges,
  openSentence,
  type PriceOf,
  type Unpriced,
  unpricedSentence,
} from "./ledger/check-charges.js";
export {
  type Asked,
  type BudgetEntry,
  datasetOf,
  entryText,
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
export {
  type ChainHead,
  type ChainRelation,
  type ChainReport,
  type ChainRow,
  chain,
  compareChains,
  EMPTY_CHAIN,
  type Finding,
  type FindingKind,
  hashText,
  ledgerFileLines,
  ledgerFileRows,
  type PublishedRelease,
  readLedgerFile,
  type VerifiedRow,
  type VerifyOptions,
  verifyChain,
} from "./ledger/hash-chain.js";
export {
  type ConsistencyProof,
  INCLUSION_SCHEMA,
  type InclusionProof,
  MerkleTree,
  type ReadLeaves,
  readConsistencyProof,
  readInclusionProof,
  type TreeHasher,
  type TreeHead,
  topOver,
  verifyConsistency,
  verifyInclusion,
} from "./ledger/inclusion.js";
export { keysInForce } from "./ledger/key-changes.js";
export {
  type ChargeOptions,
  Ledger,
  type LedgerOptions,
  type PlaceUnder,
  type Recorded,
  type TreeTop,
} from "./ledger/ledger.js";
export { concernAboutNewAccount, ledgerReplaced, type Page } from "./ledger/ledger-refusals.js";
export type { LedgerText } from "./ledger/ledger-text.js";
export type { RootedHead } from "./ledger/log-tree.js";
export { MemoryStore, type StoredTables } from "./ledger/memory-store.js";
export { horizonInWords, keyMark, promiseSentence } from "./ledger/periods.js";
export {
  type Kept,
  type KeptAnew,
  type NewRow,
  OutcomeUnknown,
  type Sought,
  type Store,
} from "./ledger/store.js";
export {
  type AccountSummary,
  type ChargeGroup,
  EMPTY_SUMMARY,
  MOST_GROUPS,
  summarise,
} from "./ledger/summary.js";
export type { Verification } from "./ledger/verify-log.js";
export { type LedgerPlace, readWitnessedPlace, type WitnessedPlace } from "./ledger/witnessed-place.js";

// Signed heads and witnesses
export { type Checkpoint, checkpointText, readCheckpoint } from "./heads/checkpoint.js";
export { continues, isConsistent, type SizedTop } from "./heads/consistency.js";
export {
  isKeyName,
  keyAs,
  type NoteKey,
  type NoteSigner,
  newPrivateKey,
  noteKeyText,
  readNoteKey,
  readPrivateKey,
} from "./heads/note-keys.js";
export { type Policy, type PolicyWitness, readPolicy } from "./heads/policy.js";
export {
  cosignatureLine,
  noteOf,
  readNote,
  type SignedNote,
  signatureLine,
  type VerifiedSignature,
  verifiedSignatures,
} from "./heads/signed-note.js";
export {
  readWitnessRequest,
  type SeenHead,
  Witness,
  type WitnessAnswer,
  type WitnessMemory,
  type WitnessOptions,
  type WitnessRequest,
  witnessRequestText,
} from "./heads/witness.js";
export {
  askWitness,
  type CheckedHead,
  type CosignedHead,
  checkedNote,
  checkKeys,
  checkWitnessed,
  cosignedHead,
  type HeadCheck,
  type HeadRequest,
  type LedgerOfHeads,
  type SubmitTo,
  signedHead,
  type Witnessed,
  WitnessedReleases,
  withWitnesses,
} from "./heads/witnessed.js";

// Pictures and texts
export {
  type AnswerRow,
  answerRows,
  type GapInterval,
  type GapUncertainty,
  gapInterval,
  gapUncertainty,
  type Measured,
  wholeCount,
} from "./render/answer-rows.js";
export {
  CHANGES_NOTE,
  type Change,
  type Changes,
  type ChangesOfList,
  changesBetween,
  changesInOneLine,
  changesInWords,
  changesOf,
  inOrderOfMoments,
  momentOf,
  predecessorOf,
  seriesOf,
} from "./render/changes.js";
export { ESCAPED_ITEMS, ITEMS, toCsv, toJson } from "./render/data-files.js";
export {
  type GroupRelease,
  groupBudgetsInWords,
  groupColumns,
  groupLimitInWords,
  groupReleases,
  groupsInWords,
  questionOfOne,
} from "./render/group-releases.js";
export {
  boundInWords,
  caption,
  countsInWords,
  domainInWords,
  endInWords,
  headline,
  mechanismInWords,
} from "./render/in-words.js";
export { intervalOf, type PictureOptions, shownCount } from "./render/picture.js";
export {
  candidatesInWords,
  curvesOf,
  type PlanCurve,
  type PlanSubject,
  planChart,
} from "./render/plan-svg.js";
export { readLabels } from "./render/read-labels.js";
export { ListError, type ListOptions, listHeader, readList } from "./render/read-list.js";
export { type BudgetLeft, promiseInWords, type Statement, statement } from "./render/statement.js";
export { type RanksOptions, ranksSvg } from "./render/svg-ranks.js";
export { type SvgOptions, toSvg } from "./render/to-svg.js";
export {
  forCsvField,
  forJson,
  forTerminal,
  forXml,
  fromSpreadsheet,
  kindAndPlace,
  shortened,
  visible,
} from "./words/neutralise.js";
export { asSentence, percent } from "./words/sentences.js";

// Refusals
export { CATALOGUE, entryOf, type Front, type RefusalCode } from "./refusal/catalogue.js";
export { mustBe, mustBeButIs } from "./refusal/must-be.js";
export { COUNT_FAILED, Refusal, type RefusalDetails, refusalOf } from "./refusal/refusal.js";

// Files that others read
export { type CsvwColumn, type CsvwTable, isSameSet, readCsvw, toCsvw } from "./interchange/csvw.js";
export {
  OPENDP_SCORES,
  type OpenDpOptions,
  type OpenDpScores,
  type OpenDpTopK,
  openDpTopK,
  readOpenDp,
  toOpenDp,
} from "./interchange/opendp.js";
export { FILL_IN, toRegistryRecord } from "./interchange/registry.js";

// Reading lines
export { type ColumnGuess, guessColumns } from "./lines/guess-columns.js";
export { LineSplitter, LONGEST_LINE, type PhysicalLine } from "./lines/line-splitter.js";
export {
  type Header,
  type LineDialect,
  MOST_COLUMNS,
  parseDelimitedLine,
  parseJsonLine,
  splitHeader,
} from "./lines/parse-line.js";

// Example data and names
export {
  candidatesOf,
  countVisitors,
  generateCsv,
  generateVisits,
  type Visit,
  type VisitsOptions,
} from "./generate.js";
export { didYouMean, isNearName } from "./words/near-names.js";
