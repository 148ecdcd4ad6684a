import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What a callback must remember of the time before an invitation: the customer's pages, and how long they waited. */
export class CallbackPages1780000000061 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE callbacks
        -- The sessions of the pages that were there before the invitation, the latest first: they reconnect by themselves,
        -- so an invited customer does not return by one of them.
        ADD page_sessions text[] NOT NULL DEFAULT '{}',
        -- When the customer asked for the first callback of the call: until then they waited without a break. Null in rows of
        -- an earlier release, whose requested_at counts instead.
        ADD first_requested_at timestamptz(3);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE callbacks DROP page_sessions, DROP first_requested_at');
  }
}
