/** The part of a ledger that recognises rows, of one that keeps no marks. */
export const NO_MARKS = { markKey: async () => undefined, chargedTo: async () => undefined };
