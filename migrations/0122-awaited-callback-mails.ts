import type { MigrationInterface, QueryRunner } from 'typeorm';
import { buildIndex } from './build-index';

/** Finds the callbacks of a company whose mails are still to be sent: each request for another one counts them. */
export class AwaitedCallbackMails1780000000122 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await buildIndex(runner, {
      name: 'callbacks_awaited_mail_idx',
      on: `callbacks (tenant_id) WHERE channel = 'email' AND next_attempt_at IS NOT NULL`,
    });
  }

  /** TypeORM reverts each migration in a transaction. */
  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX callbacks_awaited_mail_idx');
  }
}
