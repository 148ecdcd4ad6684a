import type { MigrationInterface, QueryRunner } from 'typeorm';
import { buildIndex } from '../src/platform/database/migration/build-index';

/** Finds the erasures whose receipt is still to be signed. */
export class UnsignedErasures1780000000076 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await buildIndex(runner, {
      name: 'erasures_unsigned_idx',
      on: 'erasures (erased_at) WHERE receipt IS NULL AND contents IS NOT NULL',
    });
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX CONCURRENTLY IF EXISTS erasures_unsigned_idx');
  }
}
