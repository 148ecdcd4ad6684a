import pg, { type Connection, type FieldDef } from 'pg';
import { type ParserOf, RowReader } from './row-reader';
import type { Statement } from '../statement';

/** Internals of pg's connection that its types lack. */
interface WireConnection extends Pick<Connection, 'sync'> {
  /** Texts by the names that the connection has prepared, or is about to. */
  parsedStatements: Record<string, string | undefined>;
  submittedNamedStatements: Record<string, string | undefined>;
  parse(statement: { text: string; name: string | undefined }): void;
  bind(message: { statement: string | undefined; values: unknown[] }): void;
  describe(message: { type: 'P'; name: string }): void;
  execute(message: object): void;
}

/** What PostgreSQL answered to one statement. */
export interface StatementResult {
  rows: object[];
  /** As in `UPDATE 1`: the kind of statement, and how many rows it returned or changed; null for kinds without rows. */
  command: string;
  rowCount: number | null;
}

/** Gets the results of the statements that were completed, in their order, and the error of the one that failed. */
type Callback = (error: unknown, results?: StatementResult[]) => void;

const { prepareValue } = (pg as unknown as { utils: { prepareValue: (value: unknown) => unknown } }).utils;

/**
 * The readers of prepared statements, whose columns PostgreSQL does not change, by the way in which values are parsed; null
 * for a statement without columns.
 */
type Readers = Map<string, RowReader | null>;

const readersOf = new WeakMap<WireConnection, Map<ParserOf, Readers>>();

function readersFor(connection: WireConnection, parserOf: ParserOf): Readers {
  const byParser = readersOf.get(connection) ?? new Map<ParserOf, Readers>();
  readersOf.set(connection, byParser);
  const readers = byParser.get(parserOf) ?? new Map<string, RowReader | null>();
  byParser.set(parserOf, readers);
  return readers;
}

/** pg accepts only its own kind of query on connections with pipelining. Its types declare methods as properties. */
const Query = pg.Query as unknown as new (text: string) => object;

/**
 * Several statements as one query of pg. They are followed by a single Sync, so PostgreSQL executes them in one implicit
 * transaction (PostgreSQL's documentation, "Pipelining"): it is rolled back by the first error, and settings that are
 * local to a transaction end with it. Columns of prepared statements are described once for each connection.
 */
export class PipelinedQuery extends Query {
  /** The statement that is being answered. pg's client records by these that it has been prepared. */
  name: string | undefined;
  text: string;
  /** pg's client replaces it to limit the duration. */
  callback: Callback;
  private readonly results: StatementResult[] = [];
  private current = 0;
  private currentRows: object[] = [];
  private reader: RowReader | null | undefined;
  private readers: Readers;
  private failure: unknown;

  constructor(
    readonly statements: readonly Statement[],
    private readonly parserOf: ParserOf,
    callback: Callback,
  ) {
    super('');
    this.callback = callback;
  }

  /** Sends the statements. @returns the error of a value that cannot be sent */
  submit(connection: WireConnection): unknown {
    this.readers = readersFor(connection, this.parserOf);
    let values: unknown[][];
    try {
      for (const statement of this.statements) ensureSameText(connection, statement);
      values = this.statements.map((statement) => (statement.values ?? []).map(prepareValue));
    } catch (error) {
      return error;
    }
    for (const [index, statement] of this.statements.entries()) {
      this.send(connection, statement, values[index] ?? []);
    }
    connection.sync();
    this.begin(0);
    return null;
  }

  private send(connection: WireConnection, { name, text }: Statement, values: unknown[]): void {
    const isPrepared = name !== undefined && textOf(connection, name) !== undefined;
    if (!isPrepared) connection.parse({ text, name });
    if (name !== undefined && !isPrepared) connection.submittedNamedStatements[name] = text;
    connection.bind({ statement: name, values });
    const isDescribed = isPrepared && this.readers.has(name);
    if (!isDescribed) connection.describe({ type: 'P', name: '' });
    connection.execute({});
  }

  /** The answers come in the order of the statements. */
  private begin(index: number): void {
    this.current = index;
    this.currentRows = [];
    const statement = this.statements[index] as Statement | undefined;
    this.name = statement?.name;
    this.text = statement?.text ?? '';
    this.reader = this.name === undefined ? undefined : this.readers.get(this.name);
  }

  handleRowDescription({ fields }: { fields: FieldDef[] }): void {
    this.reader = new RowReader(fields, this.parserOf);
    if (this.name !== undefined) this.readers.set(this.name, this.reader);
  }

  handleDataRow({ fields }: { fields: (string | null)[] }): void {
    if (this.failure !== undefined) return;
    try {
      if (!this.reader) throw new Error('A row arrived without a description.');
      this.currentRows.push(this.reader.read(fields));
    } catch (error) {
      this.failure = error;
    }
  }

  handleCommandComplete({ text }: { text: string }): void {
    const [command = '', ...others] = text.split(' ');
    // The words of `CREATE TABLE` are no numbers.
    const count = Number(others.at(-1) ?? NaN);
    this.complete(command, Number.isNaN(count) ? null : count);
  }

  handleEmptyQuery(): void {
    this.complete('', null);
  }

  private complete(command: string, rowCount: number | null): void {
    this.results.push({ rows: this.currentRows, command, rowCount });
    // PostgreSQL has described a statement that returns columns.
    if (this.name !== undefined && !this.readers.has(this.name)) this.readers.set(this.name, null);
    this.begin(this.current + 1);
  }

  /** PostgreSQL ignores the statements after the one that failed. */
  handleError(error: unknown, connection: WireConnection): void {
    for (const { name } of this.statements.slice(this.current)) {
      if (name !== undefined) delete connection.submittedNamedStatements[name];
    }
    this.callback(error, this.results);
  }

  handleReadyForQuery(): void {
    if (this.failure === undefined) this.callback(null, this.results);
    else this.callback(this.failure);
  }
}

const textOf = (connection: WireConnection, name: string): string | undefined =>
  connection.parsedStatements[name] ?? connection.submittedNamedStatements[name];

function ensureSameText(connection: WireConnection, { name, text }: Statement): void {
  const known = name === undefined ? undefined : textOf(connection, name);
  if (known !== undefined && known !== text) throw new Error(`Two statements have the name ${name}.`);
}
