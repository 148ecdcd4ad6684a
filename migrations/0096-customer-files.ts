import type { MigrationInterface, QueryRunner } from 'typeorm';
import { buildIndex } from './build-index';

/** Files that customers send in the chat. Those of one call are numbered, so that it has no more than may be sent. */
export class CustomerFiles1780000000096 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE chat_messages ADD COLUMN IF NOT EXISTS file jsonb');
    await runner.query('ALTER TABLE call_files ADD COLUMN IF NOT EXISTS customer_number smallint');
    await buildIndex(runner, {
      name: 'call_files_customer_number_key',
      isUnique: true,
      on: 'call_files (tenant_id, call_id, customer_number) WHERE customer_number IS NOT NULL',
    });
  }

  /** TypeORM reverts each migration in a transaction. */
  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE call_files DROP COLUMN customer_number');
    await runner.query('ALTER TABLE chat_messages DROP COLUMN file');
  }
}
