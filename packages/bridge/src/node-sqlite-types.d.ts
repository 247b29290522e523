/** The part of Node's SQLite that the engine uses: the types of the oldest Node that the project supports don't have it. */
declare module "node:sqlite" {
  export class DatabaseSync {
    constructor(path: string);
    readonly isTransaction: boolean;
    exec(sql: string): void;
    prepare(sql: string): { all(...values: unknown[]): unknown[]; run(...values: unknown[]): unknown };
    close(): void;
  }
}
