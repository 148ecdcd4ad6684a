import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Pages that take part in the signalling of a call, each with the session that it made when it was loaded. */
export class PageSessions1780000000052 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- Null in rows of an earlier release and outside of calls: the id of the socket counts instead.
      ALTER TABLE connections ADD session text;

      ALTER TABLE calls
        -- The page of the customer that took the call over from their other pages; null until one does.
        ADD holder_session text,
        -- A column without values needs no check of the rows that exist.
        ADD CONSTRAINT calls_holder_session_check CHECK (length(holder_session) BETWEEN 1 AND 64) NOT VALID;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE calls DROP holder_session;
      ALTER TABLE connections DROP session;
    `);
  }
}
