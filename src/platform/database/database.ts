import { Inject, Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import type { PoolClient, QueryResult } from 'pg';
import { DataSource, type QueryRunner } from 'typeorm';
import { CONFIG, type Config } from '../config/config';
import { runAsBackgroundWork } from '../logging/request-context';
import { PoolAdmission } from './connections/pool-admission';
import { isLockTimeout, isReadOnlyServer, isStalePlan } from './connections/statement-errors';
import {
  answeredWithin,
  currentLockTimeoutMs,
  currentStatementTimeoutMs,
  NoAnswerError,
  workTimeoutMs,
} from './connections/time-limits';
import { tracedStatements } from './connections/statement-traces';
import { RetryTransaction } from './retry-transaction';
import { beginReading, type Scope, scopeStatement, tenantOf } from './scope';
import { settleAll } from './settle-all';
import { type Settings, type Statement, toQuery } from './statement';
import { Transaction } from './transaction';
import { WIRE_TYPES } from './wire-types';

/** The rows of several statements, from the types of a row of each: `[User, Call]` gives `[User[], Call[]]`. */
type RowsOf<Rows extends object[]> = { [Index in keyof Rows]: Rows[Index][] };

interface UnitOfWork<T> {
  scope: Scope;
  work: (tx: Transaction) => Promise<T>;
  /** Undefined for the limit of the session. */
  statementTimeoutMs: number | undefined;
}

interface Committed<T> {
  result: T;
  tx: Transaction;
}

const DEADLOCK_DETECTED = '40P01';
const SERIALIZATION_FAILURE = '40001';
/** Of statements after the one that failed: in a failed transaction, or of a name whose preparation was ignored there. */
const CONSEQUENCES = new Set<unknown>(['25P02', '26000']);
const MAX_ATTEMPTS = 3;

/**
 * The only access to data. Row-level security reads the scope that is set here (`app.tenant_id` or `app.system`,
 * both local to the transaction), so a query outside of it sees no rows.
 */
@Injectable()
export class Database implements OnModuleInit {
  private readonly logger = new Logger(Database.name);

  constructor(
    @Inject(DataSource) private readonly dataSource: DataSource,
    @Inject(CONFIG) private readonly config: Config,
    private readonly admission: PoolAdmission,
  ) {}

  /**
   * Checks that connections use the application role: under another role, row-level security might not apply.
   * @throws Error when they do not
   */
  async onModuleInit(): Promise<void> {
    const [rows] = await this.readSystem<[{ role: string }]>([{ text: 'SELECT current_user AS role' }]);
    if (rows[0]?.role === this.config.databaseRole) return;
    throw new Error(
      `Connections to the database use the role ${rows[0]?.role} instead of ${this.config.databaseRole}.`,
    );
  }

  /** Runs `work` in one transaction that sees and writes the rows of this tenant alone. */
  tenant<T>(tenantId: string, work: (tx: Transaction) => Promise<T>): Promise<T> {
    return this.transact({ tenantId }, work);
  }

  /**
   * Runs `work` in one transaction across tenants, for example for a login or a link token.
   * @param statementTimeoutMs of each statement, instead of the limit of requests or of jobs
   */
  system<T>(work: (tx: Transaction) => Promise<T>, statementTimeoutMs?: number): Promise<T> {
    return this.transact('system', work, statementTimeoutMs);
  }

  /**
   * Reads rows of this tenant in one read-only transaction and one round trip. Timestamps are texts as on the wire.
   * @returns the rows of each statement
   * @throws the error of the first statement that failed
   */
  async readTenant<Rows extends object[]>(tenantId: string, statements: Statement[]): Promise<RowsOf<Rows>> {
    return this.read({ tenantId }, statements);
  }

  /** As readTenant, across tenants. */
  async readSystem<Rows extends object[]>(statements: Statement[]): Promise<RowsOf<Rows>> {
    return this.read('system', statements);
  }

  /** Repeats the read with another connection if the plan of its connection is stale. */
  private async read<Rows extends object[]>(scope: Scope, statements: Statement[]): Promise<RowsOf<Rows>> {
    const statementTimeoutMs = currentStatementTimeoutMs();
    const settings = Object.assign({}, ...statements.map((one) => one.settings)) as Settings;
    const begin = beginReading(scope, settings, statementTimeoutMs);
    const queries = statements.map((one) => ({ ...toQuery(one), types: WIRE_TYPES }));
    for (let attempt = 1; ; attempt++) {
      try {
        const results = await this.connected(scope, statementTimeoutMs, (client) =>
          tracedStatements(statements, () =>
            settleAll([
              client.query(begin),
              ...queries.map((query) => client.query(query)),
              client.query('COMMIT'),
            ]),
          ),
        );
        return results.slice(1, -1).map(({ rows }: QueryResult) => rows) as RowsOf<Rows>;
      } catch (error) {
        if (!isStalePlan(error) || attempt === MAX_ATTEMPTS) throw error;
      }
    }
  }

  private async transact<T>(
    scope: Scope,
    work: (tx: Transaction) => Promise<T>,
    statementTimeoutMs = currentStatementTimeoutMs(),
  ): Promise<T> {
    const { result, tx } = await this.commit({ scope, work, statementTimeoutMs });
    // The connection is released before, because the steps may need one themselves: with a full pool they would
    // wait for each other.
    await runAsBackgroundWork(() => this.runAfterCommit(tx));
    return result;
  }

  /**
   * Retries after a deadlock, a stale plan or RetryTransaction, and while a public request does not get a lock: the whole
   * transaction has been rolled back.
   */
  private async commit<T>(unit: UnitOfWork<T>): Promise<Committed<T>> {
    for (let attempt = 1; ;) {
      try {
        return await this.connected(unit.scope, unit.statementTimeoutMs, (client, runner) =>
          this.attempt(unit, client, runner),
        );
      } catch (error) {
        if (isLockTimeout(error) && (await this.admission.waitForLock())) continue;
        const { code } = error as { code?: string };
        const isRequested = error instanceof RetryTransaction;
        const hasConflict =
          code === DEADLOCK_DETECTED || code === SERIALIZATION_FAILURE || isStalePlan(error);
        if (!(isRequested || hasConflict) || attempt++ === MAX_ATTEMPTS) throw error;
        if (isRequested) this.logger.debug(`Transaction is run again: ${error.message}`);
        else this.logger.warn(`Transaction is retried after ${code}`);
      }
    }
  }

  /** Runs work on one connection of the pool. A connection on which it would fail each time is closed. */
  private async connected<T>(
    scope: Scope,
    statementTimeoutMs: number | undefined,
    work: (client: PoolClient, runner: QueryRunner) => Promise<T>,
  ): Promise<T> {
    const leave = await this.admission.acquire(tenantOf(scope));
    const runner = this.dataSource.createQueryRunner();
    try {
      const client = (await runner.connect()) as PoolClient;
      try {
        return await answeredWithin(workTimeoutMs(statementTimeoutMs), work(client, runner));
      } catch (error) {
        const isUnusable = error instanceof NoAnswerError || isStalePlan(error) || isReadOnlyServer(error);
        // The pool replaces it.
        if (isUnusable) client.end().catch((failure: unknown) => this.logger.warn(failure));
        throw error;
      }
    } finally {
      await runner.release();
      leave();
    }
  }

  private async attempt<T>(
    { scope, work, statementTimeoutMs }: UnitOfWork<T>,
    client: PoolClient,
    runner: QueryRunner,
  ): Promise<Committed<T>> {
    await runner.startTransaction();
    const tx = new Transaction(runner.manager, client);
    // Sent with the first statement. Should one of them fail, those that follow fail or see no rows.
    tx.send(scopeStatement(scope, statementTimeoutMs, currentLockTimeoutMs()));
    try {
      const result = await work(tx);
      for (const step of tx.beforeCommitSteps) await step();
      // Its answer says whether PostgreSQL has committed: after an error that the work has caught, it rolls back.
      tx.send({ text: 'COMMIT', isDynamic: true });
      const last = await tx.settled();
      if (last?.command !== 'COMMIT') throw tx.failure ?? new Error('The transaction was rolled back.');
      return { result, tx };
    } catch (error) {
      // A connection that has broken has no transaction any more.
      await client.query('ROLLBACK').catch((failure: unknown) => this.logger.warn(failure));
      throw await causeOf(tx, error);
    }
  }

  /** A step that fails does not fail the request, whose change is committed. */
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

/** The statement that failed may be another one than that whose error was thrown. */
async function causeOf(tx: Transaction, error: unknown): Promise<unknown> {
  const sent: unknown = await tx.settled().then(
    () => undefined,
    (first: unknown) => first,
  );
  return [sent, error, tx.failure].find((one) => one !== undefined && !isConsequence(one)) ?? error;
}

const isConsequence = (error: unknown): boolean => CONSEQUENCES.has((error as { code?: unknown }).code);
