/** From a private answer to what is published and recorded: what the command line and the page share. */
// The rules of the ledger
export * from "./ledger/index.js";
// Losses as JSON
export { type LossJson, lossFromJson, lossToJson } from "./loss-json.js";
