import type { MigrationInterface, QueryRunner } from 'typeorm';

/** An instance that is presumed dead is marked, because its connections are removed in several transactions. */
export class DeadInstances1780000000023 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE instances ADD dead_at timestamptz(3)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE instances DROP dead_at');
  }
}
