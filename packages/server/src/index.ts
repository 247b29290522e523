/** The service behind `winnow serve` and `winnow mcp`. */

// Questions
export { Ask } from "./ask.js";
// The service on a port
export { newKey } from "./authenticate.js";
// The operator's file
export {
  type AnalystConfig,
  budgetJsonOf,
  type Config,
  type DatasetConfig,
  type LimitConfig,
  readConfig,
} from "./config.js";
// What the machine provides
export type {
  AnalystPage,
  Batch,
  DatasetRows,
  Host,
  RecordedAnswer,
  TwinCounts,
} from "./host.js";
export { type AppOptions, createApp } from "./http/app.js";
export type { ObservedRequest } from "./http/messages.js";
export { openApiDocument } from "./http/openapi.js";
export { edgesOf, type RunningService, type StartOptions, startService } from "./listen.js";
// Tools for agents
export { type AgentEvent, type AgentOptions, serveAgent } from "./mcp/agent.js";
export { AgentSession, ASKING, type Asking } from "./mcp/session.js";
// Answers
export type { CountAge, DatasetDescription, Plan, Preview } from "./plan.js";
export type { Balance, Cost, DatasetBudget, LossView } from "./prices.js";
export {
  codeOf,
  PROBLEM_CODES,
  type Problem,
  type ProblemCode,
  type ProblemDetails,
  problemOf,
} from "./problems.js";
export type { NewOrStored } from "./releases.js";
export {
  type ReleaseOptions,
  type ReleasePage,
  Service,
  type ServiceEvent,
  type ServiceOptions,
} from "./service.js";
export { readStrictJson } from "./strict-json.js";
