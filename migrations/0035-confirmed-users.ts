import type { MigrationInterface, QueryRunner } from 'typeorm';

/** When a user proved that they receive mail at their address; null after a change of the address. */
export class ConfirmedUsers1780000000035 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE users ADD email_confirmed_at timestamptz(3);
      -- Whether existing users have chosen their password by a mailed link is not known.
      -- The scope is needed because the policies apply to the owner, too.
      SELECT set_config('app.system', 'on', true);
      UPDATE users SET email_confirmed_at = inserted_at WHERE password_hash IS NOT NULL;
      SELECT set_config('app.system', 'off', true);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE users DROP email_confirmed_at');
  }
}
