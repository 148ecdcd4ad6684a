import type { MigrationInterface, QueryRunner } from 'typeorm';
import { tenantPolicy } from './tenant-policy';

/**
 * Appointments, the terms of their access links (start of validity and start of priority), and the terms that a call
 * copies.
 */
export class Appointments1780000000017 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE EXTENSION IF NOT EXISTS btree_gist;

      ALTER TABLE access_links
        ADD valid_from timestamptz(3),
        ADD priority_from timestamptz(3),
        ADD reserved_user_id uuid,
        ADD CONSTRAINT access_links_reserved_user_id_fkey FOREIGN KEY (tenant_id, reserved_user_id)
          REFERENCES users (tenant_id, id) ON DELETE SET NULL (reserved_user_id);

      CREATE TABLE appointments (
        id uuid CONSTRAINT appointments_pkey PRIMARY KEY DEFAULT gen_random_uuid(),
        tenant_id uuid NOT NULL CONSTRAINT appointments_tenant_id_fkey REFERENCES tenants ON DELETE CASCADE,
        department_id uuid,
        user_id uuid NOT NULL,
        customer_id uuid,
        title text,
        notes text,
        starts_at timestamptz(3) NOT NULL,
        ends_at timestamptz(3) NOT NULL,
        status text NOT NULL DEFAULT 'scheduled' CONSTRAINT appointments_status_check
          CHECK (status IN ('scheduled', 'confirmed', 'completed', 'cancelled', 'no_show')),
        access_link_id uuid,
        -- The current version of the invitation (RFC 5545, 3.8.7.4), and when it was requested.
        sequence integer NOT NULL DEFAULT 0,
        invited_at timestamptz(3),
        reminder_day_deadline timestamptz(3),
        reminder_soon_deadline timestamptz(3),
        no_show_deadline timestamptz(3),
        next_deadline timestamptz(3) GENERATED ALWAYS AS
          (LEAST(reminder_day_deadline, reminder_soon_deadline, no_show_deadline)) STORED,
        created_by uuid,
        inserted_at timestamptz(3) NOT NULL,
        updated_at timestamptz(3) NOT NULL,
        CONSTRAINT appointments_tenant_key UNIQUE (tenant_id, id),
        CONSTRAINT appointments_times_check CHECK (starts_at < ends_at),
        CONSTRAINT appointments_overlap_excl EXCLUDE USING gist
          (tenant_id WITH =, user_id WITH =, tstzrange(starts_at, ends_at) WITH &&)
          WHERE (status IN ('scheduled', 'confirmed')),
        CONSTRAINT appointments_department_id_fkey FOREIGN KEY (tenant_id, department_id)
          REFERENCES departments (tenant_id, id) ON DELETE SET NULL (department_id),
        CONSTRAINT appointments_user_id_fkey FOREIGN KEY (tenant_id, user_id) REFERENCES users (tenant_id, id),
        CONSTRAINT appointments_customer_id_fkey FOREIGN KEY (tenant_id, customer_id)
          REFERENCES customers (tenant_id, id) ON DELETE SET NULL (customer_id),
        CONSTRAINT appointments_access_link_id_fkey FOREIGN KEY (tenant_id, access_link_id)
          REFERENCES access_links (tenant_id, id) ON DELETE SET NULL (access_link_id),
        CONSTRAINT appointments_created_by_fkey FOREIGN KEY (tenant_id, created_by)
          REFERENCES users (tenant_id, id) ON DELETE SET NULL (created_by)
      );
      CREATE INDEX appointments_starts_idx ON appointments (tenant_id, starts_at, id);
      CREATE INDEX appointments_user_idx ON appointments (tenant_id, user_id, starts_at, id);
      CREATE INDEX appointments_department_idx ON appointments (department_id);
      CREATE INDEX appointments_customer_idx ON appointments (customer_id);
      CREATE INDEX appointments_link_idx ON appointments (access_link_id);
      CREATE INDEX appointments_deadline_idx ON appointments (next_deadline) WHERE next_deadline IS NOT NULL;
      ${tenantPolicy('appointments')}

      -- priority_since: the time since which the call has priority. priority_deadline is handled like other deadlines.
      DROP INDEX calls_queue_idx;
      ${ADD_PRIORITY_DEADLINE}
      ALTER TABLE calls
        ADD reserved_user_id uuid,
        ADD priority_since timestamptz(3),
        ADD CONSTRAINT calls_reserved_user_id_fkey FOREIGN KEY (tenant_id, reserved_user_id)
          REFERENCES users (tenant_id, id) ON DELETE SET NULL (reserved_user_id);
      CREATE INDEX calls_queue_idx ON calls (tenant_id, department_id, priority_since, queue_number)
        WHERE status = 'queued';
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP INDEX calls_queue_idx;
      ALTER TABLE calls DROP reserved_user_id, DROP priority_since;
      CREATE INDEX calls_queue_idx ON calls (tenant_id, department_id, queue_number) WHERE status = 'queued';
      DROP TABLE appointments;
      ALTER TABLE access_links DROP valid_from, DROP priority_from, DROP reserved_user_id;
    `);
  }
}

/** Only for databases of the development versions before 0.1.0: it rewrites the table. */
const ADD_PRIORITY_DEADLINE = `
  DO $$ BEGIN
    IF NOT EXISTS (SELECT FROM pg_attribute WHERE attrelid = 'calls'::regclass AND attname = 'priority_deadline') THEN
      ALTER TABLE calls DROP next_deadline;
      ALTER TABLE calls ADD priority_deadline timestamptz(3),
        ADD next_deadline timestamptz(3) GENERATED ALWAYS AS (LEAST(wait_deadline, absence_deadline, ring_deadline,
          customer_grace_deadline, agent_grace_deadline, priority_deadline)) STORED;
      CREATE INDEX calls_deadline_idx ON calls (next_deadline) WHERE next_deadline IS NOT NULL;
    END IF;
  END $$;`;
