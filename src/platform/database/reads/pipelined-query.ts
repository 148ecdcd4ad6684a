import pg, { type Connection, type FieldDef } from 'pg';
import { RowReader } from './row-reader';
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

type Callback = (error: unknown, rows?: object[][]) => void;

const { prepareValue } = (pg as unknown as { utils: { prepareValue: (value: unknown) => unknown } }).utils;

/** The readers of prepared statements: PostgreSQL does not change the columns of a prepared statement. */
const readersOf = new WeakMap<WireConnection, Map<string, RowReader>>();

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
  private readonly results: object[][];
  private current = 0;
  private reader: RowReader | undefined;
  private readers: Map<string, RowReader>;
  private failure: unknown;

  /** @param callback gets the rows of each statement, or the error of the first one that failed */
  constructor(
    private readonly statements: readonly Statement[],
    callback: Callback,
  ) {
    super('');
    this.callback = callback;
    this.results = statements.map(() => []);
  }

  /** Sends the statements. @returns the error of a value that cannot be sent */
  submit(connection: WireConnection): unknown {
    this.readers = readersOf.get(connection) ?? new Map<string, RowReader>();
    readersOf.set(connection, this.readers);
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
    const statement = this.statements[index] as Statement | undefined;
    this.name = statement?.name;
    this.text = statement?.text ?? '';
    this.reader = this.name === undefined ? undefined : this.readers.get(this.name);
  }

  handleRowDescription({ fields }: { fields: FieldDef[] }): void {
    this.reader = new RowReader(fields);
    if (this.name !== undefined) this.readers.set(this.name, this.reader);
  }

  handleDataRow({ fields }: { fields: (string | null)[] }): void {
    if (this.failure !== undefined) return;
    try {
      if (!this.reader) throw new Error('A row arrived without a description.');
      this.results[this.current]?.push(this.reader.read(fields));
    } catch (error) {
      this.failure = error;
    }
  }

  handleCommandComplete(): void {
    this.begin(this.current + 1);
  }

  handleEmptyQuery(): void {
    this.begin(this.current + 1);
  }

  /** PostgreSQL ignores the statements after the one that failed. */
  handleError(error: unknown, connection: WireConnection): void {
    for (const { name } of this.statements.slice(this.current)) {
      if (name !== undefined) delete connection.submittedNamedStatements[name];
    }
    this.callback(error);
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
