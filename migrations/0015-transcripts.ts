import type { MigrationInterface, QueryRunner } from 'typeorm';
import { tenantPolicy } from './tenant-policy';

/**
 * Transcripts and summaries: at most one row of each kind per recording, from the time of the request. Attempts are
 * counted before they begin; requested_at is when a first attempt was last enqueued.
 */
export class Transcripts1780000000015 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(resultTable('transcripts', 'transcript text, language text'));
    await runner.query(resultTable('summaries', 'summary text'));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE summaries, transcripts');
  }
}

const resultTable = (table: string, result: string) => `
  CREATE TABLE ${table} (
    recording_id uuid CONSTRAINT ${table}_pkey PRIMARY KEY,
    tenant_id uuid NOT NULL,
    call_id uuid NOT NULL,
    status text NOT NULL CONSTRAINT ${table}_status_check CHECK (status IN ('pending', 'ready', 'failed')),
    attempts integer NOT NULL DEFAULT 0,
    ${result},
    provider text,
    model text,
    failure text,
    generated_at timestamptz(3),
    inserted_at timestamptz(3) NOT NULL,
    requested_at timestamptz(3) NOT NULL,
    CONSTRAINT ${table}_ready_check CHECK ((status = 'ready') = (generated_at IS NOT NULL)),
    CONSTRAINT ${table}_recording_id_fkey FOREIGN KEY (tenant_id, recording_id)
      REFERENCES recordings (tenant_id, id) ON DELETE CASCADE
  );
  ${tenantPolicy(table)}
`;
