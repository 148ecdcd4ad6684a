import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What the receipt of an erasure will say. It is null where there will be none: in rows of an earlier release, and of an
 * erasure that was repeated in a restored database.
 */
export class ErasureReceipts1780000000075 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE erasures ADD contents jsonb');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE erasures DROP contents');
  }
}
