/** From a private answer to what is published and recorded: what the command line and the page share. */

// The release
export { decimalText } from "./document/decimal-text.js";
export { newRelease, newReleaseId, type ReleaseInput } from "./document/new-release.js";
export { readRelease } from "./document/read-release.js";
export { readableLoss } from "./document/readable-loss.js";
export {
  type NewRelease,
  RELEASE_SCHEMA,
  type Release,
  type ReleaseAnswer,
  type ReleaseLoss,
  type ReleaseSource,
  type Software,
} from "./document/release-document.js";
// Example data
export {
  candidatesOf,
  countVisitors,
  generateCsv,
  generateVisits,
  type Visit,
  type VisitsOptions,
} from "./generate/generate.js";
// The ledger
export * from "./ledger/index.js";
// Reading lines
export { type ColumnGuess, guessColumns } from "./lines/guess-columns.js";
export { type LineDialect, MOST_COLUMNS } from "./lines/line-dialect.js";
export { LineSplitter, LONGEST_LINE, type PhysicalLine } from "./lines/line-splitter.js";
export { parseDelimitedLine } from "./lines/parse-delimited-line.js";
export { parseJsonLine } from "./lines/parse-json-line.js";
export { type Header, splitHeader } from "./lines/split-header.js";
// What it would buy
export { EPSILON_SERIES, type EpsilonForRecall, epsilonForRecall } from "./plan/epsilon-for-recall.js";
export type { Estimate } from "./plan/estimate.js";
export { type PlanOptions, type PlanRow, plan, questionsAt } from "./plan/plan.js";
export { expectedUtility, type SimulationOptions, type Utility } from "./plan/simulate.js";
// The question
export {
  type GapInterval,
  type GapUncertainty,
  gapInterval,
  gapUncertainty,
} from "./question/gap-uncertainty.js";
export { listedDomain } from "./question/listed-domain.js";
export { lossOf } from "./question/loss-of.js";
export { type Mechanism, mechanismOf } from "./question/mechanism-of.js";
export { defaultMechanism, MECHANISMS } from "./question/mechanism-rules.js";
export {
  type Domain,
  type MechanismName,
  type Neighbours,
  type Question,
  type QuestionInput,
  readQuestion,
} from "./question/question.js";
// Safe to show
export { caption } from "./render/caption.js";
export { type GapRow, gapRows } from "./render/gap-rows.js";
export { domainInWords, headline, mechanismInWords, neighboursInWords } from "./render/in-words.js";
export { forCsvField, forJson, forTerminal, forXml, shortened, visible } from "./render/neutralise.js";
export { type BudgetLeft, type Statement, statement } from "./render/statement.js";
export { toCsv } from "./render/to-csv.js";
export { toJson } from "./render/to-json.js";
export { type SvgOptions, toSvg } from "./render/to-svg.js";
// The answer
export type { Answer, CountedItems, Winner } from "./select/answer.js";
export { type CandidatesWanted, candidatesWanted } from "./select/candidates-wanted.js";
export { type SelectOptions, select } from "./select/select.js";
export { PACKAGES } from "./version.js";
