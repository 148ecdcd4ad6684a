import { Inject, Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import type { Pool, PoolClient } from 'pg';
import { DataSource } from 'typeorm';
import { CONFIG, type Config } from '../config/config';
import { runAsBackgroundWork } from '../logging/request-context';
import { PoolAdmission } from './connections/pool-admission';
import { isLockTimeout, isReadOnlyServer, isStalePlan } from './connections/statement-errors';
import { readPipelined, type RowsOf } from './reads/pipelined-read';
import { RetryTransaction } from './retry-transaction';
import { type Scope, scopeStatement, tenantOf } from './scope';
import type { Statement } from './statement';
import {
  currentLockTimeoutMs,
  currentStatementTimeoutMs,
  queryTimeoutMs,
  REQUEST_STATEMENT_TIMEOUT_MS,
  setQueryTimeout,
} from './connections/time-limits';
import { Transaction } from './transaction';

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
const IN_FAILED_TRANSACTION = '25P02';
const MAX_ATTEMPTS = 3;

/**
 * The only access to data. Row-level security reads the scope that is set here (`app.tenant_id` or `app.system`,
 * both local to the transaction), so a query outside of it sees no rows.
 */
@Injectable()
export class Database implements OnModuleInit {
  private readonly logger = new Logger(Database.name);
  private readonly pool: Pool;

  constructor(
    @Inject(DataSource) private readonly dataSource: DataSource,
    @Inject(CONFIG) private readonly config: Config,
    private readonly admission: PoolAdmission,
  ) {
    this.pool = (dataSource.driver as unknown as { master: Pool }).master;
  }

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
   * Reads rows of this tenant in one round trip.
   * @returns the rows of each statement
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
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.admitted(scope, () => readPipelined<Rows>(this.pool, scope, statements));
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
        return await this.admitted(unit.scope, () => this.attempt(unit));
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

  /** Runs work that takes one connection from the pool and returns it. */
  private async admitted<T>(scope: Scope, work: () => Promise<T>): Promise<T> {
    const release = await this.admission.acquire(tenantOf(scope));
    try {
      return await work();
    } finally {
      release();
    }
  }

  private async attempt<T>({ scope, work, statementTimeoutMs }: UnitOfWork<T>): Promise<Committed<T>> {
    const runner = this.dataSource.createQueryRunner();
    try {
      const client = (await runner.connect()) as PoolClient;
      setQueryTimeout(client, queryTimeoutMs(statementTimeoutMs ?? REQUEST_STATEMENT_TIMEOUT_MS));
      // TypeORM's repositories would begin a transaction of their own.
      Object.assign(runner, { isTransactionActive: true, transactionDepth: 1 });
      const tx = new Transaction(runner.manager, client);
      // Sent in one packet with the first statement. Should one of them fail, those that follow fail or see no rows.
      tx.send({ text: 'BEGIN' });
      tx.send(scopeStatement(scope, statementTimeoutMs, currentLockTimeoutMs()));
      try {
        const result = await work(tx);
        for (const step of tx.beforeCommitSteps) await step();
        tx.sendAppended();
        tx.send({ text: 'COMMIT' });
        const last = await tx.settled();
        if (last?.command !== 'COMMIT') throw tx.failure ?? new Error('The transaction was rolled back.');
        return { result, tx };
      } catch (error) {
        await client.query('ROLLBACK').catch((failure: unknown) => this.logger.error(failure));
        const cause = await causeOf(tx, error);
        // It would fail each time in this connection, so the pool replaces it.
        if (isStalePlan(cause) || isReadOnlyServer(cause)) void client.end();
        throw cause;
      }
    } finally {
      await runner.release();
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
  if (isConsequence(error)) return tx.failure ?? error;
  return sent === undefined || isConsequence(sent) ? error : sent;
}

const isConsequence = (error: unknown): boolean =>
  (error as { code?: unknown } | undefined)?.code === IN_FAILED_TRANSACTION;
