/** The service behind `winnow serve` and `winnow mcp`. */

// Questions
export { Ask } from "./ask.js";
// The service on a port
export { newKey } from "./authenticate.js";
// The operator's file
export {
  budgetJsonOf,
  type Config,
  type DatasetConfig,
  readConfig,
} from "./config.js";
// What the machine provides
export type {
  DatasetRows,
  Host,
  PublicLists,
} from "./host.js";
export { createApp } from "./http/app.js";
export { openApiDocument } from "./http/openapi.js";
export { edgesOf, startService } from "./listen.js";
// Tools for agents
export { serveAgent } from "./mcp/agent.js";
export { AgentSession, ASKING } from "./mcp/session.js";
// Answers
export {
  codeOf,
  PROBLEM_CODES,
  problemOf,
} from "./problems.js";
export {
  Service,
  type ServiceEvent,
} from "./service.js";
