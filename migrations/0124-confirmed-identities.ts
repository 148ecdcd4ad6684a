import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Whether the customer of a call is known by a personal link (true), or was found by an e-mail or phone that anybody can type
 * (false). Null for calls before this column, and for those that brought a new customer.
 */
export class ConfirmedIdentities1780000000124 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE calls ADD identity_confirmed boolean');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE calls DROP identity_confirmed');
  }
}
