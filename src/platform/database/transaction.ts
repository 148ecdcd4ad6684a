import type { PoolClient } from 'pg';
import type { EntityManager, EntityTarget, ObjectLiteral, Repository } from 'typeorm';
import { prepared } from './connections/prepared';
import { joinedWrites } from './connections/joined-writes';
import { sendInBatch } from './connections/statement-batch';
import { EntityStatements } from './entity-statements';
import { narrowingStatement } from './scope';
import type { StatementResult } from './reads/pipelined-query';
import { settleAll } from './settle-all';
import type { Statement } from './statement';

type Step = () => Promise<void>;

/** An open database transaction in one scope. A use case makes all its changes through it. */
export class Transaction {
  readonly beforeCommitSteps: Step[] = [];
  readonly afterCommitSteps: Step[] = [];
  /** The error of the first statement that failed; all later ones fail only because of it. */
  failure: unknown;
  private readonly sent: Promise<StatementResult>[] = [];
  private readonly appended: Statement[] = [];

  constructor(
    private readonly manager: EntityManager,
    private readonly client: PoolClient,
  ) {}

  /** Executes one SQL statement and returns its rows. */
  async query<Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> {
    try {
      return (await this.execute({ text, values })).rows as Row[];
    } catch (error) {
      this.failure ??= error;
      throw error;
    }
  }

  /** As `query`, for a statement that returns at most one row. */
  async one<Row extends object>(text: string, values: unknown[] = []): Promise<Row | undefined> {
    return (await this.query<Row>(text, values))[0];
  }

  /**
   * Sends a statement without waiting for its result: it takes no round trip of its own. Later statements see its
   * changes. If it fails, later ones fail, too, and the transaction is rolled back with the error of this one.
   */
  send(statement: Statement): void {
    const result = this.execute(statement);
    // `settled` throws the error.
    result.catch((error: unknown) => (this.failure ??= error));
    this.sent.push(result);
  }

  /**
   * Adds a statement that only writes, and whose rows nothing else in the transaction reads: just before COMMIT all of these are
   * sent as one statement (`joinedWrites`, which says what its text may contain). A further statement of the same text is sent
   * by itself, so that there are as many joined texts as kinds of changes, however many rows are written.
   */
  append(statement: Statement): void {
    if (this.appended.some(({ text }) => text === statement.text)) this.send(statement);
    else this.appended.push(statement);
  }

  /** Sends what was appended. */
  sendAppended(): void {
    if (this.appended.length > 0) this.send(joinedWrites(this.appended.splice(0)));
  }

  /**
   * Waits for the statements that were sent without waiting.
   * @returns the result of the last one
   * @throws the error of the first one that failed
   */
  async settled(): Promise<StatementResult | undefined> {
    return (await settleAll(this.sent)).at(-1);
  }

  /** Narrows the scope from all tenants to this one. Call it as soon as the tenant is known. */
  narrow(tenantId: string): void {
    this.send(narrowingStatement(tenantId));
  }

  /** Inserts a row without waiting. Columns that it does not name get their defaults. */
  insert<Entity extends ObjectLiteral>(entity: EntityTarget<Entity>, row: Partial<Entity>): void {
    this.send(this.statementsOf(entity).insert(row));
  }

  /** Changes the rows with these values of the `key` columns without waiting. */
  update<Entity extends ObjectLiteral>(
    entity: EntityTarget<Entity>,
    key: Partial<Entity>,
    changes: Partial<Entity>,
  ): void {
    this.send(this.statementsOf(entity).update(key, changes));
  }

  /** All columns of an entity for a SELECT, qualified with the alias. */
  columnsOf<Entity extends ObjectLiteral>(entity: EntityTarget<Entity>, alias: string): string {
    return this.statementsOf(entity).columns(alias);
  }

  /** TypeORM's repository, bound to this transaction. */
  repository<Entity extends ObjectLiteral>(entity: EntityTarget<Entity>): Repository<Entity> {
    return this.manager.getRepository(entity);
  }

  /** Runs `step` just before COMMIT; an error in it rolls the transaction back. */
  beforeCommit(step: Step): void {
    this.beforeCommitSteps.push(step);
  }

  /** Runs `step` after COMMIT, before the use case returns. It is lost when the process ends in between. */
  afterCommit(step: Step): void {
    this.afterCommitSteps.push(step);
  }

  private async execute(statement: Statement): Promise<StatementResult> {
    try {
      return await sendInBatch(this.client, prepared(statement));
    } catch (error) {
      // The error has the stack of an event of the socket.
      if (error instanceof Error) Error.captureStackTrace(error);
      throw error;
    }
  }

  private statementsOf<Entity extends ObjectLiteral>(entity: EntityTarget<Entity>): EntityStatements<Entity> {
    return EntityStatements.of(this.manager.connection.getMetadata(entity));
  }
}
