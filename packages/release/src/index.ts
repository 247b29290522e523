/** From a private answer to what is published and recorded: what the command line and the page share. */

// The release
export { decimalText } from "./document/decimal-text.js";
export { readableLoss } from "./document/readable-loss.js";
export {
  type NewRelease,
  newRelease,
  newReleaseId,
  RELEASE_SCHEMA,
  type Release,
  type ReleaseAnswer,
  type ReleaseInput,
  type ReleaseLoss,
  type ReleaseSource,
  type Software,
} from "./document/release-document.js";
// The ledger
export * from "./ledger/index.js";
export { type LossJson, lossFromJson, lossToJson } from "./loss-json.js";
// The question
export { listedDomain } from "./question/listed-domain.js";
export { lossOf } from "./question/loss-of.js";
export { type Mechanism, mechanismOf } from "./question/mechanism-of.js";
export {
  type Domain,
  type MechanismName,
  type Neighbours,
  type Question,
  type QuestionInput,
  readQuestion,
} from "./question/question.js";
// Safe to show
export { forCsvField, forJson, forTerminal, forXml, shortened, visible } from "./render/neutralise.js";
// The answer
export type { Answer, CountedItems, Winner } from "./select/answer.js";
export { type CandidatesWanted, candidatesWanted } from "./select/candidates-wanted.js";
export { type SelectOptions, select } from "./select/select.js";
export { PACKAGES } from "./version.js";
