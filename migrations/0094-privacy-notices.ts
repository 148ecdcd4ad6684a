import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What a company tells customers about the use of their data, under the form. */
export class PrivacyNotices1780000000094 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE tenants ADD COLUMN privacy_url text, ADD COLUMN privacy_text text');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE tenants DROP COLUMN privacy_url, DROP COLUMN privacy_text');
  }
}
