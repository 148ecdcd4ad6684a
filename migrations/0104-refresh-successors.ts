import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What the successor of a used refresh token is derived from, together with the used token itself. */
export class RefreshSuccessors1780000000104 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE refresh_tokens ADD COLUMN successor_salt text');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE refresh_tokens DROP COLUMN successor_salt');
  }
}
