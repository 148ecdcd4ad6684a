import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Deleting a call deletes its idempotency keys, which needs an index. */
export class IdempotencyIndex1780000000009 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE INDEX idempotency_keys_call_idx ON idempotency_keys (call_id)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX idempotency_keys_call_idx');
  }
}
