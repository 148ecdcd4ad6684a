import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Finds the erasures whose receipt is still to be signed. There are few erasures, so the build blocks none for long. */
export class UnsignedErasures1780000000076 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `CREATE INDEX erasures_unsigned_idx ON erasures (erased_at) WHERE receipt IS NULL AND contents IS NOT NULL`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX erasures_unsigned_idx');
  }
}
