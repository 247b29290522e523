/**
 * Python's `duckdb` in the form of DuckDB's package for Node, as far as the reader of the command line uses it. So the SQL, the locks
 * and the limits of the reader are one code (packages/cli/src/sources/files), and the wheel carries no native library. A process of
 * Python runs the SQL (`_duckdb.py` of the Python package); requests and replies are lines of JSON, in order. The bundle of the
 * program has this file in place of `@duckdb/node-api`.
 * @module
 */
import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { Refusal } from "winnow-release";

/** The program and its script, as JSON: set by the program that starts the command line. */
const PLACE = "WINNOW_DUCKDB";
const ROWS_IN_A_PART = 16_384;

type Row = readonly unknown[];
interface Reply {
  readonly rows?: readonly Row[];
  /** The first words of the engine's message, which say what kind of failure it is. */
  readonly error?: string;
  /** Lines that the engine wants parsed before it goes on. */
  readonly parse?: string;
  readonly statements?: readonly { readonly isSelect: boolean; readonly parameters: number }[];
}
type ParseLine = (line: string) => Readonly<Record<string, string>> | null;

class Python {
  readonly #process: ChildProcess;
  readonly #waiting: { resolve(reply: Reply): void; reject(error: unknown): void }[] = [];
  /** Why nothing is answered any more. */
  #ended: unknown;
  parseLine: ParseLine = () => null;

  constructor() {
    const [program, ...words] = JSON.parse(process.env[PLACE] ?? "[]") as string[];
    this.#process = spawn(program ?? "python3", words, { stdio: ["pipe", "pipe", "ignore"] });
    this.#process.on("error", () => this.#end());
    this.#process.on("exit", () => this.#end());
    this.#process.stdin?.on("error", () => this.#end());
    createInterface({ input: this.#process.stdout! }).on("line", (line) => this.#take(JSON.parse(line)));
  }

  async ask(request: object): Promise<Reply> {
    if (this.#ended !== undefined) throw this.#ended;
    const reply = new Promise<Reply>((resolve, reject) => this.#waiting.push({ resolve, reject }));
    this.#send(request);
    const answer = await reply;
    if (this.#ended !== undefined) throw this.#ended; // an order before this request failed
    if (answer.error === undefined) return answer;
    if (answer.error === "no duckdb") throw noDuckdb();
    throw new Error(answer.error);
  }

  /** Without waiting: if it fails, every later request does. */
  order(request: object): void {
    this.ask(request).catch((error) => {
      this.#ended ??= error;
    });
  }

  close(): void {
    this.#process.kill();
  }

  #take(reply: Reply): void {
    if (reply.parse !== undefined) this.#send({ parsed: this.parseLine(reply.parse) });
    else this.#waiting.shift()?.resolve(reply);
  }

  #send(message: object): void {
    this.#process.stdin?.write(`${JSON.stringify(message)}\n`);
  }

  #end(): void {
    this.#ended ??= new Refusal(
      "source-limit",
      "The process of Python's duckdb ended, most likely because memory ran out.",
    );
    for (const { reject } of this.#waiting.splice(0)) reject(this.#ended);
  }
}

function noDuckdb(): Refusal {
  return new Refusal("unreadable-source", "Reading files needs Python's duckdb: run `pip install duckdb`.");
}

export class DuckDBInstance {
  readonly #python: Python;

  private constructor(python: Python) {
    this.#python = python;
  }

  static async create(path: string, settings: Readonly<Record<string, string>>): Promise<DuckDBInstance> {
    const python = new Python();
    await python.ask({ op: "open", path, settings });
    return new DuckDBInstance(python);
  }

  async connect(): Promise<DuckDBConnection> {
    return new DuckDBConnection(this.#python);
  }

  closeSync(): void {
    this.#python.close();
  }
}

export class DuckDBConnection {
  readonly #python: Python;
  readonly progress = { percentage: -1 }; // not known

  constructor(python: Python) {
    this.#python = python;
  }

  async run(sql: string, values: readonly unknown[] = []): Promise<{ getRows(): Promise<readonly Row[]> }> {
    const { rows = [] } = await this.#python.ask({ op: "run", sql, values });
    return { getRows: async () => rows };
  }

  async *stream(sql: string): AsyncGenerator<{ getColumns(): unknown[][] }> {
    await this.#python.ask({ op: "stream", sql });
    for (;;) {
      const { rows = [] } = await this.#python.ask({ op: "next", rows: ROWS_IN_A_PART });
      if (rows.length === 0) return;
      yield { getColumns: () => rows[0]!.map((_, column) => rows.map((row) => row[column])) };
    }
  }

  async createAppender(table: string, schema: string, catalog: string): Promise<Appender> {
    const name = [catalog, schema, table].map((part) => `"${part.replaceAll('"', '""')}"`).join(".");
    const sql = `INSERT INTO ${name} SELECT unnest($1::VARCHAR[])`;
    return new Appender((texts) => this.#python.order({ op: "run", sql, values: [texts] }));
  }

  async extractStatements(
    sql: string,
  ): Promise<{ count: number; prepare(index: number): Promise<Prepared> }> {
    const { statements = [] } = await this.#python.ask({ op: "statements", sql });
    return {
      count: statements.length,
      prepare: async (index) => ({
        statementType: statements[index]?.isSelect ? StatementType.SELECT : StatementType.INVALID,
        parameterCount: statements[index]?.parameters ?? 0,
      }),
    };
  }

  registerScalarFunction({ mainFunction, name }: ScalarFunction): void {
    this.#python.parseLine = (line) => {
      let parsed: Readonly<Record<string, string>> | null = null;
      const setItem = (_: number, value: Readonly<Record<string, string>> | null) => {
        parsed = value;
      };
      mainFunction(undefined, { getColumnValues: () => [line] }, { setItem, flush() {} });
      return parsed;
    };
    this.#python.order({ op: "function", name });
  }

  closeSync(): void {}
}

interface Prepared {
  readonly statementType: number;
  readonly parameterCount: number;
}

/** Texts are sent in parts, in order. */
class Appender {
  #texts: string[] = [];
  readonly #insert: (texts: readonly string[]) => void;

  constructor(insert: (texts: readonly string[]) => void) {
    this.#insert = insert;
  }

  appendVarchar(text: string): void {
    this.#texts.push(text);
  }

  endRow(): void {
    if (this.#texts.length >= ROWS_IN_A_PART) this.closeSync();
  }

  closeSync(): void {
    const texts = this.#texts;
    this.#texts = [];
    if (texts.length > 0) this.#insert(texts);
  }
}

interface ScalarFunction {
  readonly name: string;
  mainFunction(
    info: undefined,
    lines: { getColumnValues(column: number): readonly unknown[] },
    parsed: { setItem(index: number, value: Readonly<Record<string, string>> | null): void; flush(): void },
  ): void;
}

export const DuckDBScalarFunction = { create: (described: ScalarFunction) => described };
export const StatementType = { INVALID: 0, SELECT: 1 };
export const VARCHAR = "VARCHAR";
export const STRUCT = (entries: object) => entries;
export const structValue = (entries: object) => entries;
/** Bytes as a value of a statement. */
export const blobValue = (bytes: Uint8Array) => ({ hex: Buffer.from(bytes).toString("hex") });
