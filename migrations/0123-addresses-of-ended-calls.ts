import type { MigrationInterface, QueryRunner } from 'typeorm';
import { buildIndex } from './build-index';

/**
 * A call keeps the address that its customer joined from until shortly after its end: from there they can rate it without a
 * token. The index finds those whose time is over.
 */
export class AddressesOfEndedCalls1780000000123 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE calls DROP CONSTRAINT calls_waiting_check,
        ADD CONSTRAINT calls_waiting_check CHECK (status = 'queued' OR absent_since IS NULL) NOT VALID;
    `);
    await buildIndex(runner, {
      name: 'calls_ended_address_idx',
      on: 'calls (ended_at) WHERE client_address IS NOT NULL AND ended_at IS NOT NULL',
    });
  }

  /** TypeORM reverts each migration in a transaction. */
  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP INDEX calls_ended_address_idx;
      SELECT set_config('app.system', 'on', true);
      UPDATE calls SET client_address = NULL WHERE status <> 'queued' AND client_address IS NOT NULL;
      SELECT set_config('app.system', 'off', true);
      ALTER TABLE calls DROP CONSTRAINT calls_waiting_check,
        ADD CONSTRAINT calls_waiting_check CHECK
          (status = 'queued' OR (client_address IS NULL AND absent_since IS NULL));
    `);
  }
}
