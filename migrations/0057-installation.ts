import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Lets only the system scope read or write a table without tenants. */
const systemPolicy = (table: string): string => `
  ALTER TABLE ${table} ENABLE ROW LEVEL SECURITY;
  ALTER TABLE ${table} FORCE ROW LEVEL SECURITY;
  CREATE POLICY ${table}_system_scope ON ${table}
    USING ((SELECT current_setting('app.system', true) = 'on'))
    WITH CHECK ((SELECT current_setting('app.system', true) = 'on'));
`;

/** The database that this installation uses, by which a restored copy is recognised, and the progress of backfills. */
export class Installation1780000000057 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- One row, in the database that it describes. A copy of the database differs in at least one of the identifiers.
      CREATE TABLE installation (
        id boolean NOT NULL DEFAULT true CONSTRAINT installation_pkey PRIMARY KEY
          CONSTRAINT installation_id_check CHECK (id),
        -- The identity is null until a service has started, and where the server does not show it.
        system_identifier text,
        database_oid bigint,
        -- The oid of this table.
        relation_oid bigint,
        timeline integer,
        recorded_at timestamptz(3),
        -- While it is set, the installation sends nothing.
        paused_at timestamptz(3),
        pause_reason text CONSTRAINT installation_pause_reason_check CHECK (pause_reason IN ('restored', 'operator')),
        -- When the erasures of the journal were applied to a restored database.
        erasures_applied_at timestamptz(3),
        CONSTRAINT installation_pause_check CHECK ((paused_at IS NULL) = (pause_reason IS NULL))
      );
      INSERT INTO installation DEFAULT VALUES;
      ${systemPolicy('installation')}

      CREATE TABLE backfills (
        name text CONSTRAINT backfills_pkey PRIMARY KEY,
        progress jsonb,
        completed_at timestamptz(3)
      );
      ${systemPolicy('backfills')}
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE backfills, installation');
  }
}
