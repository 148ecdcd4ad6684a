import type { Duplex } from 'node:stream';
import { Inject, Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { CONFIG, type Config } from '../config/config';
import type { Pool, PoolClient, QueryResult } from 'pg';
import { WIRE_TYPES } from './wire-types';
import { Transaction } from './transaction';

const ignore = () => {};

/**
 * Holds back what `send` writes until it has written all of it: four statements would otherwise be four
 * system calls. pg keeps the socket to itself, hence the cast.
 */
function inOnePacket<T>(client: PoolClient, send: () => T): T {
  const { stream } = (client as unknown as { connection: { stream: Duplex } }).connection;
  stream.cork();
  try {
    return send();
  } finally {
    stream.uncork();
  }
}

/** Whose rows a piece of work may touch: one tenant's, or every tenant's. */
type Scope = { tenantId: string } | 'system';

export interface Statement {
  text: string;
  values?: unknown[];
  /** A name makes PostgreSQL keep the parsed statement for the connection. */
  name?: string;
}

/** What statements give, from the kinds of their rows: `[User, Call]` makes `[User[], Call[]]`. */
type RowsOf<Rows extends object[]> = { [Index in keyof Rows]: Rows[Index][] };

interface Committed<T> {
  result: T;
  tx: Transaction;
}

const DEADLOCK_DETECTED = '40P01';
const SERIALIZATION_FAILURE = '40001';
const ATTEMPTS = 3;

/**
 * The only way to data. Row-level security reads the scope set here (`app.tenant_id` or
 * `app.system`, both local to the transaction), so work outside of it sees no rows at all.
 */
@Injectable()
export class Database implements OnModuleInit {
  private readonly logger = new Logger(Database.name);
  private readonly pool: Pool;

  constructor(
    @Inject(DataSource) private readonly dataSource: DataSource,
    @Inject(CONFIG) private readonly config: Config,
  ) {
    this.pool = (dataSource.driver as unknown as { master: Pool }).master;
  }

  /** Whatever DATABASE_URL says: without its role, row-level security might not bind the service. */
  async onModuleInit(): Promise<void> {
    const [rows] = await this.readSystem<[{ role: string }]>([{ text: 'SELECT current_user AS role' }]);
    if (rows[0]?.role === this.config.databaseRole) return;
    throw new Error(
      `The database lets the service work as ${rows[0]?.role}, not as ${this.config.databaseRole}.`,
    );
  }

  /** Runs `work` in one transaction that sees and writes the rows of this tenant alone. */
  tenant<T>(tenantId: string, work: (tx: Transaction) => Promise<T>): Promise<T> {
    return this.transact({ tenantId }, work);
  }

  /** Runs `work` in one transaction across tenants: login, link tokens, the sweeper, the gateway. */
  system<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    return this.transact('system', work);
  }

  /**
   * Reads in one round trip: the scope and all statements travel together, pipelined.
   * @returns the rows of each statement
   */
  async readTenant<Rows extends object[]>(tenantId: string, statements: Statement[]): Promise<RowsOf<Rows>> {
    return this.read({ tenantId }, statements);
  }

  /** As readTenant, across tenants. */
  async readSystem<Rows extends object[]>(statements: Statement[]): Promise<RowsOf<Rows>> {
    return this.read('system', statements);
  }

  private async read<Rows extends object[]>(scope: Scope, statements: Statement[]): Promise<RowsOf<Rows>> {
    const client = await this.pool.connect();
    // A connection that breaks says so twice: its queries fail, which is dealt with below, and it emits
    // 'error', which nobody hearing it would end the process.
    client.on('error', ignore);
    const answers = await this.send(client, scope, statements).finally(() => {
      client.off('error', ignore);
      client.release();
    });
    const failed = answers.find((answer) => answer.status === 'rejected');
    if (failed) throw failed.reason;
    return answers
      .slice(2, -1)
      .map((answer) => (answer as PromiseFulfilledResult<QueryResult<object>>).value.rows) as RowsOf<Rows>;
  }

  /** Sends everything at once and waits for all answers: only then may another request have the connection. */
  private async send(
    client: PoolClient,
    scope: Scope,
    statements: Statement[],
  ): Promise<PromiseSettledResult<QueryResult<object>>[]> {
    const sent = inOnePacket(client, () => [
      client.query('BEGIN READ ONLY'),
      client.query(scopeStatement(scope)),
      ...statements.map((statement) => client.query<object>({ ...statement, types: WIRE_TYPES })),
      client.query('COMMIT'),
    ]);
    return Promise.allSettled(sent);
  }

  private async transact<T>(scope: Scope, work: (tx: Transaction) => Promise<T>): Promise<T> {
    const { result, tx } = await this.commit(scope, work);
    // Listeners read, too: were the connection still held, a full pool of them would wait for itself.
    await this.runAfterCommit(tx);
    return result;
  }

  /** A deadlock is nobody's fault: the loser's work has been undone whole, so it runs again. */
  private async commit<T>(scope: Scope, work: (tx: Transaction) => Promise<T>): Promise<Committed<T>> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.attempt(scope, work);
      } catch (error) {
        const code = (error as { code?: unknown }).code;
        const retry = code === DEADLOCK_DETECTED || code === SERIALIZATION_FAILURE;
        if (!retry || attempt === ATTEMPTS) throw error;
        this.logger.warn(`Transaction starts again after ${code}`);
      }
    }
  }

  private async attempt<T>(scope: Scope, work: (tx: Transaction) => Promise<T>): Promise<Committed<T>> {
    const runner = this.dataSource.createQueryRunner();
    try {
      const client = (await runner.connect()) as PoolClient;
      await runner.startTransaction();
      const tx = new Transaction(runner.manager, client);
      try {
        await client.query(scopeStatement(scope));
        const result = await work(tx);
        for (const step of tx.beforeCommitSteps) await step();
        await runner.commitTransaction();
        return { result, tx };
      } catch (error) {
        await runner.rollbackTransaction().catch((failure: unknown) => this.logger.error(failure));
        throw error;
      }
    } finally {
      await runner.release();
    }
  }

  /** The change is done: what listens to it may fail without failing the request. */
  private async runAfterCommit(tx: Transaction): Promise<void> {
    for (const step of tx.afterCommitSteps) {
      try {
        await step();
      } catch (error) {
        this.logger.error(error, 'A listener failed after commit');
      }
    }
  }
}

export function scopeStatement(scope: Scope): Statement {
  return scope === 'system'
    ? { text: `SELECT set_config('app.system', 'on', true)` }
    : { text: `SELECT set_config('app.tenant_id', $1, true)`, values: [scope.tenantId] };
}
