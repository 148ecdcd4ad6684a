import type { EntityManager, EntityTarget, ObjectLiteral, Repository } from 'typeorm';
import type { PoolClient } from 'pg';

type Step = () => Promise<void>;

/** One open database transaction in one scope. Everything a use case writes goes through it. */
export class Transaction {
  readonly beforeCommitSteps: Step[] = [];
  readonly afterCommitSteps: Step[] = [];

  constructor(
    private readonly manager: EntityManager,
    private readonly client: PoolClient,
  ) {}

  /** Runs one SQL statement and gives its rows. */
  async query<Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> {
    return (await this.client.query<Row>(text, values)).rows;
  }

  /** Leaves the scope across tenants for that of one tenant, as soon as it is known which one it is. */
  async narrow(tenantId: string): Promise<void> {
    await this.query(`SELECT set_config('app.tenant_id', $1, true), set_config('app.system', 'off', true)`, [
      tenantId,
    ]);
  }

  /** Like query, for a statement that gives one row or none. */
  async one<Row extends object>(text: string, values: unknown[] = []): Promise<Row | undefined> {
    return (await this.query<Row>(text, values))[0];
  }

  /** TypeORM's repository, bound to this transaction. */
  repository<Entity extends ObjectLiteral>(entity: EntityTarget<Entity>): Repository<Entity> {
    return this.manager.getRepository(entity);
  }

  /** Runs `step` just before COMMIT; a throw rolls everything back. */
  beforeCommit(step: Step): void {
    this.beforeCommitSteps.push(step);
  }

  /** Runs `step` once the change is durable. It is lost when the process dies in between. */
  afterCommit(step: Step): void {
    this.afterCommitSteps.push(step);
  }
}
