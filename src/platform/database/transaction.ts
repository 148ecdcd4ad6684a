import type { PoolClient, QueryConfig, QueryResult } from 'pg';
import type { EntityManager, EntityTarget, ObjectLiteral, Repository } from 'typeorm';
import { tracedStatements } from './connections/statement-traces';
import { narrowingStatement } from './scope';
import { settleAll } from './settle-all';
import { type Statement, toQuery } from './statement';

type Step = () => Promise<void>;

/** An open database transaction in one scope. A use case makes all its changes through it. */
export class Transaction {
  readonly beforeCommitSteps: Step[] = [];
  readonly afterCommitSteps: Step[] = [];
  /** The error of the first statement that failed; all later ones fail only because of it. */
  failure: unknown;
  private readonly sent: Promise<QueryResult>[] = [];

  constructor(
    private readonly manager: EntityManager,
    private readonly client: PoolClient,
  ) {}

  /** Executes one SQL statement and returns its rows. */
  async query<Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> {
    const statement = { text, values };
    return (await this.execute(statement, toQuery(statement))).rows as Row[];
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
    const result = this.execute(statement, toQuery(statement));
    // `settled` throws the error.
    result.catch(() => {});
    this.sent.push(result);
  }

  /**
   * Waits for the statements that were sent without waiting.
   * @returns the result of the last one
   * @throws the error of the first one that failed
   */
  async settled(): Promise<QueryResult | undefined> {
    return (await settleAll(this.sent)).at(-1);
  }

  /** Narrows the scope from all tenants to this one. Call it as soon as the tenant is known. */
  narrow(tenantId: string): void {
    this.send(narrowingStatement(tenantId));
  }

  /** All columns of an entity for a SELECT, qualified with the alias. */
  columnsOf<Entity extends ObjectLiteral>(entity: EntityTarget<Entity>, alias: string): string {
    const { columns } = this.manager.connection.getMetadata(entity);
    return columns.map(({ databaseName }) => `${alias}.${databaseName}`).join(', ');
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

  private async execute(statement: Statement, query: QueryConfig): Promise<QueryResult> {
    try {
      return await tracedStatements([statement], () => this.client.query(query));
    } catch (error) {
      this.failure ??= error;
      throw error;
    }
  }
}
