import type { PoolClient } from 'pg';
import type { EntityManager, EntityTarget, ObjectLiteral, Repository } from 'typeorm';
import type { LockTimeout } from './connections/public-lock-timeouts';
import { narrowingStatement } from './scope';

type Step = () => Promise<void>;

/** An open database transaction in one scope. A use case makes all its changes through it. */
export class Transaction {
  readonly beforeCommitSteps: Step[] = [];
  readonly afterCommitSteps: Step[] = [];

  constructor(
    private readonly manager: EntityManager,
    private readonly client: PoolClient,
    private readonly lockTimeout: LockTimeout,
  ) {}

  /** Executes one SQL statement and returns its rows. */
  async query<Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> {
    return (await this.client.query<Row>(text, values)).rows;
  }

  /** As `query`, for a statement that returns at most one row. */
  async one<Row extends object>(text: string, values: unknown[] = []): Promise<Row | undefined> {
    return (await this.query<Row>(text, values))[0];
  }

  /** Narrows the scope from all tenants to this one. Call it as soon as the tenant is known. */
  async narrow(tenantId: string): Promise<void> {
    this.lockTimeout.narrow(tenantId);
    const { text, values } = narrowingStatement(tenantId, this.lockTimeout.ms);
    await this.query(text, values);
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
}
