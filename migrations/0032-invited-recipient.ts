import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The encrypted name and address that an appointment's invitation was sent to, for its cancellation. */
export class InvitedRecipient1780000000032 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE appointments ADD sealed_recipient text');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE appointments DROP sealed_recipient');
  }
}
